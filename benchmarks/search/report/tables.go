package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Markdown is the section of a run.
func (r Run) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s. %s. Questions have %.1f words on average; %.0f %% of them have one that a tenth of the passages hold.\n",
		heading(r.Passages), r.Machine, r.Plan, r.Questions.Words, 100*r.Questions.Frequent)
	for _, left := range r.Left {
		fmt.Fprintf(&b, "\nNot measured: %s.\n", left)
	}
	r.answering(&b)
	r.building(&b)
	r.serving(&b)
	fmt.Fprintf(&b, "\nReading all vectors once as float32, %.0f MB from memory: %s ms by one thread, %s ms by two.\n",
		float64(r.Read.Bytes)/1e6, milliseconds(r.Read.One), milliseconds(r.Read.Two))
	r.exactness(&b)
	r.wanted(&b)
	return b.String()
}

var titles = map[measure.Lane]string{
	measure.Keyword: "Keyword",
	measure.Phrase:  "Quoted phrases",
	measure.Vector:  "Vector",
	measure.Hybrid:  "Hybrid",
}

// answering is a table for each lane: what one and two threads got.
func (r Run) answering(b *strings.Builder) {
	for _, lane := range []measure.Lane{measure.Keyword, measure.Phrase, measure.Vector, measure.Hybrid} {
		under, title := filters(), "filter, %"
		if lane == measure.Phrase {
			under, title = corpus.PhraseKinds, "phrase"
		}
		if !slices.ContainsFunc(r.Systems, func(s System) bool { _, ok := s.cell(lane, under[0], 1); return ok }) {
			continue
		}
		fmt.Fprintf(b, "\n%s, top %d; times in ms, by one thread on one core and by two on two.\n\n", titles[lane], measure.Depth[lane])
		row(b, "system", title, "questions/s", "p50", "p99", "questions/s by two", "p50", "p99", "asked", "recall")
		rule(b, 10)
		for _, f := range under {
			for _, s := range r.Systems {
				one, ok := s.cell(lane, f, 1)
				if !ok {
					continue
				}
				two, _ := s.cell(lane, f, 2)
				row(b, s.Name, f, number(one.PerSecond), milliseconds(one.P50), milliseconds(one.P99),
					number(two.PerSecond), milliseconds(two.P50), milliseconds(two.P99),
					fmt.Sprintf("%d, %d", one.Questions, two.Questions), r.recallCell(s, lane, f))
			}
		}
	}
}

func filters() (names []string) {
	for _, f := range corpus.Filters {
		names = append(names, f.Name)
	}
	return names
}

func (r Run) recallCell(s System, lane measure.Lane, filter string) string {
	mean, n := r.recall(s, lane, filter)
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f (%d)", mean, n)
}

func (r Run) building(b *strings.Builder) {
	b.WriteString("\nBuilding. Analysis is what makes terms of words, which the others do while they index.\n\n")
	row(b, "system", "part", "CPU s", "wall s", "passages/s per core", "on disk, MB", "peak, MB")
	rule(b, 7)
	for _, s := range r.Systems {
		for i, p := range s.Built.Parts {
			disk, peak := "", ""
			if i == len(s.Built.Parts)-1 {
				disk, peak = megabytes(s.Built.Bytes), megabytes(s.Built.Peak)
			}
			row(b, s.Name, p.Name, seconds(p.CPU), seconds(p.Wall), number(float64(r.Passages)/p.CPU.Seconds()), disk, peak)
		}
	}
}

func (r Run) serving(b *strings.Builder) {
	b.WriteString("\nAnswering, in a fresh process: when the first question of each lane was answered, memory in MB, and when a changed document was found.\n\n")
	row(b, "system", "ready, CPU s", "wall s", "live heap", "of its own", "mapped", "peak", "change, median ms", "most ms")
	rule(b, 9)
	for _, s := range r.Systems {
		var cpu, wall []string
		for _, ready := range s.Served.Ready {
			cpu = append(cpu, string(ready.Lane)+" "+seconds(ready.CPU))
			wall = append(wall, seconds(ready.Wall))
		}
		median, most := "-", "-"
		if changes := slices.Sorted(slices.Values(s.Served.Changes)); len(changes) > 0 {
			median, most = milliseconds(measure.Quantile(changes, 0.5)), milliseconds(changes[len(changes)-1])
		}
		m := s.Served.Memory
		row(b, s.Name, strings.Join(cpu, ", "), strings.Join(wall, ", "), megabytes(m.Live), megabytes(m.Anonymous), megabytes(m.Mapped), megabytes(m.Peak), median, most)
	}
}

// exactness is what Quarry's keyword lane got wrong.
func (r Run) exactness(b *strings.Builder) {
	s, ok := r.system(quarry)
	if !ok {
		return
	}
	for _, f := range corpus.Filters {
		found := hits(s.Served.Answers, measure.Keyword, f.Name)
		largest, wrong := Differences(found, hits(r.Exact, measure.Keyword, f.Name))
		fmt.Fprintf(b, "\nQuarry's keyword top %d against exhaustive scoring by the formula, filter %s %%: %d of %d questions equal, largest difference of a score %.1g.\n",
			measure.Depth[measure.Keyword], f.Name, len(found)-len(wrong), len(found), largest)
		for _, w := range wrong[:min(3, len(wrong))] {
			fmt.Fprintf(b, "WRONG: %s.\n", w)
		}
	}
}

func row(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

func rule(b *strings.Builder, columns int) {
	b.WriteString("|" + strings.Repeat(" --- |", columns) + "\n")
}

func milliseconds(d time.Duration) string { return number(d.Seconds() * 1e3) }

func seconds(d time.Duration) string { return number(d.Seconds()) }

func megabytes(n int64) string { return number(float64(n) / 1e6) }

// number has three digits that count, and whole numbers in full.
func number(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
