package pdf

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bookmark is an entry of the outline that the file has beside its text.
type bookmark struct {
	title string
	level int // from 1
	page  int // from 1; 0 if it leads nowhere
}

// maxBookmarks bounds the entries that are looked at.
const maxBookmarks = 5000

func (s session) bookmarks() []bookmark {
	var out []bookmark
	seen := 0 // links may run in circles
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		at := s.call("FPDFBookmark_GetFirstChild", s.document, parent)
		for at != 0 && seen < maxBookmarks && level <= 12 {
			seen++
			to := s.call("FPDFBookmark_GetDest", s.document, at)
			if to == 0 {
				if action := s.call("FPDFBookmark_GetAction", at); action != 0 {
					to = s.call("FPDFAction_GetDest", s.document, action)
				}
			}
			b := bookmark{title: s.text("FPDFBookmark_GetTitle", at), level: level}
			if to != 0 {
				b.page = int(int32(s.call("FPDFDest_GetDestPageIndex", s.document, to))) + 1
			}
			out = append(out, b)
			walk(at, level+1)
			at = s.call("FPDFBookmark_GetNextSibling", s.document, at)
		}
	}
	walk(0, 1)
	return out
}

// look is what headings of one level have in common.
type look struct {
	size float64
	bold bool
}

func lookOf(b block) look { return look{math.Round(b.size*2) / 2, b.bold} }

const (
	maxHeading      = 200 // characters
	maxHeadingLines = 4
)

// decimals is the number of a heading: "3", "3.2.1", "A.1".
var decimals = regexp.MustCompile(`^(?:([A-Z]|\d{1,3})((?:\.\d{1,3})*)\.?)\s+\S`)

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
var madeTitle = regexp.MustCompile(`(?i)^(?:microsoft (?:word|powerpoint|excel) - .*|untitled.*|\(anonymous\)|document\d*|slide \d+|.*\.(?:docx?|pptx?|xlsx?|pdf|indd|tex|dvi|rtf))$`)

// outlineLevels are the levels of the blocks that the outline of the file names.
func (d *document) outlineLevels() map[int]int {
	type at struct {
		page  int
		title string
	}
	named := map[at]int{}
	for _, m := range d.file.bookmarks {
		if t := letters(m.title); t != "" {
			if _, ok := named[at{m.page, t}]; !ok {
				named[at{m.page, t}] = m.level
			}
		}
	}
	out := map[int]int{}
	if len(named) == 0 {
		return out
	}
	for i, b := range d.blocks {
		if b.kind != text && b.kind != item || utf8.RuneCountInString(b.said) > 2*maxHeading {
			continue
		}
		whole := letters(b.said)
		_, rest, _ := strings.Cut(b.said, " ")
		for _, t := range []string{whole, letters(rest)} {
			if level := named[at{b.page, t}]; level > 0 && t != "" && (t == whole || decimals.MatchString(b.said)) {
				out[i] = level
				break
			}
		}
	}
	return out
}

// letters are those and the digits of a title.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func (d *document) looksLikeHeading(i int) bool {
	b := d.blocks[i]
	if b.kind != text && b.kind != item || len(b.lines) > maxHeadingLines || utf8.RuneCountInString(b.said) > maxHeading ||
		strings.IndexFunc(b.said, unicode.IsLetter) < 0 || len(b.lines[0].segments) > 2 {
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

// titleAmong is the heading on the first page that is larger than all others, -1
// if there is none.
func (d *document) titleAmong(found []int) int {
	largest, count := -1, 0
	for _, i := range found {
		switch {
		case largest < 0 || d.blocks[i].size > 1.04*d.blocks[largest].size:
			largest, count = i, 1
		case d.blocks[i].size > 0.96*d.blocks[largest].size:
			count++
		}
	}
	if largest < 0 || count > 1 || d.blocks[largest].page > 1 || depth(d.blocks[largest].said) > 0 || len(found) < 2 {
		return -1
	}
	return largest
}

// lookLevels are the levels of the looks of headings: what most headings of a
// look have by the outline or by their numbers, else one below the next larger.
func (d *document) lookLevels(found []int, outline map[int]int, title int) map[look]int {
	votes := map[look]map[int]int{}
	for _, i := range found {
		if i == title {
			continue
		}
		b := d.blocks[i]
		s := lookOf(b)
		if votes[s] == nil {
			votes[s] = map[int]int{}
		}
		level := outline[i]
		if level == 0 {
			level = depth(b.said)
		}
		votes[s][level]++
	}
	var looks []look
	for s := range votes {
		looks = append(looks, s)
	}
	slices.SortFunc(looks, func(a, b look) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(weight(b), weight(a)))
	})
	out := map[look]int{}
	last := 0
	if title >= 0 && len(d.file.bookmarks) == 0 && !numberedAny(votes) {
		last = 1
	}
	for _, s := range looks {
		level, most := last+1, 0
		for v, n := range votes[s] {
			if v > 0 && (n > most || n == most && v < level) {
				level, most = v, n
			}
		}
		level = min(level, 6)
		out[s], last = level, level
	}
	return out
}

func numberedAny(votes map[look]map[int]int) bool {
	for _, v := range votes {
		for level := range v {
			if level > 0 {
				return true
			}
		}
	}
	return false
}

func weight(s look) int {
	if s.bold {
		return 1
	}
	return 0
}
