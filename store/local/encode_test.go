package local

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// collect decodes terms back, with frequencies in place of positions.
func collect(b []byte) (lengths [store.Fields]uint32, postings map[string]int, identifiers map[string]float32, err error) {
	postings, identifiers = map[string]int{}, map[string]float32{}
	err = decodeTerms(b, visitor{
		lengths:    func(n [store.Fields]uint32) { lengths = n },
		posting:    func(f store.Field, term []byte, n int) { postings[string(rune('0'+f))+string(term)] = n },
		identifier: func(v []byte, w float32) { identifiers[string(v)] = w },
	})
	return
}

func TestTermsRoundTrip(t *testing.T) {
	r := storetest.Make("a", "# Limits id-1\nthe id-1 and the id-22 limit the rest")
	for _, terms := range append(r.Terms, r.Outline...) {
		lengths, postings, identifiers, err := collect(encodeTerms(terms))
		if err != nil {
			t.Fatal(err)
		}
		wantPostings, wantIdentifiers := map[string]int{}, map[string]float32{}
		for _, p := range terms.Postings {
			wantPostings[string(rune('0'+p.Field))+p.Term] = len(p.Positions)
		}
		for _, d := range terms.Identifiers {
			wantIdentifiers[d.Value] = d.Weight
		}
		if fmt.Sprint(lengths) != fmt.Sprint(terms.Lengths) || !reflect.DeepEqual(postings, wantPostings) || !reflect.DeepEqual(identifiers, wantIdentifiers) {
			t.Errorf("%v %v %v, want %v %v %v", lengths, postings, identifiers, terms.Lengths, wantPostings, wantIdentifiers)
		}
	}
}

// Every damage of an encoded value is found.
func TestDamagedTerms(t *testing.T) {
	whole := encodeTerms(storetest.Make("a", "some words id-1").Terms[0])
	for i := range whole {
		broken := append([]byte{}, whole...)
		broken[i] ^= 0x10
		if _, _, _, err := collect(broken); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("byte %d flipped: %v", i, err)
		}
		if _, _, _, err := collect(whole[:i]); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

// bodyOf is the encoded body of a revision, with rows 7, 9, ...
func bodyOf(r store.Revision) []byte {
	rows := make([]int64, len(r.Passages))
	for i := range rows {
		rows[i] = int64(7 + 2*i)
	}
	return encodeBody(&r.Revision, rows)
}

func TestBodyRoundTrip(t *testing.T) {
	r := storetest.Make("a", "intro\n# One\nfirst é word\n## Deep\ndeep\nmore\n# Two\nlast")
	r.Sections[2].Number, r.Sections[3].Path = "7.2", []string{"another", "path"}
	r.Passages[1].Kind, r.Passages[2].Context = document.Table, ""
	b, err := decodeBody(bodyOf(r))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.fits(r.Text); err != nil {
		t.Error(err)
	}
	if err := b.fits("other" + r.Text[5:]); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("another text fits: %v", err)
	}
	if !reflect.DeepEqual(b.sections, r.Sections) {
		t.Errorf("sections %+v, want %+v", b.sections, r.Sections)
	}
	for i, want := range r.Passages {
		want.ID, want.Key = "00", "01"
		if got := b.passageAt(i, row{id: "\x00", key: "\x01"}, r.Text); got != want || b.passages[i].row != int64(7+2*i) {
			t.Errorf("passage %d: %+v, want %+v", i, got, want)
		}
	}
}

// Decoding trusts nothing, not even a checksum that matches.
func FuzzDecode(f *testing.F) {
	r := storetest.Make("a", "# Limits\nthe id-1 and the limit\nanother word")
	whole, err := openedSegment(f.TempDir(), r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(appendTerms(nil, r.Terms[0]))
	f.Add(encodeOutline(r.Outline)[:10])
	f.Add(whole[:len(whole)-4])
	f.Add(bodyOf(r)[:len(bodyOf(r))-4])
	w := newContent(3)
	w.add(7, "a key", []float32{1, 2, 3, 4, 5, 6}, 3)
	for _, raw := range [][]byte{encodeKeys(w.keys), w.encode(), encodeFloats([]float32{1, 2, 3})} {
		f.Add(raw[:len(raw)-4])
	}
	f.Add([]byte{1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, body []byte) {
		b := seal(append([]byte{}, body...))
		damaged := func(err error) {
			if err != nil && !errors.Is(err, store.ErrDamaged) {
				t.Error(err)
			}
		}
		_, _, _, err := collect(b)
		damaged(err)
		v := visitor{func([store.Fields]uint32) {}, func(store.Field, []byte, int) {}, func([]byte, float32) {}}
		damaged(decodeOutline(b, v))
		decodeTerms(body, v)
		if c, err := decodeBody(b); err == nil {
			c.fits("text")
			for i := range c.passages {
				c.passageAt(i, row{}, string(make([]byte, min(c.length, 1000))))
			}
		} else {
			damaged(err)
		}
		if g, err := decodeSegment(1, b, store.DefaultBM25); err == nil {
			useSegment(t, g)
		} else {
			damaged(err)
		}
		for _, decode := range []func([]byte) ([]blockKey, error){decodeKeys, oldKeys} {
			keys, err := decode(b)
			if err == nil && len(keys) > 0 && vectorsIn(keys) < 1<<12 {
				useBlock(newBlock(1, keys, newNumbers()))
			}
			damaged(err)
		}
		for n := range 3 {
			_, err = decodeCodes(b, n, 3)
			damaged(err)
			_, err = oldFloats(b, n, 3)
			damaged(err)
		}
	})
}

// openedSegment is the first segment of a store with one document, as it stands
// in the file.
func openedSegment(dir string, r store.Revision) ([]byte, error) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, "quarry.db"), Options{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{r}}); err != nil {
		return nil, err
	}
	var raw []byte
	err = s.read.QueryRow("SELECT body FROM segment").Scan(&raw)
	return raw, err
}

// useSegment does with a segment what questions and merging do.
func useSegment(t *testing.T, g *segment) {
	s := &snapshot{segments: []*segment{g}, dead: []bitset{nil}}
	sees := s.compile(&document.Scope{}, 1, 1)
	for i := range g.docs {
		g.doc(g.docs[i].row)
	}
	for _, r := range g.rows {
		g.rowOf(r.id, sees.rows[0])
	}
	for _, x := range []*inverted{&g.passages, &g.identifiers, &g.outline} {
		for i := range x.count {
			if x.find(x.term(i)) != i {
				t.Errorf("term %q is not found where it stands", x.term(i))
			}
			for _, p := range x.postings(i, nil) {
				_, _ = x.weights[p.code], x.length(p.row)
			}
		}
	}
	merged := merge(s.segments, s.dead)
	if len(g.docs) > 0 {
		if _, err := decodeSegment(2, merged.body, store.DefaultBM25); err != nil {
			t.Errorf("a segment that can be read makes one that cannot: %v", err)
		}
	}
}
