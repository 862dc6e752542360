package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seed-d3156d19/quarry/evaluate"
)

// compareTries tests every trial against the first, over all metrics.
func compareTries(results []tried) {
	byMetric := map[string][]float64{}
	for i := range results[1:] {
		r := &results[i+1]
		r.Against = evaluate.Compare(results[0].report, r.report, 0).Metrics
		r.PHolm = map[string]float64{}
		for name, d := range r.Against {
			byMetric[name] = append(byMetric[name], d.P)
		}
	}
	for name, p := range byMetric {
		adjusted := evaluate.Holm(p)
		for i := range results[1:] {
			r := &results[i+1]
			if _, ok := r.Against[name]; ok {
				r.PHolm[name], adjusted = adjusted[0], adjusted[1:]
			}
		}
	}
}

// triedColumns are the metrics of the table, behind those that the settings of later
// stages change, of which those are shown that the set has; the first is the one that is tested.
var triedColumns = []string{"ndcg@10", "recall@5", "all_sources@10", "mrr", "token_recall@5", "token_iou@5", "recall@1500t", "citation_recall", "answer_correct"}

// laterStages are the groups of settings that change no list, the last stage first, each
// with the metrics that it changes. Settings of earlier stages change these as well.
var laterStages = []struct {
	group   string
	metrics []string
}{
	{"judge.", []string{"answer_judged"}},
	{"answer.", []string{"answer_correct", "citation_recall", "answered"}},
	{"evidence.", []string{"evidence_recall"}},
}

// changedMetrics are the metrics that every one of the settings changes, where the usual
// ones are not: those of the last stage among them. alone: none of the settings changes a list.
func changedMetrics(settings []string) (metrics []string, alone bool) {
	behind := 0
	for _, l := range laterStages {
		n := len(settings)
		settings = slices.DeleteFunc(slices.Clone(settings), func(key string) bool { return strings.HasPrefix(key, l.group) })
		if n -= len(settings); n > 0 && metrics == nil {
			metrics = l.metrics
		}
		behind += n
	}
	return metrics, behind > 0 && len(settings) == 0
}

func (a *app) printTries(set evaluate.Set, results []tried) {
	var columns []string
	changed, _ := changedMetrics(sortedNames(results[0].Settings))
	for _, name := range slices.Concat(changed, triedColumns, sortedNames(results[0].Metrics)) {
		if _, ok := results[0].Metrics[name]; ok && !slices.Contains(columns, name) && len(columns) < 6 {
			columns = append(columns, name)
		}
	}
	a.printf("%s: %s, %s\n\n", oneLine(set.Name), count(results[0].report.Questions, "question"), count(len(results), "configuration"))
	w := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "configuration\t" + strings.Join(columns, "\t") + "\t"
	if len(columns) > 0 {
		head += "difference\tp\t"
	}
	fmt.Fprintf(w, "%sms/question\ttokens/question\tpassages\tindexed in\t\n", head)
	for _, r := range results {
		fmt.Fprintf(w, "%s\t", r.label)
		for _, name := range columns {
			fmt.Fprintf(w, "%.3f\t", r.Metrics[name].Value)
		}
		if len(columns) > 0 {
			if d, ok := r.Against[columns[0]]; ok {
				fmt.Fprintf(w, "%+.3f\t%.4f\t", d.Difference, r.PHolm[columns[0]])
			} else {
				fmt.Fprint(w, "\t\t")
			}
		}
		var cost evaluate.Cost
		if r.Cost != nil {
			cost = *r.Cost
		}
		tokens, indexed := "-", "-" // where no answers are made there is no evidence
		if cost.Tokens > 0 {
			tokens = fmt.Sprintf("%.0f", cost.Tokens)
		}
		if r.IndexSeconds > 0 {
			indexed = fmt.Sprintf("%.1f s", r.IndexSeconds)
		}
		fmt.Fprintf(w, "%.1f\t%s\t%d\t%s\t\n", cost.Mean*1000, tokens, r.Passages, indexed)
	}
	w.Flush()
	if len(columns) > 0 && len(results) > 1 {
		a.printf("\ndifference and p: %s against the first, paired randomisation, p corrected for %s (Holm)\n", columns[0], count(len(results)-1, "comparison"))
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
