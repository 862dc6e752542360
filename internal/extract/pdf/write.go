package pdf

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// write makes the page of the web that the blocks are.
func (d *document) write() (*office.Page, error) {
	w := &writer{document: d}
	for _, b := range d.blocks {
		w.block(b)
		if err := d.page.Full(); err != nil {
			return nil, err
		}
	}
	return d.page, nil
}

type writer struct {
	*document
	lists  office.Lists
	lefts  []float64 // of the items that are open
	number int       // the page that was written last
}

func (w *writer) block(b block) {
	body := w.page.Body
	if b.kind != item {
		w.lists.Close()
		w.lefts = nil
	}
	switch b.kind {
	case tabled:
		w.table(b.table)
	case heading:
		w.page.Text(w.page.Heading(body, b.level), w.onPage(b.said, b.page))
	case code:
		w.page.Text(w.page.Add(body, atom.Pre), w.code(b))
	case note:
		w.page.Text(w.page.Add(body, atom.P), "[^"+b.mark+"]: "+w.onPage(b.said, b.page))
	case item:
		w.item(b)
	default:
		w.page.Text(w.page.Add(body, atom.P), w.withNotes(w.onPage(b.said, b.page), pagesOf(b)...))
	}
	for _, r := range b.lines {
		w.number = max(w.number, r.page)
	}
}

// onPage marks a text that is the first of its page.
func (w *writer) onPage(s string, page int) string {
	if page <= w.number {
		return s
	}
	w.number = page
	return marked(s, page)
}

// item writes an item of a list; a clause is a paragraph with its number.
func (w *writer) item(b block) {
	said := w.withNotes(w.onPage(b.said, b.page), pagesOf(b)...)
	bullet := !numbered.MatchString(b.mark)
	if !bullet && !strings.HasSuffix(b.mark, ".") || !bullet && strings.Count(b.mark, ".") > 1 {
		w.lists.Close()
		w.lefts = nil
		w.page.Text(w.page.Add(w.page.Body, atom.P), said)
		return
	}
	left := b.box.left
	for n := len(w.lefts); n > 0 && left < w.lefts[n-1]-3; n = len(w.lefts) {
		w.lefts = w.lefts[:n-1]
	}
	if n := len(w.lefts); n == 0 || left > w.lefts[n-1]+3 {
		w.lefts = append(w.lefts, left)
	}
	label, rest := b.mark, strings.TrimSpace(strings.TrimPrefix(unmarked(said), b.mark))
	if bullet {
		label = ""
	}
	if said != unmarked(said) {
		rest = marked(rest, w.number)
	}
	w.page.Text(w.lists.Item(w.page, w.page.Body, len(w.lefts)-1, label), rest)
}

// code writes lines of letters of one width where they stand.
func (w *writer) code(b block) string {
	var out strings.Builder
	for i, r := range b.lines {
		if i > 0 {
			out.WriteByte('\n')
			if r.base-b.lines[i-1].base > 1.8*r.size {
				out.WriteByte('\n')
			}
		}
		var words strings.Builder
		wide := 0 // characters
		for _, s := range r.segments {
			for _, word := range s.words {
				// A letter of one width is 0.6 of its size wide in the common fonts.
				column := int(math.Round((word.left - b.box.left) / (0.6 * word.size)))
				gap := min(column-wide, 80)
				if wide > 0 {
					gap = max(gap, 1)
				}
				gap = max(gap, 0)
				words.WriteString(strings.Repeat(" ", gap))
				words.WriteString(word.text)
				wide += gap + utf8.RuneCountInString(word.text)
			}
		}
		line := words.String()
		if i == 0 {
			line = w.onPage(line, b.page)
		}
		out.WriteString(line)
	}
	return out.String()
}

func (w *writer) table(t *table) {
	t.mirrored()
	to := w.page.Add(w.page.Body, atom.Table)
	part := to
	if t.header > 0 {
		part = w.page.Add(to, atom.Thead)
	}
	for i, r := range t.rows {
		if i == t.header && i > 0 {
			part = w.page.Add(to, atom.Tbody)
		}
		tr := w.page.Add(part, atom.Tr)
		for _, c := range r {
			w.cell(tr, c, i < t.header, t.pageOf(i))
		}
	}
	w.number = max(w.number, t.page)
}

func (w *writer) cell(tr *html.Node, c cell, header bool, page int) {
	kind := atom.Td
	if header {
		kind = atom.Th
	}
	var attrs []string
	if c.cols > 1 {
		attrs = append(attrs, "colspan", strconv.Itoa(c.cols))
	}
	if c.rows > 1 {
		attrs = append(attrs, "rowspan", strconv.Itoa(c.rows))
	}
	var so []byte
	for _, l := range c.lines {
		so = w.join(so, l)
	}
	s := w.withNotes(string(so), page)
	if s != "" {
		s = w.onPage(s, page)
	}
	w.page.Text(w.page.Add(tr, kind, attrs...), s)
}

// The mark of a page's first text stands behind the first letter of it, so that it
// does not hide what a line begins with. Its characters are none that text holds:
// a noncharacter, and the number of the page from a private plane.
const (
	pageMark  = '\uFDD0'
	pagePlane = 0xF0000
)

func marked(s string, page int) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n] + string(pageMark) + string(rune(pagePlane+min(page, 0xFFFD))) + s[n:]
}

// unmarked is a text without the mark of its page.
func unmarked(s string) string {
	i := strings.IndexRune(s, pageMark)
	if i < 0 {
		return s
	}
	end := i + utf8.RuneLen(pageMark) + utf8.RuneLen(pagePlane)
	return s[:i] + s[min(end, len(s)):]
}

// clean is a text that the file has beside its pages, on one line.
func clean(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "") {
		t, soft := normal(r)
		if soft && r != '-' {
			t = ""
		}
		b.WriteString(t)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
