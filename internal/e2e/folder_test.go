package e2e

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

var someWords = strings.Fields(`refund renewal contract policy travel hotel limit budget customer invoice delivery warranty notice
period annual leave approval manager region office security incident password audit retention archive backup parking supplier
shipment deposit penalty insurance training laptop visitor badge kitchen printer canteen holiday overtime bonus pension`)

// generated is a small Markdown file, always the same for the same numbers.
func generated(n, generation uint64) string {
	r := rand.New(rand.NewPCG(n, generation))
	words := func(k int) string {
		list := make([]string, k)
		for i := range list {
			list[i] = someWords[r.IntN(len(someWords))]
		}
		return strings.Join(list, " ")
	}
	var b strings.Builder
	if n%3 == 0 {
		fmt.Fprintf(&b, "---\nauthority: %d\neffective_from: 2020-01-01\n---\n", n%5)
	}
	fmt.Fprintf(&b, "# %s %d\n", words(2), n)
	for i := range 2 + r.IntN(2) {
		fmt.Fprintf(&b, "\n## %d.%d %s\n\nThe %s of FORM-%d is %s.\n", n, i, words(2), words(1), n*10+uint64(i), words(30))
	}
	return b.String()
}

// snapshot is all that the zero scope sees of a store.
type snapshot struct {
	listed    map[string]store.Listed
	documents map[string]document.Revision
	found     [][]quarry.Candidate
}

// questions are what snapshots are searched for.
var snapshotQuestions = []string{"refund of the deposit", "What is the annual travel budget?", "FORM-421", "badge printer canteen"}

// snapshotOf reads a store as another process would.
func snapshotOf(ctx context.Context, path string) (snapshot, error) {
	s := snapshot{listed: map[string]store.Listed{}, documents: map[string]document.Revision{}}
	corpus, err := standard.OpenExisting(ctx, path, standard.Settings{Embedding: config.NoModel})
	if err != nil {
		return s, err
	}
	defer corpus.Close()
	list, err := corpus.Documents(ctx, document.Scope{})
	if err != nil {
		return s, err
	}
	for _, d := range list {
		r, err := corpus.Document(ctx, d.Document, document.Scope{})
		if err != nil {
			return s, fmt.Errorf("%s is listed: %w", d.Document, err)
		}
		r.Seen = time.Time{}
		// Without dates of its own a document holds from the day it was seen.
		if r.Metadata.Effective == (document.Interval{}) {
			d.Valid.From = 0
		}
		s.listed[d.Document.Path], s.documents[d.Document.Path] = d, r
	}
	for _, q := range snapshotQuestions {
		result, err := corpus.Search(ctx, q, document.Scope{})
		if err != nil {
			return s, err
		}
		if failed := result.Trace.Failed(); len(failed) > 0 {
			return s, fmt.Errorf("searching %q: %v", q, failed)
		}
		for i := range result.Candidates {
			c := &result.Candidates[i]
			if math.IsNaN(c.Vector.Score) {
				c.Vector.Score = -1 // no lane gives that, and it equals itself
			}
			if s.documents[c.Document.Path].Metadata.Effective == (document.Interval{}) {
				c.Valid.From = 0
			}
		}
		s.found = append(s.found, result.Candidates)
	}
	return s, nil
}

// wholeIn reports the first document that is not wholly as one of the others has
// it, and the first passage found that is of no listed document.
func (s snapshot) wholeIn(others ...snapshot) error {
documents:
	for path, d := range s.documents {
		for _, o := range others {
			have, want := s.listed[path], o.listed[path]
			if have.Vectors < want.Vectors {
				have.Vectors = want.Vectors // vectors come after the text, batch by batch
			}
			if reflect.DeepEqual(d, o.documents[path]) && reflect.DeepEqual(have, want) {
				continue documents
			}
		}
		return fmt.Errorf("%s is listed as %+v, with %d sections, %d passages and %d bytes: no clean store has it so",
			path, s.listed[path], len(d.Sections), len(d.Passages), len(d.Text))
	}
	for i, found := range s.found {
		for _, c := range found {
			d, ok := s.documents[c.Document.Path]
			if !ok || d.Hash != c.Revision || c.Span.Of(d.Text) != c.Text {
				return fmt.Errorf("%q finds a passage of %s that is not in its revision in force", snapshotQuestions[i], c.Document)
			}
		}
	}
	return nil
}

// same reports the first difference between two stores.
func (s snapshot) same(o snapshot) error {
	if len(s.documents) != len(o.documents) {
		return fmt.Errorf("%d documents instead of %d", len(s.documents), len(o.documents))
	}
	if err := s.wholeIn(o); err != nil {
		return err
	}
	for path, d := range o.listed {
		if s.listed[path].Vectors != d.Vectors {
			return fmt.Errorf("%s has %d vectors instead of %d", path, s.listed[path].Vectors, d.Vectors)
		}
	}
	for i, q := range snapshotQuestions {
		if len(s.found[i]) != len(o.found[i]) {
			return fmt.Errorf("%q finds %d passages instead of %d", q, len(s.found[i]), len(o.found[i]))
		}
		for j, c := range s.found[i] {
			if !reflect.DeepEqual(c, o.found[i][j]) {
				return fmt.Errorf("%q finds at rank %d\n%+v instead of\n%+v", q, j+1, c, o.found[i][j])
			}
		}
	}
	return nil
}

// mustSnapshot is snapshotOf for a store that has to be whole.
func mustSnapshot(t *testing.T, path string) snapshot {
	t.Helper()
	s, err := snapshotOf(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// removeStore takes away a store with all that stands beside it.
func removeStore(t *testing.T, path string) {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
}
