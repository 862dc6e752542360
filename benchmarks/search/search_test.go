package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/engine"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/benchmarks/search/report"
)

// TestMain lets this program be its own workers, as the built one is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workerArgument {
		if err := work(context.Background(), os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestSystems measures every system on a small corpus. Each has to find about what
// exhaustive search finds, under every filter, or it was not asked the same. What
// differs from the formula is said in README.md.
func TestSystems(t *testing.T) {
	least := map[string]float64{"quarry": 0.98, "bleve": 0.5, "fts5": 0.7, "chromem": 0.99, "lucene": 0.9, "lucene-hnsw": 0.8,
		"postgres": 0.98, "postgres-rows": 0.98, "postgres-gin": 0.98} // no plain hybrid of Postgres ranks by BM25
	away := 0 // systems that this machine has not
	parameters, err := corpus.Fitted()
	if err != nil {
		t.Fatal(err)
	}
	// Each cell ends with its questions; in what time is for the benchmark and not for its test.
	s := settings{systems: names(), plan: engine.Plan{Questions: 20, Cap: time.Minute, Warm: time.Millisecond}}
	var noLucene error
	if _, err := os.Stat(filepath.Join(luceneDir, "target", "classpath")); err != nil {
		noLucene = fmt.Errorf("it is not built here")
		away += 2
		t.Log("SKIPPED: Lucene in the test of the benchmark: build it with a run of the benchmark")
	}
	if os.Getenv(engine.AddressVariable) == "" {
		for _, e := range engine.Go {
			if e.Missing() != nil {
				away++
			}
		}
		t.Logf("SKIPPED: Postgres in the test of the benchmark: set %s to the address of a database", engine.AddressVariable)
	}
	dir := t.TempDir()
	if err := corpus.Make(dir, parameters, corpus.Seed, 2000); err != nil {
		t.Fatal(err)
	}
	kept := 0
	run, err := s.measure(t.Context(), dir, noLucene, func(run report.Run, left []string) error {
		kept++
		if n := len(run.Systems) + len(left); n < len(names())-away {
			t.Errorf("%d systems are measured or to come", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	left := len(names()) - len(run.Systems)
	if left != away || left != len(run.Left) {
		t.Fatalf("of %d systems %d were measured; left out: %q", len(names()), len(run.Systems), run.Left)
	}
	if kept != len(names()) { // also those that are left out, so that the file says it
		t.Errorf("the tables were kept %d times for %d systems", kept, len(names()))
	}
	exact := map[string][][]measure.Hit{}
	for _, a := range run.Exact {
		exact[string(a.Lane)+a.Filter] = a.Hits
	}
	for _, system := range run.Systems {
		for _, a := range system.Served.Answers {
			var recalls []float64
			for i, wanted := range exact[string(a.Lane)+a.Filter] {
				if i < len(a.Hits) {
					recalls = append(recalls, measure.Recall(a.Hits[i], wanted))
				}
			}
			if mean := measure.Mean(recalls); a.Lane != measure.Hybrid && !(mean >= least[system.Name]) {
				t.Errorf("%s finds %.3f of the best by %s under the filter of %s %%", system.Name, mean, a.Lane, a.Filter)
			}
			if system.Name == "quarry" && a.Lane == measure.Keyword {
				if _, wrong := report.Differences(a.Hits, exact[string(a.Lane)+a.Filter]); len(wrong) > 0 {
					t.Errorf("quarry under the filter of %s %%: %s", a.Filter, wrong[0])
				}
			}
		}
		lanes := len(system.Served.Ready)
		cells := lanes * len(corpus.Filters) * 2
		if slices.Contains([]string{"quarry", "bleve", "lucene"}, system.Name) {
			cells += len(corpus.PhraseKinds) * 2
		}
		if len(system.Served.Cells) != cells {
			t.Errorf("%s has %d lanes and %d cells, not %d", system.Name, lanes, len(system.Served.Cells), cells)
		}
		for _, c := range system.Served.Cells {
			if len(c.Latencies) == 0 || c.Wall <= 0 {
				t.Errorf("%s by %s with %d threads measured nothing", system.Name, c.Lane, c.Threads)
			}
		}
		if m := system.Served.Memory; m.Live <= 0 || m.Peak <= 0 || system.Built.Bytes <= 0 || system.Built.Parts[0].CPU <= 0 {
			t.Errorf("%s took nothing: %+v, %+v", system.Name, m, system.Built)
		}
	}
}
