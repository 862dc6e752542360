package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// tallied is how many rows of each table a transaction has read.
type tallied map[string]int64

func (r tallied) sum() (n int64) {
	for _, rows := range r {
		n += rows
	}
	return n
}

// rowsRead are those that the transaction has read so far, through an index or not.
func rowsRead(ctx context.Context, t *testing.T, q querier) tallied {
	t.Helper()
	out := tallied{}
	var table string
	var n int64
	if err := query(ctx, q, "SELECT relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables", nil, []any{&table, &n}, func() error {
		out[table] += n // of all schemas of the database, each with tables of these names
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func (r tallied) since(before tallied) tallied {
	out := tallied{}
	for table, n := range r {
		if n -= before[table]; n > 0 {
			out[table] = n
		}
	}
	return out
}

func (r tallied) String() string {
	var out []string
	for _, table := range slices.Sorted(maps.Keys(r)) {
		out = append(out, fmt.Sprintf("%s %d", table, r[table]))
	}
	return strings.Join(out, ", ")
}

// fewText is of some length, so that to read a table through is what it is in a large store.
var fewText = "# One\nfirst words %[1]d\nsecond words %[1]d " + strings.Repeat("and more ", 150) + "\n# Two\nthird words %[1]d"

func fewRevision(n int, text string) store.Revision {
	r := storetest.Make(fmt.Sprintf("doc%05d", n), text, func(r *store.Revision) {
		r.Seen = time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
		r.Metadata.Attributes = map[string][]string{"region": {"no"}}
	})
	r.Names = []string{fmt.Sprintf("name %d", n)}
	return r
}

// fewStore has so many documents of three passages with vectors.
func fewStore(ctx context.Context, t *testing.T, address, schema string, documents int, analyze bool) *Store {
	t.Helper()
	s, err := Open(ctx, address, Options{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
	var vectors []store.Vectors
	for n := range documents {
		r := fewRevision(n, fmt.Sprintf(fewText, n))
		c.Put = append(c.Put, r)
		for _, p := range r.Passages {
			vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{{1, 0}}})
		}
	}
	if _, err := s.Apply(ctx, c); err != nil {
		t.Fatal(err)
	}
	if err := s.PutVectors(ctx, store.Model{Name: "m", Dims: 2}, vectors); err != nil {
		t.Fatal(err)
	}
	if analyze {
		if _, err := s.pool.Exec(ctx, "ANALYZE"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// fewAsked are questions for few documents, and changes of one.
var fewAsked = []struct {
	name   string
	ask    func(ctx context.Context, v *view) error
	change store.Change
}{
	{name: "passages", ask: func(ctx context.Context, v *view) error {
		var ids []document.PassageID
		for n := 7; n < 27; n++ {
			ids = append(ids, fewRevision(n, fmt.Sprintf(fewText, n)).Passages[1].ID)
		}
		_, err := v.Passages(ctx, ids)
		return err
	}},
	{name: "a document", ask: func(ctx context.Context, v *view) error {
		_, err := v.Document(ctx, document.ID{Source: "docs", Path: "doc00007"}, true)
		return err
	}},
	{name: "its history", ask: func(ctx context.Context, v *view) error {
		_, err := v.History(ctx, document.ID{Source: "docs", Path: "doc00007"})
		return err
	}},
	{name: "a revision", ask: func(ctx context.Context, v *view) error {
		_, err := v.Revision(ctx, document.ID{Source: "docs", Path: "doc00007"}, fewRevision(7, fmt.Sprintf(fewText, 7)).Hash)
		return err
	}},
	{name: "what was found in it", ask: func(ctx context.Context, v *view) error {
		_, err := v.Findings(ctx, document.ID{Source: "docs", Path: "doc00007"})
		return err
	}},
	{name: "a name", ask: func(ctx context.Context, v *view) error {
		ids, err := v.Named(ctx, "name 7")
		if err == nil && len(ids) != 1 {
			err = fmt.Errorf("%d documents have the name", len(ids))
		}
		return err
	}},
	{name: "a section and a document alone", ask: func(ctx context.Context, v *view) error {
		n, err := v.Restrict(ctx, []store.Place{{Document: document.ID{Source: "docs", Path: "doc00007"}, Section: 1}, {Document: document.ID{Source: "docs", Path: "doc00011"}}})
		if err != nil {
			return err
		}
		defer n.Close()
		c, err := n.Counts(ctx)
		if err == nil && c.Passages != 5 {
			err = fmt.Errorf("it counts %+v", c)
		}
		return err
	}},
	{name: "a new document", change: store.Change{Put: []store.Revision{fewRevision(99999, "# One\nnew words")}}},
	{name: "a changed document", change: store.Change{Put: []store.Revision{fewRevision(7, "# One\nother words\n# Two\nthird words 7")}}},
	{name: "one that failed", change: store.Change{Fail: []store.Failure{{Document: document.ID{Source: "docs", Path: "doc00008"}, Hash: "h", Reason: "it holds no text"}}}},
	{name: "one of which validity is inferred", change: store.Change{Date: []store.Dated{{Document: document.ID{Source: "docs", Path: "doc00009"}, Inferred: "file names",
		Effective: document.Interval{From: 700000}}}}},
	{name: "one that is removed", change: store.Change{Remove: []document.ID{{Source: "docs", Path: "doc00010"}}}},
}

// readEach tells how many rows each of fewAsked reads.
func readEach(ctx context.Context, t *testing.T, s *Store) (out []tallied) {
	t.Helper()
	for _, c := range fewAsked {
		if c.ask == nil {
			out = append(out, changeRows(ctx, t, s, c.change))
			continue
		}
		opened, err := s.View(ctx, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		v := opened.(*view)
		before := rowsRead(ctx, t, v.conn)
		if err := c.ask(ctx, v); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		out = append(out, rowsRead(ctx, t, v.conn).since(before))
		v.Close()
	}
	return out
}

// changeRows are those that Apply reads.
func changeRows(ctx context.Context, t *testing.T, s *Store, change store.Change) (out tallied) {
	t.Helper()
	if err := s.write(ctx, "testing", func(tx pgx.Tx, at *counters) error {
		before := rowsRead(ctx, t, tx)
		todo, err := planOf(ctx, tx, &change, document.DayOf(time.Now()))
		if err != nil {
			return err
		}
		if todo.empty() {
			t.Fatal("it changes nothing")
		}
		at.sequence++
		err = (&applier{ctx: ctx, tx: tx, at: at, today: document.DayOf(time.Now()), plan: todo}).apply()
		out = rowsRead(ctx, t, tx).since(before)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A question for few documents, and a change of one, read as many rows of a large store as of
// a small one: no statement reads a table through, whether the server has looked at the tables
// (ANALYZE) or, as after a first load, has not.
func TestFewRowsAreRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	address := testserver.Shared(t).Database(t)
	for _, analyze := range []bool{false, true} {
		rows := map[int][]tallied{}
		for _, documents := range []int{200, 800} {
			s := fewStore(ctx, t, address, fmt.Sprintf("few_%v_%d", analyze, documents), documents, analyze)
			rows[documents] = readEach(ctx, t, s)
		}
		for i, c := range fewAsked {
			if small, large := rows[200][i], rows[800][i]; large.sum() > small.sum()+small.sum()/4+40 {
				t.Errorf("analysed %v, %s: of 800 documents it reads\n\t%s\nand of 200\n\t%s", analyze, c.name, large, small)
			}
		}
	}
}
