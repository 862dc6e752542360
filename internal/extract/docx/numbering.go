package docx

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const (
	levels   = 9   // that a list of Word may have
	maxLabel = 200 // bytes of a level's text
)

// numbering counts the automatic numbers of a document as Word does (ECMA-376
// part 1, 17.9).
type numbering struct {
	abstract map[string]*abstract
	nums     map[string]*num
	styles   *styles
}

// abstract is a definition of numbers, which all its instances count on.
type abstract struct {
	levels [levels]level
	count  [levels]int
	begun  [levels]bool
	clause bool // its numbers are those of clauses: some have several parts
}

type level struct {
	start   int
	format  string
	text    string // "%1.%2"
	restart int    // -1: after any level above; 0: never; n: after level n, from 1
	legal   bool
	style   string // paragraphs of this style are numbered by this level
}

// num is an instance: it may begin anew and change levels.
type num struct {
	of     *abstract
	start  map[int]int
	levels map[int]level
	begun  map[int]bool
}

func readNumbering(root *office.Element, st *styles) *numbering {
	n := &numbering{abstract: map[string]*abstract{}, nums: map[string]*num{}, styles: st}
	linked := map[string]string{} // abstract to the style that stands for it
	for _, e := range root.All("w:abstractNum") {
		a := &abstract{}
		for i := range a.levels {
			a.levels[i] = level{start: 1, restart: -1, format: "none"}
		}
		for _, l := range e.All("w:lvl") {
			if i, ok := levelOf(l); ok {
				a.levels[i] = readLevel(l)
				a.clause = a.clause || strings.Count(a.levels[i].text, "%") > 1
			}
		}
		id := e.Attr("w:abstractNumId")
		n.abstract[id] = a
		if to := e.Child("w:numStyleLink").Attr("w:val"); to != "" {
			linked[id] = to
		}
	}
	definition := map[string]string{} // num to abstract
	for _, e := range root.All("w:num") {
		definition[e.Attr("w:numId")] = e.Child("w:abstractNumId").Attr("w:val")
	}
	for _, e := range root.All("w:num") {
		id := definition[e.Attr("w:numId")]
		if to, ok := linked[id]; ok {
			id = definition[st.by[to].pPr.Child("w:numPr", "w:numId").Attr("w:val")]
		}
		if a := n.abstract[id]; a != nil {
			n.nums[e.Attr("w:numId")] = readNum(e, a)
		}
	}
	return n
}

func levelOf(e *office.Element) (int, bool) {
	i, err := strconv.Atoi(e.Attr("w:ilvl"))
	return i, err == nil && i >= 0 && i < levels
}

func readLevel(e *office.Element) level {
	l := level{start: 0, restart: -1, format: e.Child("w:numFmt").Attr("w:val"), text: e.Child("w:lvlText").Attr("w:val"),
		style: e.Child("w:pStyle").Attr("w:val")}
	if l.format == "" {
		l.format = "decimal"
	}
	if v, err := strconv.Atoi(e.Child("w:start").Attr("w:val")); err == nil {
		l.start = v
	}
	if v, err := strconv.Atoi(e.Child("w:lvlRestart").Attr("w:val")); err == nil {
		l.restart = v
	}
	if len(l.text) > maxLabel {
		l.text = ""
	}
	l.legal, _ = toggled(e, "w:isLgl")
	return l
}

func readNum(e *office.Element, a *abstract) *num {
	n := &num{of: a, start: map[int]int{}, levels: map[int]level{}, begun: map[int]bool{}}
	for _, o := range e.All("w:lvlOverride") {
		i, ok := levelOf(o)
		if !ok {
			continue
		}
		if l := o.Child("w:lvl"); l != nil {
			n.levels[i] = readLevel(l)
		}
		if v, err := strconv.Atoi(o.Child("w:startOverride").Attr("w:val")); err == nil {
			n.start[i] = v
		}
	}
	return n
}

func (n *num) level(i int) level {
	if l, ok := n.levels[i]; ok {
		return l
	}
	return n.of.levels[i]
}

// numbered is the instance and level that number a paragraph; nil for none.
// The level of a style is the one that names it.
func (n *numbering) numbered(pPr *office.Element) (*num, int) {
	id, ilvl, leveled := numPr(pPr)
	if id == "" {
		n.styles.chain(n.styles.paragraphStyle(pPr), func(styleID string, st style) bool {
			var own int
			var given bool
			if id, own, given = numPr(st.pPr); id == "" {
				return false
			}
			if !leveled && given {
				ilvl = own
			}
			if in := n.nums[id]; in != nil && !leveled {
				for i := range levels {
					if in.level(i).style == styleID {
						ilvl = i
					}
				}
			}
			return true
		})
	}
	return n.nums[id], ilvl
}

func numPr(pPr *office.Element) (id string, ilvl int, leveled bool) {
	e := pPr.Child("w:numPr")
	id = e.Child("w:numId").Attr("w:val")
	if v, err := strconv.Atoi(e.Child("w:ilvl").Attr("w:val")); err == nil && v >= 0 && v < levels {
		return id, v, true
	}
	return id, 0, false
}

// next counts one paragraph on and gives its label as the reader sees it.
func (n *num) next(i int) string {
	a := n.of
	l := n.level(i)
	start := l.start
	override, overridden := n.start[i]
	switch {
	case overridden && !n.begun[i]:
		a.count[i] = override
	case !a.begun[i]:
		if overridden {
			start = override
		}
		a.count[i] = start
	case a.count[i] < office.MaxNumber:
		a.count[i]++
	}
	a.begun[i], n.begun[i] = true, true
	for above := range i { // a level that was left out counts as begun
		if !a.begun[above] {
			a.count[above], a.begun[above] = n.level(above).start, true
		}
	}
	for below := i + 1; below < levels; below++ {
		if r := n.level(below).restart; r < 0 || r > 0 && i <= r-1 {
			a.begun[below] = false
		}
	}
	return n.label(i)
}

// label fills in the level's text: %1 is the number of the first level.
func (n *num) label(i int) string {
	l := n.level(i)
	var b strings.Builder
	for t := l.text; t != ""; {
		if t[0] == '%' && len(t) > 1 && t[1] >= '1' && t[1] <= '9' {
			at := int(t[1] - '1')
			format := n.level(at).format
			if l.legal && format != "none" {
				format = "decimal"
			}
			b.WriteString(office.FormatNumber(n.of.count[at], format))
			t = t[2:]
			continue
		}
		b.WriteByte(t[0])
		t = t[1:]
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
