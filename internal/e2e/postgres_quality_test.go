package e2e

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/standard"
)

// A store in Postgres answers as the one in a file does that it is a copy of: no metric
// differs by more than 0.005. Some questions of the project's own set are asked by words;
// -long asks all of three sets, two of them by vectors too.
func TestMeasuresInPostgres(t *testing.T) {
	t.Parallel()
	long := os.Getenv("QUARRY_LONG") != ""
	for _, c := range []struct {
		name, dir string
		lanes     string // config.BuiltIn: vectors too
		every     int    // that many questions of one asked
		long      bool
		answers   bool
	}{
		{"handbook, words", "../../examples/handbook", config.NoModel, 10, false, true},
		{"handbook", "../../examples/handbook", config.BuiltIn, 1, true, true},
		{"handbook_versions, words", filepath.Join(publicSets, "handbook_versions"), config.NoModel, 1, true, true},
		{"scifact", filepath.Join(publicSets, "scifact"), config.BuiltIn, 1, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := os.Stat(c.dir); err != nil {
				t.Skipf("SKIPPED: the public set %s is not beside the project: %v", c.name, err)
			}
			if c.long && !long {
				t.Skipf("SKIPPED: %s is indexed whole; ./scripts/test -long does it", c.name)
			}
			server := postgres.Shared(t)
			set := load(t, c.dir)
			var asked []evaluate.Question
			for i, q := range set.Questions {
				if i%c.every == 0 {
					asked = append(asked, q)
				}
			}
			set.Questions = asked

			settings := config.Defaults()
			settings.Embedding = c.lanes
			path, address := filepath.Join(t.TempDir(), "quarry.db"), server.Database(t)
			corpus, err := standard.Open(t.Context(), path, settings)
			if err != nil {
				t.Fatal(err)
			}
			defer corpus.Close()
			fill(t, corpus.Corpus, set)
			copied, err := standard.CopyStore(t.Context(), path, address, settings, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			other, err := standard.OpenExisting(t.Context(), address, settings)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()

			measured := func(of *standard.Corpus) map[string]evaluate.Value {
				t.Helper()
				tested := measure.New(of.Corpus, document.Scope{})
				o := evaluate.Options{Resamples: 1}
				if c.answers {
					o.Asker = tested
				}
				report, err := evaluate.Run(t.Context(), set, tested, o)
				if err != nil {
					t.Fatal(err)
				}
				return report.Metrics
			}
			have, want := measured(other), measured(corpus)
			worst, of := 0.0, ""
			for name, w := range want {
				h, ok := have[name]
				if !ok || h.N != w.N {
					t.Errorf("%s is of %d questions in Postgres and of %d in the file", name, h.N, w.N)
				}
				d := math.Abs(h.Value - w.Value)
				if d > 0.005 {
					t.Errorf("%s is %.4f in Postgres and %.4f in the file", name, h.Value, w.Value)
				}
				if d > worst {
					worst, of = d, " of "+name
				}
			}
			if len(have) != len(want) || len(want) < 3 {
				t.Errorf("%d metrics in Postgres and %d in the file", len(have), len(want))
			}
			t.Logf("%d questions over %d passages: %d metrics, the greatest difference is %.5f%s", len(asked), copied.Passages, len(want), worst, of)
		})
	}
}
