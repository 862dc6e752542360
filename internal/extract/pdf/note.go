package pdf

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// noteAt is a note by the page that it stands on and its mark.
type noteAt struct {
	page int
	mark string
}

var (
	noteStart = lazyregexp.New(`^(\d{1,3})[.)]?\s+(\S.*)$`)
	noteMark  = lazyregexp.New(`([^\d\s])\^(\d{1,3})`) // behind a digit it is an exponent
)

// findNotes tells the notes at the foot of pages, which begin with the mark that
// the text above refers to, and puts each behind the block that does.
func (d *document) findNotes() {
	d.notes = map[noteAt]string{}
	used := map[string]bool{}
	refers := map[noteAt]int{} // the block that holds the mark
	for i, b := range d.blocks {
		for _, m := range marksOf(b) {
			if _, seen := refers[m]; !seen {
				refers[m] = i
			}
		}
	}
	behind := map[int][]int{}
	for i := range d.blocks {
		b := &d.blocks[i]
		m := noteStart.FindStringSubmatch(b.said)
		if m == nil || !d.smaller(*b) || b.box.top < 0.4*d.file.pages[b.page-1].box.height() {
			continue
		}
		id := noteAt{b.page, m[1]}
		to, ok := refers[id]
		if !ok || to == i || d.blocks[to].kind == note || d.notes[id] != "" {
			continue
		}
		name := m[1]
		if used[name] {
			name = fmt.Sprintf("%s-p%d", m[1], b.page)
		}
		used[name] = true
		d.notes[id] = name
		b.kind, b.mark, b.said = note, name, m[2]
		behind[to] = append(behind[to], i)
	}
	var out []block
	var add func(int)
	add = func(i int) {
		out = append(out, d.blocks[i])
		for _, n := range behind[i] {
			add(n)
		}
	}
	for i, b := range d.blocks {
		if b.kind != note {
			add(i)
		}
	}
	d.blocks = out
}

// marksOf are the marks of notes in the text of a block or table.
func marksOf(b block) []noteAt {
	var out []noteAt
	for _, r := range b.lines {
		for _, s := range r.segments {
			for i, w := range s.words {
				if i > 0 && w.raised && w.above {
					out = append(out, noteAt{r.page, w.text})
				}
			}
		}
	}
	return out
}

// withNotes writes the marks in a text as references to the notes of its pages.
func (d *document) withNotes(s string, pages ...int) string {
	if len(d.notes) == 0 {
		return s
	}
	return noteMark.ReplaceAllStringFunc(s, func(m string) string {
		before, mark, _ := strings.Cut(m, "^")
		for _, p := range pages {
			if name := d.notes[noteAt{p, mark}]; name != "" {
				return before + "[^" + name + "]"
			}
		}
		return m
	})
}

// pagesOf are the pages that a block stands on.
func pagesOf(b block) []int {
	out := []int{b.page}
	for _, r := range b.lines {
		if r.page != out[len(out)-1] { // lines come in the order of pages
			out = append(out, r.page)
		}
	}
	return out
}
