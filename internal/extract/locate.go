package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// maxSearched bounds the bytes that are searched for the lines of one document, whatever
// its pages hold: about a second.
const maxSearched = 2 << 30

// locate says where in the canonical text the lines of pages are, which it holds in
// another order and with marks of its own. Letters and digits are compared, page by page:
// a line is where the one before it ends, or else at the only place that has its text.
// One that could be at several is left out: no box is better than a wrong one.
func locate(text string, pages document.Pages, lines []office.Line) document.Lines {
	var out document.Lines
	budget := maxSearched
	for i, p := range pages {
		end := len(text)
		if i+1 < len(pages) {
			end = pages[i+1].Offset
		}
		from, _ := slices.BinarySearchFunc(lines, p.Page, func(l office.Line, page int) int { return cmp.Compare(l.Page, page) })
		to := from
		for to < len(lines) && lines[to].Page == p.Page {
			to++
		}
		s := streamOf(text, min(p.Offset, end), end)
		out = append(out, s.locate(lines[from:to], &budget)...)
	}
	return out
}

// stream is a text without all that is no letter or digit.
type stream struct {
	letters string
	at      []int // of each byte of letters, where in the text it stands
	taken   []bool
}

func streamOf(text string, from, to int) *stream {
	s := &stream{}
	var b strings.Builder
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(text[i:to])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteString(text[i : i+size])
			for k := range size {
				s.at = append(s.at, i+k)
			}
		}
		i += size
	}
	s.letters, s.taken = b.String(), make([]bool, b.Len())
	return s
}

func (s *stream) locate(lines []office.Line, budget *int) document.Lines {
	var out document.Lines
	var again []int // lines whose text is at several places
	next := 0       // where the line before ended
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i] = streamOf(l.Text, 0, len(l.Text)).letters
		switch {
		case keys[i] == "":
		case strings.HasPrefix(s.letters[next:], keys[i]) && s.free(next, keys[i]) && (!s.within(next+len(keys[i])) || strings.HasSuffix(l.Text, "-")):
			out = append(out, s.take(next, keys[i], l))
			next += len(keys[i])
		default:
			at, several := s.only(keys[i], budget)
			if at >= 0 {
				out = append(out, s.take(at, keys[i], l))
				next = at + len(keys[i])
			} else if several {
				again = append(again, i)
			}
		}
	}
	for _, i := range again { // the others may have taken all places but one
		if at, _ := s.only(keys[i], budget); at >= 0 {
			out = append(out, s.take(at, keys[i], lines[i]))
		}
	}
	slices.SortFunc(out, func(a, b document.Line) int { return cmp.Compare(a.Span.From, b.Span.From) })
	return out
}

// only is the one place that is free and has a text as whole words, -1 if there is none
// or there are several.
func (s *stream) only(key string, budget *int) (at int, several bool) {
	at = -1
	for from := 0; ; {
		if *budget -= len(s.letters) - from; *budget < 0 {
			return -1, false
		}
		i := strings.Index(s.letters[from:], key)
		if i < 0 {
			return at, false
		}
		if i += from; !s.within(i) && !s.within(i+len(key)) && s.free(i, key) {
			if at >= 0 {
				return -1, true
			}
			at = i
		}
		from = i + 1
	}
}

// within is whether a place is inside a word.
func (s *stream) within(at int) bool {
	return at > 0 && at < len(s.at) && s.at[at] == s.at[at-1]+1
}

func (s *stream) free(at int, key string) bool {
	return !slices.Contains(s.taken[at:at+len(key)], true)
}

func (s *stream) take(at int, key string, l office.Line) document.Line {
	last := at + len(key) - 1
	for i := at; i <= last; i++ {
		s.taken[i] = true
	}
	return document.Line{Span: document.Span{From: s.at[at], To: s.at[last] + 1}, Page: l.Page,
		Box: document.Box{Left: l.Box[0], Top: l.Box[1], Right: l.Box[2], Bottom: l.Box[3]}}
}
