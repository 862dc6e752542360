package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
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

func sealedTerms(t *store.Terms) []byte { return seal(terms.Append(nil, t)) }

func TestTermsRoundTrip(t *testing.T) {
	r := storetest.Make("a", "# Limits id-1\nthe id-1 and the id-22 limit the rest")
	for _, terms := range append(r.Terms, r.Outline...) {
		lengths, postings, identifiers, err := collect(sealedTerms(&terms))
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
	whole := sealedTerms(&storetest.Make("a", "some words id-1").Terms[0])
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
	r.Pages = document.Pages{{Page: 2, Offset: 3}, {Page: 4, Offset: 30}}
	r.Lines = document.Lines{{Span: document.Span{From: 1, To: 4}, Page: 2, Box: document.Box{Left: 300, Top: 90, Right: 120, Bottom: 101}},
		{Span: document.Span{From: 4, To: 9}, Page: 4, Box: document.Box{Left: -1, Top: 30, Right: 90, Bottom: 41}}}
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
	if !reflect.DeepEqual(b.pages, r.Pages) {
		t.Errorf("pages %v, want %v", b.pages, r.Pages)
	}
	if !reflect.DeepEqual(b.lines, r.Lines) {
		t.Errorf("lines %v, want %v", b.lines, r.Lines)
	}
	if !reflect.DeepEqual(b.sections, r.Sections) {
		t.Errorf("sections %+v, want %+v", b.sections, r.Sections)
	}
	for i, want := range r.Passages {
		want.ID, want.Key = "00", "01"
		if got := b.passageAt(i, "\x00", "\x01", r.Text); got != want || b.passages[i].row != int64(7+2*i) {
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
	f.Add(terms.Append(nil, &r.Terms[0]))
	f.Add(encodeOutline(r.Outline)[:10])
	f.Add([]byte(whole))
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
		v := visitor{lengths: func([store.Fields]uint32) {}, posting: func(store.Field, []byte, int) {}, identifier: func([]byte, float32) {}}
		damaged(decodeOutline(b, v))
		decodeTerms(body, v)
		v.places = func(_ store.Field, _ []byte, at []uint32) {
			if !slices.IsSorted(at) {
				t.Errorf("positions %v", at)
			}
		}
		damaged(decodeOutline(b, v))
		if c, err := decodeBody(b); err == nil {
			c.fits("text")
			for i := range c.passages {
				c.passageAt(i, "", "", string(make([]byte, min(c.length, 1000))))
			}
		} else {
			damaged(err)
		}
		if g, err := decodeSegment(1, string(body), store.DefaultBM25); err == nil {
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
			_, err = decodeCodes(slices.Clone(b), n, 3) // which writes to it
			damaged(err)
			_, err = oldFloats(b, n, 3)
			damaged(err)
		}
	})
}

// openedSegment is the first segment of a store with one document, as it stands
// in the file.
func openedSegment(dir string, r store.Revision) (string, error) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, "quarry.db"), Options{})
	if err != nil {
		return "", err
	}
	defer s.Close()
	if _, err := s.Apply(ctx, store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{r}}); err != nil {
		return "", err
	}
	p, err := s.pin(ctx)
	if err != nil {
		return "", err
	}
	defer p.release()
	var id int64
	var size int
	if _, err := p.conn.get(ctx, "SELECT id, size FROM segment", nil, &id, &size); err != nil {
		return "", err
	}
	return p.conn.bodyOf(ctx, id, size)
}

// useSegment does with a segment what questions and merging do.
func useSegment(t *testing.T, g *segment) {
	s := &snapshot{segments: []*segment{g}, dead: []bitset{nil}}
	sees := s.compile(&document.Scope{}, 1, 1)
	for i := range g.docs {
		g.doc(g.docs[i].row)
	}
	for row := range uint32(g.n) {
		g.rowOf(g.idOf(row), sees.rows[0])
		g.keyOf(row)
		g.docOf(row)
	}
	damaged := func(err error) {
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Error(err)
		}
	}
	for _, of := range []lane{keywordLane, identifierLane, outlineLane} {
		x := of.lists(g)
		var question []store.QueryTerm
		for i := range x.terms.n {
			question = append(question, store.QueryTerm{Term: x.terms.at(i), Weight: 1})
		}
		q, err := newScorer(s, question, sees, of, func(float64, int) share { return share{scale: 1, plain: of.name == "identifier"} })
		damaged(err)
		for _, least := range []float64{math.Inf(-1), 0.5, 2} {
			_, err = q.run(context.Background(), s, sees, func() float64 { return least }, func(int, uint32, float64) {})
			damaged(err)
		}
		damaged(q.score(g, []uint32{0, 1, 5}, func(int, float64) {}))
	}
	if merged, err := merge(s.segments, s.dead); err != nil {
		damaged(err)
	} else if _, err := decodeSegment(2, merged.body, store.DefaultBM25); err != nil {
		t.Errorf("a segment that can be read makes one that cannot: %v", err)
	}
}
