package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

func TestDifferences(t *testing.T) {
	hits := func(pairs ...float64) []measure.Hit {
		var out []measure.Hit
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, measure.Hit{Passage: int(pairs[i]), Score: pairs[i+1]})
		}
		return out
	}
	wanted := hits(1, 9, 2, 8, 3, 8, 4, 5)
	for _, c := range []struct {
		name  string
		found []measure.Hit
		wrong int
	}{
		{"equal", wanted, 0},
		{"equal scores in another order", hits(1, 9, 3, 8, 2, 8, 4, 5), 0},
		{"another passage with the last score", hits(1, 9, 2, 8, 3, 8, 7, 5), 0},
		{"a score within the tolerance", hits(1, 9.000005, 2, 8, 3, 8, 4, 5), 0},
		{"a score beyond it", hits(1, 9.00002, 2, 8, 3, 8, 4, 5), 1},
		{"another passage before the last", hits(1, 9, 7, 8, 3, 8, 4, 5), 1},
		{"the order of different scores", hits(2, 9, 1, 8, 3, 8, 4, 5), 1},
		{"one too few", hits(1, 9, 2, 8, 3, 8), 1},
		{"none", nil, 1},
	} {
		if _, wrong := Differences([][]measure.Hit{c.found}, [][]measure.Hit{wanted}); len(wrong) != c.wrong {
			t.Errorf("%s: %q", c.name, wrong)
		}
	}
}

// sample is a run in which every goal can be told.
func sample(passages int) Run {
	system := func(name string, p50 time.Duration, lanes ...measure.Lane) System {
		s := System{Name: name, Built: measure.Built{Parts: []measure.Part{{Name: "keyword", CPU: p50, Wall: p50}}}}
		for _, lane := range lanes {
			for _, f := range corpus.Filters {
				s.Served.Answers = append(s.Served.Answers, measure.Answers{Lane: lane, Filter: f.Name, Hits: [][]measure.Hit{{{Passage: 1, Score: 2}}}})
				for threads := 1; threads <= 2; threads++ {
					s.Served.Cells = append(s.Served.Cells, measure.Cell{Lane: lane, Filter: f.Name, Threads: threads, Wall: p50, Latencies: []time.Duration{p50}})
				}
			}
		}
		return s
	}
	r := Run{Passages: passages, Machine: "a machine", Read: Read{Bytes: 1e6, One: 4 * time.Millisecond, Two: 2 * time.Millisecond}}
	r.Systems = []System{
		system("quarry", time.Millisecond, measure.Keyword, measure.Vector, measure.Hybrid),
		system("bleve", 12*time.Millisecond, measure.Keyword),
		system("fts5", 40*time.Millisecond, measure.Keyword),
	}
	r.Left = []string{"lucene, as Java is not installed"}
	for _, lane := range []measure.Lane{measure.Keyword, measure.Vector} {
		for _, f := range corpus.Filters {
			r.Exact = append(r.Exact, measure.Answers{Lane: lane, Filter: f.Name, Hits: [][]measure.Hit{{{Passage: 1, Score: 2}}}})
		}
	}
	return r
}

func TestGoals(t *testing.T) {
	text := sample(2000).Markdown()
	for _, line := range []string{
		"Not measured: lucene, as Java is not installed.",
		"| keyword p50, to Lucene's | - | at most 1.00 | not measured |",
		"| bleve's keyword p50, to ours | 12.0 | at least 10.0 | met |",
		"| FTS5's keyword p50, to ours | 40.0 | at least 50.0 | MISSED |",
		"| vector p50, to reading the vectors once by one thread | 0.25 | at most 0.5 | met |",
		"| vector recall, filter 0.1 % | 1.00 | at least 0.99 | met |",
		"| hits missing of hybrid under the filter of 0.1 % | 19.0 | at most 0 | MISSED |",
		"| a changed document found, ms | - | at most 100 | not measured |",
		"filter 100 %: 1 of 1 questions equal",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the report lacks %q:\n%s", line, text)
		}
	}
}

// TestFile writes sections in any order and again: each size has one, in the order of
// sizes, and what is kept by hand stays.
func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "search.md")
	if err := os.WriteFile(file, []byte("# Title\n\n"+begin+"\n\n"+end+"\n\nAfter.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Check(file); err != nil {
		t.Fatal(err)
	}
	for _, passages := range []int{2000, 100, 2000, 30000} {
		if err := sample(passages).Write(file); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "## ") {
			headings = append(headings, strings.TrimSpace(line))
		}
	}
	if got := strings.Join(headings, ", "); got != "## 100 passages, ## 2000 passages, ## 30000 passages" {
		t.Errorf("the sections are %s", got)
	}
	if !strings.HasPrefix(string(b), "# Title\n\n"+begin) || !strings.HasSuffix(string(b), end+"\n\nAfter.\n") {
		t.Errorf("what is kept by hand is changed:\n%s", b)
	}
	if err := Check(filepath.Join("..", "..", "search.md")); err != nil {
		t.Errorf("the project's own file: %v", err)
	}
	if err := os.WriteFile(file, []byte("# Title\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := sample(100).Write(file); err == nil {
		t.Error("tables were written into a file without a place for them")
	}
}
