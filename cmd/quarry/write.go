package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// dangerous reports whether a rune may act on a terminal or reorder what is
// shown: control characters but for tab and line feed, and the controls of
// bidirectional text. Documents may hold them; the command never prints them.
func dangerous(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || 0x7f <= r && r <= 0x9f:
		return true
	case r == 0x200e || r == 0x200f || r == 0x061c || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069:
		return true
	case r == 0x2028 || r == 0x2029:
		return true
	}
	return false
}

// neutral replaces every dangerous rune, and every byte that is not UTF-8, by
// U+FFFD.
func neutral(b []byte) []byte {
	clean := true
	for i := 0; clean && i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		clean = !dangerous(r) && (r != utf8.RuneError || n > 1)
		i += n
	}
	if clean {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if dangerous(r) {
			return utf8.RuneError
		}
		return r
	}, bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// oneLine makes a text safe and takes its line breaks out: names and titles of
// documents stand within a line.
func oneLine(s string) string {
	s = string(neutral([]byte(s)))
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// printf writes to the result. Arguments are made safe when it is written.
func (a *app) printf(format string, args ...any) { fmt.Fprintf(&a.out, format, args...) }

// writeJSON writes the one object of a command. Dangerous runes that JSON
// leaves as they are become escapes, which only strings can hold.
func (a *app) writeJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing the result as JSON: %w", err)
	}
	for _, r := range b.String() {
		if dangerous(r) {
			fmt.Fprintf(&a.out, `\u%04x`, r)
			continue
		}
		a.out.WriteRune(r)
	}
	return nil
}

// list is a slice that JSON writes as [] where it is empty.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// indented puts spaces before every line of a text.
func indented(spaces int, text string) string {
	pad := strings.Repeat(" ", spaces)
	return pad + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+pad)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
