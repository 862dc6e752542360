package e2e

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/store/local"
)

var update = flag.Bool("update", false, "write the golden files of testdata/golden anew")

// goldenDay is the day on which the golden files are made: validity goes by it.
var goldenDay = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestGolden pins what every question of the handbook finds, by the keyword and
// identifier lanes alone, so that a change of ranking is seen in the diff of a
// commit: the first passages, what the lanes gave, the evidence, what is cited, and
// where a failed question's passage was lost. A file for each type of question;
// go test ./internal/e2e -run TestGolden -update writes them.
func TestGolden(t *testing.T) {
	clock := func() time.Time { return goldenDay }
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "quarry.db"), local.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	corpus, err := quarry.Open(quarry.Options{Store: s, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	set := load(t, "../../examples/handbook")
	if _, err := corpus.Sync(t.Context(), "docs", set.Docs, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	tested := measure.New(corpus, document.Scope{})
	report, err := evaluate.Run(t.Context(), set, tested, evaluate.Options{Asker: tested, Stager: tested})
	if err != nil {
		t.Fatal(err)
	}
	lost := map[string]string{}
	for _, f := range report.Failures {
		lost[f.ID] = f.LostAt
	}
	files := map[string]*strings.Builder{}
	for i, q := range set.Questions {
		kind := report.ByQuestion[i].Type
		if files[kind] == nil {
			files[kind] = &strings.Builder{}
			fmt.Fprintf(files[kind], "%s: %d questions%s\n", kind, report.ByType[kind].Questions, figures(report.ByType[kind].Metrics))
		}
		asked, err := corpus.Ask(t.Context(), q.Text, q.Scope)
		if err != nil {
			t.Fatal(err)
		}
		goldenQuestion(files[kind], q, report.ByQuestion[i], asked, lost)
	}
	golden(t, "handbook", goldenStages(report))
	for kind, b := range files {
		golden(t, "handbook_"+kind, b.String())
	}
	have, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(have) != len(files)+1 {
		t.Errorf("there are %d golden files for %d types of questions, %v", len(have), len(files), err)
	}
}

// figures are the metrics that a line begins with.
func figures(metrics map[string]evaluate.Value) string {
	s := ""
	for _, name := range []string{"recall@5", "all_sources@10", "mrr", "ndcg@10", "citation_precision", "citation_recall", "stale@5"} {
		if v, ok := metrics[name]; ok {
			s += fmt.Sprintf(", %s %.3f", name, v.Value)
		}
	}
	return s
}

// goldenQuestion writes one question: what was found, where what is judged
// stands, what became of it, and the five best.
func goldenQuestion(b *strings.Builder, q evaluate.Question, r evaluate.Result, asked quarry.Asked, lost map[string]string) {
	fmt.Fprintf(b, "\n%s %s\n", q.ID, q.Text)
	for _, record := range asked.Trace.Records {
		switch record.Stage {
		case "keyword", "identifier", "fuse", "cut", "budget":
			fmt.Fprintf(b, "  %s %d>%d", record.Stage, record.In, record.Out)
		}
	}
	tokens := 0
	for _, p := range asked.Evidence {
		tokens += p.Tokens
	}
	fmt.Fprintf(b, "  %d tokens\n  judged at:", tokens)
	for _, u := range r.Ranks {
		fmt.Fprintf(b, " %d", u.Rank)
	}
	if stage, failed := lost[q.ID]; failed {
		fmt.Fprintf(b, "; failed, lost at: %s", stage)
	}
	fmt.Fprintf(b, "\n  %s", asked.Answer.Status)
	for _, c := range asked.Answer.Citations {
		fmt.Fprintf(b, " [%s]", where(c.Document, c.Heading))
	}
	b.WriteString("\n")
	for _, c := range asked.Candidates[:min(5, len(asked.Candidates))] {
		fmt.Fprintf(b, "  %d %.3f %s\n", c.Rank, c.Score, where(c.Document, c.Heading))
	}
}

func where(id document.ID, heading []string) string {
	if n := len(heading); n > 0 {
		return id.Path + "#" + heading[n-1]
	}
	return id.Path
}

// goldenStages are the figures over all questions.
func goldenStages(r evaluate.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "handbook: %d questions, %d failed\n\n", r.Questions, len(r.Failures))
	for _, name := range []string{"recall@5", "recall@10", "recall@50", "all_sources@5", "all_sources@10", "precision@5", "mrr", "ndcg@10", "map",
		"recall@1500t", "stale@5", "citation_precision", "citation_recall", "abstention_precision", "abstention_recall", "answered_unanswerable", "class_accuracy"} {
		if v, ok := r.Metrics[name]; ok {
			fmt.Fprintf(&b, "%-24s %.3f  n=%d\n", name, v.Value, v.N)
		}
	}
	b.WriteString("\nrecall after each stage, and failed questions lost there\n")
	for _, s := range r.ByStage {
		recall := "-"
		if s.Recall != nil {
			recall = fmt.Sprintf("%.3f", s.Recall.Value)
		}
		fmt.Fprintf(&b, "%-24s %s  %d", s.Stage, recall, s.Lost)
		for _, kind := range slices.Sorted(maps.Keys(s.LostByType)) {
			fmt.Fprintf(&b, "  %s %d", kind, s.LostByType[kind])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// golden compares a text with its file, or writes it.
func golden(t *testing.T, name, have string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(string(data), "\r\n", "\n")
	if have == want {
		return
	}
	is, was := strings.Split(have, "\n"), strings.Split(want, "\n")
	shown := 0
	for i := range max(len(is), len(was)) {
		a, b := "", ""
		if i < len(was) {
			a = was[i]
		}
		if i < len(is) {
			b = is[i]
		}
		if a != b && shown < 10 {
			shown++
			t.Errorf("%s, line %d:\n-%s\n+%s", path, i+1, a, b)
		}
	}
	t.Errorf("%s is not what is found now: go test ./internal/e2e -run TestGolden -update writes it anew; look at the diff before it is committed", path)
}
