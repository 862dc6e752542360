package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testSharing is for stores that implement store.Sharing.
func testSharing(t *testing.T, f Factory) {
	if _, ok := f.Open(t, time.Now).(store.Sharing); !ok {
		return
	}
	shared := func(b *bench) store.Sharing { return b.store.(store.Sharing) }
	claim := func(b *bench, n int) []store.Job {
		b.Helper()
		jobs, err := b.store.Claim(b.ctx, store.Embed, n, time.Minute)
		b.ok(err, "Claim")
		return jobs
	}
	missing := func(b *bench, jobs []store.Job, want ...string) {
		b.Helper()
		list, err := shared(b).MissingOf(b.ctx, model, jobs, 10)
		b.ok(err, "MissingOf")
		var got []string
		for _, u := range list {
			got = append(got, u.Text)
		}
		if !slices.Equal(got, want) {
			b.Errorf("missing are %q, want %q", got, want)
		}
	}
	held := func(b *bench, want int) {
		b.Helper()
		n, err := shared(b).Held(b.ctx, store.Embed)
		b.ok(err, "Held")
		if n != want {
			b.Errorf("%d jobs are held, want %d", n, want)
		}
	}
	sub(t, f, "MissingOf lists what the documents of jobs lack", func(b *bench) {
		two := Make("b", "east\nnorth")
		b.put(Make("a", "west"), two)
		a, both := claim(b, 1), claim(b, 1)
		missing(b, a, "west")
		missing(b, both, "east", "north")
		missing(b, nil)
		b.putVectors(model, store.Vectors{Key: two.Passages[0].Key, Vectors: [][]float32{{1, 0, 0}}})
		missing(b, both, "north")
	})
	sub(t, f, "content that documents share is left to the earlier one that has a job", func(b *bench) {
		titled := Meta(func(m *document.Metadata) { m.Title = "Terms" }) // which is content as well
		b.put(Make("a", "same words", titled), Make("b", "same words\nown words", titled))
		a, other := claim(b, 1), claim(b, 1)
		missing(b, a, "same words")
		missing(b, other, "own words")
		b.ok(b.store.Done(b.ctx, a), "Done")
		missing(b, other, "same words", "own words")
	})
	sub(t, f, "Extend holds a job for longer, or frees it", func(b *bench) {
		s := shared(b)
		b.put(Make("a", "one"))
		jobs := claim(b, 1)
		held(b, 1)
		b.now = b.now.Add(50 * time.Second)
		b.ok(s.Extend(b.ctx, jobs, time.Minute), "Extend")
		b.now = b.now.Add(50 * time.Second)
		held(b, 1)
		if again := claim(b, 1); len(again) > 0 {
			b.Error("a job that is held was claimed")
		}
		b.ok(s.Extend(b.ctx, jobs, 0), "Extend")
		held(b, 0)
		if again := claim(b, 1); len(again) != 1 {
			b.Error("a job that was freed was not claimed")
		}
		b.ok(s.Extend(b.ctx, jobs, 0), "Extend of what another holds")
		held(b, 1)
	})
	sub(t, f, "EnqueueMissing gives a document that lacks vectors one job", func(b *bench) {
		s := shared(b)
		whole := Make("b", "north")
		b.put(Make("a", "east"), whole)
		b.ok(b.store.Done(b.ctx, claim(b, 10)), "Done")
		b.putVectors(model, store.Vectors{Key: whole.Passages[0].Key, Vectors: [][]float32{{1, 0, 0}}})
		for range 2 {
			b.ok(s.EnqueueMissing(b.ctx, model), "EnqueueMissing")
		}
		if jobs := claim(b, 10); len(jobs) != 1 || jobs[0].Document != docID("a") {
			b.Errorf("claimed %+v", jobs)
		}
		b.ok(s.EnqueueMissing(b.ctx, model), "EnqueueMissing of what is claimed")
		if jobs := claim(b, 10); len(jobs) > 0 {
			b.Errorf("claimed again %+v", jobs)
		}
	})
}
