// Package claims holds what a model wrote against the evidence that it cites, by rules:
// no model is asked. An answer is taken apart into claims, sentence by sentence; of each
// it is looked at whether its citations exist, whether its numbers, dates, amounts,
// identifiers and names stand in the passages that it cites, whether a sentence there is
// turned round (negation, modality, comparison), and whether enough of its words are
// there at all.
//
// A verdict without a fault does not prove a claim: rules see that a figure stands in a
// passage, not always that it stands there for the same thing. A fault names what a person
// can look up. English is looked at wholly; of other languages citations, numbers, dates,
// identifiers and, where capitals mark them, names.
package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// Passage is a numbered piece of the evidence.
type Passage struct {
	N    int    // by which it is cited
	Text string // a claim's sentence is looked for here
	// Around is what stands over it: title, headings, a table's header, dates. What it
	// says supports a claim as the text does.
	Around string
}

// Kind is what is wrong with a claim.
type Kind string

// The kinds of faults, in the order in which they are looked for.
const (
	Broken      Kind = "broken"      // the text or its citation breaks off
	Uncited     Kind = "uncited"     // it cites nothing
	NoPassage   Kind = "no passage"  // it cites a number that the evidence does not have
	Instructed  Kind = "instructed"  // it says what the document tells a model to say
	Number      Kind = "number"      // a number or amount does not stand in what it cites
	Date        Kind = "date"        // nor does a date
	Identifier  Kind = "identifier"  // nor an identifier
	Name        Kind = "name"        // nor a name
	Negation    Kind = "negation"    // "not" is dropped or added
	Modality    Kind = "modality"    // "may" has become "must"
	Comparison  Kind = "comparison"  // "at least" has become "at most"
	Unsupported Kind = "unsupported" // too few of its words stand in what it cites
)

// Fault is one thing that is wrong with a claim.
type Fault struct {
	Kind Kind
	// Detail says it in words that can be put to the model that wrote the claim: it
	// holds text of the claim and numbers of passages, and no text of a document.
	Detail string
}

// Support is where a claim is held: the sentences of a passage that say most of it.
type Support struct {
	N    int           // of the passage
	Span document.Span // within its text
}

// Verdict is what was found of a claim.
type Verdict struct {
	Claim  Claim
	Faults []Fault
	// Support has one entry for each passage that the claim cites and that says some of it; where
	// no words tell which do, the whole of each. A claim that holds has one at least.
	Support []Support
}

// OK reports whether nothing is wrong with the claim.
func (v Verdict) OK() bool { return len(v.Faults) == 0 }

// Reason is the faults as one sentence.
func (v Verdict) Reason() string {
	parts := make([]string, len(v.Faults))
	for i, f := range v.Faults {
		parts[i] = f.Detail
	}
	return strings.Join(parts, "; ")
}

// Checker holds claims against one set of passages, each of which is read once. Its
// methods may be called concurrently. Its time for a claim is linear in the evidence.
type Checker struct {
	passages map[int]*source
	order    []int
}

// New reads the passages.
func New(passages []Passage) *Checker {
	c := &Checker{passages: map[int]*source{}}
	for _, p := range passages {
		c.passages[p.N] = newSource(p)
		c.order = append(c.order, p.N)
	}
	return c
}

// Check holds a claim against what it cites.
func (c *Checker) Check(claim Claim) Verdict {
	v := Verdict{Claim: claim}
	if claim.Broken {
		v.Faults = append(v.Faults, Fault{Broken, "the sentence or its citation breaks off"})
		return v
	}
	if len(claim.Cites) == 0 {
		v.Faults = append(v.Faults, Fault{Uncited, "it cites no passage"})
		return v
	}
	var cited []*source
	for _, n := range claim.Cites {
		s, ok := c.passages[n]
		if !ok {
			v.Faults = append(v.Faults, Fault{NoPassage, fmt.Sprintf("there is no passage [%d]", n)})
			continue
		}
		cited = append(cited, s)
	}
	if len(v.Faults) > 0 {
		return v
	}
	r := read(claim.Text)
	v.Faults = faults(r, cited)
	if len(v.Faults) > 0 {
		if n := c.elsewhere(r, claim.Cites); n > 0 {
			v.Faults[0].Detail += fmt.Sprintf(", but in passage [%d]", n)
		}
		return v
	}
	v.Support = supports(r, cited)
	return v
}

// supports finds where a claim is held. Of several passages one that says far less of it than
// another, and without which nothing is amiss, is left out: it was cited for company.
func supports(r reading, cited []*source) []Support {
	var out []Support
	best := 0.0
	shares := make([]float64, len(cited))
	spans := make([]document.Span, len(cited))
	for i, s := range cited {
		spans[i], shares[i] = s.held(r)
		best = max(best, shares[i])
	}
	for i, s := range cited {
		if shares[i] <= 0 {
			continue
		}
		if shares[i] < 0.5*best && len(faults(r, slices.Delete(slices.Clone(cited), i, i+1))) == 0 {
			continue
		}
		out = append(out, Support{s.n, spans[i]})
	}
	if len(out) == 0 { // as of a claim in another language than its passages
		for _, s := range cited {
			out = append(out, Support{s.n, document.Span{From: 0, To: len(s.text)}})
		}
	}
	return out
}

// elsewhere finds a passage, not cited, in which nothing of the claim is amiss.
func (c *Checker) elsewhere(r reading, cites []int) int {
	for _, n := range c.order {
		if !slices.Contains(cites, n) && len(faults(r, []*source{c.passages[n]})) == 0 {
			return n
		}
	}
	return 0
}

// faults lists what is wrong with a claim that cites these passages.
func faults(r reading, cited []*source) []Fault {
	if f, ok := instructed(r, cited); ok {
		return []Fault{f}
	}
	var out []Fault
	out = append(out, numberFaults(r, cited)...)
	out = append(out, dateFaults(r, cited)...)
	out = append(out, identifierFaults(r, cited)...)
	out = append(out, nameFaults(r, cited)...)
	if !r.english {
		return out
	}
	if f, ok := unsupported(r, cited); ok {
		return append(out, f)
	}
	aligned := align(r, cited)
	if len(out) == 0 {
		out = append(out, replacedFaults(r, aligned)...)
	}
	out = append(out, negationFaults(r, aligned)...)
	out = append(out, modalityFaults(r, aligned)...)
	return append(out, comparisonFaults(r, aligned)...)
}

// quoted names parts of a claim in a fault.
func quoted(parts []string) string {
	for i, p := range parts {
		parts[i] = fmt.Sprintf("%q", p)
	}
	return strings.Join(parts, ", ")
}

// notThere is the fault of facts that the cited passages do not hold.
func notThere(kind Kind, noun string, parts []string) []Fault {
	if len(parts) == 0 {
		return nil
	}
	return []Fault{{kind, fmt.Sprintf("the %s %s does not stand in what it cites", noun, quoted(parts))}}
}
