package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testConcurrency runs writers and readers at once; its worth is under -race.
func testConcurrency(t *testing.T, f Factory) {
	sub(t, f, "readers see whole documents of one revision while writers change them", func(b *bench) {
		text := func(n int) string { return fmt.Sprintf("word rev%d\nmore rev%d\nlast rev%d", n, n, n) }
		b.put(Make("a", text(0)), Make("b", text(0)))
		var group sync.WaitGroup
		group.Go(func() {
			for n := 1; n <= 12; n++ {
				a, c := Make("a", text(n)), Make("b", text(n))
				a.Seen, c.Seen = b.now, b.now
				if _, err := b.store.Apply(b.ctx, store.Change{Put: []store.Revision{a, c}}); err != nil {
					b.Errorf("Apply: %v", err)
				}
				if err := b.store.PutVectors(b.ctx, model, b.vectorsOf(a)); err != nil {
					b.Errorf("PutVectors: %v", err)
				}
			}
		})
		for range 3 {
			group.Go(func() {
				for range 20 {
					if err := b.consistent(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		b.want(everyone, "rev12", "word rev12", "more rev12", "last rev12", "word rev12", "more rev12", "last rev12")
	})
	sub(t, f, "one view may be asked by several at once", func(b *bench) {
		b.put(Make("a", "# H\nword one\nword two"))
		v := b.view(everyone)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 5 {
					if hits, err := v.Keyword(b.ctx, question("word"), 10); err != nil || len(hits.Hits) != 2 {
						b.Errorf("Keyword: %v, %v", hits, err)
					}
					if _, err := v.Document(b.ctx, docID("a"), true); err != nil {
						b.Errorf("Document: %v", err)
					}
					if n, err := v.Restrict(b.ctx, []store.Place{{Document: docID("a"), Section: 1}}); err != nil {
						b.Errorf("Restrict: %v", err)
					} else {
						n.Close()
					}
				}
			})
		}
		group.Wait()
	})
	sub(t, f, "jobs are claimed once by workers at once", func(b *bench) {
		for i := range 12 {
			b.put(Make(fmt.Sprint(i), "word"))
		}
		var mu sync.Mutex
		taken := map[int64]int{}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for {
					jobs, err := b.store.Claim(b.ctx, store.Embed, 2, 1<<40)
					if err != nil {
						b.Errorf("Claim: %v", err)
					}
					if len(jobs) == 0 {
						return
					}
					mu.Lock()
					for _, j := range jobs {
						taken[j.ID]++
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		for id, n := range taken {
			if n != 1 {
				b.Errorf("job %d was claimed %d times", id, n)
			}
		}
		if len(taken) != 12 {
			b.Errorf("%d jobs were claimed, want 12", len(taken))
		}
	})
}

// consistent reports where one view shows parts of two revisions.
func (b *bench) consistent() error {
	v, err := b.store.View(b.ctx, everyone)
	if err != nil {
		return err
	}
	defer v.Close()
	hits, err := v.Keyword(b.ctx, question("word more last"), 10)
	if err != nil {
		return err
	}
	found, err := v.Passages(b.ctx, ids(hits))
	if err != nil {
		return err
	}
	if len(found) != 6 {
		return fmt.Errorf("%d passages of two documents of three", len(found))
	}
	r, err := v.Document(b.ctx, document.ID{Source: "docs", Path: "a"}, false)
	if err != nil {
		return err
	}
	for _, l := range found {
		if l.Document.Path == "a" && (l.Revision != r.Hash || l.Span.Of(r.Text) != l.Text) {
			return fmt.Errorf("%q is not of the revision in force", l.Text)
		}
		if l.Text[len(l.Text)-4:] != found[0].Text[len(found[0].Text)-4:] {
			return fmt.Errorf("%q and %q are of two commits", l.Text, found[0].Text)
		}
	}
	return nil
}
