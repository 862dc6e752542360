package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// folder writes files of a set, by path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func loaded(t *testing.T, name string, files map[string]string) evaluate.Set {
	t.Helper()
	set, problems, err := evaluate.Load(folder(t, files))
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	set.Name = name
	return set
}

// A version holds until the next of its page, the last without end.
func TestValidities(t *testing.T) {
	dir := folder(t, map[string]string{"a/2020-01-31.md": "", "a/2021-02-01.md": "", "a/2023-12-31.md": "", "a-b/2022-01-01.md": ""})
	got, err := validities(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for name, v := range got {
		list = append(list, fmt.Sprintf("%s [%s, %s)", name, v.From, v.To))
	}
	slices.Sort(list)
	want := []string{"a-b/2022-01-01.md [2022-01-01, )", "a/2020-01-31.md [2020-01-31, 2021-02-01)", "a/2021-02-01.md [2021-02-01, 2023-12-31)", "a/2023-12-31.md [2023-12-31, )"}
	if !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	if _, err := validities(folder(t, map[string]string{"a/newest.md": ""})); err == nil || !strings.Contains(err.Error(), "a/newest.md is not named by its date") {
		t.Errorf("error %v", err)
	}
}

// What is asked of its own document, or on its day, finds nothing elsewhere; asked of all
// it does, by every line.
func TestViews(t *testing.T) {
	const fee = "The fee is forty dollars a year.\n"
	for _, c := range []struct {
		set  evaluate.Set
		want []string // parts of the tables, in their order
	}{
		{set: loaded(t, "tatqa_dev", map[string]string{
			"docs/a.md": "Cats sleep all day.\n\n" + fee, "docs/b.md": "Dogs bark.\n\n" + fee,
			"questions.jsonl": fmt.Sprintf(`{"id":"p","question":"How much is the fee?","sources":["b.md"],"passages":[%q]}
{"id":"d","question":"How much is the fee?","sources":["b.md"]}
`, fee)}),
			want: []string{"\n#### of all documents\n\n2 questions, 2 of them judged for ranking. ", "\n#### each of its own document\n\n1 questions, 1 of them judged for ranking. ",
				"| words | 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] | 1.000", "| BM25 over pieces | 1.000 [1.000, 1.000] | 1.000 [1.000, 1.000] | 1.000"}},
		{set: loaded(t, "handbook_versions", map[string]string{
			"docs/fee/2020-01-01.md": "The yearly fee is thirty dollars.\n", "docs/fee/2021-01-01.md": "The yearly fee is forty dollars.\n",
			"questions.jsonl": `{"id":"then","question":"How much is the yearly fee?","as_of":"2020-06-01","sources":["fee/2020-01-01.md"],"stale":["fee/2021-01-01.md"],"type":"as_of"}
{"id":"change","question":"How did the fee change?","sources":["fee/2020-01-01.md","fee/2021-01-01.md"],"type":"change"}
`}),
			want: []string{"\n#### on the day of each question\n\n1 questions, 1 of them judged for ranking. ", "| words | 1.000", "| 0.000 [0.000, 0.000] |\n", "| BM25 over pieces | 1.000", "| 0.000 [0.000, 0.000] |\n",
				"\n#### of all versions at once\n\n1 questions", "| words | 1.000", "| 1.000 [1.000, 1.000] |\n", "| BM25 over pieces | 1.000", "| 1.000 [1.000, 1.000] |\n"}},
	} {
		t.Run(c.set.Name, func(t *testing.T) {
			got, err := bench{embedder: fake{}, say: t.Logf}.measure(t.Context(), c.set)
			if err != nil {
				t.Fatal(err)
			}
			rest := got
			for _, part := range c.want {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Fatalf("after what comes before it the tables lack %q:\n%s", part, got)
				}
				rest = after
			}
		})
	}
}

// Others are asked as they stand, also ones that are like those two.
func TestOneView(t *testing.T) {
	set := evaluate.Set{Name: "mine", Questions: []evaluate.Question{{ID: "q", Scope: document.Scope{AsOf: 1}}}}
	views, err := viewsOf(set)
	if err != nil || len(views) != 1 || views[0].uploads != nil || len(views[0].set.Questions) != 1 || views[0].String() != "mine" {
		t.Errorf("%+v, %v", views, err)
	}
}

// A text is embedded once.
func TestMemory(t *testing.T) {
	count := &counting{}
	m := remembering(count)
	for range 2 {
		list, err := m.Passages(t.Context(), []string{"one", "two", "one"})
		if err != nil || len(list) != 3 {
			t.Fatal(list, err)
		}
		want, _ := fake{}.Passages(t.Context(), []string{"one", "two"})
		for i, place := range []int{0, 1, 0} {
			if !slices.Equal(list[i][0], want[place][0]) {
				t.Errorf("text %d has another's vector", i)
			}
		}
		if _, err := m.Question(t.Context(), "three"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Passages(t.Context(), []string{"two", "four"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(count.texts, " "); got != "one two three four" {
		t.Errorf("embedded were %s", got)
	}
}

// counting is fake, and lists what it was asked for.
type counting struct {
	fake
	texts []string
}

func (c *counting) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	c.texts = append(c.texts, texts...)
	return c.fake.Passages(ctx, texts)
}

func (c *counting) Question(ctx context.Context, text string) ([]float32, error) {
	c.texts = append(c.texts, text)
	return c.fake.Question(ctx, text)
}
