package local

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// storedVector is the vector of the n-th passage of a document in format3.db.
func storedVector(doc, n, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32((doc*31+n*7+i*17)%23) - 11
	}
	return v
}

// A store of format 3 holds vectors, of two models, of doc0 to doc5 without doc3;
// doc2 has two for each passage, the first passage of doc5 none. They are found as
// they stand and after the first write.
func TestVectorsOfFormat3(t *testing.T) {
	ctx := context.Background()
	path := older(t, "vectors3.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	check := func(when string) {
		t.Helper()
		for _, model := range []store.Model{{Name: "small", Dims: 3}, {Name: "large", Dims: 40}} {
			want := map[document.PassageID]float64{}
			query := storedVector(2, 1, model.Dims)
			for _, i := range []int{0, 1, 2, 4, 5} {
				for n, p := range storetest.Make(fmt.Sprint("doc", i), fmt.Sprintf("# Head %d\nsome words %d\n# Other\nmore words of %d", i, i, i)).Passages {
					if i == 5 && n == 0 {
						continue
					}
					want[p.ID] = dot(query, storedVector(i, n, model.Dims))
					if i == 2 {
						want[p.ID] = max(want[p.ID], dot(query, storedVector(i+100, n, model.Dims)))
					}
				}
			}
			v, err := s.View(ctx, document.Scope{AsOf: document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))})
			if err != nil {
				t.Fatal(err)
			}
			hits, err := v.Vector(ctx, model, query, 20)
			v.Close()
			if err != nil || len(hits.Hits) != len(want) {
				t.Fatalf("%s: %d hits of %d, %v", when, len(hits.Hits), len(want), err)
			}
			for _, h := range hits.Hits {
				if h.Score != want[h.Passage] {
					t.Errorf("%s: %s scores %g, want %g", when, h.Passage, h.Score, want[h.Passage])
				}
			}
			wantStored(t, s, model)
			if missing, err := s.CountMissing(ctx, model); missing != 1 || err != nil {
				t.Errorf("%s: %d passages have no vector, %v", when, missing, err)
			}
		}
		if err := s.Check(ctx); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("as it is")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("reading changed it, %v", err)
	}
	s = open(t, path, Options{})
	check("before the first write")
	if err := s.MarkSynced(ctx, "docs", store.Sync{Whole: time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	check("with the index in memory")
	third := store.Model{Name: "third", Dims: 2}
	if err := s.AddModel(ctx, third); err != nil {
		t.Fatal(err)
	}
	if err := s.PutVectors(ctx, third, []store.Vectors{{Vectors: [][]float32{{1, 2}},
		Key: storetest.Make("doc0", "# Head 0\nsome words 0\n# Other\nmore words of 0").Passages[0].Key}}); err != nil {
		t.Fatal(err)
	}
	check("after a commit")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, Options{})
	check("opened again")
}

// wantStored compares the vectors of doc2, whose passages have two each.
func wantStored(t *testing.T, s *Store, model store.Model) {
	t.Helper()
	for n, p := range storetest.Make("doc2", "# Head 2\nsome words 2\n# Other\nmore words of 2").Passages {
		got, err := s.VectorsOf(context.Background(), model, []document.ContentKey{"ffee", p.Key})
		if err != nil || len(got) != 1 || len(got[0].Vectors) != 2 || !slices.Equal(got[0].Vectors[0], storedVector(2, n, model.Dims)) ||
			!slices.Equal(got[0].Vectors[1], storedVector(102, n, model.Dims)) {
			t.Errorf("the vectors of passage %d are %v, %v", n, got, err)
		}
	}
}

// A file that was brought to this format is laid out as a new one.
func TestMigratedSchema(t *testing.T) {
	layout := func(path string) (out []string) {
		t.Helper()
		s := open(t, path, Options{})
		have, err := s.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m := cmp.Or(have.InForce, store.Model{Name: "m", Dims: 1})
		if err := s.PutVectors(t.Context(), m, nil); err != nil { // a write migrates
			t.Fatal(err)
		}
		rows, err := s.read.Query("SELECT coalesce(sql, name) FROM sqlite_schema WHERE tbl_name IN ('vector', 'block', 'old_vector', 'old_block') ORDER BY name")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var sql string
			if err := rows.Scan(&sql); err != nil {
				t.Fatal(err)
			}
			out = append(out, sql)
		}
		return out
	}
	want := layout(filepath.Join(t.TempDir(), "new.db"))
	for _, old := range []string{"format2.db", "vectors3.db"} {
		if got := layout(older(t, old)); len(want) != 4 || !slices.Equal(got, want) {
			t.Errorf("%s becomes %q, want %q", old, got, want)
		}
	}
}
