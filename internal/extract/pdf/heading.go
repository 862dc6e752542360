package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const (
	maxHeading      = 200 // characters
	maxHeadingLines = 4
)

// decimals is the number of a heading: "3", "3.2.1", "A.1".
var decimals = lazyregexp.New(`^(?:([A-Z]|\d{1,3})((?:\.\d{1,3})*)\.?)\s+\S`)

// depth is how many parts the number of a text has, 0 if it has none.
func depth(s string) int {
	m := decimals.FindStringSubmatch(s)
	if m == nil || m[2] == "" && unicode.IsLetter(rune(m[1][0])) {
		return 0
	}
	return 1 + strings.Count(m[2], ".")
}

// findHeadings tells headings by the outline of the file, by the size and weight of
// their letters and by their numbers, and gives each its level.
func (d *document) findHeadings() {
	outline := d.outlineLevels()
	var found []int
	for i := range d.blocks {
		if outline[i] > 0 || d.looksLikeHeading(i) {
			found = append(found, i)
		}
	}
	title := d.titleAmong(found)
	levels := d.lookLevels(found, outline, title)
	for _, i := range found {
		b := &d.blocks[i]
		switch n := depth(b.said); {
		case i == title:
			b.level = 1
			d.page.Title = b.said
		case outline[i] > 0:
			b.level = outline[i]
		case n > 0:
			b.level = n
		default:
			b.level = levels[lookOf(*b)]
		}
		b.kind = heading
	}
	if d.page.Title == "" && !madeTitle.MatchString(d.file.title) {
		d.page.Title = d.file.title
	}
}

// madeTitle is a title that a program gave, not a person.
var madeTitle = lazyregexp.New(`(?i)^(?:microsoft (?:word|powerpoint|excel) - .*|untitled.*|\(anonymous\)|document\d*|slide \d+|.*\.(?:docx?|pptx?|xlsx?|pdf|indd|tex|dvi|rtf))$`)

func (d *document) looksLikeHeading(i int) bool {
	b := d.blocks[i]
	if b.kind != text && b.kind != item || len(b.lines) > maxHeadingLines || utf8.RuneCountInString(b.said) > maxHeading ||
		strings.IndexFunc(b.said, unicode.IsLetter) < 0 || strings.Contains(b.said, leaders) || len(b.lines[0].segments) > 2 {
		return false
	}
	if b.kind == item && depth(b.said) == 0 {
		return false
	}
	larger := b.size >= 1.12*d.size
	stops := strings.ContainsRune(".,;", lastRune(b.said)) && !strings.HasSuffix(b.said, "...")
	switch {
	case larger:
		return !stops || b.size >= 1.3*d.size && utf8.RuneCountInString(b.said) < 80
	case b.size < 0.9*d.size || stops:
		return false
	case b.bold:
		return !d.boldAround(i) && !strings.HasSuffix(b.said, ":") || depth(b.said) > 0
	case len(b.lines) == 1 && utf8.RuneCountInString(b.said) < 80 && d.runsIn(i):
		return true
	case depth(b.said) >= 2 && len(b.lines) == 1 && utf8.RuneCountInString(b.said) < 80:
		return !d.besideNumbered(i)
	}
	return false
}

// runsIn is whether a line in a font of its own stands directly above a paragraph
// in the font of the text.
func (d *document) runsIn(i int) bool {
	if i+1 >= len(d.blocks) || d.blocks[i].kind != text {
		return false
	}
	b, next := d.blocks[i], d.blocks[i+1]
	if next.kind != text || len(next.lines) < 2 || next.page != b.page || strings.HasSuffix(b.said, ":") {
		return false
	}
	face, gap, shift := b.lines[0].face(), next.box.top-b.box.bottom, next.box.left-b.box.left
	return face != "" && face != d.layout.face && next.lines[0].face() == d.layout.face && gap < 0.8*b.size && gap > -b.size && math.Abs(shift) < 3
}

// boldAround is whether the next block goes on in bold, so that bold says nothing.
func (d *document) boldAround(i int) bool {
	if i+1 >= len(d.blocks) {
		return true
	}
	next := d.blocks[i+1]
	return next.kind != tabled && next.bold && len(next.lines) > 2
}

// besideNumbered is whether a block of the same kind of number follows: then they
// are clauses.
func (d *document) besideNumbered(i int) bool {
	n := depth(d.blocks[i].said)
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(d.blocks) && d.blocks[j].kind != tabled && depth(d.blocks[j].said) == n {
			return true
		}
	}
	return false
}
