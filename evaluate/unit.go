package evaluate

import "slices"

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
