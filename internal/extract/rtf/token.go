package rtf

import (
	"bytes"
	"strconv"
)

// token is a piece of RTF: '{', '}', a control word with its number, a byte of
// text, or bytes to leave out.
type token struct {
	kind  byte // '{', '}', 'w' word, 't' text, '*' an ignorable destination, 0 nothing
	word  string
	n     int
	given bool // there is a number
	text  byte
}

type scanner struct {
	data []byte
	at   int
}

// next gives the next token; ok is false at the end.
func (s *scanner) next() (t token, ok bool) {
	if s.at >= len(s.data) {
		return t, false
	}
	c := s.data[s.at]
	s.at++
	switch c {
	case '{', '}':
		return token{kind: c}, true
	case '\r', '\n':
		return token{}, true
	case '\\':
		return s.control(), true
	}
	return token{kind: 't', text: c}, true
}

// control reads what follows a backslash.
func (s *scanner) control() token {
	if s.at >= len(s.data) {
		return token{}
	}
	c := s.data[s.at]
	if !letter(c) {
		s.at++
		switch c {
		case '\\', '{', '}':
			return token{kind: 't', text: c}
		case '\'':
			if s.at+2 <= len(s.data) {
				if v, err := strconv.ParseUint(string(s.data[s.at:s.at+2]), 16, 8); err == nil {
					s.at += 2
					return token{kind: 't', text: byte(v)}
				}
			}
			return token{}
		case '*':
			return token{kind: '*'}
		case '\r', '\n':
			return token{kind: 'w', word: "par"}
		}
		return token{kind: 'w', word: string(rune(c))}
	}
	from := s.at
	for s.at < len(s.data) && letter(s.data[s.at]) && s.at-from < 32 {
		s.at++
	}
	t := token{kind: 'w', word: string(s.data[from:s.at])}
	from = s.at
	if s.at < len(s.data) && s.data[s.at] == '-' {
		s.at++
	}
	for s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '9' && s.at-from < 11 {
		s.at++
	}
	if n, err := strconv.Atoi(string(s.data[from:s.at])); err == nil {
		t.n, t.given = n, true
	}
	if s.at < len(s.data) && s.data[s.at] == ' ' {
		s.at++
	}
	if t.word == "bin" && t.n > 0 { // raw bytes follow
		s.at += min(t.n, len(s.data)-s.at)
		return token{}
	}
	return t
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// skipGroup goes to the end of the group that is open.
func (s *scanner) skipGroup() {
	for depth := 1; depth > 0; {
		// Pictures are long runs of hexadecimal figures.
		i := bytes.IndexAny(s.data[s.at:], `{}\`)
		if i < 0 {
			s.at = len(s.data)
			return
		}
		s.at += i
		switch t, _ := s.next(); t.kind {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
}
