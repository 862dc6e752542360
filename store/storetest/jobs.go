package storetest

import (
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testJobs(t *testing.T, f Factory) {
	claim := func(b *bench, n int) []store.Job {
		b.Helper()
		jobs, err := b.store.Claim(b.ctx, store.Embed, n, time.Minute)
		b.ok(err, "Claim")
		return jobs
	}
	count := func(b *bench, jobs []store.Job, want int) {
		b.Helper()
		if len(jobs) != want {
			b.Errorf("claimed %d jobs, want %d: %+v", len(jobs), want, jobs)
		}
	}
	sub(t, f, "Apply enqueues one embed job for each revision put", func(b *bench) {
		b.put(Make("a", "one"), Make("b", "two"))
		b.put(Make("a", "one"))
		b.fail("c", "h", document.Public())
		jobs := claim(b, 10)
		count(b, jobs, 2)
		if jobs[0].Document != docID("a") || jobs[0].Kind != store.Embed || jobs[0].Token == "" {
			b.Errorf("the first is %+v", jobs[0])
		}
	})
	sub(t, f, "a claimed job is not claimed again within its lease", func(b *bench) {
		b.put(Make("a", "one"), Make("b", "two"), Make("c", "three"))
		count(b, claim(b, 2), 2)
		count(b, claim(b, 2), 1)
		count(b, claim(b, 2), 0)
	})
	sub(t, f, "a job whose lease ran out may be claimed again", func(b *bench) {
		b.put(Make("a", "one"))
		count(b, claim(b, 1), 1)
		b.now = b.now.Add(time.Minute + time.Second)
		count(b, claim(b, 1), 1)
	})
	sub(t, f, "a claim survives its process, and so does its end", func(b *bench) {
		b.put(Make("a", "one"))
		count(b, claim(b, 1), 1)
		b.reopen()
		count(b, claim(b, 1), 0)
		b.now = b.now.Add(2 * time.Minute)
		count(b, claim(b, 1), 1)
	})
	sub(t, f, "Done ends a job", func(b *bench) {
		b.put(Make("a", "one"))
		b.ok(b.store.Done(b.ctx, claim(b, 1)), "Done")
		b.now = b.now.Add(time.Hour)
		count(b, claim(b, 1), 0)
	})
	sub(t, f, "Done leaves a job that another worker holds now", func(b *bench) {
		b.put(Make("a", "one"))
		late := claim(b, 1)
		b.now = b.now.Add(time.Hour)
		held := claim(b, 1)
		b.ok(b.store.Done(b.ctx, late), "Done")
		b.now = b.now.Add(time.Hour)
		count(b, claim(b, 1), 1)
		_ = held
	})
	sub(t, f, "jobs of a removed document are gone, and ending them is no error", func(b *bench) {
		b.put(Make("a", "one"), Make("b", "two"))
		jobs := claim(b, 1)
		b.remove("a", "b")
		count(b, claim(b, 10), 0)
		b.ok(b.store.Done(b.ctx, jobs), "Done")
	})
	sub(t, f, "claiming is no commit", func(b *bench) {
		c := b.put(Make("a", "one"))
		b.ok(b.store.Done(b.ctx, claim(b, 1)), "Done")
		if got := b.view(everyone).Commit().Sequence; got != c.Sequence {
			b.Errorf("commit %d, want %d", got, c.Sequence)
		}
	})
	sub(t, f, "another kind and none asked for claim nothing", func(b *bench) {
		b.put(Make("a", "one"))
		count(b, claim(b, 0), 0)
		jobs, err := b.store.Claim(b.ctx, "other", 5, time.Minute)
		b.ok(err, "Claim")
		count(b, jobs, 0)
	})
}
