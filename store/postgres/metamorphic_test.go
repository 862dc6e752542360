package postgres_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// TestSameAsLocal carries out the same random operations on a store in Postgres and on a
// local one, and wants the same answers to everything that is asked of either, also where
// row-level security hides from a view what its statements leave out anyway.
func TestSameAsLocal(t *testing.T) {
	t.Parallel()
	seeds, steps := uint64(2), 40
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		seeds, steps = 40, 160
	case testing.Short():
		seeds, steps = 1, 24
	}
	for seed := range seeds {
		reader := ""
		if seed%2 == 1 {
			reader = testserver.Reader
		}
		t.Run(fmt.Sprintf("seed %d, reader %q", seed, reader), func(t *testing.T) {
			storetest.Operations(t, twins(t, reader), storetest.Variation{Name: "together"}, 1000+seed, steps)
		})
	}
}

// twins makes pairs of a store in Postgres and a local one.
func twins(t *testing.T, reader string) storetest.Factory {
	in := newPlaces(t)
	pair := func(t *testing.T, schema, path string, clock func() time.Time) store.Store {
		t.Helper()
		l, err := local.Open(context.Background(), path, local.Options{Clock: clock})
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		return &twin{Store: open(t, in.address, schema, reader, clock), local: l, t: t, schema: schema, path: path}
	}
	return storetest.Factory{
		Open: func(t *testing.T, clock func() time.Time) store.Store {
			return pair(t, in.schema(), filepath.Join(t.TempDir(), "quarry.db"), clock)
		},
		Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			s.Close()
			return pair(t, s.(*twin).schema, s.(*twin).path, clock)
		},
	}
}

// twin gives the answers of a store in Postgres, after those of a local one were compared.
type twin struct {
	store.Store
	local        store.Store
	t            *testing.T
	schema, path string
}

func (w *twin) Close() error {
	w.local.Close()
	return w.Store.Close()
}

func (w *twin) Apply(ctx context.Context, c store.Change) (store.Commit, error) {
	got, err := w.Store.Apply(ctx, c)
	want, wantErr := w.local.Apply(ctx, c)
	same(w.t, "Apply", got, want, err, wantErr)
	sources, err := w.Store.Sources(ctx)
	wantSources, wantErr := w.local.Sources(ctx)
	same(w.t, "Sources", sources, wantSources, err, wantErr)
	for _, s := range wantSources {
		states, err := w.Store.States(ctx, s.Name)
		wantStates, wantErr := w.local.States(ctx, s.Name)
		same(w.t, "States", states, wantStates, err, wantErr)
		rings, err := w.Store.Rings(ctx, s.Name)
		wantRings, wantErr := w.local.Rings(ctx, s.Name)
		same(w.t, "Rings", rings, wantRings, err, wantErr)
		var newest, wantNewest []store.Newest
		var paths []string
		for _, st := range wantStates {
			paths = append(paths, st.Path)
			left, err := w.Store.Remains(ctx, document.ID{Source: s.Name, Path: st.Path})
			wantLeft, wantErr := w.local.Remains(ctx, document.ID{Source: s.Name, Path: st.Path})
			// A local store has old terms and texts for a while, and one passage for runs of
			// revisions that another comes between.
			left.Log, left.Terms, left.Passages, left.Vectors = 0, 0, 0, 0
			wantLeft.Log, wantLeft.Terms, wantLeft.Passages, wantLeft.Vectors = 0, 0, 0, 0
			same(w.t, "Remains", left, wantLeft, err, wantErr)
		}
		err = w.Store.Newest(ctx, s.Name, paths, func(n store.Newest) error { newest = append(newest, n); return nil })
		wantErr = w.local.Newest(ctx, s.Name, paths, func(n store.Newest) error { wantNewest = append(wantNewest, n); return nil })
		same(w.t, "Newest", newest, wantNewest, err, wantErr)
	}
	return got, nil
}

func (w *twin) PutVectors(ctx context.Context, m store.Model, vectors []store.Vectors) error {
	err, wantErr := w.Store.PutVectors(ctx, m, vectors), w.local.PutVectors(ctx, m, vectors)
	same(w.t, "PutVectors", nil, nil, err, wantErr)
	models, err := w.Store.Models(ctx)
	wantModels, wantErr := w.local.Models(ctx)
	same(w.t, "Models", models, wantModels, err, wantErr)
	n, err := w.Store.CountMissing(ctx, m)
	wantN, wantErr := w.local.CountMissing(ctx, m)
	same(w.t, "CountMissing", n, wantN, err, wantErr)
	missing, err := w.Store.MissingVectors(ctx, m, 1000)
	wantMissing, wantErr := w.local.MissingVectors(ctx, m, 1000)
	same(w.t, "MissingVectors", contents(missing), contents(wantMissing), err, wantErr)
	return nil
}

// contents are what is to be embedded, in the order of the keys: which of the documents that
// hold a passage is named is free.
func contents(list []store.Unembedded) []store.Unembedded {
	out := slices.Clone(list)
	for i := range out {
		out[i].Document = document.ID{}
	}
	slices.SortFunc(out, func(a, b store.Unembedded) int {
		return slices.Compare([]string{string(a.Key)}, []string{string(b.Key)})
	})
	return out
}

func (w *twin) View(ctx context.Context, scope document.Scope) (store.View, error) {
	got, err := w.Store.View(ctx, scope)
	want, wantErr := w.local.View(ctx, scope)
	if err != nil || wantErr != nil {
		w.t.Fatalf("View: %v, %v", err, wantErr)
	}
	v := &twinView{View: got, local: want, t: w.t}
	v.compare(ctx)
	return v, nil
}

// twinView is a view of both.
type twinView struct {
	store.View
	local store.View
	t     *testing.T
}

// compare asks everything that a view tells unasked.
func (v *twinView) compare(ctx context.Context) {
	v.t.Helper()
	same(v.t, "Commit", v.View.Commit().Sequence, v.local.Commit().Sequence, nil, nil)
	same(v.t, "Day", v.View.Day(), v.local.Day(), nil, nil)
	list, err := v.View.Documents(ctx)
	wantList, wantErr := v.local.Documents(ctx)
	same(v.t, "Documents", list, wantList, err, wantErr)
	counts, err := v.View.Counts(ctx)
	wantCounts, wantErr := v.local.Counts(ctx)
	same(v.t, "Counts", counts, wantCounts, err, wantErr)
	filtered, err := v.View.Filtered(ctx)
	wantFiltered, wantErr := v.local.Filtered(ctx)
	same(v.t, "Filtered", filtered, wantFiltered, err, wantErr)
	attributes, err := v.View.Attributes(ctx)
	wantAttributes, wantErr := v.local.Attributes(ctx)
	same(v.t, "Attributes", attributes, wantAttributes, err, wantErr)
	statistics, err := v.View.Statistics(ctx, []string{"the", "w1", "absent"})
	wantStatistics, wantErr := v.local.Statistics(ctx, []string{"the", "w1", "absent"})
	same(v.t, "Statistics", statistics, wantStatistics, err, wantErr)
	near, err := v.View.Near(ctx, "heading", 2, 10)
	wantNear, wantErr := v.local.Near(ctx, "heading", 2, 10)
	same(v.t, "Near", near, wantNear, err, wantErr)
	for n := range 12 { // there or not, to be seen or not
		id := document.ID{Source: "docs", Path: fmt.Sprintf("doc%d", n)}
		history, err := v.View.History(ctx, id)
		wantHistory, wantErr := v.local.History(ctx, id)
		same(v.t, "History", history, wantHistory, err, wantErr)
		r, err := v.View.Document(ctx, id, true)
		wantR, wantErr := v.local.Document(ctx, id, true)
		same(v.t, "Document", r, wantR, err, wantErr)
		for _, h := range wantHistory.Revisions {
			r, err := v.View.Revision(ctx, id, h.Revision)
			wantR, wantErr := v.local.Revision(ctx, id, h.Revision)
			same(v.t, "Revision", r, wantR, err, wantErr)
		}
	}
}

func (v *twinView) Close() error {
	v.local.Close()
	return v.View.Close()
}

func (v *twinView) Restrict(ctx context.Context, to []store.Place) (store.View, error) {
	got, err := v.View.Restrict(ctx, to)
	want, wantErr := v.local.Restrict(ctx, to)
	if err != nil || wantErr != nil {
		v.t.Fatalf("Restrict: %v, %v", err, wantErr)
	}
	out := &twinView{View: got, local: want, t: v.t}
	out.compare(ctx)
	return out, nil
}

func (v *twinView) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	got, err := v.View.Keyword(ctx, terms, k)
	want, wantErr := v.local.Keyword(ctx, terms, k)
	v.sameHits("Keyword", got, want, err, wantErr)
	return got, err
}

func (v *twinView) Identifier(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	got, err := v.View.Identifier(ctx, terms, k)
	want, wantErr := v.local.Identifier(ctx, terms, k)
	v.sameHits("Identifier", got, want, err, wantErr)
	return got, err
}

func (v *twinView) Vector(ctx context.Context, m store.Model, query []float32, k int) (store.Hits, error) {
	got, err := v.View.Vector(ctx, m, query, k)
	want, wantErr := v.local.Vector(ctx, m, query, k)
	v.sameHits("Vector", got, want, err, wantErr)
	return got, err
}

func (v *twinView) Outline(ctx context.Context, terms []store.QueryTerm, k int) (store.SectionHits, error) {
	got, err := v.View.Outline(ctx, terms, k)
	want, wantErr := v.local.Outline(ctx, terms, k)
	scores := func(h store.SectionHits) (out []float64) {
		for i := range h.Hits {
			out = append(out, h.Hits[i].Score)
			h.Hits[i].Score = math.Round(h.Hits[i].Score * 1e4)
		}
		return out
	}
	v.sameScores("Outline", scores(store.SectionHits{Hits: slices.Clone(got.Hits)}), scores(store.SectionHits{Hits: slices.Clone(want.Hits)}))
	same(v.t, "Outline", got.Matched, want.Matched, err, wantErr)
	return got, err
}

func (v *twinView) Phrase(ctx context.Context, p store.Phrase, k int) (store.PhraseHits, error) {
	got, err := v.View.Phrase(ctx, p, k)
	want, wantErr := v.local.Phrase(ctx, p, k)
	same(v.t, "Phrase", got, want, err, wantErr)
	return got, err
}

func (v *twinView) Passages(ctx context.Context, ids []document.PassageID) ([]store.Located, error) {
	got, err := v.View.Passages(ctx, ids)
	want, wantErr := v.local.Passages(ctx, ids)
	same(v.t, "Passages", got, want, err, wantErr)
	return got, err
}

// sameHits wants the same passages up to those that score the same, and the same scores.
func (v *twinView) sameHits(asked string, got, want store.Hits, err, wantErr error) {
	v.t.Helper()
	scores := func(h store.Hits) (out []float64) {
		for _, hit := range h.Hits {
			out = append(out, hit.Score)
		}
		return append(out, h.Min, h.Max)
	}
	v.sameScores(asked, scores(got), scores(want))
	same(v.t, asked, got.Matched, want.Matched, err, wantErr)
	of := map[document.PassageID]float64{}
	for _, h := range want.Hits {
		of[h.Passage] = h.Score
	}
	for _, h := range got.Hits {
		if score, ok := of[h.Passage]; ok && math.Abs(score-h.Score) > 1e-4 || !ok && math.Abs(h.Score-want.Hits[len(want.Hits)-1].Score) > 1e-4 {
			v.t.Errorf("%s: %s scores %g, and %g in the local store (found there: %v)", asked, h.Passage, h.Score, score, ok)
		}
	}
}

func (v *twinView) sameScores(asked string, got, want []float64) {
	v.t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-4 }) {
		v.t.Errorf("%s scores\n%v, the local store\n%v", asked, got, want)
	}
}

// same wants the same answer, or the same kind of error.
func same(t *testing.T, asked string, got, want any, err, wantErr error) {
	t.Helper()
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%s: %v, and %v in the local store", asked, err, wantErr)
		return
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%s is\n%+v, and in the local store\n%+v", asked, got, want)
	}
}
