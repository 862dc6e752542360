package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// The lines of a table. The first three are Quarry's lanes, the others the reference.
const (
	words         = "words"
	vectors       = "vectors"
	hybrid        = "hybrid"
	pieceWords    = "BM25 over pieces"
	pieceVectors  = "vectors over pieces"
	heldOutSuffix = ", held out"
)

// ranking and answering are the metrics of the tables, in their order; a column without
// judgements is left out.
var (
	ranking   = []string{"recall@5", "all_sources@10", "mrr", "ndcg@10", "recall@1500t", "token_recall@5", "token_recall@1000t", "token_recall@1500t", "stale@5"}
	answering = []string{"answered_unanswerable", "citation_precision", "class_accuracy", "answered"}
)

// bench measures sets.
type bench struct {
	embedder embedding.Embedder
	series   string // as in quarry.Options
	say      func(format string, args ...any)
}

// figures are what was measured of a view of a set.
type figures struct {
	view    view
	reports map[string]evaluate.Report // by line
	parts   map[string]map[string]evaluate.Group
	answers bool
	cuts    []cutFigures
}

// measure measures all views of a set and gives the part of quality.md that is the set's.
func (b bench) measure(ctx context.Context, set evaluate.Set) (string, error) {
	views, err := viewsOf(set)
	if err != nil {
		return "", err
	}
	b.embedder = remembering(b.embedder)
	var all strings.Builder
	for _, v := range views {
		f, err := b.view(ctx, v)
		if err != nil {
			return "", err
		}
		f.markdown(&all)
	}
	return all.String(), nil
}

// view indexes the documents of a view in a store of its own and puts its questions to all lines.
func (b bench) view(ctx context.Context, v view) (figures, error) {
	set := v.set
	b.series = v.series
	f := figures{view: v, reports: map[string]evaluate.Report{}, parts: map[string]map[string]evaluate.Group{}, answers: judgesAbstention(set)}
	dir, err := os.MkdirTemp("", "quality")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	s, err := local.Open(ctx, filepath.Join(dir, "quarry.db"), local.Options{})
	if err != nil {
		return f, err
	}
	defer s.Close()
	if err := b.fill(ctx, s, v); err != nil {
		return f, err
	}
	corpus, err := b.corpus(s, words)
	if err != nil {
		return f, err
	}
	plain := newPieces(corpus, b.embedder, set.Corpus != nil, b.progress(v.String()+": pieces embedded"))
	for _, line := range []string{words, vectors, hybrid, pieceWords, pieceVectors} {
		o := evaluate.Options{Metrics: slices.Concat(ranking, answering), Progress: b.progress(v.String() + ", " + line + ": questions")}
		var searcher evaluate.Searcher
		switch line {
		case pieceWords:
			searcher = byWords{plain}
		case pieceVectors:
			searcher = byVectors{plain}
		default:
			corpus, err := b.corpus(s, line)
			if err != nil {
				return f, err
			}
			tested := measure.New(corpus, document.Scope{})
			searcher = tested
			if f.answers && line != vectors {
				o.Asker = tested
			}
		}
		report, err := evaluate.Run(ctx, set, searcher, o)
		if err != nil {
			return f, fmt.Errorf("by %s: %w", line, err)
		}
		for _, r := range report.ByQuestion {
			if r.Error != "" {
				return f, fmt.Errorf("by %s: question %s: %s", line, r.ID, r.Error)
			}
		}
		for _, p := range report.Problems[len(set.Problems):] {
			b.say("%s by %s: %s", v, line, p)
		}
		if f.parts[line], err = evaluate.Parts(set, report, o); err != nil {
			return f, err
		}
		f.reports[line] = report
	}
	f.cuts, err = b.cut(ctx, s, v)
	return f, err
}

// judgesAbstention reports whether answers to a set are worth asking for: some of its
// questions have none.
func judgesAbstention(set evaluate.Set) bool {
	return slices.ContainsFunc(set.Questions, func(q evaluate.Question) bool { return q.Unanswerable })
}

// corpus opens a store to be searched by some of its lanes.
func (b bench) corpus(s store.Store, lanes string) (*quarry.Corpus, error) {
	return quarry.Open(b.options(s, lanes))
}

func (b bench) options(s store.Store, lanes string) quarry.Options {
	o := quarry.Options{Store: s, Series: b.series}
	if lanes != words {
		o.Embedder = b.embedder
	}
	if lanes == vectors {
		o.Retrieval.Weights = quarry.Weights{Vector: 1}
	}
	return o
}

func (b bench) fill(ctx context.Context, s store.Store, v view) error {
	corpus, err := b.corpus(s, hybrid)
	if err == nil {
		_, err = b.into(ctx, corpus, v)
	}
	return err
}

// into indexes the documents of a view.
func (b bench) into(ctx context.Context, corpus *quarry.Corpus, v view) (report quarry.Report, err error) {
	set := v.set
	p := quarry.Progress{Embedded: b.progress(v.String() + ": passages embedded")}
	uploaded := document.Source{Name: set.Name, Kind: "upload", Root: set.Name}
	switch {
	case v.uploads != nil:
		report, err = corpus.Put(ctx, uploaded, v.uploads, p)
	case set.Corpus != nil:
		report, err = corpus.Put(ctx, uploaded, measure.Uploads(set), p)
	case set.Docs != "":
		report, err = corpus.Sync(ctx, "docs", set.Docs, p)
	default:
		return report, fmt.Errorf("it brings no documents: they belong in its folder docs")
	}
	for _, p := range slices.Concat(report.Failed, report.Unembedded) {
		b.say("%s: %s: %s", v, p.Document, p.Error)
	}
	return report, err
}

// progress tells how far something is, every few seconds and at its end.
func (b bench) progress(what string) func(done, total int) {
	var last time.Time
	return func(done, total int) {
		if total > 0 && done < total && time.Since(last) < 10*time.Second {
			return
		}
		last = time.Now()
		b.say("%s %d of %d", what, done, total)
	}
}

// markdown writes the tables of a view.
func (f figures) markdown(b *strings.Builder) {
	all, set := f.reports[hybrid], f.view.set
	if f.view.name != "" {
		fmt.Fprintf(b, "\n#### %s\n\n", f.view.name)
	}
	fmt.Fprintf(b, "%d questions, %d of them judged for ranking.", len(set.Questions), all.Metrics["mrr"].N)
	if n := len(set.Problems); n > 0 {
		fmt.Fprintf(b, " %d lines of the set could not be used as they stand.", n)
	}
	if f.view.note != "" {
		b.WriteString(" " + f.view.note)
	}
	b.WriteString("\n\n")
	header, rows := columns(all.Metrics, ranking), []row{}
	for _, line := range []string{words, vectors, hybrid, pieceWords, pieceVectors} {
		rows = append(rows, row{line, f.reports[line].Metrics})
	}
	for _, line := range []string{words, hybrid} {
		if g, ok := f.parts[line][evaluate.HeldOut]; ok {
			rows = append(rows, row{line + heldOutSuffix, g.Metrics})
		}
	}
	writeRows(b, "", header, rows)
	if len(all.ByType) > 1 {
		f.byType(b)
	}
	if f.answers {
		f.answered(b)
	}
	writeCuts(b, f.cuts)
}

// byType is the table of recall and MRR for each type of question.
func (f figures) byType(b *strings.Builder) {
	var types []string
	for kind, g := range f.reports[hybrid].ByType {
		if g.Metrics["recall@5"].N > 0 {
			types = append(types, kind)
		}
	}
	if len(types) < 2 {
		return
	}
	slices.Sort(types)
	b.WriteString("\n| type | n | recall@5, words | recall@5, hybrid | MRR, words | MRR, hybrid |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, kind := range types {
		by, both := f.reports[words].ByType[kind].Metrics, f.reports[hybrid].ByType[kind].Metrics
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s |\n", strings.ReplaceAll(kind, "_", " "), both["recall@5"].N,
			cell(by["recall@5"]), cell(both["recall@5"]), cell(by["mrr"]), cell(both["mrr"]))
	}
}

// answered is the table of answers, by part where a part is held out.
func (f figures) answered(b *strings.Builder) {
	var rows []row
	for _, line := range []string{words, hybrid} {
		rows = append(rows, row{line, f.reports[line].Metrics})
		parts := f.parts[line]
		if _, split := parts[evaluate.HeldOut]; !split {
			continue
		}
		for _, part := range []string{evaluate.Tuning, evaluate.HeldOut} {
			if g, ok := parts[part]; ok {
				rows = append(rows, row{line + ", " + strings.ReplaceAll(part, "-", " "), g.Metrics})
			}
		}
	}
	b.WriteString("\n")
	writeRows(b, "answers", columns(f.reports[hybrid].Metrics, answering), rows)
}
