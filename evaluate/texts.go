package evaluate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// texts keeps the texts of judged documents, with their code points and tokens
// located. It is used from one goroutine.
type texts struct {
	read  func(document string) (string, error)
	cache map[string]*located
	// counts are the numbers of tokens of hits, by their text; lists repeat them.
	counts map[string]int
}

// located is a text of which code points and tokens can be found quickly.
type located struct {
	text   string
	marks  []int // byte offset of every stride-th code point
	tokens []int // byte offsets at which tokens begin
	err    error
}

const stride = 512

// textOf is what reads a document where Options does not say: from the
// folder of the set's documents, with line ends as in canonical text.
func textOf(docs string) func(string) (string, error) {
	return func(name string) (string, error) {
		local := filepath.FromSlash(name)
		if docs == "" || !filepath.IsLocal(local) {
			return "", errors.New("its text is not to be had")
		}
		b, err := os.ReadFile(filepath.Join(docs, local))
		text := strings.TrimPrefix(string(b), "\uFEFF")
		return strings.ReplaceAll(text, "\r\n", "\n"), err
	}
}

func (t *texts) get(name string) (*located, error) {
	l := t.cache[name]
	if l == nil {
		l = &located{}
		l.text, l.err = t.read(name)
		l.tokens = tokenStarts(l.text)
		n := 0
		for at := range l.text {
			if n%stride == 0 {
				l.marks = append(l.marks, at)
			}
			n++
		}
		t.cache[name] = l
	}
	return l, l.err
}

// bytes converts a span of code points. One that ends after the text is false.
func (l *located) bytes(s Span) (document.Span, bool) {
	from, ok := l.offset(s.From)
	if !ok {
		return document.Span{}, false
	}
	to, ok := l.offset(s.To)
	return document.Span{From: from, To: to}, ok
}

func (l *located) offset(n int) (int, bool) {
	if len(l.marks) == 0 {
		return 0, n == 0
	}
	var at int
	if i := n / stride; i < len(l.marks) {
		at = l.marks[i]
		n %= stride
	} else {
		at, n = l.marks[len(l.marks)-1], n-stride*(len(l.marks)-1)
	}
	for ; n > 0; n-- {
		if at >= len(l.text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(l.text[at:])
		at += size
	}
	return at, true
}

// count is the number of tokens that begin in the span.
func (l *located) count(s document.Span) int {
	return sort.SearchInts(l.tokens, s.To) - sort.SearchInts(l.tokens, s.From)
}

// countText is the number of tokens of a text.
func (t *texts) countText(s string) int {
	n, ok := t.counts[s]
	if !ok {
		n = len(tokenStarts(s))
		if t.counts == nil {
			t.counts = map[string]int{}
		}
		if len(t.counts) < maxReduced {
			t.counts[s] = n
		}
	}
	return n
}

// tokenStarts gives where tokens begin: a run of letters and digits is one, and
// every other sign that is no white space.
func tokenStarts(s string) []int {
	var starts []int
	word := false
	for i, r := range s {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case isWord && word && !unspaced(r):
		case !unicode.IsSpace(r):
			starts = append(starts, i)
		}
		word = isWord
	}
	return starts
}

// judgedSpan is a span of a question in its document.
type judgedSpan struct {
	document string
	span     document.Span
}

// spans resolves the spans of a question. A span belongs to the only source, or
// to the source at the same place in the list; otherwise there are none.
func (t *texts) spans(q Question) ([]judgedSpan, error) {
	if len(q.Spans) == 0 || len(q.Sources) != 1 && len(q.Sources) != len(q.Spans) {
		return nil, nil
	}
	list := make([]judgedSpan, len(q.Spans))
	for i, s := range q.Spans {
		doc := q.Sources[0].Document
		if len(q.Sources) > 1 {
			doc = q.Sources[i].Document
		}
		l, err := t.get(doc)
		if err != nil {
			return nil, fmt.Errorf("spans of %s cannot be located: %w", doc, err)
		}
		b, ok := l.bytes(s)
		if !ok {
			return nil, fmt.Errorf("span [%d, %d] ends after the text of %s", s.From, s.To, doc)
		}
		list[i] = judgedSpan{doc, b}
	}
	return list, nil
}
