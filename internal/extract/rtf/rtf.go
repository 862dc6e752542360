// Package rtf reads Rich Text Format (Microsoft, Rich Text Format Specification
// 1.9.1).
package rtf

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const maxDepth = 1000

var errDeep = errors.New("the document nests its groups too deeply to be read (more than 1000 levels)")

// Read makes a page of a document: headings by style or outline level, numbers as
// they are written beside the text, tables, footnotes behind what refers to them.
func Read(data []byte) (*office.Page, error) {
	r := &reader{scanner: scanner{data: data}, page: office.NewPage(), fonts: map[int]string{}, styles: map[int]style{}}
	r.state = state{skip: 1, encoding: "windows-1252"}
	r.defaultEncoding = r.state.encoding
	r.body = &body{to: r.page.Body}
	for {
		t, ok := r.scanner.next()
		if !ok {
			break
		}
		if err := r.token(t); err != nil {
			return nil, err
		}
	}
	if len(r.bodies) > 0 { // the file ends within a note
		r.flush()
		r.endNote()
	}
	r.paragraph()
	r.endTable()
	r.endBlock()
	r.page.Count(r.comments, "Comments that were left out")
	r.page.Count(r.hidden, "Runs of hidden text that were left out")
	if r.margins {
		r.page.Note("Page headers and footers were left out.")
	}
	return r.page, r.page.Full()
}

type reader struct {
	scanner         scanner
	page            *office.Page
	defaultEncoding string
	fonts           map[int]string // encodings
	styles          map[int]style

	state    state
	stack    []state
	body     *body
	bodies   []*body // those around a footnote
	para     para
	pending  []byte // bytes that wait for their encoding
	starred  bool   // the group is a destination that may be unknown
	leftOver int    // characters that stand for the \u before them
	high     rune   // the first half of a surrogate pair

	comments, hidden, noted int
	margins                 bool
}

// state is what a group keeps and its end restores.
type state struct {
	skip     int // bytes that stand for a \u
	encoding string
	hidden   bool
	deleted  bool
	raised   bool
	label    bool // the text is the number of a paragraph
	note     bool // the end of the group is that of a footnote
}

type style struct {
	name    string
	outline int // from 1; 0 none
}

// para is the paragraph that is open.
type para struct {
	line    *html.Node
	label   string
	notes   []*html.Node // that it refers to
	level   int          // of the outline, from 1
	style   int
	list    int // level in a list
	inTable bool
}

// body is a sequence of blocks: the document or a footnote.
type body struct {
	to    *html.Node
	lists office.Lists
	notes []*html.Node
	saved para
	table *table
}

func (r *reader) token(t token) error {
	if t.kind != 't' {
		r.flush()
	}
	switch t.kind {
	case '{':
		if len(r.stack) >= maxDepth {
			return errDeep
		}
		r.stack = append(r.stack, r.state)
		r.state.note = false
		r.starred, r.leftOver = false, 0
	case '}':
		if r.state.note {
			r.endNote()
		}
		if n := len(r.stack); n > 0 {
			r.state, r.stack = r.stack[n-1], r.stack[:n-1]
		}
		r.starred, r.leftOver = false, 0
	case '*':
		r.starred = true
	case 't':
		if r.leftOver > 0 {
			r.leftOver--
			return nil
		}
		r.pending = append(r.pending, t.text)
	case 'w':
		starred := r.starred
		r.starred = false
		r.word(t, starred)
		return r.page.Full()
	}
	return nil
}

// write adds text where the state says.
func (r *reader) write(s string) {
	switch {
	case r.state.deleted:
	case r.state.hidden:
		if strings.TrimSpace(s) != "" {
			r.hidden++
		}
	case r.state.label:
		if len(r.para.label) < 100 {
			r.para.label += s
		}
	default:
		if r.para.line == nil {
			r.para.line = &html.Node{Type: html.ElementNode, DataAtom: atom.Span, Data: "span"}
		}
		to := r.para.line
		if r.state.raised {
			if to.LastChild == nil || to.LastChild.DataAtom != atom.Sup {
				r.page.Add(to, atom.Sup)
			}
			to = to.LastChild
		}
		r.page.Text(to, s)
	}
}
