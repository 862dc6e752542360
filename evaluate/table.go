package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// columns of the table by type.
var columns = []string{"recall@5", "all_sources@10", "mrr", "ndcg@10"}

// WriteTable writes the report for people: a table by type, then every metric
// with its interval, then the comparison, if there is one, and how many
// questions failed. The table's n is how many questions its figures are over;
// "-" stands where there is none.
func (r Report) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", r.Set, plural(r.Questions, "question"))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "type\t%s\tn\t\n", strings.Join(columns, "\t"))
	row(t, "all", r.Metrics)
	for _, kind := range slices.Sorted(maps.Keys(r.ByType)) {
		row(t, kind, r.ByType[kind].Metrics)
	}
	t.Flush()

	b.WriteString("\n")
	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range slices.SortedFunc(maps.Keys(r.Metrics), byCut) {
		v := r.Metrics[name]
		fmt.Fprintf(t, "%s\t%.3f\t[%.3f, %.3f]\tn=%d\t\n", name, v.Value, v.Low, v.High, v.N)
	}
	t.Flush()
	r.writeStages(&b)
	r.Answers.write(&b)
	if c := r.Cost; c != nil {
		fmt.Fprintf(&b, "\n%.1f ms a question on average, %.1f ms for the slowest in twenty; %.0f tokens of evidence a question; %s of models\n",
			c.Mean*1000, c.Slowest*1000, c.Tokens, plural(c.Calls, "call"))
	}
	if j := r.Judge; j != nil {
		fmt.Fprintf(&b, "\n%s judged by %s, prompt version %s: %d failed, %s\n", plural(j.Answers, "answer"), oneLine(j.Model), j.PromptVersion, j.Failed, plural(j.Tokens, "token"))
	}
	if r.ComparedWith != nil {
		r.ComparedWith.write(&b)
	}
	fmt.Fprintf(&b, "\n%s failed, %s\n", plural(len(r.Failures), "question"), plural(len(r.Problems), "problem"))
	if r.Unreviewed > 0 {
		fmt.Fprintf(&b, "%s not been reviewed: check them and set \"reviewed\": true\n", have(r.Unreviewed))
	}
	if r.Outgrown > 0 {
		fmt.Fprintf(&b, "%s been outgrown by the corpus: a source, heading or quote is no longer there\n", have(r.Outgrown))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func row(w io.Writer, kind string, values map[string]Value) {
	cells, n := cellsOf(values)
	fmt.Fprintf(w, "%s\t%s\t%d\t\n", kind, strings.Join(cells, "\t"), n)
}

// cellsOf are the figures of the columns, and how many questions they are over.
func cellsOf(values map[string]Value) (cells []string, n int) {
	for _, c := range columns {
		cell := "-"
		if v, ok := values[c]; ok {
			cell = fmt.Sprintf("%.3f", v.Value)
			n = max(n, v.N)
		}
		cells = append(cells, cell)
	}
	return cells, n
}

func (c Comparison) write(b *strings.Builder) {
	fmt.Fprintf(b, "\ncompared with %s:\n", c.Baseline)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range slices.SortedFunc(maps.Keys(c.Metrics), byCut) {
		d := c.Metrics[name]
		fmt.Fprintf(t, "%s\t%.3f\t->\t%.3f\t%+.3f\t[%+.3f, %+.3f]\tp=%.4f\tn=%d\t\n",
			name, d.Baseline, d.Value, d.Difference, d.Low, d.High, d.P, d.N)
	}
	t.Flush()
	for _, s := range c.Settings {
		fmt.Fprintf(b, "  otherwise: %s\n", s)
	}
	fmt.Fprintf(b, "%d better, %d worse; %d fixed, %d broken, %d in one report only\n", len(c.Better), len(c.Worse), len(c.Fixed), len(c.Broken), c.Unpaired)
	writeChanges(b, "worse", c.Worse)
	writeChanges(b, "better", c.Better)
}

// maxChanges is how many questions that changed a table names.
const maxChanges = 20

func writeChanges(b *strings.Builder, what string, list []Change) {
	for i, c := range list {
		if i == maxChanges {
			fmt.Fprintf(b, "  %-6s  and %d more\n", what, len(list)-i)
			return
		}
		fmt.Fprintf(b, "  %-6s  %s  %s  (%s)\n", what, oneLine(c.ID), oneLine(shortened(c.Question)), oneLine(c.What()))
	}
}

// What says in a few words what changed: ranks, statuses and else the metrics.
func (c Change) What() string {
	var parts []string
	for _, r := range c.Ranks {
		parts = append(parts, fmt.Sprintf("rank %s -> %s", placeName(r.Before), placeName(r.After)))
	}
	if c.Status[0] != c.Status[1] && c.Status[0] != "" && c.Status[1] != "" {
		parts = append(parts, c.Status[0]+" -> "+c.Status[1])
	}
	if len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	for _, name := range slices.SortedFunc(maps.Keys(c.Metrics), byCut) {
		parts = append(parts, fmt.Sprintf("%s %.2f -> %.2f", name, c.Metrics[name][0], c.Metrics[name][1]))
	}
	return strings.Join(parts[:min(3, len(parts))], ", ")
}

func placeName(rank int) string {
	if rank == 0 {
		return "none"
	}
	return fmt.Sprint(rank)
}

// have begins a sentence about so many questions.
func have(n int) string {
	if n == 1 {
		return "1 question has"
	}
	return fmt.Sprintf("%d questions have", n)
}

// oneLine keeps what a set says from breaking a table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// byCut orders names by what they measure, then by the size of the cut, places
// before budgets.
func byCut(a, b string) int {
	x, _ := parseMetric(a)
	y, _ := parseMetric(b)
	return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(x.kind, y.kind),
		cmp.Compare(x.budget, y.budget), cmp.Compare(x.k, y.k), cmp.Compare(a, b))
}

func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
