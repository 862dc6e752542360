package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// TestKeptIsAsItWouldBeRead lets one process write and another, which keeps lists, blocks and names from one question
// to the next, ask: each answer is that of a process which has just begun and keeps nothing. A view that
// was open before a change answers as before it, also after younger views have asked.
func TestKeptIsAsItWouldBeRead(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	schema := p.schema()
	ctx := context.Background()
	writer, asker := open(t, p.address, schema, "", time.Now), open(t, p.address, schema, "", time.Now)
	conn, err := pgx.Connect(ctx, p.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	rnd := rand.New(rand.NewPCG(3, 4))
	change := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}}
	texts := map[string]string{} // by path
	var before *asked
	for round := range 40 {
		for range 1 + rnd.IntN(3) {
			path := fmt.Sprintf("doc%d", rnd.IntN(30))
			switch text, there := texts[path]; {
			case there && rnd.IntN(4) == 0:
				change.Remove = []document.ID{{Source: "docs", Path: path}}
				delete(texts, path)
			case there && rnd.IntN(3) == 0:
				renamed := fmt.Sprintf("%s-%d", path, round)
				change.Put = []store.Revision{madeOf(renamed, text)}
				change.Renamed = []store.Renamed{{From: document.ID{Source: "docs", Path: path}, To: document.ID{Source: "docs", Path: renamed}}}
				delete(texts, path)
				texts[renamed] = text
			default:
				texts[path] = someText(rnd)
				change.Put = []store.Revision{madeOf(path, texts[path])}
			}
			if _, err := writer.Apply(ctx, change); err != nil {
				t.Fatal(err)
			}
			change = store.Change{}
		}
		if rnd.IntN(2) == 0 { // else some passages have none yet
			embedMissing(t, writer)
		}
		if round < 12 { // the next passages are of another block
			if _, err := conn.Exec(ctx, "UPDATE "+pgx.Identifier{schema, "meta"}.Sanitize()+" SET passages = passages + 4096"); err != nil {
				t.Fatal(err)
			}
		}
		fresh := open(t, p.address, schema, "", time.Now)
		want := ask(t, fresh)
		if got := ask(t, asker); !reflect.DeepEqual(got.answers, want.answers) {
			t.Fatalf("round %d:\n%+v, want\n%+v", round, got.answers, want.answers)
		} else if before != nil {
			if again := before.again(t); !reflect.DeepEqual(again, before.answers) {
				t.Fatalf("round %d: a view that was open says\n%+v, and said\n%+v", round, again, before.answers)
			}
			before.view.Close()
			before = got
		} else {
			before = got
		}
		want.view.Close()
		fresh.Close()
	}
	before.view.Close()
}

// TestKeptNamesOfAPastRevision renames a document between two questions for a day in its past: passages of that
// revision alone are in another block, in which nothing else changes.
func TestKeptNamesOfAPastRevision(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	schema := p.schema()
	ctx := context.Background()
	now := time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s := open(t, p.address, schema, "", clock)
	conn, err := pgx.Connect(ctx, p.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	put := func(path, text string, day int, renamed ...store.Renamed) {
		t.Helper()
		r := madeOf(path, text)
		r.Seen = time.Date(2026, 6, day, 12, 0, 0, 0, time.UTC)
		if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}, Put: []store.Revision{r}, Renamed: renamed}); err != nil {
			t.Fatal(err)
		}
	}
	then := document.Scope{AsOf: document.DayOf(time.Date(2026, 6, 5, 0, 0, 0, 0, time.UTC))}
	found := func(s *postgres.Store) document.PassageID {
		t.Helper()
		view, err := s.View(ctx, then)
		if err != nil {
			t.Fatal(err)
		}
		defer view.Close()
		if _, err := view.Vector(ctx, model, []float32{1, 1, 1}, 1); err != nil { // with which identities are kept
			t.Fatal(err)
		}
		hits, err := view.Keyword(ctx, []store.QueryTerm{{Term: "one", Weight: 1}}, 1)
		if err != nil || len(hits.Hits) != 1 {
			t.Fatalf("%+v, %v", hits, err)
		}
		if _, err := view.Passages(ctx, []document.PassageID{hits.Hits[0].Passage}); err != nil {
			t.Errorf("the passage that was found: %v", err)
		}
		return hits.Hits[0].Passage
	}
	put("a", "one", 1)
	if _, err := conn.Exec(ctx, "UPDATE "+pgx.Identifier{schema, "meta"}.Sanitize()+" SET passages = passages + 4096"); err != nil {
		t.Fatal(err)
	}
	put("a", "two", 10)
	embedMissing(t, s)
	found(s) // identities are read with the second question
	before := found(s)
	put("b", "two", 15, store.Renamed{From: document.ID{Source: "docs", Path: "a"}, To: document.ID{Source: "docs", Path: "b"}})
	if after, want := found(s), found(open(t, p.address, schema, "", clock)); after != want || after == before {
		t.Errorf("it has the name %s, want %s; before it was renamed %s", after, want, before)
	}
}

// madeOf is a revision of which the hash says what its text is.
func madeOf(path, text string) store.Revision {
	return storetest.Make(path, text, func(r *store.Revision) { r.Hash, r.Metadata.Title = fmt.Sprintf("%x", text), "Title" })
}

func embedMissing(t *testing.T, s *postgres.Store) {
	t.Helper()
	missing, err := s.MissingVectors(context.Background(), model, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []store.Vectors
	for _, u := range missing {
		vectors = append(vectors, store.Vectors{Key: u.Key, Vectors: [][]float32{{float32(len(u.Text)), float32(u.Text[0]), 1}}})
	}
	if err := s.PutVectors(context.Background(), model, vectors); err != nil {
		t.Fatal(err)
	}
}

var someWords = strings.Fields("one two three four five six seven eight nine ten")

func someText(rnd *rand.Rand) string {
	var lines []string
	for range 1 + rnd.IntN(4) {
		var line []string
		for range 1 + rnd.IntN(6) {
			line = append(line, someWords[min(rnd.IntN(10), rnd.IntN(10))])
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, "\n")
}

// asked is a view with what it answered.
type asked struct {
	view    store.View
	answers []answered
}

type answered struct {
	hits, near store.Hits
	statistics store.Statistics
}

func ask(t *testing.T, s *postgres.Store) *asked {
	t.Helper()
	view, err := s.View(context.Background(), document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	a := &asked{view: view}
	a.answers = a.again(t)
	return a
}

func (a *asked) again(t *testing.T) (out []answered) {
	t.Helper()
	for i := range someWords {
		terms := someWords[i:min(i+3, len(someWords))]
		var question []store.QueryTerm
		for _, w := range terms {
			question = append(question, store.QueryTerm{Term: w, Weight: 1})
		}
		near, err := a.view.Vector(context.Background(), model, []float32{float32(i), 1, 1}, 4)
		if err != nil {
			t.Fatal(err)
		}
		hits, err := a.view.Keyword(context.Background(), question, 4)
		if err != nil {
			t.Fatal(err)
		}
		statistics, err := a.view.Statistics(context.Background(), terms)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, answered{hits, near, statistics})
	}
	return out
}
