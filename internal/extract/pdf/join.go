package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joined puts together what the end of a column or page divides: paragraphs, and
// tables with the same columns.
func (d *document) joined(blocks []block) []block {
	var out []block
	for _, b := range blocks {
		n := len(out) - 1
		if b.kind == tabled && n >= 0 && out[n].kind == tabled && out[n].table.continues(b.table) {
			out[n].table.join(b.table)
			continue
		}
		if at := d.before(out, b); at >= 0 {
			out[at].lines = append(out[at].lines, b.lines...)
			out[at].edge = b.edge
			continue
		}
		out = append(out, b)
	}
	return out
}

// before is the block that b goes on with, -1 if none: the last paragraph of the
// column before, behind which only notes stand.
func (d *document) before(blocks []block, b block) int {
	if !b.starts || b.kind != text || len(blocks) == 0 {
		return -1
	}
	for i := len(blocks) - 1; i >= 0 && i >= len(blocks)-6; i-- {
		a := blocks[i]
		if d.smaller(a) && !d.smaller(b) {
			continue
		}
		if a.kind != text && a.kind != item || !startsLower(b.lines[0].String()) && !fills(a, b) || a.page < b.page-1 || a.bold != b.bold || a.size > 1.07*b.size || b.size > 1.07*a.size {
			return -1
		}
		last, first := a.lines[len(a.lines)-1].String(), b.lines[0].String()
		r, _ := utf8.DecodeRuneInString(first)
		if strings.HasSuffix(last, "-") && unicode.IsLetter(r) || !ends(last) && unicode.IsLetter(r) && !unicode.IsUpper(r) {
			return i
		}
		return -1
	}
	return -1
}

// fills is whether the last line of a had no room for the first word of b.
func fills(a, b block) bool {
	last := a.lines[len(a.lines)-1]
	return strings.HasSuffix(last.String(), "-") || last.right+0.3*last.size+b.lines[0].first().width() > a.edge-1.5*last.size
}

// smaller is whether a block is set in smaller letters than the text, as notes are.
func (d *document) smaller(b block) bool {
	return b.kind != tabled && b.size < 0.93*d.size
}

// leaders stand for the row of dots between a title and its page.
const leaders = " … "

// say writes the text of each block, lines joined.
func (d *document) say() {
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.kind == tabled || b.kind == code {
			continue
		}
		var so []byte
		page := b.page
		for _, r := range b.lines {
			line := r.String()
			if r.page != page && r.page > 0 {
				page = r.page
				line = marked(line, page)
			}
			so = d.join(so, line)
		}
		b.said = leader.ReplaceAllString(string(so), leaders)
	}
}
