// Package storetest is the contract of package store as tests, to be read as its
// specification: one subtest for each sentence. Every exact store passes all of
// it (see Run). Scores are compared with a plain reference implementation that is
// written here a second time, from the formulas and not from package store.
package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Factory makes the stores under test.
type Factory struct {
	// Open opens a new, empty store with store.DefaultBM25. The suite closes it.
	Open func(t *testing.T, clock func() time.Time) store.Store
	// Reopen closes a store that Open gave and opens its data again, as another
	// process would.
	Reopen func(t *testing.T, s store.Store, clock func() time.Time) store.Store
	// Crash leaves a store that Open gave as a process does that is killed, and opens
	// its data as another process would. nil: the store cannot.
	Crash func(t *testing.T, s store.Store, clock func() time.Time) store.Store
}

// Run proves a store against the contract, in the exact profile: the same hits
// as the reference, scores to 1e-4, up to ties.
func Run(t *testing.T, f Factory) {
	for _, group := range []struct {
		name string
		run  func(*testing.T, Factory)
	}{
		{"Apply", testApply},
		{"Invalid", testInvalid},
		{"Remove", testRemove},
		{"Remains", testRemains},
		{"Renamed", testRenamed},
		{"Synced", testSynced},
		{"Fail", testFail},
		{"Validity", testValidity},
		{"Supersede", testSupersede},
		{"Ring", testRing},
		{"Date", testDate},
		{"Forget", testForget},
		{"Scope", testScope},
		{"Unreadable", testUnreadable},
		{"Filtered", testFiltered},
		{"View", testView},
		{"Restrict", testRestrict},
		{"History", testHistory},
		{"Findings", testFindings},
		{"Read", testRead},
		{"Whole", testWhole},
		{"Vectors", testVectors},
		{"Models", testModels},
		{"Jobs", testJobs},
		{"Sharing", testSharing},
		{"Ranking", testRanking},
		{"Operations", testOperations},
		{"Near", testNear},
		{"Phrase", testPhrase},
		{"Concurrency", testConcurrency},
	} {
		t.Run(group.name, func(t *testing.T) { group.run(t, f) })
	}
}

// bench is a store under test with a clock that only the test moves.
type bench struct {
	*testing.T
	ctx     context.Context
	factory Factory
	store   store.Store
	now     time.Time
}

// newBench opens an empty store on 2026-06-15 that knows the source "docs".
func newBench(t *testing.T, f Factory) *bench {
	t.Helper()
	b := &bench{T: t, ctx: context.Background(), factory: f, now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}
	b.store = f.Open(t, func() time.Time { return b.now })
	t.Cleanup(func() { b.store.Close() })
	b.apply(store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}})
	return b
}

// sub runs a subtest on a store of its own.
func sub(t *testing.T, f Factory, sentence string, run func(*bench)) {
	t.Helper()
	t.Run(sentence, func(t *testing.T) { run(newBench(t, f)) })
}

func (b *bench) reopen() {
	b.Helper()
	b.store = b.factory.Reopen(b.T, b.store, func() time.Time { return b.now })
}

// on moves the clock to noon of a day.
func (b *bench) on(date string) *bench {
	b.Helper()
	b.now = day(date).Time().Add(12 * time.Hour)
	return b
}

// day reads a date of a test. What is no date lies after all days, so that the
// test that says it fails.
func day(date string) document.Day {
	d, err := document.ParseDay(date)
	if err != nil {
		return document.DayMax + 1
	}
	return d
}

func (b *bench) apply(c store.Change) store.Commit {
	b.Helper()
	commit, err := b.store.Apply(b.ctx, c)
	if err != nil {
		b.Fatalf("Apply: %v", err)
	}
	return commit
}

// put adds documents of source "docs", seen now.
func (b *bench) put(docs ...store.Revision) store.Commit {
	b.Helper()
	for i := range docs {
		if docs[i].Seen.IsZero() {
			docs[i].Seen = b.now
		}
	}
	return b.apply(store.Change{Put: docs})
}

func (b *bench) fail(path, hash string, a document.Access) store.Commit {
	b.Helper()
	return b.apply(store.Change{Fail: []store.Failure{{Document: docID(path), Hash: hash, Pipeline: "p1",
		Reason: "it holds no text", Seen: b.now, Access: a}}})
}

func (b *bench) remove(paths ...string) store.Commit {
	b.Helper()
	var c store.Change
	for _, p := range paths {
		c.Remove = append(c.Remove, docID(p))
	}
	return b.apply(c)
}

func docID(path string) document.ID { return document.ID{Source: "docs", Path: path} }

func (b *bench) view(scope document.Scope) store.View {
	b.Helper()
	v, err := b.store.View(b.ctx, scope)
	if err != nil {
		b.Fatalf("View: %v", err)
	}
	b.Cleanup(func() { v.Close() })
	return v
}

// finds asks a view for words and returns the texts found, the best first.
func (b *bench) finds(v store.View, words string) []string {
	b.Helper()
	hits, err := v.Keyword(b.ctx, question(words), 100)
	if err != nil {
		b.Fatalf("Keyword(%s): %v", words, err)
	}
	if hits.Matched != len(hits.Hits) {
		b.Errorf("Keyword(%s) matched %d and returned %d of at most 100", words, hits.Matched, len(hits.Hits))
	}
	return b.texts(v, hits)
}

func (b *bench) texts(v store.View, hits store.Hits) []string {
	b.Helper()
	located, err := v.Passages(b.ctx, ids(hits))
	if err != nil {
		b.Fatalf("Passages: %v", err)
	}
	var out []string
	for _, l := range located {
		out = append(out, l.Text)
	}
	return out
}

func ids(hits store.Hits) []document.PassageID {
	var out []document.PassageID
	for _, h := range hits.Hits {
		out = append(out, h.Passage)
	}
	return out
}

// want asserts what a scope finds for words, in any order.
func (b *bench) want(scope document.Scope, words string, texts ...string) {
	b.Helper()
	v := b.view(scope)
	defer v.Close()
	b.wantIn(v, words, texts...)
}

func (b *bench) wantIn(v store.View, words string, texts ...string) {
	b.Helper()
	got := b.finds(v, words)
	slices.Sort(got)
	slices.Sort(texts)
	if !slices.Equal(got, texts) {
		b.Errorf("%q finds %q, want %q", words, got, texts)
	}
}

// everyone is the zero scope: public revisions of the default tenant, today.
var everyone document.Scope

func (b *bench) is(err, target error, doing string) {
	b.Helper()
	if !errors.Is(err, target) {
		b.Errorf("%s gives %v, want %v", doing, err, target)
	}
}

func (b *bench) ok(err error, doing string) {
	b.Helper()
	if err != nil {
		b.Fatalf("%s: %v", doing, err)
	}
}

// question makes query terms of weight 1 from words.
func question(words string) []store.QueryTerm {
	var out []store.QueryTerm
	for _, w := range strings.Fields(strings.ToLower(words)) {
		out = append(out, store.QueryTerm{Term: w, Weight: 1})
	}
	return out
}
