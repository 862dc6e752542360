package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/seed-d3156d19/quarry/evaluate"
)

// printParts sets what may be tuned on beside what is held out.
func (a *app) printParts(report evaluate.Report, parts map[string]evaluate.Group) {
	a.printf("\n")
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	tuning, held := parts[evaluate.Tuning], parts[evaluate.HeldOut]
	fmt.Fprintf(t, "metric\ttuning (%d)\tn\theld out (%d)\tn\t\n", tuning.Questions, held.Questions)
	for _, name := range slices.Sorted(maps.Keys(report.Metrics)) {
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", name, cells(tuning, name), cells(held, name))
	}
	t.Flush()
}

func cells(g evaluate.Group, name string) string {
	v, ok := g.Metrics[name]
	if !ok {
		return "-\t0"
	}
	return fmt.Sprintf("%.3f\t%d", v.Value, v.N)
}
