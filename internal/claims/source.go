package claims

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// source is a passage as the rules look things up in it. What it tells a model to do is no
// part of it.
type source struct {
	n      int
	text   string
	units  map[string]bool // of its numbers, and those that stand alone
	scales map[float64]bool
	values map[float64]bool // of its numbers
	facts  facts
	folded map[string]bool // words
	terms  map[string]bool
	lower  string // all of it in small letters
	firsts string // the first letters of its words
	parts  []part
	over   reading   // of what stands around it
	orders []reading // the sentences that tell a model what to do
}

// part is a sentence, item or row of a passage.
type part struct {
	reading
	span  document.Span // in the passage's text
	terms map[string]bool
	of    *source
}

func newSource(p Passage) *source {
	s := &source{n: p.N, text: p.Text, units: map[string]bool{}, scales: map[float64]bool{}, values: map[float64]bool{}, folded: map[string]bool{}, terms: map[string]bool{}}
	reader := analyze.NewReader()
	around := readBy(reader, p.Around)
	s.over = around
	var kept strings.Builder
	kept.WriteString(p.Around)
	s.add(around)
	ordered := -1 // where the paragraph ends in which a model is told what to do
	for _, span := range sentence.Split(p.Text) {
		text := span.Of(p.Text)
		r := readBy(reader, text)
		if addressesModel(text) {
			ordered = paragraphEnd(p.Text, span.To)
		}
		if span.From < ordered {
			s.orders = append(s.orders, r)
			continue
		}
		kept.WriteString("\n" + text)
		s.add(r)
		s.parts = append(s.parts, part{r, span, termsOf(r), s})
	}
	s.lower = strings.ToLower(kept.String())
	var firsts strings.Builder
	for _, w := range strings.Fields(s.lower) {
		firsts.WriteByte(w[0])
	}
	s.firsts = firsts.String()
	return s
}

func paragraphEnd(text string, from int) int {
	if n := strings.Index(text[from:], "\n\n"); n >= 0 {
		return from + n
	}
	return len(text)
}

// add takes in what a text says.
func (s *source) add(r reading) {
	s.facts.numbers = append(s.facts.numbers, r.facts.numbers...)
	s.facts.dates = append(s.facts.dates, r.facts.dates...)
	s.facts.clocks = append(s.facts.clocks, r.facts.clocks...)
	for _, n := range r.facts.numbers {
		s.units[n.unit] = true
		for _, v := range n.values {
			s.values[v] = true
		}
	}
	for _, w := range r.words {
		s.folded[w.folded], s.terms[w.term] = true, true
		if u := units[w.folded]; u != "" {
			s.units[u] = true
		}
		if v := scales[w.folded]; v > 0 {
			s.scales[v] = true
		}
	}
	for _, sign := range []string{"%", "€", "$", "£", "¥"} {
		if strings.Contains(r.text, sign) {
			s.units[units[sign]] = true
		}
	}
}

func termsOf(r reading) map[string]bool {
	m := map[string]bool{}
	for _, w := range r.words {
		m[w.term] = true
	}
	return m
}
