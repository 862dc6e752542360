package storetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Variation is a way to carry out the same operations. Whatever it is, a store gives
// the answers of the reference, and so the same as under every other.
type Variation struct {
	Name string
	// Apart applies each document of a change as a change of its own: more commits,
	// and more of what a store does behind them.
	Apart bool
	// Words leaves the vectors out.
	Words bool
}

// Variations are those that every store is run under; one with settings of its own,
// such as how small a part of its index may be, is run with each as a Factory.
var Variations = []Variation{{Name: "together"}, {Name: "apart", Apart: true}, {Name: "words, apart", Apart: true, Words: true}}

// Operations carries out so many random operations, the same for one seed under
// every variation: documents are added, changed, closed, superseded, failed and
// removed, sources removed, the clock is moved on, changes are repeated, the store
// is reopened or crashes. Every few of them all lanes are compared with the
// reference, in the whole corpus and restricted to a part of it, and in the end in a
// copy of the store.
func Operations(t *testing.T, f Factory, v Variation, seed uint64, steps int) {
	t.Helper()
	b := newBench(t, f)
	w := &operator{variation: v, world: world{bench: b, rnd: rand.New(rand.NewPCG(seed, 11)), reference: newReference(b.now)}}
	for step := range steps {
		w.step()
		w.forget() // at once: content that comes again has no vectors from before
		if step%8 == 7 || step == steps-1 {
			w.settle()
			w.compare()
			w.documents()
			w.restricted()
		}
		if t.Failed() {
			t.Fatalf("after operation %d of seed %d", step+1, seed)
		}
	}
	copied := w.copied().store // it gives the same answers
	w.store.Close()
	w.store = copied
	w.compare()
	w.documents()
}

func testOperations(t *testing.T, f Factory) {
	seeds, steps := uint64(2), 40
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		seeds, steps = 60, 120
	case testing.Short():
		seeds, steps = 1, 24
	}
	for _, v := range Variations {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s, seed %d", v.Name, seed), func(t *testing.T) { Operations(t, f, v, seed, steps) })
		}
	}
}

// operator carries out operations on a store and the reference beside it.
type operator struct {
	world
	variation Variation
	last      []store.Change // what was applied last
}

func (w *operator) step() {
	w.Helper()
	switch w.rnd.IntN(16) {
	case 0, 1:
		w.now = w.now.Add(time.Duration(1+w.rnd.IntN(25)) * 24 * time.Hour)
		w.today = document.DayOf(w.now)
	case 2:
		w.reopen()
	case 3:
		if w.factory.Crash != nil {
			w.store = w.factory.Crash(w.T, w.store, func() time.Time { return w.now })
		}
	case 4:
		for _, c := range w.last {
			if commit := w.apply(c); commit.Changed {
				w.Errorf("the same change again changed something: %+v", commit)
			}
		}
	case 5:
		w.applyAll(store.Change{RemoveSource: "more"})
		for id := range w.docs {
			if id.Source == "more" {
				delete(w.docs, id)
			}
		}
	default:
		w.change()
	}
}

// name is one of few, so that documents change often.
func (w *operator) name() string { return fmt.Sprintf("doc%d", w.rnd.IntN(12)) }

// change applies one random change to both.
func (w *operator) change() {
	w.Helper()
	c := store.Change{Source: &document.Source{Name: w.pick("docs", "docs", "more"), Kind: "folder", Root: "/docs"}}
	used := map[document.ID]bool{}
	var vectors []store.Vectors
	for i := range 1 + w.rnd.IntN(5) {
		r := w.revision(i)
		r.Document = document.ID{Source: c.Source.Name, Path: w.name()}
		if w.rnd.IntN(3) > 0 { // most are seen by most
			r.Metadata.Access, r.Metadata.Tenant, r.Metadata.Status = document.Public(), "", document.Current
			if w.rnd.IntN(2) == 0 {
				r.Metadata.Status = "" // its validity may be inferred
			}
		}
		for range max(0, w.rnd.IntN(4)-2) {
			r.Metadata.Supersedes = append(r.Metadata.Supersedes, w.name())
		}
		r = Make(r.Document.Path, r.Text, func(n *store.Revision) {
			n.Document, n.Metadata, n.Seen, n.Hash = r.Document, r.Metadata, r.Seen, r.Hash
		})
		if used[r.Document] || slices.Contains(r.Metadata.Supersedes, r.Document.Path) {
			continue
		}
		used[r.Document] = true
		switch w.rnd.IntN(9) {
		case 0:
			c.Remove = append(c.Remove, r.Document)
			delete(w.docs, r.Document)
		case 2:
			d := store.Dated{Document: r.Document}
			if w.rnd.IntN(3) > 0 {
				d.Effective.From = w.today - document.Day(w.rnd.IntN(60))
				d.Effective.To = d.Effective.From + document.Day(w.rnd.IntN(60))
				d.Inferred = "file names"
			}
			c.Date = append(c.Date, d)
			w.date(d)
		case 1:
			c.Fail = append(c.Fail, store.Failure{Document: r.Document, Hash: r.Hash, Pipeline: "p1", Reason: "it holds no text", Seen: r.Seen})
			if w.docs[r.Document] == nil {
				w.docs[r.Document] = &kept{}
			}
			w.docs[r.Document].failed = document.DayOf(r.Seen)
		default:
			c.Put = append(c.Put, r)
			w.put(r)
			for _, p := range r.Passages {
				if w.rnd.IntN(4) > 0 {
					vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{vectorOf(p.Key)}})
				}
			}
		}
	}
	w.applyAll(c)
	if !w.variation.Words {
		for _, v := range vectors {
			w.vectors[v.Key] = v.Vectors
		}
		w.putVectors(model, vectors...)
	}
}

// applyAll applies a change whole, or each document of it apart.
func (w *operator) applyAll(c store.Change) {
	w.Helper()
	w.last = []store.Change{c}
	if w.variation.Apart {
		w.last = nil
		for _, r := range c.Put {
			w.last = append(w.last, store.Change{Source: c.Source, Put: []store.Revision{r}})
		}
		for _, x := range c.Fail {
			w.last = append(w.last, store.Change{Source: c.Source, Fail: []store.Failure{x}})
		}
		for _, d := range c.Date {
			w.last = append(w.last, store.Change{Source: c.Source, Date: []store.Dated{d}})
		}
		for _, id := range c.Remove {
			w.last = append(w.last, store.Change{Source: c.Source, Remove: []document.ID{id}})
		}
		if c.RemoveSource != "" {
			w.last = append(w.last, store.Change{RemoveSource: c.RemoveSource})
		}
	}
	for _, c := range w.last {
		w.apply(c)
	}
}

// documents compares the list of those in force.
func (w *operator) documents() {
	w.Helper()
	for _, s := range []document.Scope{{}, {Principals: []string{"user:ann"}}, {Administrator: true}, {AsOf: w.today - 15}, {AsOf: w.today - 60, Drafts: true}} {
		v := w.view(s)
		list, err := v.Documents(w.ctx)
		w.ok(err, "Documents")
		have, want := map[string]int{}, map[string]int{}
		for _, l := range list {
			if l.Error == "" {
				have[l.Document.String()+" "+l.Revision] = l.Passages
			}
		}
		for _, r := range w.sees(s) {
			want[r.Document.String()+" "+r.Hash] = len(r.Passages)
		}
		if fmt.Sprint(have) != fmt.Sprint(want) {
			w.Errorf("documents of %+v:\n%v\nwant\n%v", s, have, want)
		}
		v.Close()
	}
}

// restricted compares the keyword lane in a section of one document and the whole of
// another.
func (w *operator) restricted() {
	w.Helper()
	seen, counted := w.sees(everyone), passagesOf(w.population(everyone))
	slices.SortFunc(seen, func(a, b *store.Revision) int { return compareIDs(a.Document, b.Document) })
	if len(seen) < 2 {
		return
	}
	first, second := w.rnd.IntN(len(seen)), w.rnd.IntN(len(seen))
	part, whole := seen[first], seen[second]
	section := w.rnd.IntN(len(part.Sections))
	var units []ranked
	for _, u := range passagesOf([]*store.Revision{part}) {
		if first == second || within(part, sectionOf(part, u.id), section) {
			units = append(units, u)
		}
	}
	if first != second {
		units = append(units, passagesOf([]*store.Revision{whole})...)
	}
	v := w.view(everyone)
	defer v.Close()
	narrow, err := v.Restrict(w.ctx, []store.Place{{Document: part.Document, Section: section}, {Document: whole.Document}})
	w.ok(err, "Restrict")
	defer narrow.Close()
	words := question("the w1 w3 limits")
	w.lane(everyone, "keyword, restricted", rank(units, true, func(u ranked) float64 { return bm25(u, words, counted) }),
		func(k int) (store.Hits, error) { return narrow.Keyword(w.ctx, words, k) },
		func(ids []document.PassageID) ([]float64, error) { return narrow.ScoreKeyword(w.ctx, words, ids) })
}

func compareIDs(a, b document.ID) int {
	if a == b {
		return 0
	}
	return slices.Compare([]string{a.Source, a.Path}, []string{b.Source, b.Path})
}

func sectionOf(r *store.Revision, passage string) int {
	for _, p := range r.Passages {
		if string(p.ID) == passage {
			return p.Section
		}
	}
	return -1
}

// within reports whether a section is another or below it.
func within(r *store.Revision, section, other int) bool {
	for ; section >= 0; section = r.Sections[section].Parent {
		if section == other {
			return true
		}
	}
	return false
}
