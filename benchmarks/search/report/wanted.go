package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// quarry is the name of the system that the others are compared with.
const quarry = "quarry"

// goal is a figure with what it should be.
type goal struct {
	what  string
	value float64
	limit float64
	least bool // the limit is the least, not the most
}

func (g goal) String() string {
	bound, met := "at most", g.value <= g.limit
	if g.least {
		bound, met = "at least", g.value >= g.limit
	}
	verdict := "MISSED"
	switch {
	case math.IsNaN(g.value):
		return fmt.Sprintf("| %s | - | %s %s | not measured |", g.what, bound, number(g.limit))
	case met:
		verdict = "met"
	}
	return fmt.Sprintf("| %s | %s | %s %s | %s |", g.what, number(g.value), bound, number(g.limit), verdict)
}

// wanted is a table of what Quarry should reach at a million passages; at other sizes
// it shows where it stands.
func (r Run) wanted(b *strings.Builder) {
	ours, ok := r.system(quarry)
	if !ok {
		return
	}
	b.WriteString("\nWhat is wanted at 1,000,000 passages, by one thread.\n\n")
	row(b, "figure", "here", "wanted", "")
	rule(b, 4)
	for _, g := range r.goals(ours) {
		b.WriteString(g.String() + "\n")
	}
}

func (r Run) goals(ours System) []goal {
	all := corpus.Filters[0].Name
	few := corpus.Filters[len(corpus.Filters)-1].Name
	keyword := p50(ours, measure.Keyword, all)
	goals := []goal{
		{"keyword p50, to Lucene's", keyword / r.p50Of("lucene", measure.Keyword), 1, false},
		{"bleve's keyword p50, to ours", r.p50Of("bleve", measure.Keyword) / keyword, 10, true},
		{"FTS5's keyword p50, to ours", r.p50Of("fts5", measure.Keyword) / keyword, 50, true},
		{"vector p50, to reading the vectors once by one thread", p50(ours, measure.Vector, all) / r.Read.One.Seconds(), 0.5, false},
	}
	for _, f := range corpus.Filters {
		recall, _ := r.recall(ours, measure.Vector, f.Name)
		goals = append(goals, goal{"vector recall, filter " + f.Name + " %", recall, 0.99, true})
	}
	return append(goals,
		goal{"hybrid p50 under the filter of 0.1 %, to that without", p50(ours, measure.Hybrid, few) / p50(ours, measure.Hybrid, all), 1, false},
		goal{"hits missing of hybrid under the filter of 0.1 %", r.missing(ours, few), 0, false},
		goal{"passages/s per core of the keyword part, to bleve's", r.perCore(quarry, "keyword") / r.perCore("bleve", "keyword"), 4, true},
		goal{"the same with analysis", r.perCore(quarry, "keyword", "analysis") / r.perCore("bleve", "keyword"), 4, true},
		goal{"a changed document found, ms", mostChange(ours), 100, false},
		goal{"ready to answer by keyword and vector, CPU s", ready(ours), 2, false},
		goal{"live heap and mapped files, KB a passage", float64(ours.Served.Memory.Live+ours.Served.Memory.Mapped) / 1000 / float64(r.Passages), 1.2, false},
	)
}

func (r Run) system(name string) (System, bool) {
	i := slices.IndexFunc(r.Systems, func(s System) bool { return s.Name == name })
	if i < 0 {
		return System{}, false
	}
	return r.Systems[i], true
}

// p50 is in seconds, not a number where it was not measured.
func p50(s System, lane measure.Lane, filter string) float64 {
	if c, ok := s.cell(lane, filter, 1); ok {
		return c.P50.Seconds()
	}
	return math.NaN()
}

func (r Run) p50Of(name string, lane measure.Lane) float64 {
	s, _ := r.system(name)
	return p50(s, lane, corpus.Filters[0].Name)
}

// perCore is for parts of building together, and not a number where one was not measured.
func (r Run) perCore(name string, parts ...string) float64 {
	s, _ := r.system(name)
	var cpu float64
	for _, part := range parts {
		i := slices.IndexFunc(s.Built.Parts, func(p measure.Part) bool { return p.Name == part })
		if i < 0 {
			return math.NaN()
		}
		cpu += s.Built.Parts[i].CPU.Seconds()
	}
	return float64(r.Passages) / cpu
}

// missing is by how many the fewest hits fall short of as many as there are or were
// asked for.
func (r Run) missing(s System, filter string) float64 {
	k := measure.Depth[measure.Hybrid]
	matching := 0
	for _, f := range corpus.Filters {
		if f.Name == filter {
			matching = corpus.PassagesPerDocument * f.Documents(r.Passages/corpus.PassagesPerDocument)
		}
	}
	answers := hits(s.Served.Answers, measure.Hybrid, filter)
	if len(answers) == 0 {
		return math.NaN()
	}
	fewest := slices.MinFunc(answers, func(a, b []measure.Hit) int { return len(a) - len(b) })
	return float64(min(k, matching) - len(fewest))
}

func mostChange(s System) float64 {
	if len(s.Served.Changes) == 0 {
		return math.NaN()
	}
	return slices.Max(s.Served.Changes).Seconds() * 1e3
}

func ready(s System) float64 {
	for _, r := range s.Served.Ready {
		if r.Lane == measure.Vector {
			return r.CPU.Seconds()
		}
	}
	return math.NaN()
}
