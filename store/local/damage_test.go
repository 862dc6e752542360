package local

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// edited opens a store whose file a statement changed behind its back.
func edited(t *testing.T, path, statement string) *Store {
	t.Helper()
	execute(t, path, statement)
	return open(t, path, Options{})
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	name, err := dsn(path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// The index is derived: where it is damaged or gone, readers make it from the
// record, and the next change writes it again.
func TestDamagedIndex(t *testing.T) {
	ctx := context.Background()
	for _, damage := range []string{
		"UPDATE part SET body = zeroblob(length(body))",
		"UPDATE part SET body = substr(body, 1, length(body) / 2)",
		"UPDATE part SET body = x''",
		"UPDATE segment SET rows = x'', size = 0",
		"DELETE FROM part",
		"DELETE FROM segment",
		"DELETE FROM segment WHERE id = (SELECT max(id) FROM segment)",
	} {
		t.Run(damage, func(t *testing.T) {
			path := filled(t)
			s := edited(t, path, damage)
			if n, err := generationOf(s); n != 1 || err != nil {
				t.Errorf("generation %d, %v", n, err)
			}
			if err := s.Check(ctx); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("Check says %v", err)
			}
			if _, err := s.Apply(ctx, generation(3)); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path, Options{})
			if n, err := generationOf(s); n != 3 || err != nil {
				t.Errorf("afterwards generation %d, %v", n, err)
			}
			if err := s.Check(ctx); err != nil {
				t.Errorf("afterwards Check says %v", err)
			}
		})
	}
}

// So are the codes of vectors.
func TestDamagedCodes(t *testing.T) {
	ctx := context.Background()
	for _, damage := range []string{
		"UPDATE block SET body = zeroblob(length(body))",
		"UPDATE block SET keys = zeroblob(length(keys))",
		"UPDATE block SET body = substr(body, 1, length(body) / 2)",
		"UPDATE block SET body = CAST(body || zeroblob(100) AS BLOB)",
		"DELETE FROM block",
		"DELETE FROM block WHERE id = (SELECT max(id) FROM block)",
	} {
		for _, change := range []string{"a document", "a vector"} {
			t.Run(damage+", then "+change, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "quarry.db")
				s := open(t, path, Options{})
				model := store.Model{Name: "m", Dims: 1500}
				put := func(i int) {
					t.Helper()
					r := storetest.Make(fmt.Sprint("doc", i), fmt.Sprintf("# Head\nwords %d", i), func(r *store.Revision) { r.Seen = time.Now() })
					if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{r}}); err != nil {
						t.Fatal(err)
					}
					v := make([]float32, model.Dims)
					v[i], v[i+1] = 1, 0.5
					if err := s.PutVectors(ctx, model, []store.Vectors{{Key: r.Passages[0].Key, Vectors: [][]float32{v}}}); err != nil {
						t.Fatal(err)
					}
				}
				nearest := func(i int) error {
					t.Helper()
					v, err := s.View(ctx, document.Scope{})
					if err != nil {
						t.Fatal(err)
					}
					defer v.Close()
					q := make([]float32, model.Dims)
					q[i] = 1
					hits, err := v.Vector(ctx, model, q, 1)
					if err != nil {
						return err
					}
					if len(hits.Hits) != 1 || hits.Hits[0].Score != 1 {
						t.Errorf("nearest to %d: %+v", i, hits)
					}
					return nil
				}
				for i := range 9 {
					put(2 * i)
				}
				s.Close()
				s = edited(t, path, damage)
				for i := range 9 {
					if err := nearest(2 * i); err != nil {
						t.Error(err)
					}
				}
				if err := s.Check(ctx); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("Check says %v", err)
				}
				if change == "a document" {
					put(20)
				} else if err := s.PutVectors(ctx, model, []store.Vectors{{Key: storetest.Make("doc0", "# Head\nwords 0").Passages[0].Key,
					Vectors: [][]float32{append([]float32{1, 0.25}, make([]float32, model.Dims-2)...)}}}); err != nil {
					t.Fatal(err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, path, Options{})
				for i := range 9 {
					if err := nearest(2 * i); err != nil {
						t.Error(err)
					}
				}
				if change == "a document" {
					if err := s.Check(ctx); err != nil {
						t.Errorf("afterwards Check says %v", err)
					}
				}
			})
		}
	}
}

// Vectors and texts are the record itself: damage is refused.
func TestDamagedRecord(t *testing.T) {
	ctx := context.Background()
	path := filled(t)
	s := open(t, path, Options{})
	model := store.Model{Name: "m", Dims: 2}
	p := generation(1).Put[0].Passages[0]
	if err := s.PutVectors(ctx, model, []store.Vectors{{Key: p.Key, Vectors: [][]float32{{1, 0}}}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for damage, ask := range map[string]func(store.View) error{
		"UPDATE vector SET floats = zeroblob(length(floats))": func(v store.View) error {
			_, err := v.Vector(ctx, model, []float32{1, 0}, 1)
			return err
		},
		"DELETE FROM vector": func(v store.View) error {
			_, err := v.Vector(ctx, model, []float32{1, 0}, 1)
			return err
		},
		"UPDATE content SET text = replace(text, 'constant', 'variable')": func(v store.View) error {
			_, err := v.Passages(ctx, []document.PassageID{p.ID})
			return err
		},
		"UPDATE content SET body = zeroblob(20)": func(v store.View) error {
			_, err := v.Outline(ctx, []store.QueryTerm{{Term: "head", Weight: 1}}, 10)
			return err
		},
		"UPDATE passage SET terms = zeroblob(20)": func(v store.View) error {
			_, err := v.Phrase(ctx, store.Phrase{{"constant"}}, 10)
			return err
		},
	} {
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		s := edited(t, path, damage)
		v, err := s.View(ctx, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		refused(t, ask(v), store.ErrDamaged, "restore it from a backup")
		refused(t, s.Check(ctx), store.ErrDamaged)
		v.Close()
		s.Close()
	}
}

// A removed document leaves nothing behind: not its text, terms or vectors, in
// whatever segment they stood, and however often those were merged.
func TestRemovedIsErased(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	put := func(name, text string) store.Revision {
		t.Helper()
		r := storetest.Make(name, text, func(r *store.Revision) { r.Seen = time.Now() })
		if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{r}}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	model := store.Model{Name: "m", Dims: 40}
	secret := make([]float32, model.Dims)
	for i := range secret {
		secret[i] = float32(i*i%37) + 1.2345
	}
	for i := range 40 {
		name, text := fmt.Sprint("doc", i%13), fmt.Sprintf("# Head %d\nsome words %d", i, i)
		if i == 7 || i == 20 {
			name, text = "secret", fmt.Sprintf("# qqheadqq\nqqtextqq zz-%d-zz", i)
		}
		r := put(name, text)
		v := store.Vectors{Key: r.Passages[0].Key, Vectors: [][]float32{make([]float32, model.Dims)}}
		v.Vectors[0][i] = 1
		if name == "secret" {
			v.Vectors[0] = secret
		}
		if err := s.PutVectors(ctx, model, []store.Vectors{v}); err != nil {
			t.Fatal(err)
		}
	}
	codes := newCodes(model.Dims)
	codes.add(secret)
	traces := [][]byte{[]byte("qqheadqq"), []byte("qqtextqq"), []byte("zz-7-zz"), []byte("zz-20-zz"), appendFloats(nil, secret), codes.rows}
	holds := func() (n int) {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			if bytes.Contains(file, trace) {
				n++
			}
		}
		s = open(t, path, Options{})
		return n
	}
	if n := holds(); n != len(traces) {
		t.Fatalf("%d of %d traces are there before the removal", n, len(traces))
	}
	if _, err := s.Apply(ctx, store.Change{Remove: []document.ID{{Source: "docs", Path: "secret"}}}); err != nil {
		t.Fatal(err)
	}
	if n := holds(); n != 0 {
		t.Errorf("%d traces are left after the removal", n)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}
