// Package sentence cuts text into sentences: for passages that are too long to
// stay whole, for one-line descriptions and for the quotes of answers. It is
// rule-based, after the idea of Kiss and Strunk, "Unsupervised Multilingual
// Sentence Boundary Detection" (2006), that deciding about the full stop is
// deciding what is an abbreviation; the abbreviations here are a fixed list, so
// that the same text is cut alike in every document.
//
// Markdown counts: a list item, a table row, a heading and a line of fenced code
// each begin a sentence of their own; other line ends are white space.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// Split gives the sentences of text in order, without white space around them.
// They do not overlap and leave out nothing but white space. Time is linear in
// the text. It may be called concurrently.
func Split(text string) []document.Span {
	s := splitter{text: text}
	s.run()
	return s.out
}

// splitter walks over text; the present sentence begins at from, -1 if none has
// begun.
type splitter struct {
	text string
	from int
	out  []document.Span
}

func (s *splitter) run() {
	s.from = -1
	var lines lineReader
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if n := strings.IndexByte(s.text[at:], '\n'); n >= 0 {
			end = at + n
		}
		s.line(lines.read(s.text[at:end]), at, end)
		at = end + 1
	}
	s.close(len(s.text))
}

// line handles the line [at, end) of the given kind.
func (s *splitter) line(k lineKind, at, end int) {
	switch k {
	case blank:
		s.close(at)
	case whole:
		s.close(at)
		s.open(at)
		s.close(end)
	case trailer:
		// A rule under a header row or a heading goes with the line above it.
		if n := len(s.out); s.from < 0 && n > 0 && !blankLineIn(s.text[s.out[n-1].To:at]) {
			s.from = s.out[n-1].From
			s.out = s.out[:n-1]
		}
		s.open(at)
		s.close(end)
	case item:
		s.close(at)
		s.scan(at, end)
	default:
		s.scan(at, end)
	}
}

// blankLineIn reports whether white space holds an empty line.
func blankLineIn(space string) bool { return strings.Count(space, "\n") > 1 }

func (s *splitter) open(at int) {
	if s.from < 0 {
		s.from = at
	}
}

// close ends the present sentence before end, leaving out white space.
func (s *splitter) close(end int) {
	if s.from < 0 {
		return
	}
	t := s.text[s.from:end]
	to := s.from + len(strings.TrimRightFunc(t, unicode.IsSpace))
	from := to - len(strings.TrimLeftFunc(s.text[s.from:to], unicode.IsSpace))
	if from < to {
		s.out = append(s.out, document.Span{From: from, To: to})
	}
	s.from = -1
}

// scan looks for ends of sentences within a line.
func (s *splitter) scan(at, end int) {
	s.open(at)
	for i := at; i < end; {
		c := s.text[i]
		if c < utf8.RuneSelf {
			if c != '.' && c != '!' && c != '?' {
				i++
				continue
			}
		} else if r, n := utf8.DecodeRuneInString(s.text[i:end]); !stops(r) && r != '…' {
			i += n
			continue
		}
		stop := i
		i = s.skipStops(i, end)
		if s.ends(stop, i) {
			s.close(i)
			s.from = i
		}
	}
	if s.from == end {
		s.from = -1
	}
}

// skipStops passes the full stop at i, those that follow it, and what closes
// with the sentence: quotes, brackets, emphasis, a reference mark like "[3]".
func (s *splitter) skipStops(i, end int) int {
	for i < end {
		r, n := utf8.DecodeRuneInString(s.text[i:end])
		if r == '[' {
			if n := referenceMark(s.text[i:end]); n > 0 {
				i += n
				continue
			}
		}
		if !stops(r) && !closes(r) && r != '…' && r != '.' && r != '!' && r != '?' {
			break
		}
		i += n
	}
	return i
}

// referenceMark gives the length of a mark like "[12]" that s begins with.
func referenceMark(s string) int {
	n := 1
	for n < len(s) && n < 5 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 1 && n < len(s) && s[n] == ']' {
		return n + 1
	}
	return 0
}

// stops reports whether r alone ends a sentence, whatever follows it: the full
// stops of scripts that do not use them for anything else.
func stops(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '．', '।', '॥', '؟', '۔', '።', '։', '។', '။':
		return true
	}
	return false
}

func closes(r rune) bool {
	switch r {
	case '"', '\'', '”', '’', '»', '›', ')', ']', '}', '*', '_', '`', '~',
		'」', '』', '）', '】', '》', '〉', '〕', '］':
		return true
	}
	return false
}

func opens(r rune) bool {
	switch r {
	case '"', '\'', '“', '‘', '„', '‚', '«', '‹', '(', '[', '{', '*', '_', '`', '~',
		'「', '『', '（', '【', '《', '¿', '¡', '>':
		return true
	}
	return false
}
