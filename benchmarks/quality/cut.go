package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/store"
)

// cutSets are the sets on which the adaptive cut was set, and behind them those on which
// it was looked at only.
var cutSets = []string{handbook, "llm_api_docs", "hotpotqa100", "chunking_eval", "cranfield", "scifact"}

// inEvidence is the metric of a cut.
const inEvidence = "evidence_recall"

// ten is the fixed number that the other ways are compared with.
const ten = 10

// adaptive stands for the default among the fixed numbers of passages.
const adaptive = 0

// cutFigures are what one way left of the judged units, at how many tokens a question,
// beside ten passages of the same lanes.
type cutFigures struct {
	name    string
	recall  evaluate.Value
	against evaluate.Difference // zero for ten itself
	tokens  float64
	ofTen   float64
}

// cut measures the ways to choose how many passages go to the answer, over a store that
// is filled, by each choice of lanes.
func (b bench) cut(ctx context.Context, s store.Store, v view) ([]cutFigures, error) {
	if !slices.Contains(cutSets, v.set.Name) {
		return nil, nil
	}
	var out []cutFigures
	for _, lanes := range []struct {
		name  string
		fixed []int // to be shown
	}{{hybrid, []int{3, 5, 6, 8, ten}}, {words, []int{6, ten}}} {
		var fixed []evaluate.Report // of 1 to ten passages
		for n := 1; n <= ten; n++ {
			report, err := b.cutTo(ctx, s, v, lanes.name, n)
			if err != nil {
				return nil, err
			}
			fixed = append(fixed, report)
		}
		chosen, err := b.cutTo(ctx, s, v, lanes.name, adaptive)
		if err != nil {
			return nil, err
		}
		all := fixed[ten-1]
		for _, n := range lanes.fixed {
			out = append(out, figuresOf(fmt.Sprintf("%s, %d", lanes.name, n), fixed[n-1], all))
		}
		out = append(out, figuresOf(lanes.name+", adaptive", chosen, all), figuresOf(lanes.name+", fewest of ten, by the judgements", fewest(fixed), all))
	}
	return out, nil
}

// cutTo measures the evidence of n passages a question, or of adaptive ones.
func (b bench) cutTo(ctx context.Context, s store.Store, v view, lanes string, n int) (evaluate.Report, error) {
	o := b.options(s, lanes)
	if n != adaptive {
		o.Evidence = quarry.EvidenceLimits{Passages: n, Lead: -1}
	}
	corpus, err := quarry.Open(o)
	if err != nil {
		return evaluate.Report{}, err
	}
	tested := measure.New(corpus, document.Scope{})
	report, err := evaluate.Run(ctx, v.set, tested, evaluate.Options{Asker: tested, Metrics: []string{inEvidence},
		Progress: b.progress(fmt.Sprintf("%s, %s cut to %d: questions", v, lanes, n))})
	if err != nil {
		return report, fmt.Errorf("cut to %d: %w", n, err)
	}
	return report, nil
}

// fewest is what could be had by who knows the judgements: of each question the least
// number of the first passages that hold as much as ten do. reports are of 1 to ten.
func fewest(reports []evaluate.Report) evaluate.Report {
	out := reports[len(reports)-1]
	out.ByQuestion = slices.Clone(out.ByQuestion)
	sum := 0
	for i, all := range out.ByQuestion {
		for _, r := range reports {
			if q := r.ByQuestion[i]; q.Metrics[inEvidence] >= all.Metrics[inEvidence] {
				out.ByQuestion[i] = q
				break
			}
		}
		sum += out.ByQuestion[i].Tokens
	}
	cost := *out.Cost
	cost.Tokens = float64(sum) / float64(max(1, len(out.ByQuestion)))
	out.Cost = &cost
	return out
}

func figuresOf(name string, report, all evaluate.Report) cutFigures {
	return cutFigures{name: name, recall: report.Metrics[inEvidence], against: evaluate.Compare(all, report, 1).Metrics[inEvidence],
		tokens: report.Cost.Tokens, ofTen: report.Cost.Tokens / all.Cost.Tokens}
}

// writeCuts writes what the ways left.
func writeCuts(b *strings.Builder, list []cutFigures) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n| passages to the answer | recall in the evidence | against ten | tokens | of those of ten |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range list {
		d := c.against
		fmt.Fprintf(b, "| %s | %s | %+.3f [%+.3f, %+.3f] | %.0f | %.2f |\n", c.name, cell(c.recall), d.Difference, d.Low, d.High, c.tokens, c.ofTen)
	}
}
