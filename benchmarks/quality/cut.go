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

// cutSets are the sets on which the adaptive cut was set.
var cutSets = []string{handbook, "llm_api_docs", "hotpotqa100", "chunking_eval"}

// cuts are the ways to choose how many passages go to the answer.
var cuts = []struct {
	name   string
	limits quarry.EvidenceLimits
}{
	{"3", quarry.EvidenceLimits{Passages: 3, Lead: -1}},
	{"5", quarry.EvidenceLimits{Passages: 5, Lead: -1}},
	{"6", quarry.EvidenceLimits{Passages: 6, Lead: -1}},
	{"8", quarry.EvidenceLimits{Passages: 8, Lead: -1}},
	{fixedTen, quarry.EvidenceLimits{Passages: 10, Lead: -1}},
	{"adaptive, the default", quarry.EvidenceLimits{}},
	{"adaptive, 10 at most", quarry.EvidenceLimits{Passages: 10}},
	{"adaptive, 10 at most, lead 0.4", quarry.EvidenceLimits{Passages: 10, Lead: 0.4}},
}

// fixedTen is what the others are compared with.
const fixedTen = "10"

// cutFigures are what one way left of the judged units, at how many tokens a question.
type cutFigures struct {
	name   string
	recall evaluate.Value
	tokens float64
}

// cut measures the ways over a store that is filled.
func (b bench) cut(ctx context.Context, s store.Store, v view) ([]cutFigures, error) {
	if !slices.Contains(cutSets, v.set.Name) {
		return nil, nil
	}
	var out []cutFigures
	for _, c := range cuts {
		corpus, err := quarry.Open(quarry.Options{Store: s, Embedder: b.embedder, Evidence: c.limits})
		if err != nil {
			return nil, err
		}
		tested := measure.New(corpus, document.Scope{})
		report, err := evaluate.Run(ctx, v.set, tested, evaluate.Options{Asker: tested, Metrics: []string{"evidence_recall"},
			Progress: b.progress(v.String() + ", cut to " + c.name + ": questions")})
		if err != nil {
			return nil, fmt.Errorf("cut to %s: %w", c.name, err)
		}
		out = append(out, cutFigures{c.name, report.Metrics["evidence_recall"], report.Cost.Tokens})
	}
	return out, nil
}

// writeCuts writes what the ways left.
func writeCuts(b *strings.Builder, list []cutFigures) {
	if len(list) == 0 {
		return
	}
	ten := list[slices.IndexFunc(list, func(c cutFigures) bool { return c.name == fixedTen })]
	b.WriteString("\n| passages to the answer | recall in the evidence | tokens | of those of ten |\n| --- | --- | --- | --- |\n")
	for _, c := range list {
		fmt.Fprintf(b, "| %s | %s | %.0f | %.2f |\n", c.name, cell(c.recall), c.tokens, c.tokens/ten.tokens)
	}
}
