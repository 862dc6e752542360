package evaluate

import (
	"maps"
	"slices"
)

// level is what a unit is.
type level int

const (
	finest level = iota // the finest that the question has
	docLevel
	sectionLevel
	passageLevel
)

// unit is a judged unit of a question at one level.
type unit struct {
	Unit
	grade   int
	heading heading
	quote   letters
}

// judgement is what a question's units at one level are, ready to be matched.
type judgement struct {
	level level
	units []unit
	// documents maps a document to the units that may be found in it; nil
	// stands for every document and every unit.
	documents map[string][]int
}

// judge gives the question's units at a level; none where it is not judged
// there. quotes are its passages, or the texts of its spans.
func judge(q Question, quotes []string, at level) judgement {
	switch at {
	case passageLevel:
		return judgeQuotes(q, quotes)
	case sectionLevel:
		if !slices.ContainsFunc(q.Sources, func(s Source) bool { return s.Heading != "" }) {
			return judgement{level: at}
		}
		return judgeSources(q, at)
	case docLevel:
		return judgeSources(q, at)
	}
	for _, l := range []level{passageLevel, sectionLevel} {
		if j := judge(q, quotes, l); len(j.units) > 0 {
			return j
		}
	}
	return judge(q, quotes, docLevel)
}

func judgeQuotes(q Question, quotes []string) judgement {
	j := judgement{level: passageLevel}
	document := ""
	if docs := q.documents(); len(docs) == 1 {
		document = docs[0]
	}
	seen := map[string]bool{}
	for _, text := range quotes {
		c := compact(text)
		if c.text == "" || seen[c.text] {
			continue
		}
		seen[c.text] = true
		j.units = append(j.units, unit{Unit: Unit{Document: document, Quote: text}, grade: 1, quote: c})
	}
	for _, d := range append(q.documents(), q.AlsoValid...) {
		if j.documents == nil {
			j.documents = map[string][]int{}
		}
		j.documents[d] = indices(len(j.units))
	}
	return j
}

func judgeSources(q Question, at level) judgement {
	j := judgement{level: at, documents: map[string][]int{}}
	type key struct{ document, heading string }
	seen := map[key]int{}
	for _, s := range q.Sources {
		if s.Grade < 1 {
			continue
		}
		u := unit{Unit: Unit{Document: s.Document}, grade: s.Grade}
		if at == sectionLevel && s.Heading != "" {
			u.Heading, u.heading = s.Heading, parseHeading(s.Heading)
		}
		k := key{u.Document, u.heading.whole}
		if i, ok := seen[k]; ok {
			j.units[i].grade = max(j.units[i].grade, u.grade)
			continue
		}
		seen[k] = len(j.units)
		j.documents[u.Document] = append(j.documents[u.Document], len(j.units))
		j.units = append(j.units, u)
	}
	if len(j.documents) == 1 {
		for _, d := range q.AlsoValid {
			j.documents[d] = indices(len(j.units))
		}
	}
	return j
}

// documents are the relevant documents of the sources, each once.
func (q Question) documents() []string {
	var docs []string
	for _, s := range q.Sources {
		if s.Grade >= 1 && !slices.Contains(docs, s.Document) {
			docs = append(docs, s.Document)
		}
	}
	return docs
}

// places are the units as something that looks for them needs them: a quote that may
// stand in several documents once for each of them.
func (j judgement) places() []Unit {
	var list []Unit
	for i, u := range j.units {
		if j.level != passageLevel {
			list = append(list, u.Unit)
			continue
		}
		for _, d := range slices.Sorted(maps.Keys(j.documents)) {
			if slices.Contains(j.documents[d], i) {
				list = append(list, Unit{Document: d, Quote: u.Quote})
			}
		}
	}
	return list
}

// in gives the units that may be found in a document.
func (j judgement) in(document string) []int {
	if j.documents == nil {
		return indices(len(j.units))
	}
	return j.documents[document]
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Holding gives the indices of the passages of a document, in its order, that
// hold a unit: those in the section; or for a quote the shortest that holds all
// of it, and where the edges of passages cut it, those that hold a part.
func Holding(u Unit, passages []Hit) []int {
	q := Question{Sources: []Source{{Document: u.Document, Heading: u.Heading, Grade: 1}}}
	var quotes []string
	if u.Quote != "" {
		quotes = []string{u.Quote}
	}
	j := judge(q, quotes, finest)
	if len(j.units) == 0 {
		return nil
	}
	hits := prepare(passages, nil)
	if j.level != passageLevel {
		var list []int
		for i := range hits {
			if j.units[0].inSection(hits[i].headings) {
				list = append(list, i)
			}
		}
		return list
	}
	best, most := -1, 0
	var parts []int
	for i := range hits {
		s := within(j.units[0].quote, hits[i].compacted())
		n := s.to - s.from
		if n == 0 {
			continue
		}
		parts = append(parts, i)
		if n > most || n == most && len(hits[i].Text) < len(hits[best].Text) {
			best, most = i, n
		}
	}
	if best >= 0 && most == len(j.units[0].quote.text) {
		return []int{best}
	}
	return parts
}
