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

// TestKeptIsAsItWouldBeRead lets one process write and another, which keeps lists and blocks from one question
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
	var before *asked
	for round := range 40 {
		for range 1 + rnd.IntN(3) {
			path := fmt.Sprintf("doc%d", rnd.IntN(30))
			if rnd.IntN(5) == 0 {
				change.Remove = []document.ID{{Source: "docs", Path: path}}
			} else {
				change.Put = []store.Revision{storetest.Make(path, someText(rnd))}
			}
			if _, err := writer.Apply(ctx, change); err != nil {
				t.Fatal(err)
			}
			change = store.Change{}
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
	hits       store.Hits
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
		hits, err := a.view.Keyword(context.Background(), question, 4)
		if err != nil {
			t.Fatal(err)
		}
		statistics, err := a.view.Statistics(context.Background(), terms)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, answered{hits, statistics})
	}
	return out
}
