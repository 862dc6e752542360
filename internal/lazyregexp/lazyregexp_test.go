package lazyregexp

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestAsRegexp: every method gives what that of regexp.Regexp gives.
func TestAsRegexp(t *testing.T) {
	upper := strings.ToUpper
	arguments := map[reflect.Type]func(text string) reflect.Value{
		reflect.TypeFor[string]():              func(text string) reflect.Value { return reflect.ValueOf(text) },
		reflect.TypeFor[[]byte]():              func(text string) reflect.Value { return reflect.ValueOf([]byte(text)) },
		reflect.TypeFor[int]():                 func(string) reflect.Value { return reflect.ValueOf(2) },
		reflect.TypeFor[func(string) string](): func(string) reflect.Value { return reflect.ValueOf(upper) },
	}
	for _, pattern := range []string{`(\d+)-(\d+)`, `(?i)\b(?:may|must)\b`, `^$`, `x*`, `^x*`, `^\d`, `^(?:1-|)y`, `(?i)^(?:y|\x{17f})`, `(?m)^a`, `^[^a-z]`, `^.`, `^(?s:.)`, `^\bY`, `^é|\Ax`, `x|^Y`, `^\xff`, `^(^x|b?c)`, `(?i)^ſ`, `(?i)^K`, `^\n`} {
		lazy, want := reflect.ValueOf(New(pattern)), reflect.ValueOf(regexp.MustCompile(pattern))
		for _, text := range []string{"", "1-2, 30-40 and 5-6", "You MUST, you may", "xxyx", "\xff", "été", "so", "ſo", "k", "\u212a", "\na", "ca", "\x80"} {
			for i := range lazy.NumMethod() {
				name := lazy.Type().Method(i).Name
				var args []reflect.Value
				for in := range lazy.Method(i).Type().Ins() {
					args = append(args, arguments[in](text+strings.Repeat("$1", len(args)))) // the second is what to put in place
				}
				got, asked := lazy.Method(i).Call(args)[0].Interface(), want.MethodByName(name).Call(args)[0].Interface()
				if !reflect.DeepEqual(got, asked) {
					t.Errorf("%s of %q in %q: %v, want %v", name, pattern, text, got, asked)
				}
			}
		}
	}
}

// TestLate: outside tests a pattern is compiled when it is first used, by whoever comes
// first; in tests a wrong one is told at once.
func TestLate(t *testing.T) {
	panics := func(do func()) (said bool) {
		defer func() { said = recover() != nil }()
		do()
		return false
	}
	if !panics(func() { New("(") }) {
		t.Error("a wrong pattern is not told in tests")
	}
	inTest = false
	defer func() { inTest = true }()
	wrong := New("(")
	for range 2 {
		if !panics(func() { wrong.MatchString("") }) {
			t.Error("a wrong pattern matches")
		}
	}
	r := New("a+")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := fmt.Sprint(r.FindAllString("a aa", -1)); got != "[a aa]" {
				t.Error(got)
			}
		})
	}
	group.Wait()
}
