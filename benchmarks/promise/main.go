// Command promise fits and measures what decides whether a question is answered at all: how
// far the candidates promise that the documents hold an answer. It asks every question of the sets
// that it is given, without a chat model, and prints
//
//   - as a classifier of questions with an answer against those without, AUROC, and balanced
//     accuracy at a threshold that was set on one half, each on both halves with 95 % intervals;
//   - what is above a threshold, on the half that nothing was set on, and what of it is quoted;
//   - with -fit, weights for internal/answer/promise_weights.go, fitted on the first half.
//
// It is run from the project's root. A store is made once and used again:
//
//	go run ./benchmarks/promise -store /tmp/clapnq.db ../shared/sets/clapnq_dev
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/embedding/bert"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store/local"
)

func main() {
	at := flag.String("store", "", "the store, made if it is not there (default: one that is removed again)")
	fits := flag.Bool("fit", false, "fit weights as well")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "promise: give the folder of one set")
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), *at, *fits); err != nil {
		fmt.Fprintln(os.Stderr, "promise:", err)
		os.Exit(1)
	}
}

// example is a question with what was read off its candidates.
type example struct {
	id         string
	answerable bool
	signals    answer.Signals
	cosine     float64 // the greatest, by which it is compared
	answered   bool    // an answer was quoted
	right      bool    // and what it cites first is of a judged document
}

// tuning reports whether a question is of the half that weights and thresholds are set on.
func (e example) tuning() bool {
	h := fnv.New32a()
	h.Write([]byte(e.id))
	return h.Sum32()%2 == 0
}

func run(ctx context.Context, dir, at string, fits bool) error {
	set, _, err := evaluate.Load(dir)
	if err != nil {
		return err
	}
	if at == "" {
		temp, err := os.MkdirTemp("", "promise")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		at = filepath.Join(temp, "quarry.db")
	}
	for _, lanes := range []struct {
		name     string
		embedder embedding.Embedder
	}{{"hybrid", bert.Default()}, {"words", nil}} {
		examples, err := ask(ctx, set, at, lanes.embedder)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s, %s: %d questions\n\n", filepath.Base(dir), lanes.name, len(examples))
		if fits {
			fmt.Printf("weights: %.4g\n\n", fit(examples))
		}
		report(examples, lanes.embedder != nil)
	}
	return nil
}

// ask searches for each question of a set and reads the signals.
func ask(ctx context.Context, set evaluate.Set, at string, embedder embedding.Embedder) ([]example, error) {
	s, err := local.Open(ctx, at, local.Options{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	corpus, err := quarry.Open(quarry.Options{Store: s, Embedder: embedder})
	if err != nil {
		return nil, err
	}
	if _, err := corpus.Sync(ctx, "docs", set.Docs, quarry.Progress{}); err != nil {
		return nil, err
	}
	var out []example
	for _, q := range set.Questions {
		scope := document.Scope{Tenant: q.Scope.Tenant, Principals: q.Scope.Principals, AsOf: q.Scope.AsOf, Where: q.Scope.Where}
		found, err := corpus.Ask(ctx, q.Text, scope)
		if err != nil {
			return nil, err
		}
		view, err := s.View(ctx, scope)
		if err != nil {
			return nil, err
		}
		plan, err := query.Understand(q.Text, &trace.Trace{})
		if err == nil && plan.Intent == query.Fact {
			e := example{id: q.ID, answerable: !q.Unanswerable}
			e.signals, err = answer.SignalsOf(ctx, view, plan, found.Candidates)
			for _, c := range found.Candidates {
				e.cosine = max(e.cosine, c.Vector.Score)
			}
			e.answered = len(found.Answer.Citations) > 0
			for _, judged := range q.Sources {
				e.right = e.right || e.answered && found.Answer.Citations[0].Document.Path == judged.Document
			}
			out = append(out, e)
		}
		view.Close()
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
