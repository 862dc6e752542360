package evaluate

import (
	"iter"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// prepared is a hit with what matching needs, made once for all levels.
type prepared struct {
	Hit
	headings []heading
	cache    *cache
	also     []prepared // the hit in each of the other places in which it stands
}

// places are the hit and what it is in other places.
func (h *prepared) places() iter.Seq[*prepared] {
	return func(yield func(*prepared) bool) {
		if !yield(h) {
			return
		}
		for i := range h.also {
			if !yield(&h.also[i]) {
				return
			}
		}
	}
}

// cache keeps what is made of texts and headings, of all questions: their lists
// repeat passages. A nil one keeps nothing.
type cache struct {
	letters  map[string]letters
	headings map[string]heading
}

func newCache() *cache {
	return &cache{letters: map[string]letters{}, headings: map[string]heading{}}
}

// heading is parseHeading.
func (c *cache) heading(s string) heading {
	if c == nil {
		return parseHeading(s)
	}
	h, ok := c.headings[s]
	if !ok {
		h = parseHeading(s)
		if len(c.headings) < maxReduced {
			c.headings[s] = h
		}
	}
	return h
}

// prepare readies a list.
func prepare(hits []Hit, c *cache) []prepared {
	list := make([]prepared, len(hits))
	for i, h := range hits {
		h.Document = cleanPath(h.Document)
		list[i].Hit, list[i].cache = h, c
		for _, s := range h.Heading {
			list[i].headings = append(list[i].headings, c.heading(s))
		}
		if len(h.Also) == 0 {
			continue
		}
		list[i].Also = slices.Clone(h.Also)
		others := make([]Hit, len(h.Also))
		for k := range h.Also {
			p := &list[i].Also[k]
			p.Document = cleanPath(p.Document)
			others[k] = h
			others[k].Document, others[k].Heading, others[k].Span, others[k].Also = p.Document, p.Heading, p.Span, nil
		}
		list[i].also = prepare(others, c)
	}
	return list
}

// maxReduced bounds the memory that a cache takes; past it what is asked for is made again.
const maxReduced = 50_000

// compacted is the hit's text, reduced when first asked for.
func (h *prepared) compacted() letters {
	if h.cache == nil {
		return compact(h.Text)
	}
	l, ok := h.cache.letters[h.Text]
	if !ok {
		l = compact(h.Text)
		if len(h.cache.letters) < maxReduced {
			h.cache.letters[h.Text] = l
		}
	}
	return l
}

// entry is a place of the collapsed list.
type entry struct {
	hit   int   // index into the list as it came
	units []int // judged units that it is the first to hold; usually none or one
}

// place is the identity of an unjudged hit at a level.
type place struct {
	document, section, text string
	span                    document.Span
}

func placeOf(h Hit, headings []heading, at level) place {
	switch at {
	case docLevel:
		return place{document: h.Document}
	case sectionLevel:
		parts := make([]string, len(headings))
		for i, n := range headings {
			parts[i] = n.whole
		}
		return place{document: h.Document, section: strings.Join(parts, "\x00")}
	}
	return place{document: h.Document, text: h.Text, span: h.Span}
}

// collapse gives the list collapsed to the first hit of each unit, and each
// unit's rank in it, from 1; 0 where it is not found.
func collapse(hits []prepared, j judgement) (list []entry, ranks []int) {
	ranks = make([]int, len(j.units))
	holders := make([]holder, len(j.units))
	seen := map[place]bool{}
	for i := range hits {
		e := entry{hit: i}
		known := true // all that it shows was seen before
		for h := range hits[i].places() {
			p := placeOf(h.Hit, h.headings, j.level)
			if seen[p] {
				continue
			}
			seen[p] = true
			again := false // it holds a unit that was seen before
			for _, u := range j.in(h.Document) {
				alone, together := j.held(h, u, &holders[u])
				switch {
				case ranks[u] > 0:
					again = again || alone
				case together:
					ranks[u] = len(list) + 1
					e.units = append(e.units, u)
				}
			}
			known = known && again
		}
		if known && len(e.units) == 0 {
			continue
		}
		list = append(list, e)
	}
	return list, ranks
}

// held reports whether a hit in a right document holds unit u alone, and
// whether it does together with the hits before it.
func (j judgement) held(h *prepared, u int, so *holder) (alone, together bool) {
	unit := &j.units[u]
	if j.level == passageLevel {
		so.quote = unit.quote
		return so.add(h.Document, h.compacted())
	}
	in := unit.inSection(h.headings)
	return in, in
}

// inSection reports whether a heading path lies in the unit's section.
func (u *unit) inSection(path []heading) bool {
	if u.heading.whole == "" { // the document itself
		return true
	}
	for _, h := range path {
		if u.heading.matches(h) {
			return true
		}
	}
	return false
}
