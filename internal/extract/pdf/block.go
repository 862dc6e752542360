package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	text kind = iota
	item
	heading
	code
	note
	tabled
)

// block is what a reader sees as one: a paragraph, an item, a heading, a table.
type block struct {
	kind   kind
	box    box
	page   int
	lines  []row
	table  *table
	mark   string // of an item or note
	level  int    // of a heading, from 1; of an item, from 0
	size   float64
	bold   bool
	starts bool    // it is the first of a column
	edge   float64 // the right end of its column
	said   string
}

// layout is what the lines of a document have in common.
type layout struct {
	size     float64 // of the font that most of the text has
	face     string  // the font that most of the text has
	allFixed bool    // most of the text has letters of one width, which then say nothing
}

// layoutOf measures all pages.
func layoutOf(pages []page) layout {
	sizes := map[int]int{} // characters by size in tenths of a point
	faces := map[string]int{}
	fixed, all := 0, 0
	for _, p := range pages {
		for _, w := range p.words {
			n := utf8.RuneCountInString(w.text)
			sizes[tenth(w.size)] += n
			faces[w.font.name] += n
			if all += n; w.font.fixed {
				fixed += n
			}
		}
	}
	best, most := 0, 0
	for s, n := range sizes {
		if n > most || n == most && s > best {
			best, most = s, n
		}
	}
	l := layout{size: float64(best) / 10, allFixed: 2*fixed > all}
	for name, n := range faces {
		if m := faces[l.face]; n > m || n == m && name > l.face {
			l.face = name
		}
	}
	return l
}

// blocksOf reads a region line by line.
func (l layout) blocksOf(region []segment, p *page) []block {
	rows := joinRows(region, p.number)
	edges := bounds(rows, func(r row) box { return r.box })
	pitch := pitches(rows)
	var out []block
	for i := 0; i < len(rows); {
		r := rows[i]
		if t := r.segments[0].table; t != nil {
			out = append(out, block{kind: tabled, box: t.box, page: p.number, table: t})
			i++
			continue
		}
		if len(r.segments) > 1 || headsTable(rows, i) {
			if t, to := aligned(rows, i, p.rules, p.number); t != nil {
				out = append(out, block{kind: tabled, box: t.box, page: p.number, table: t})
				i = to
				continue
			}
		}
		to := i + 1
		for to < len(rows) && rows[to].segments[0].table == nil && l.sameBlock(rows[i:to], rows[to], edges, pitch[tenth(rows[to].size)]) &&
			(len(rows[to].segments) == 1 && !headsTable(rows, to) || !startsTable(rows, to, p)) {
			to++
		}
		out = append(out, l.block(rows[i:to], edges, p.number))
		i = to
	}
	return out
}

// headsTable is whether a row has the name of several columns, none of which is the
// first, and stands close above them.
func headsTable(rows []row, i int) bool {
	if i+2 >= len(rows) || len(rows[i].segments) != 1 || len(rows[i+1].segments) < 2 || rows[i+1].top-rows[i].bottom > 0.8*rows[i].size {
		return false
	}
	left := rows[i+1].left
	for _, r := range rows[i+1 : min(i+4, len(rows))] {
		left = min(left, r.left)
	}
	return rows[i].left > left+4*rows[i].size
}

func startsTable(rows []row, at int, p *page) bool {
	t, _ := aligned(rows, at, p.rules, p.number)
	return t != nil
}

// joinRows makes rows of the segments of a region, which are in the order of their
// base lines.
func joinRows(region []segment, number int) []row {
	var out []row
	for _, s := range region {
		n := len(out) - 1
		if n >= 0 && s.table == nil && out[n].segments[0].table == nil && s.base-out[n].base <= max(0.8, 0.25*min(s.size, out[n].size)) {
			out[n].segments = append(out[n].segments, s)
			out[n].box = out[n].union(s.box)
			continue
		}
		out = append(out, row{box: s.box, base: s.base, size: s.size, page: number, segments: []segment{s}})
	}
	for i := range out {
		slices.SortStableFunc(out[i].segments, func(a, b segment) int {
			if a.left < b.left {
				return -1
			}
			return 1
		})
	}
	return out
}

// pitches are the median distances between the base lines of rows by their size in
// tenths of a point, where there are enough to say.
func pitches(rows []row) map[int]float64 {
	all := map[int][]float64{}
	for i := 1; i < len(rows); i++ {
		d, size := rows[i].base-rows[i-1].base, rows[i].size
		if d > 0.5*size && d < 3*size && tenth(rows[i-1].size) == tenth(size) {
			all[tenth(size)] = append(all[tenth(size)], d)
		}
	}
	out := map[int]float64{}
	for size, d := range all {
		if len(d) >= 3 {
			slices.Sort(d)
			out[size] = d[len(d)/2]
		}
	}
	return out
}

func tenth(size float64) int { return int(size*10 + 0.5) }

func (r row) first() word { return r.segments[0].words[0] }

func (r row) all(is func(word) bool) bool {
	for _, s := range r.segments {
		if slices.ContainsFunc(s.words, func(w word) bool { return !w.raised && !is(w) }) {
			return false
		}
	}
	return true
}

func (r row) bold() bool  { return r.all(func(w word) bool { return w.font.bold }) }
func (r row) fixed() bool { return r.all(func(w word) bool { return w.font.fixed }) }

// sameBlock is whether a row goes on with the block of the rows above it.
func (l layout) sameBlock(above []row, r row, edges box, pitch float64) bool {
	first, last := above[0], above[len(above)-1]
	step := r.base - last.base
	if first.fixed() && r.fixed() && !l.allFixed {
		return step < 2.6*r.size
	}
	limit := 1.45 * max(r.size, last.size)
	if pitch > 0 {
		limit = max(1.25*pitch, 1.15*r.size)
	}
	if len(above) > 1 {
		limit = max(1.25*(last.base-above[len(above)-2].base), 1.15*r.size)
	}
	switch {
	case step > limit:
		return false
	case r.size > 1.07*last.size || last.size > 1.07*r.size:
		return false
	case r.bold() != last.bold() && (last.bold() && first.bold() || r.bold() && r.fewWords()):
		return false
	case first.fixed() != r.fixed() && !l.allFixed:
		return false
	case r.first().raised:
		return false // a note
	case startsItem(r.String()):
		return startsTogether(r, last, above)
	}
	short := last.right < edges.right-max(0.15*edges.width(), 3*r.size)
	ended := ends(last.String())
	right := edges.right
	if len(above) > 1 {
		right = bounds(above, func(r row) box { return r.box }).right
	}
	// The first word had room on the line above, so the line was ended on purpose.
	broken := !strings.HasSuffix(last.String(), "-") && last.right+0.3*r.size+r.first().width() < right-1.5*r.size && !startsLower(r.String()) && math.Abs(last.right-r.right) > 1.5*r.size
	indented := r.left > last.left+0.9*r.size && r.left > edges.left+0.9*r.size
	hanging := len(above) == 1 && (startsItem(first.String()) || r.left > first.left)
	switch {
	case indented && ended && !(len(above) == 1 && startsItem(first.String())):
		return false
	case len(above) > 1 && r.left < last.left-0.9*r.size && startsItem(first.String()): // back from an item
		return false
	case broken && !centered(above, edges) && !(len(above) == 1 && last.face() != "" && last.face() == r.face() && last.bold() && r.bold()):
		return false
	case last.face() != "" && r.face() != "" && last.face() != r.face() && len(above) == 1 && short:
		return false
	case short && ended && !hanging && !centered(above, edges):
		return r.left > edges.left+0.9*r.size && startsItem(first.String())
	}
	return true
}

// startsTogether is whether a line that looks like the start of an item is only a
// line: "2026. The" within a paragraph.
func startsTogether(r, last row, above []row) bool {
	s := r.String()
	return !startsItem(above[0].String()) && itemStart.FindStringSubmatch(s)[1] != "" && !ends(last.String()) && r.left <= last.left+1 &&
		numbered.MatchString(s) && !ends(strings.Fields(last.String())[0])
}

func centered(above []row, edges box) bool {
	d := above[0].center() - edges.center()
	return d > -4 && d < 4 && above[0].left > edges.left+10
}

// face is the name of the font of all words of a row, "" if there are several.
func (r row) face() string {
	name := r.first().font.name
	if !r.all(func(w word) bool { return w.font.name == name }) {
		return ""
	}
	return name
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

func (r row) fewWords() bool { return len(strings.Fields(r.String())) <= 15 }

// ends is whether a line ends as a sentence, a clause or a heading of a list does.
func ends(s string) bool {
	s = strings.TrimRight(s, `"'”’»)]`)
	return s != "" && strings.ContainsRune(".:;!?。！？؟۔", lastRune(s))
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

var (
	// itemStart is the mark of an item: a bullet, or a number or letter with a stop.
	itemStart = regexp.MustCompile(`^([•▪▫➢✓■●○◦‣⁃∙·*–—➔-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?)\s+\S`)
	numbered  = regexp.MustCompile(`^\(?(?:\d|[a-zA-Z])`)
)

func startsItem(s string) bool { return itemStart.MatchString(s) }

func (l layout) block(rows []row, edges box, number int) block {
	b := block{page: number, lines: slices.Clip(rows), box: bounds(rows, func(r row) box { return r.box })}
	b.bold, b.size = true, rows[0].size
	for _, r := range rows {
		b.bold = b.bold && r.bold()
		b.size = max(b.size, r.size)
	}
	b.edge = edges.right
	switch m := itemStart.FindStringSubmatch(rows[0].String()); {
	case len(rows) > 1 && allFixed(rows) && !l.allFixed:
		b.kind = code
	case m != nil:
		b.kind, b.mark = item, m[1]
	}
	return b
}

func allFixed(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return !r.fixed() })
}
