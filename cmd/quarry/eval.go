package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) eval() *cobra.Command {
	var dir, only string
	var metrics, reader []string
	cmd := &cobra.Command{
		Use:   "eval SET",
		Short: "Measure search and answers on a question set",
		Long: `Measure search and answers on a question set: a folder that holds questions.jsonl
and docs/, a BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv), or a questions
file, with the documents from --docs or the store. Scope flags count for the
questions that do not say otherwise.`,
		Example: "  quarry eval examples/handbook --only tuning",
		Args:    needs("one SET", 1, 1),
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &dir)
	addReader(cmd, &reader)
	cmd.Flags().StringVar(&only, "only", evaluate.All, "which questions: all, tuning or held-out")
	cmd.Flags().StringSliceVar(&metrics, "metrics", nil, "which metrics, such as recall@5,ndcg@10 (default a good dozen)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if only != evaluate.All && only != evaluate.Tuning && only != evaluate.HeldOut {
			return usage("--only is %q: give all, tuning or held-out", only)
		}
		scope, err := flags.scope()
		if err != nil {
			return err
		}
		ctx := cmd.Context()
		set, _, err := evaluate.Load(args[0])
		if err != nil {
			return err
		}
		corpus, err := a.openSet(ctx, &set, dir, &scope)
		if err != nil {
			return err
		}
		defer corpus.Close()
		return a.runEval(ctx, corpus, set, scope, only, metrics, reader)
	}
	return cmd
}

// openSet opens the corpus that a set is asked of: the folder that was named,
// the set's own documents, or the store as it is.
func (a *app) openSet(ctx context.Context, set *evaluate.Set, dir string, scope *document.Scope) (*standard.Corpus, error) {
	switch {
	case dir != "":
		set.Docs, set.Corpus = dir, nil
		return a.openDocs(ctx, dir, scope)
	case set.Docs != "":
		return a.openDocs(ctx, set.Docs, scope)
	case set.Corpus != nil:
		return a.openBEIR(ctx, *set, scope)
	}
	return a.openDocs(ctx, "", scope)
}

// openBEIR puts the documents of a BEIR corpus into the store, as a source
// named after the set.
func (a *app) openBEIR(ctx context.Context, set evaluate.Set, scope *document.Scope) (*standard.Corpus, error) {
	p, err := placeOf(set.Dir)
	if err != nil {
		return nil, err
	}
	corpus, err := a.openBeside(ctx, p)
	if err != nil {
		return nil, err
	}
	name, free, err := p.nameIn(ctx, corpus)
	if err == nil {
		if !free {
			name += "-" + p.hash()
		}
		progress, end := a.progress(name)
		var report quarry.Report
		report, err = corpus.Put(ctx, document.Source{Name: name, Kind: "upload", Root: p.root}, measure.Uploads(set), progress)
		end()
		if err == nil {
			err = a.noteReport(report, p.given)
		}
	}
	if err != nil {
		corpus.Close()
		return nil, err
	}
	scope.Sources = []string{name}
	return corpus, nil
}

func (a *app) runEval(ctx context.Context, corpus *standard.Corpus, set evaluate.Set, scope document.Scope, only string, metrics, reader []string) error {
	test := measure.New(corpus, scope).Reader(reader)
	show, end := a.line()
	options := evaluate.Options{Only: only, Asker: test, Gold: test, Stager: test, Library: test, Now: time.Now, Metrics: metrics}
	if show != nil {
		options.Progress = func(done, total int) { show("%d of %d questions", done, total) }
	}
	report, err := evaluate.Run(ctx, set, test, options)
	end()
	if err != nil {
		return err
	}
	// The lists and answers are there already: only the figures are made anew.
	parts := map[string]evaluate.Group{}
	if only == evaluate.All && hasBoth(set) {
		for _, part := range []string{evaluate.Tuning, evaluate.HeldOut} {
			r, err := evaluate.Run(ctx, set, test, evaluate.Options{Only: part, Asker: test, Metrics: metrics})
			if err != nil {
				return err
			}
			parts[part] = evaluate.Group{Questions: r.Questions, Metrics: r.Metrics}
		}
	}
	if a.json {
		return a.writeJSON(struct {
			evaluate.Report
			Parts map[string]evaluate.Group `json:"parts,omitempty"` // tuning and held-out
		}{report, parts})
	}
	return a.printEval(report, parts)
}

func hasBoth(set evaluate.Set) bool {
	held := 0
	for _, q := range set.Questions {
		if q.HeldOut {
			held++
		}
	}
	return held > 0 && held < len(set.Questions)
}

func (a *app) printEval(report evaluate.Report, parts map[string]evaluate.Group) error {
	if err := report.WriteTable(&a.out); err != nil {
		return err
	}
	if len(parts) > 0 {
		a.printParts(report, parts)
	}
	if !a.verbose {
		if len(report.Failures)+len(report.Problems) > 0 {
			a.printf("-v lists them\n")
		}
		return nil
	}
	for _, f := range report.Failures {
		a.printf("\n%s (%s) %s\n    %s\n", f.ID, f.Type, oneLine(f.Question), oneLine(f.Reason))
		if f.LostAt != "" {
			a.printf("    lost at: %s\n", f.LostAt)
		}
		for _, u := range f.Missing {
			a.printf("    missing: %s\n", oneLine(fmt.Sprint(u.Document, " ", u.Heading, " ", u.Quote)))
		}
	}
	for _, p := range report.Problems {
		a.printf("\n%s\n", oneLine(p.String()))
	}
	return nil
}
