package local

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// older unpacks a store that an older version wrote.
func older(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "quarry.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func paths(t *testing.T, s *Store) []string {
	t.Helper()
	v, err := s.View(context.Background(), document.Scope{AsOf: document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	list, err := v.Documents(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range list {
		out = append(out, l.Document.Path)
	}
	return out
}

// A store of format 2 is read without a change, and brought to the newest by the
// first write: it keeps what it holds, and documents of a ring are in force again.
func TestFormat2(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format2.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	if got := paths(t, s); !slices.Equal(got, []string{"new", "plain"}) {
		t.Errorf("read as it is, it holds %v", got)
	}
	if synced, err := s.Synced(ctx); err != nil || len(synced) != 0 {
		t.Errorf("it was synced at %v, %v", synced, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("reading changed it, %v", err)
	}

	s = open(t, path, Options{})
	paths(t, s) // with the index in memory
	now := time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)
	if err := s.MarkSynced(ctx, "none", store.Sync{Whole: now}); err == nil {
		t.Error("an unknown source was synced")
	}
	if err := s.MarkSynced(ctx, "docs", store.Sync{Whole: now}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{storetest.Make("more", "more words", func(r *store.Revision) { r.Seen = now })}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := paths(t, s); !slices.Equal(got, []string{"more", "new", "plain", "v1", "v2"}) {
			t.Errorf("brought to the newest format, it holds %v", got)
		}
		if synced, err := s.Synced(ctx); err != nil || !synced["docs"].Whole.Equal(now) {
			t.Errorf("it was synced at %v, %v", synced, err)
		}
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, path, Options{})
	}
}

// A store of format 3 has no checksums of rows: it is checked as far as it goes, and
// the first write seals all of it.
func TestFormat3(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format3.db")
	s := open(t, path, Options{})
	if err := s.Check(ctx); err != nil {
		t.Errorf("read as it is: %v", err)
	}
	if got := paths(t, s); !slices.Equal(got, []string{"new", "plain"}) {
		t.Errorf("read as it is, it holds %v", got)
	}
	if err := s.MarkSynced(ctx, "docs", store.Sync{Whole: time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("brought to the newest format: %v", err)
	}
	s.Close()
	s = edited(t, path, "UPDATE revision SET title = 'other' WHERE title = 'plain'")
	damage, err := s.Inspect(ctx)
	if err != nil || len(damage) != 1 || damage[0].What != "document docs:plain" {
		t.Errorf("another title gives %v, %v", damage, err)
	}
}

// A store of format 3 is read without a change, by an index that is made from the
// record; the first write puts that index into the file. It answers the same all along.
func TestFormat3Answers(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format3_scopes.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	answers := func(scope document.Scope) string {
		t.Helper()
		v, err := s.View(ctx, scope)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		var out strings.Builder
		for _, ask := range []func() (store.Hits, error){
			func() (store.Hits, error) { return v.Keyword(ctx, words("the limit"), 10) },
			func() (store.Hits, error) { return v.Identifier(ctx, words("id-7 id-1"), 10) },
			func() (store.Hits, error) { return v.Vector(ctx, store.Model{Name: "m", Dims: 2}, []float32{1, 0}, 10) },
		} {
			hits, err := ask()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%d of", len(hits.Hits))
			for _, h := range hits.Hits {
				fmt.Fprintf(&out, " %s %.3f", h.Passage[:4], h.Score)
			}
			out.WriteString("\n")
		}
		return out.String()
	}
	day := document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))
	scopes := []document.Scope{{AsOf: day}, {AsOf: day, Principals: []string{"group:g"}}}
	want := []string{answers(scopes[0]), answers(scopes[1])}
	for i, found := range []string{"5 of", "6 of"} {
		if !strings.HasPrefix(want[i], found) {
			t.Errorf("as %v it finds %s", scopes[i].Principals, want[i])
		}
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("Check says %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("reading changed it, %v", err)
	}
	s = open(t, path, Options{})
	if err := s.MarkSynced(ctx, "docs", store.Sync{Whole: time.Now()}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for i, scope := range scopes {
			if got := answers(scope); got != want[i] {
				t.Errorf("brought to the newest format it answers %s, before %s", got, want[i])
			}
		}
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		if s.index.latest.Load().segments[0].id < 0 {
			t.Error("the index was not read from the file")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, path, Options{})
	}
}

// A store of format 4 has SQL indexes of ids and content keys. It is read as it stands;
// the first write makes what stands for them, and its segments keep their names.
func TestFormat4(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format4.db")
	s := open(t, path, Options{})
	want := paths(t, s)
	if got := []string{"bad", "closed", "long", "plain"}; len(want) == 0 {
		t.Errorf("read as it is, it holds %v of %v", want, got)
	}
	before := s.index.latest.Load().segments
	if before[0].id < 0 {
		t.Error("its segments were not read from the file")
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("read as it is: %v", err)
	}
	one := store.Vectors{Vectors: [][]float32{make([]float32, flipModel.Dims)}}
	one.Vectors[0][0] = 1
	keys := map[document.ContentKey]int{storetest.Make("plain", "# Head\nsome words w-1\nmore words").Passages[0].Key: 1, "00": 0}
	for key, more := range keys {
		one.Key = key
		model := store.Model{Name: "new" + string(key), Dims: flipModel.Dims}
		missing, err := s.CountMissing(ctx, model)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.AddModel(ctx, model); err != nil {
			t.Fatal(err)
		}
		if err := s.PutVectors(ctx, model, []store.Vectors{one}); err != nil {
			t.Fatal(err)
		}
		if left, err := s.CountMissing(ctx, model); err != nil || missing-left != more {
			t.Errorf("%d of %d wait for vectors after one of %s, %v", left, missing, key, err)
		}
	}
	for range 2 {
		if err := s.Check(ctx); err != nil {
			t.Errorf("brought to the newest format: %v", err)
		}
		if got := paths(t, s); !slices.Equal(got, want) {
			t.Errorf("brought to the newest format, it holds %v, before %v", got, want)
		}
		if got := s.index.latest.Load().segments[0].id; got != before[0].id {
			t.Errorf("segment %d is called %d", before[0].id, got)
		}
		s.Close()
		s = open(t, path, Options{})
	}
}

// words makes a question of plain terms.
func words(text string) (out []store.QueryTerm) {
	for w := range strings.FieldsSeq(text) {
		out = append(out, store.QueryTerm{Term: w, Weight: 1})
	}
	return out
}

// A store of format 5 has no findings: its index is read as it is, a write adds what is
// new, and what is damaged is still found, before and after.
func TestFormat5(t *testing.T) {
	ctx := context.Background()
	path := older(t, "format5.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	ask := func(path string) (store.Listed, document.Findings, []document.ID) {
		t.Helper()
		v, err := s.View(ctx, document.Scope{AsOf: document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)), Principals: []string{"group:g"}})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		id := document.ID{Source: "docs", Path: path}
		findings, err := v.Findings(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Extraction(ctx, id); err != nil {
			t.Fatal(err)
		}
		named, err := v.Named(ctx, "leave policy")
		if err != nil {
			t.Fatal(err)
		}
		list, err := v.Documents(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if s.index.latest.Load().segments[0].id < 0 {
			t.Error("the index was not read from the file")
		}
		for _, l := range list {
			if l.Document == id {
				return l, findings, named
			}
		}
		t.Fatalf("%s is not listed", path)
		return store.Listed{}, findings, named
	}
	if listed, findings, named := ask("plain"); listed.Suspect || len(findings.References) > 0 || len(named) > 0 {
		t.Errorf("read as it is, it has findings: %v, %v, %v", listed, findings, named)
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("read as it is: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("reading changed it, %v", err)
	}

	s = open(t, path, Options{})
	now := time.Date(2026, 6, 2, 8, 0, 0, 0, time.UTC)
	if _, err := s.Apply(ctx, store.Change{Put: []store.Revision{storetest.Make("more", "more words", func(r *store.Revision) {
		r.Seen, r.Names = now, []string{"leave policy"}
		r.Extraction.Doubts = []string{"It is in columns."}
		r.Findings.Labels = []document.Label{{Name: "1", Span: document.Span{From: 0, To: 4}}}
	})}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if listed, findings, named := ask("plain"); listed.Suspect || len(findings.Labels) > 0 || len(named) != 1 {
			t.Errorf("what was there has got findings: %v, %v, %v", listed, findings, named)
		}
		if listed, findings, _ := ask("more"); !listed.Suspect || len(findings.Labels) != 1 {
			t.Errorf("what came has none: %v, %v", listed, findings)
		}
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, path, Options{})
	}
	if err := s.Close(); err != nil { // or some of it stands in the log
		t.Fatal(err)
	}
	for _, edit := range []string{"UPDATE name SET name = 'other'", "UPDATE finding SET suspect = 0", "DELETE FROM finding", "DELETE FROM name",
		"UPDATE finding SET extraction = '{}'", "UPDATE finding SET body = zeroblob(length(body))"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), "quarry.db")
		if err := os.WriteFile(again, data, 0o644); err != nil {
			t.Fatal(err)
		}
		damaged := edited(t, again, edit)
		damage, err := damaged.Inspect(ctx)
		if err != nil || len(damage) != 1 || damage[0].What != "document docs:more" {
			t.Errorf("%s gives %v, %v", edit, damage, err)
		}
	}
	for _, kept := range []string{older(t, "format5.db"), path} {
		edited(t, kept, "UPDATE revision SET title = 'other' WHERE title = 'plain'").Close()
		if _, err := Repair(ctx, kept, Options{}); err != nil {
			t.Fatal(err)
		}
		s = open(t, kept, Options{})
		if err := s.Check(ctx); err != nil {
			t.Errorf("repaired: %v", err)
		}
		if kept == path {
			if listed, findings, named := ask("more"); !listed.Suspect || len(findings.Labels) != 1 || len(named) != 1 {
				t.Errorf("repaired, it has lost findings: %v, %v, %v", listed, findings, named)
			}
		}
	}
}
