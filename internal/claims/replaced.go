package claims

import (
	"fmt"
	"slices"
)

// retoldShare is the share of a claim's content words that one sentence must say for the claim
// to be that sentence retold, fact for fact.
const retoldShare = 0.75

// fact is a number, date, time or name of a text, as one that may stand in place of another.
type fact struct {
	kind     Kind
	number   number
	date     date
	clock    clock
	name     word
	from, to int
}

// replacedFaults reports a fact that stands in what is cited, but not in the sentence that the
// claim retells, which has another in its place: the figure of another year.
func replacedFaults(r reading, aligned []part) []Fault {
	var first []Fault
	for _, p := range aligned {
		if shareOf(r.contentTerms(), p.terms) < retoldShare {
			continue
		}
		f := replaced(r, p)
		if f == nil {
			return nil
		}
		if first == nil {
			first = f
		}
	}
	return first
}

func replaced(r reading, p part) []Fault {
	own, retold := r.listFacts(), p.listFacts()
	in := make([]int, len(own)) // which fact of the sentence each of the claim's is
	taken := make([]bool, len(retold))
	for i, f := range own {
		in[i] = -1
		// Of equal ones the one between the same words.
		for at, g := range retold {
			if !taken[at] && p.of.same(g, f) && (in[i] < 0 || inPlace(r, f, p.reading, g)) {
				in[i] = at
			}
		}
		if in[i] >= 0 {
			taken[in[i]] = true
		}
	}
	for i, f := range own {
		if p.of.around(f) {
			continue
		}
		for at, g := range retold {
			if taken[at] || !alike(f, g) || r.repeats(g) {
				continue
			}
			there := inPlace(r, f, p.reading, g)
			if in[i] < 0 && (there || f.kind != Name && g.kind != Name) || in[i] >= 0 && there && r.within(f) && !inPlace(r, f, p.reading, retold[in[i]]) {
				return []Fault{{f.kind, fmt.Sprintf("%q stands in what it cites, but for something else", r.text[f.from:f.to])}}
			}
		}
	}
	return nil
}

// alike reports whether two facts may stand in each other's place.
func alike(f, g fact) bool { return f.kind == g.kind || f.kind != Number && g.kind != Number }

func (r *reading) listFacts() []fact {
	var out []fact
	for _, n := range r.facts.numbers {
		out = append(out, fact{kind: Number, number: n, from: n.from, to: max(n.to, n.unitTo)})
	}
	for _, d := range r.facts.dates {
		out = append(out, fact{kind: Date, date: d, from: d.from, to: d.to})
	}
	for _, c := range r.facts.clocks {
		out = append(out, fact{kind: Date, clock: c, from: c.from, to: c.to})
	}
	for i, w := range r.words {
		if !r.covered[i] && r.isName(i) {
			out = append(out, fact{kind: Name, name: w, from: w.from, to: w.to})
		}
	}
	return out
}

// same reports whether a fact of a passage is one of a claim.
func (s *source) same(have, want fact) bool {
	if have.kind != want.kind {
		return false
	}
	switch have.kind {
	case Number:
		return s.sameUnit(have.number, want.number) && s.sameValue(have.number, want.number)
	case Name:
		return have.name.term == want.name.term
	}
	if have.date == (date{}) {
		return want.date == (date{}) && have.clock.minute%720 == want.clock.minute%720
	}
	return s.says(have.date, want.date)
}

// repeats reports whether a claim holds a passage's name too, wherever.
func (r *reading) repeats(have fact) bool {
	return have.kind == Name && slices.ContainsFunc(r.words, func(w word) bool { return w.term == have.name.term })
}

// inPlace reports whether two facts stand between the same words: a claim may well say the
// name for which the sentence has a pronoun, beside another name.
func inPlace(a reading, f fact, b reading, g fact) bool {
	beforeA, afterA := a.beside(f)
	beforeB, afterB := b.beside(g)
	return beforeA == beforeB && afterA == afterB
}

// within reports whether words stand on both sides of a fact.
func (r *reading) within(f fact) bool {
	before, after := r.beside(f)
	return before != "" && after != ""
}

// beside gives the terms of the words before and after a fact, "" at an edge.
func (r *reading) beside(f fact) (before, after string) {
	for _, w := range r.words {
		if w.to <= f.from {
			before = w.term
		}
		if w.from >= f.to {
			return before, w.term
		}
	}
	return before, ""
}

// around reports whether a fact stands over the passage, in its title or headings.
func (s *source) around(f fact) bool {
	for _, have := range s.over.listFacts() {
		if s.same(have, f) {
			return true
		}
	}
	return false
}
