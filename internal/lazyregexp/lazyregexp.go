// Package lazyregexp has regular expressions that are compiled when they are first used.
// Some 250 stand in the packages that read documents and questions; compiled at
// start they cost every command, quarry --help too, more than all else that it does.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression. Its methods are those of regexp.Regexp and may be
// called concurrently.
type Regexp struct {
	compiled func() *regexp.Regexp
	start    func() *start
}

// New is for patterns that are constant: one that is wrong panics when it is first used,
// and in tests at once, so that a wrong one is found by any test of its package.
func New(pattern string) *Regexp {
	r := &Regexp{
		compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) }),
		start:    sync.OnceValue(func() *start { return startOf(pattern) }),
	}
	if inTest {
		r.compiled()
	}
	return r
}

// inTest is whether this is the program that go test made; a library may be in one without arguments.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// MatchString reports whether s holds a match.
func (r *Regexp) MatchString(s string) bool {
	return !r.start().rulesOut(s) && r.compiled().MatchString(s)
}

// FindString is the leftmost match in s, "" if there is none.
func (r *Regexp) FindString(s string) string {
	if r.start().rulesOut(s) {
		return ""
	}
	return r.compiled().FindString(s)
}

// FindStringIndex is where the leftmost match in s lies, nil if there is none.
func (r *Regexp) FindStringIndex(s string) []int {
	if r.start().rulesOut(s) {
		return nil
	}
	return r.compiled().FindStringIndex(s)
}

// FindStringSubmatch is the leftmost match in s and those of its groups, nil if there is none.
func (r *Regexp) FindStringSubmatch(s string) []string {
	if r.start().rulesOut(s) {
		return nil
	}
	return r.compiled().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is where the leftmost match in s and those of its groups lie.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if r.start().rulesOut(s) {
		return nil
	}
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindAllString lists up to n matches in s, all if n is below 0, as the others do.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringIndex lists where matches in s lie.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch lists matches in s with those of their groups.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex lists where matches in s and those of their groups lie.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is s with to in place of its matches, where $1 stands for a group.
func (r *Regexp) ReplaceAllString(s, to string) string { return r.compiled().ReplaceAllString(s, to) }

// ReplaceAllStringFunc is s with what to makes of its matches.
func (r *Regexp) ReplaceAllStringFunc(s string, to func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, to)
}

// FindSubmatch is the leftmost match in b and those of its groups, nil if there is none.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

// FindAllIndex lists where matches in b lie.
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int { return r.compiled().FindAllIndex(b, n) }

// ReplaceAll is b with to in place of its matches.
func (r *Regexp) ReplaceAll(b, to []byte) []byte { return r.compiled().ReplaceAll(b, to) }
