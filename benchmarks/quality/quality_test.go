package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// Pieces hold every sign of a text but white space once, in order, end at white space
// and have at most so many tokens.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		about, text string
		n           int
		want        []string
	}{
		{"empty", "", 4, nil},
		{"white space", " \n\t ", 4, nil},
		{"short", "  one two\n", 4, []string{"one two"}},
		{"at white space", "one two three\nfour five", 2, []string{"one two", "three\nfour", "five"}},
		{"signs stay with their word", "a, b, c, d,", 4, []string{"a, b,", "c, d,"}},
		{"a long run is cut", "x a.b.c.d y", 3, []string{"x", "a.b", ".c.", "d y"}},
		{"beyond ASCII", "für zwei Öfen", 3, []string{"für zwei", "Öfen"}},
		{"signs without a token", "a \u200b \u200b b", 2, []string{"a \u200b", "\u200b b"}},
	} {
		t.Run(tt.about, func(t *testing.T) {
			var got []string
			for _, s := range cut(tt.text, tt.n) {
				got = append(got, s.Of(tt.text))
				if n := wordpiece.Count(s.Of(tt.text)); n > tt.n {
					t.Errorf("%q has %d tokens", s.Of(tt.text), n)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// The sum of the formula, worked out by hand for three pieces.
func TestBM25(t *testing.T) {
	var list []*piece
	for _, text := range []string{"fee fee month", "fee year year year year", "month"} {
		p := &piece{terms: map[string]int{}}
		for _, w := range analyze.Words(text) {
			p.terms[w.Term]++
			p.length++
		}
		list = append(list, p)
	}
	ix := newIndex(list)
	// The average length is 3; "fee" is in 2 of 3.
	idf := math.Log(1 + 1.5/2.5)
	for i, want := range []float64{idf * 2 * 2.2 / (2 + 1.2), idf * 2.2 / (1 + 1.2*(0.25+0.75*5/3)), 0} {
		if got := ix.bm25(list[i], "fee"); math.Abs(got-want) > 1e-12 {
			t.Errorf("piece %d scores %v, want %v", i, got, want)
		}
	}
}

func TestHeadingsOfAPiece(t *testing.T) {
	span := func(from, to int) document.Span { return document.Span{From: from, To: to} }
	sections := []document.Section{
		{Span: span(0, 100)},
		{Path: []string{"A"}, Span: span(10, 60)},
		{Path: []string{"A", "A1"}, Span: span(40, 60)},
		{Path: []string{"B"}, Span: span(60, 100)},
	}
	for _, tt := range []struct {
		from, to int
		want     string
	}{
		{0, 10, ""}, {0, 11, "A"}, {10, 40, "A"}, {39, 41, "A A1"}, {55, 70, "A A1 B"}, {60, 70, "B"}, {0, 100, "A A1 B"},
	} {
		if got := strings.Join(headings(sections, span(tt.from, tt.to)), " "); got != tt.want {
			t.Errorf("[%d, %d) touches %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}

// A table replaces that of its set and nothing else of the file.
func TestWriteTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quality.md")
	const before, after = "# Quality\n\nBy hand.\n\n### kept\n\n", "\n## More\n\n### also kept\n"
	if err := os.WriteFile(file, []byte(before+begin+"\n"+end+"\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, w := range [][2]string{{"zebra", "old"}, {"scifact", "| b |"}, {"handbook", "| a |"}, {"zebra", "| z |\n"}} {
		if err := writeTable(file, w[0], w[1]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := before + begin + "\n\n### handbook\n\n| a |\n\n### scifact\n\n| b |\n\n### zebra\n\n| z |\n\n" + end + "\n" + after
	if string(got) != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if err := os.WriteFile(file, []byte("no marks"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeTable(file, "zebra", ""); err == nil || !strings.Contains(err.Error(), "marks") {
		t.Errorf("a file without marks gives %v", err)
	}
}

func TestMarksAreInTheFile(t *testing.T) {
	if _, err := readTables("../quality.md"); err != nil {
		t.Error(err)
	}
}

func TestChoose(t *testing.T) {
	all := []located{{"handbook", "h"}, {"scifact", ""}, {"cranfield", "c"}}
	for _, tt := range []struct{ only, want string }{
		{"", "handbook cranfield"}, {"cranfield,handbook", "handbook cranfield"}, {"cranfield", "cranfield"}, {"scifact", "error"}, {"x", "error"},
	} {
		list, err := choose(all, tt.only)
		var names []string
		for _, l := range list {
			names = append(names, l.name)
		}
		if err != nil {
			names = []string{"error"}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("of %q: %s, want %s", tt.only, got, tt.want)
		}
	}
}

// A small set of each form goes through all lines.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const deposit, fee = "The deposit is kept for thirty days.", "The fee is forty dollars a year."
	write("folder/docs/a.md", "# Deposit\n\n"+deposit+"\n")
	write("folder/docs/b.md", "# Fee\n\n"+fee+"\n")
	write("folder/questions.jsonl", fmt.Sprintf(`{"id":"a","question":"How long is the deposit kept?","sources":["a.md"],"passages":[%q],"spans":[[11,47]],"type":"one"}
{"id":"b","question":"How much is the fee?","sources":["b.md"],"passages":[%q],"type":"two","held_out":true}
{"id":"c","question":"Who paints the gorilla?","unanswerable":true}
`, deposit, fee))
	write("beir/corpus.jsonl", `{"_id":"1","title":"Deposit","text":"It is kept for thirty days."}`+"\n"+`{"_id":"2","title":"Fee","text":"Forty dollars a year."}`+"\n")
	write("beir/queries.jsonl", `{"_id":"q","text":"How long is the deposit kept?"}`+"\n")
	write("beir/qrels.tsv", "query-id\tcorpus-id\tscore\nq\t1\t1\n")

	for name, want := range map[string][]string{
		"folder": {"3 questions, 2 of them judged for ranking.\n", "| hybrid, held out |", "| two | 1 | 1.000 [1.000, 1.000] |", "token_recall@5", "| answers | answered_unanswerable |", "| words, tuning | 0.000 [0.000, 0.000], n=1 |"},
		"beir":   {"1 questions, 1 of them judged for ranking.\n", "|  | recall@5 | all_sources@10 | mrr | ndcg@10 | recall@1500t |\n"},
	} {
		t.Run(name, func(t *testing.T) {
			set, problems, err := evaluate.Load(filepath.Join(dir, name))
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			got, err := bench{embedder: fake{}, say: t.Logf}.measure(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range append(want, "\n| words | 1.000 [1.000, 1.000] |", "\n| BM25 over pieces | 1.000 [1.000, 1.000] |", "\n| vectors over pieces | 1.000 [1.000, 1.000] |") {
				if !strings.Contains(got, part) {
					t.Errorf("the table lacks %q:\n%s", part, got)
				}
			}
		})
	}
}

// fake makes vectors of hashed words.
type fake struct{}

func (fake) Name() string { return "fake" }
func (fake) Dims() int    { return 256 }

func (f fake) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	list := make([][][]float32, len(texts))
	for i, text := range texts {
		v, err := f.Question(ctx, text)
		if err != nil {
			return nil, err
		}
		list[i] = [][]float32{v}
	}
	return list, nil
}

func (f fake) Question(_ context.Context, text string) ([]float32, error) {
	v := make([]float32, f.Dims())
	sum := 0.0
	for _, w := range analyze.Words(text) {
		h := fnv.New32a()
		h.Write([]byte(w.Term))
		v[h.Sum32()%uint32(len(v))]++
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(sum, 1e-9)))
	}
	return v, nil
}
