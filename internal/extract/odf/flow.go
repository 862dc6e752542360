package odf

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// flow is a sequence of blocks: a body, a cell, a text box, a note.
type flow struct {
	to      *html.Node
	lists   office.Lists
	pending []note // to be set behind the block that is open
	cell    bool   // its notes are set behind the table
}

type note struct {
	mark string
	body *office.Element
}

// where a paragraph stands in lists.
type place struct {
	style string // of the list
	level int    // from 1; 0 is in none
	first bool   // of its item
	start string // the number that its item is given
}

func (r *reader) block(e *office.Element, f *flow) error { return r.blockAt(e, f, place{}) }

func (r *reader) blockAt(e *office.Element, f *flow, at place) error {
	if err := r.page.Full(); err != nil {
		return err
	}
	switch e.Name {
	case "text:h", "text:p":
		return r.paragraph(e, f, at)
	case "text:list":
		return r.list(e, f, at)
	case "table:table":
		r.end(f)
		return r.table(e, f)
	case "text:section":
		if e.Attr("text:display") == "none" {
			r.hidden++
			return nil
		}
		return r.blocks(e, f)
	case "text:table-of-content":
		r.contents++
	case "text:illustration-index", "text:table-index", "text:alphabetical-index", "text:user-index", "text:bibliography", "text:index-body",
		"text:numbered-paragraph", "text:index-title":
		return r.blocks(e, f)
	case "draw:frame", "draw:custom-shape", "draw:g", "draw:rect", "draw:ellipse":
		return r.drawn(e, f)
	}
	return nil // text:tracked-changes keeps what was deleted
}

func (r *reader) blocks(e *office.Element, f *flow) error {
	for _, c := range e.Children {
		if err := r.block(c, f); err != nil {
			return err
		}
	}
	return nil
}

// list visits the items of a list; its level is how deep lists nest.
func (r *reader) list(e *office.Element, f *flow, at place) error {
	style := e.Attr("text:style-name")
	if style == "" {
		style = at.style
	}
	inner := place{style: style, level: min(at.level+1, levels)}
	_, continued := e.Lookup("text:continue-list")
	if at.level == 0 && !continued && e.Attr("text:continue-numbering") != "true" {
		delete(r.count, style)
	}
	for _, item := range e.Children {
		if item.Name != "text:list-item" && item.Name != "text:list-header" {
			continue
		}
		inner.first, inner.start = item.Name == "text:list-item", item.Attr("text:start-value")
		for _, c := range item.Children {
			if err := r.blockAt(c, f, inner); err != nil {
				return err
			}
			if c.Name == "text:p" || c.Name == "text:h" {
				inner.first = false
			}
		}
	}
	return nil // a list that goes on in the next element stays open
}

// paragraph writes a heading, an item of a list or a paragraph, with its number.
func (r *reader) paragraph(e *office.Element, f *flow, at place) error {
	style := e.Attr("text:style-name")
	line := &html.Node{Type: html.ElementNode, DataAtom: atom.Span, Data: "span"}
	in := &inline{reader: r, to: line}
	if r.styles.isHidden("paragraph", style) {
		r.hidden++
		return nil
	}
	in.children(e)
	empty := strings.TrimSpace(office.Plain(line)) == ""
	level, _ := strconv.Atoi(e.Attr("text:outline-level"))
	heading := e.Name == "text:h" && level > 0
	label := r.label(e, at, level)
	title := r.styles.isNamed(style, "Title")
	switch {
	case empty:
	case heading || title:
		r.end(f)
		office.Move(line, r.labelled(r.page.Heading(f.to, max(level, 1)), label))
		if title && r.page.Title == "" {
			r.page.Title = strings.Join(strings.Fields(office.Plain(f.to.LastChild)), " ")
		}
	case at.level > 0 && !r.isClause(at.style):
		to := f.to
		switch {
		case at.first:
			to = f.lists.Item(r.page, f.to, at.level-1, label)
		case f.lists.Open():
			to = r.page.Add(f.lists.Last(), atom.P)
		default:
			to = r.page.Add(to, atom.P)
		}
		office.Move(line, to)
	default:
		r.end(f)
		office.Move(line, r.labelled(r.page.Add(f.to, atom.P), label))
	}
	f.pending = append(f.pending, in.notes...)
	if !f.lists.Open() {
		r.end(f)
	}
	for _, b := range in.boxes {
		if err := r.blocks(b, f); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) labelled(to *html.Node, label string) *html.Node {
	if label != "" {
		r.page.Text(to, label+" ")
	}
	return to
}

func (r *reader) isClause(style string) bool {
	l := r.styles.lists[style]
	return l != nil && l.clause
}

// label is the number of a paragraph: that of its list, that of its heading's
// level in the outline.
func (r *reader) label(e *office.Element, at place, outline int) string {
	name, l, level := at.style, r.styles.lists[at.style], at.level
	if e.Name == "text:h" && at.level == 0 {
		if name, l, level = "", r.styles.outline, min(outline, levels); isTrue(e.Attr("text:is-list-header")) {
			return ""
		}
	} else if !at.first {
		return ""
	}
	if l == nil || level < 1 {
		return ""
	}
	if r.count[name] == nil {
		r.count[name] = &counter{}
	}
	return r.count[name].next(l, level-1, at.start)
}

func isTrue(s string) bool { return s == "true" }

// end closes the lists and sets the notes behind what refers to them.
func (r *reader) end(f *flow) {
	f.lists.Close()
	if f.cell {
		return
	}
	pending := f.pending
	f.pending = nil
	for _, n := range pending {
		r.setNote(n, f)
	}
}

func (r *reader) setNote(n note, f *flow) {
	r.inNote = true
	defer func() { r.inNote = false }()
	own := &flow{to: &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}}
	if r.blocks(n.body, own) != nil { // too large: the next block says so
		return
	}
	r.end(own)
	r.page.Mark(own.to, n.mark)
	office.Move(own.to, f.to)
}
