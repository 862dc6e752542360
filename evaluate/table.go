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
	if r.ComparedWith != nil {
		r.ComparedWith.write(&b)
	}
	fmt.Fprintf(&b, "\n%s failed, %s\n", plural(len(r.Failures), "question"), plural(len(r.Problems), "problem"))
	_, err := io.WriteString(w, b.String())
	return err
}

func row(w io.Writer, kind string, values map[string]Value) {
	cells := make([]string, len(columns))
	n := 0
	for i, c := range columns {
		cells[i] = "-"
		if v, ok := values[c]; ok {
			cells[i] = fmt.Sprintf("%.3f", v.Value)
			n = max(n, v.N)
		}
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t\n", kind, strings.Join(cells, "\t"), n)
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
	fmt.Fprintf(b, "%d fixed, %d broken, %d in one report only\n", len(c.Fixed), len(c.Broken), c.Unpaired)
}

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
