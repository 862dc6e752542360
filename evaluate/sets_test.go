package evaluate

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPublicSets loads the public sets where they are to be had, and checks that
// what they judge can be found at all: with every paragraph of the documents in the list,
// cut plainly at blank lines, each unit is in it.
func TestPublicSets(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "sets")
	if !isDir(root) {
		t.Skipf("SKIPPED: the public sets are not at %s", root)
	}
	for _, c := range []struct {
		name                 string
		questions, documents int
		unit                 level
	}{
		{"scifact", 300, 5183, docLevel},
		{"scifact/train", 0, 0, finest}, // no corpus of its own
		{"cranfield", 225, 1400, docLevel},
		{"hotpotqa100", 100, 994, docLevel},
		{"chunking_eval", 472, 5, passageLevel},
		{"llm_api_docs", 100, 45, sectionLevel},
		{"clapnq_dev", 600, 597, passageLevel},
		{"handbook_versions", 40, 1019, passageLevel},
		{"tatqa_dev", 1668, 278, passageLevel},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, problems, err := Load(filepath.Join(root, c.name))
			if c.questions == 0 {
				if err == nil {
					t.Error("loads")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				t.Log(p)
			}
			lists := paragraphs(t, set)
			if len(set.Questions) != c.questions || len(lists) != c.documents {
				t.Errorf("%d questions and %d documents, want %d and %d", len(set.Questions), len(lists), c.questions, c.documents)
			}
			if c.name == "chunking_eval" { // long documents: some questions are enough
				set.Questions = set.Questions[:100]
			}
			judged := map[string]Question{}
			for i, q := range set.Questions {
				set.Questions[i].Text = q.ID // texts repeat
				judged[q.ID] = q
			}
			all := searcherFunc(func(q Query) ([]Hit, error) {
				var hits []Hit
				for _, d := range judged[q.Text].documents() {
					hits = append(hits, lists[d]...)
				}
				return hits, nil
			})
			r, err := Run(context.Background(), set, all, Options{FailAt: 1e6, Resamples: 10,
				Metrics: []string{"recall@1000000", "doc:recall@1000000", "token_recall@1000000", "mrr"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d problems, %+v", len(r.Problems), r.Metrics)
			for _, f := range r.Failures[:min(3, len(r.Failures))] {
				t.Logf("%s: %+v", f.ID, f.Missing)
			}
			if v := r.Metrics["recall@1000000"].Value; v < 0.995 {
				t.Errorf("only %.4f of the units can be found", v)
			}
			if v, ok := r.Metrics["token_recall@1000000"]; ok && v.Value < 0.995 {
				t.Errorf("only %.4f of the tokens can be found", v.Value)
			}
		})
	}
}

// paragraphs cuts every document of a set at blank lines, under its headings.
func paragraphs(t *testing.T, set Set) map[string][]Hit {
	t.Helper()
	lists := map[string][]Hit{}
	if set.Corpus != nil {
		for d := range set.Corpus {
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			lists[d.Path] = []Hit{{Document: d.Path, Text: d.Text}}
		}
		return lists
	}
	var (
		atx   = regexp.MustCompile(`(?m)^(#{1,6})\s+(.*)$`)
		blank = regexp.MustCompile(`\n\s*\n`)
	)
	err := filepath.WalkDir(set.Docs, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		doc, _ := filepath.Rel(set.Docs, name)
		doc = filepath.ToSlash(doc)
		text, err := textOf(set.Docs)(doc)
		var path []string
		from := 0
		for _, cut := range append(blank.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
			h := Hit{Document: doc, Text: text[from:cut[0]]}
			h.Span.From, h.Span.To = from, cut[0]
			for _, m := range atx.FindAllStringSubmatch(h.Text, -1) {
				path = append(path[:min(len(path), len(m[1])-1)], m[2])
			}
			h.Heading = slices.Clone(path)
			lists[doc] = append(lists[doc], h)
			from = cut[1]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lists
}
