package bert

import (
	"context"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
)

const (
	// batchTokens is how many tokens go through the layers at once: enough for
	// a layer's weights to be read from memory seldom, few enough for what is
	// between the layers to stay in the cache.
	batchTokens = 512
	// alone is the most goroutines that share one short sequence. Beyond it they
	// wait for each other more than they compute.
	alone = 4
)

// runner computes sequences on several goroutines, with memory that is kept from
// one call to the next.
type runner struct {
	threads int
	arenas  chan *encoder.Arena
}

func newRunner(threads int) runner {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	return runner{threads: threads, arenas: make(chan *encoder.Arena, threads)}
}

func (r *runner) take() *encoder.Arena {
	select {
	case a := <-r.arenas:
		return a
	default:
		return new(encoder.Arena)
	}
}

func (r *runner) give(a *encoder.Arena) {
	select {
	case r.arenas <- a:
	default: // more callers than threads: let it go
	}
}

// run computes all sequences, or of each the first token only, and calls each for
// every one, with its index and where it stands in a batch; concurrently, but never
// twice for one sequence.
func (r *runner) run(ctx context.Context, e *encoder.Encoder, sequences []encoder.Sequence, first bool, each func(i int, s encoder.States, at int) error) error {
	order, batches := cutBatches(sequences, r.threads)
	workers := min(r.threads, len(batches))
	if workers == 0 {
		return ctx.Err()
	}
	share := max(1, min(alone, r.threads)/workers)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func() {
		a := r.take()
		defer r.give(a)
		job := encoder.Job{First: first, Threads: share}
		for ctx.Err() == nil {
			n := int(next.Add(1)) - 1
			if n >= len(batches) {
				return
			}
			indices := order[batches[n].from:batches[n].to]
			job.Batch = job.Batch[:0]
			for _, i := range indices {
				job.Batch = append(job.Batch, sequences[i])
			}
			states, err := e.Forward(a, job)
			for at := 0; at < len(indices) && err == nil; at++ {
				err = each(indices[at], states, at)
			}
			if err != nil {
				cancel(err)
			}
		}
	}
	var wait sync.WaitGroup
	for range workers - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	return context.Cause(ctx)
}

type batch struct{ from, to int } // of the order

// cutBatches orders sequences by length, the longest first so that the last
// batches, which even out the workers, are short, and cuts the order into batches
// of at most batchTokens tokens, at least one for every worker where there are as
// many sequences.
func cutBatches(sequences []encoder.Sequence, workers int) (order []int, batches []batch) {
	order = make([]int, len(sequences))
	total := 0
	for i, s := range sequences {
		order[i] = i
		total += len(s.IDs)
	}
	sort.SliceStable(order, func(a, b int) bool { return len(sequences[order[a]].IDs) > len(sequences[order[b]].IDs) })
	target := min(batchTokens, (total+workers-1)/workers)
	size, from := 0, 0
	for at, i := range order {
		n := len(sequences[i].IDs)
		if at > from && size+n > target {
			batches = append(batches, batch{from, at})
			from, size = at, 0
		}
		size += n
	}
	if from < len(order) {
		batches = append(batches, batch{from, len(order)})
	}
	return order, batches
}
