package local

import (
	"context"
	"database/sql"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

var flipModel = store.Model{Name: "m", Dims: 8}

// variedDocuments are those of varied.
var variedDocuments = []string{"docs:bad", "docs:closed", "docs:long", "docs:plain"}

// varied makes a closed store with something in every table: documents of several
// revisions, one closed, one failed, one with a long text, vectors, segments of
// several commits, and pages that a removal freed.
func varied(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	now := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	put := func(name, text string, edit func(*document.Metadata)) {
		t.Helper()
		r := storetest.Make(name, text, storetest.Meta(edit), func(r *store.Revision) { r.Seen = now })
		now = now.Add(24 * time.Hour)
		if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}, Put: []store.Revision{r}}); err != nil {
			t.Fatal(err)
		}
		var vectors []store.Vectors
		for i, p := range r.Passages {
			v := make([]float32, flipModel.Dims)
			v[i%len(v)] = 1
			vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{v}})
		}
		if err := s.PutVectors(ctx, flipModel, vectors); err != nil {
			t.Fatal(err)
		}
	}
	open := func(*document.Metadata) {}
	long := strings.Repeat("a long line of words that fills more than a page\n", 200)
	put("plain", "# Head\nsome words w-1\nmore words", open)
	put("gone", "# Long\n"+long, open)
	put("plain", "# Head\nsome other words w-2\nmore words", open)
	put("long", "# Long\n"+strings.ReplaceAll(long, "page", "page of long"), open)
	put("closed", "# Closed\nwords for few", func(m *document.Metadata) {
		m.Access, m.Supersedes = document.Access{Readers: []string{"user:ann"}}, []string{"old"}
		m.Attributes = map[string][]string{"region": {"no"}}
	})
	if _, err := s.Apply(ctx, store.Change{Remove: []document.ID{{Source: "docs", Path: "gone"}},
		Fail: []store.Failure{{Document: document.ID{Source: "docs", Path: "bad"}, Hash: "h", Pipeline: "p1", Reason: "it holds no text", Seen: now}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.MarkSynced(ctx, "docs", store.Sync{Whole: now}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// contentOf is a sum over every row of a store but jobs, which are work to do and
// no record of anything.
func contentOf(path string) (uint32, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	raw, err := db.Conn(context.Background())
	if err != nil {
		return 0, err
	}
	c := newConn(raw)
	defer c.close()
	sum := crc32.ChecksumIEEE(nil)
	for _, query := range []string{"sqlite_schema", "sqlite_sequence", "meta", "source", "document", "class", "revision", "content", "supersedes",
		"passage", "failure", "model", "vector", "block", "segment", "part", "holder", "identity", "document_sum", "table_sum"} {
		columns := "*"
		if query == "sqlite_schema" {
			columns = "type, name, tbl_name, sql"
		}
		if sum, err = c.rowsSum(context.Background(), sum, "SELECT "+columns+" FROM "+query+" ORDER BY 1, 2"); err != nil {
			return 0, err
		}
	}
	return sum, nil
}
