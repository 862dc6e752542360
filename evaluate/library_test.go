package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadInput: each fault of a set is said with its line, and the rest is measured.
func TestBadInput(t *testing.T) {
	const good = `{"id":"good","question":"What is the fee?","sources":["fees.md#Fees"],"passages":["The fee is forty euros."]}` + "\n"
	for _, c := range []struct {
		about, lines string
		measured     int // questions, the good one among them
		outgrown     int
		problems     []string
	}{
		{"nothing wrong", "", 1, 0, nil},
		{"a source that is not in the corpus", `{"id":"q","question":"x","sources":["gone.md"]}`, 2, 1,
			[]string{`questions.jsonl:2: q: source "gone.md" is not in the corpus, or not in force for who asks`}},
		{"a source of two is gone, its quote too", `{"id":"q","question":"x","sources":["gone.md","fees.md"],"passages":["The fee is forty euros.","Lunch is free."]}`, 2, 1,
			[]string{`source "gone.md" is not in the corpus`, `questions.jsonl:2: q: no revision in force holds the quote "Lunch is free."`}},
		{"a heading that is gone", `{"id":"q","question":"x","sources":["fees.md#Prices"]}`, 2, 1, []string{`q: source "fees.md" has no heading "Prices"`}},
		{"a quote that occurs nowhere", `{"id":"q","question":"x","sources":["fees.md"],"passages":["The fee is fifty euros."]}`, 2, 1,
			[]string{`questions.jsonl:2: q: no revision in force holds the quote "The fee is fifty euros."`}},
		{"a quote with other signs, and one of a copy", `{"id":"q","question":"x","sources":["fees.md"],"passages":["the **fee** is\nforty euros","See the fee table."],"also_valid_text_in":["copy.md"]}`, 2, 0, nil},
		{"a long quote is cut short", `{"id":"q","question":"x","sources":["fees.md"],"passages":["` + strings.Repeat("word ", 40) + `"]}`, 2, 1, []string{"word…\""}},
		{"an id twice", `{"id":"good","question":"x","sources":["fees.md"]}`, 1, 0, []string{"questions.jsonl:2: good: has an id that an earlier question has; the question is left out"}},
		{"no JSON", `{"id":`, 1, 0, []string{"questions.jsonl:2: is no JSON object"}},
		{"spans past the end", `{"id":"q","question":"x","sources":["fees.md"],"spans":[[5,9000]]}`, 2, 0, []string{"questions.jsonl:2: q: span [5, 9000] ends after the text of fees.md"}},
		{"a file that is missing below docs", `{"id":"q","question":"x","sources":["gone.md"],"spans":[[5,9]]}`, 2, 1,
			[]string{`source "gone.md" is not in the corpus`, "questions.jsonl:2: q: spans of gone.md cannot be located"}},
		{"no judgement", `{"id":"q","question":"x"}`, 2, 0, []string{"questions.jsonl:2: q: has no sources, passages or spans"}},
		{"a document that cannot be read", `{"id":"q","question":"x","sources":["broken.md"],"passages":["anything at all"]}`, 2, 1, []string{`q: source "broken.md" cannot be read: disk`}},
	} {
		t.Run(c.about, func(t *testing.T) {
			docs := brokenShelf{shelf{"fees.md": "# Fees\n\nThe fee is forty euros.", "copy.md": "See the fee table."}}
			dir := folder(t, "docs/fees.md", docs.shelf["fees.md"], "questions.jsonl", good+c.lines+"\n")
			set, _, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), set, searcherFunc(func(Query) ([]Hit, error) {
				return hitsOf("fees.md#Fees=The fee is forty euros."), nil
			}), Options{Library: docs})
			if err != nil {
				t.Fatal(err)
			}
			if r.Questions != c.measured || r.Outgrown != c.outgrown {
				t.Errorf("%d questions, %d outgrown", r.Questions, r.Outgrown)
			}
			if v := r.ByQuestion[0].Metrics["recall@5"]; v != 1 {
				t.Errorf("the good question has recall %v", v)
			}
			if len(r.Problems) != len(c.problems) {
				t.Errorf("%d problems, want %d", len(r.Problems), len(c.problems))
			}
			for i, p := range r.Problems {
				if i < len(c.problems) && !strings.Contains(p.String(), c.problems[i]) {
					t.Errorf("problem %q, want %q", p, c.problems[i])
				}
			}
		})
	}
}

// brokenShelf cannot read broken.md.
type brokenShelf struct{ shelf }

func (s brokenShelf) Has(ctx context.Context, q Query, path string) (bool, error) {
	if path == "broken.md" {
		return false, errors.New("disk")
	}
	return s.shelf.Has(ctx, q, path)
}

func (s brokenShelf) Content(ctx context.Context, q Query, path string) (Content, error) {
	if path == "broken.md" {
		return Content{}, errors.New("disk")
	}
	return s.shelf.Content(ctx, q, path)
}

// TestSetsThatHoldNothing: an empty set and one with a missing file are errors that
// name what is missing.
func TestSetsThatHoldNothing(t *testing.T) {
	for about, c := range map[string]struct {
		files []string
		want  string
	}{
		"an empty file":        {[]string{"questions.jsonl", ""}, "has no usable question"},
		"only bad lines":       {[]string{"questions.jsonl", "[]\n{}\n"}, "the first problem is questions.jsonl:1"},
		"BEIR without qrels":   {[]string{"corpus.jsonl", `{"_id":"d","text":"x"}`, "queries.jsonl", `{"_id":"1","text":"x"}`}, "qrels.tsv"},
		"BEIR without corpus":  {[]string{"queries.jsonl", `{"_id":"1","text":"x"}`, "qrels.tsv", "1\td\t1\n"}, "corpus.jsonl"},
		"BEIR, nothing judged": {[]string{"corpus.jsonl", `{"_id":"d","text":"x"}`, "queries.jsonl", `{"_id":"1","text":"x"}`, "qrels.tsv", "query-id\tcorpus-id\tscore\n"}, "has no usable question"},
	} {
		t.Run(about, func(t *testing.T) {
			if _, _, err := Load(folder(t, c.files...)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
	if _, _, err := Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}

func TestUnreviewedIsSaidOnly(t *testing.T) {
	dir := folder(t, "questions.jsonl", `{"id":"a","question":"x","sources":["a"],"reviewed":false}
{"id":"b","question":"x","sources":["a"],"reviewed":true}
{"id":"c","question":"x","sources":["a"]}
{"id":"d","question":"x","sources":["a"],"reviewed":null}
`)
	set, _, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), set, searcherFunc(func(Query) ([]Hit, error) { return nil, nil }), Options{})
	if err != nil || r.Unreviewed != 1 || !set.Questions[0].Unreviewed {
		t.Errorf("%d unreviewed, %v", r.Unreviewed, err)
	}
}

func TestHolding(t *testing.T) {
	passages := hitsOf("a#Pay=The fee is forty euros a year, and it is due in May.", "a#Leave=Nothing of it.",
		"a#Pay/Rates=The fee is forty euros a year, and it is due in May. And more.", "a#Old=The fee is forty euros", "a#Old=a year, and it is due in May.")
	for _, c := range []struct {
		unit     Unit
		passages []Hit
		want     string
	}{
		{Unit{Document: "a", Quote: "The fee is forty euros a year, and it is due in May."}, passages, "[0]"},
		{Unit{Document: "a", Quote: "The fee is forty euros a year, and it is due in May."}, passages[3:], "[0 1]"},
		{Unit{Document: "a", Heading: "Pay"}, passages, "[0 2]"},
		{Unit{Document: "a"}, passages, "[0 1 2 3 4]"},
		{Unit{Document: "a", Quote: "No such sentence stands here."}, passages, "[]"},
		{Unit{Document: "a", Heading: "Travel"}, passages, "[]"},
	} {
		if got := fmt.Sprint(Holding(c.unit, c.passages)); got != c.want {
			t.Errorf("%+v is held by %v, want %v", c.unit, got, c.want)
		}
	}
}
