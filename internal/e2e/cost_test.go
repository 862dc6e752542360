package e2e

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
)

// counted counts how often a corpus is searched.
type counted struct {
	*quarry.Corpus
	searches int
}

func (c *counted) Search(ctx context.Context, question string, scope document.Scope) (quarry.Result, error) {
	c.searches++
	return c.Corpus.Search(ctx, question, scope)
}

func (c *counted) Ask(ctx context.Context, question string, scope document.Scope) (quarry.Asked, error) {
	c.searches++
	return c.Corpus.Ask(ctx, question, scope)
}

// TestEvaluatingSearchesOnce: whatever is measured of a question, lists, answers,
// stages, gold evidence and the parts of the set, it is searched for once.
func TestEvaluatingSearchesOnce(t *testing.T) {
	corpus := open(t).by(t, "words")
	set := load(t, "../../examples/handbook")
	if _, err := corpus.Sync(t.Context(), "docs", set.Docs, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{} // two questions of the same words and scope are one
	for _, q := range set.Questions {
		asked[q.Text+q.Scope.AsOf.String()+q.Scope.Tenant] = true
	}
	for name, o := range map[string]func(*measure.Corpus) evaluate.Options{
		"lists": func(m *measure.Corpus) evaluate.Options { return evaluate.Options{Library: m, Stager: m.RecallOnly()} },
		"everything": func(m *measure.Corpus) evaluate.Options {
			return evaluate.Options{Asker: m, Gold: m, Library: m, Stager: m}
		},
	} {
		c := &counted{Corpus: corpus}
		m := measure.New(c, document.Scope{})
		report, err := evaluate.Run(t.Context(), set, m, o(m))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.Parts(set, report, evaluate.Options{}); err != nil {
			t.Fatal(err)
		}
		if c.searches > len(set.Questions) || c.searches < len(asked)-len(set.Questions)/10 {
			t.Errorf("%s: %d questions were searched for %d times", name, len(set.Questions), c.searches)
		}
	}
}

// TestEvaluatingCostsLittle measures what evaluating the 300 questions of scifact costs beside
// 300 searches, in turn and the least of several runs each: other work on the machine only adds.
func TestEvaluatingCostsLittle(t *testing.T) {
	dir := filepath.Join(publicSets, "scifact")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: the public set scifact is not beside the project: %v", err)
	}
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out the public sets")
	}
	corpus := open(t).by(t, "words")
	set := load(t, dir)
	if _, err := corpus.Put(t.Context(), document.Source{Name: "scifact", Kind: "upload", Root: "scifact"}, measure.Uploads(set), quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	took := func(least time.Duration, do func() error) time.Duration {
		start := time.Now()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		return min(least, time.Since(start))
	}
	search, evaluated, ratio := time.Hour, time.Hour, math.Inf(1)
	for runs := 1; runs <= 7 || ratio > 2 && runs <= 40; runs++ {
		search = took(search, func() error {
			for _, q := range set.Questions {
				if _, err := corpus.Search(t.Context(), q.Text, q.Scope); err != nil {
					return err
				}
			}
			return nil
		})
		evaluated = took(evaluated, func() error {
			m := measure.New(corpus, document.Scope{})
			_, err := evaluate.Run(t.Context(), set, m, evaluate.Options{Library: m, Stager: m.RecallOnly()})
			return err
		})
		ratio = float64(evaluated) / float64(search)
	}
	t.Logf("%d searches take %v, evaluating them %v: %.2f times", len(set.Questions), search, evaluated, ratio)
	if ratio > 2 {
		t.Errorf("evaluating costs %.2f times the searches; 1.2 is the aim", ratio)
	}
}
