package encoder

import (
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// step is a part of a layer that several goroutines can share.
type step int

const (
	embed   step = iota // tokens to their vectors
	project             // token vectors to queries, keys and values
	attend
	out       // what the heads give, to be added to the token vectors
	up        // to the feed-forward layer
	down      // and back
	normalise // token vectors, between these
	end       // no step: the batch is done
)

// work says what a step is to work on.
type work struct {
	e          *Encoder
	batch      []Sequence
	layer      *layer
	norm       norm
	from, rows int
	first      bool // only the first token of each sequence asks
}

// team shares the steps of one batch among goroutines: columns of the result, heads,
// or rows. Those beside the caller's live as long as the batch.
//
// A step takes some tens to hundreds of microseconds, and waking a goroutine up to a
// hundred. So every step is shared, since whoever waits for a long one sleeps, and
// who waits looks a while before it sleeps.
type team struct {
	size    int
	step    step
	turn    atomic.Uint32 // counts the steps
	pending atomic.Int32  // helpers that have not finished the step
	helpers []sleeper     // helper i is member i+1
	caller  sleeper
}

// How often a waiting goroutine looks before it sleeps: a look takes about a nanosecond. Where
// each goroutine has a core, the others come soon; where they share one, looking keeps them from it.
const (
	mostLooks  = 200_000
	leastLooks = 5_000
)

// sleeper lets one goroutine wait for what others bring about.
type sleeper struct {
	asleep atomic.Bool
	awake  chan struct{}
	spared int // looks that it takes less than mostLooks, by how waiting went before
}

// wait returns once done does. Whoever makes it true must call wake after.
func (s *sleeper) wait(done func() bool) {
	looks := mostLooks - s.spared
	for range looks {
		if done() {
			s.spared = max(0, mostLooks-2*looks)
			return
		}
	}
	s.spared = mostLooks - max(leastLooks, looks/4)
	for !done() {
		s.asleep.Store(true)
		// It may have come true before that was to be seen; then either takes
		// the mark back, or the other has and sends.
		if !done() || !s.asleep.CompareAndSwap(true, false) {
			<-s.awake
		}
	}
}

func (s *sleeper) wake() {
	if s.asleep.CompareAndSwap(true, false) {
		s.awake <- struct{}{}
	}
}

func (t *team) start(a *Arena, size int) {
	t.size = size
	if len(t.helpers) < size-1 {
		t.helpers = make([]sleeper, size-1)
		for i := range t.helpers {
			t.helpers[i].awake = make(chan struct{}, 1)
		}
	}
	if t.caller.awake == nil {
		t.caller.awake = make(chan struct{}, 1)
	}
	for i := 1; i < size; i++ {
		go t.serve(a, i, t.turn.Load())
	}
}

func (t *team) serve(a *Arena, i int, seen uint32) {
	for {
		t.helpers[i-1].wait(func() bool { return t.turn.Load() != seen })
		seen++
		s := t.step
		if s != end {
			a.part(s, i, t.size)
		}
		if t.pending.Add(-1) == 0 {
			t.caller.wake()
		}
		if s == end {
			return
		}
	}
}

// stop ends the helpers and waits for it, so that the next batch finds none.
func (t *team) stop() {
	if t.size > 1 {
		t.all(end)
		t.join()
	}
}

func (t *team) do(a *Arena, s step) {
	if t.size > 1 {
		t.all(s)
	}
	a.part(s, 0, t.size)
	if t.size > 1 {
		t.join()
	}
}

// all lets the helpers begin a step.
func (t *team) all(s step) {
	t.step = s
	t.pending.Store(int32(t.size - 1))
	t.turn.Add(1)
	for i := range t.size - 1 {
		t.helpers[i].wake()
	}
}

func (t *team) join() {
	t.caller.wait(func() bool { return t.pending.Load() == 0 })
}

// part does the part i of n of a step.
func (a *Arena) part(s step, i, n int) {
	e, l, rows, from := a.work.e, a.work.layer, a.work.rows, a.work.from
	share := func(of int) (int, int) { return of * i / n, of * (i + 1) / n }
	k := e.kernels
	x := a.x[from*e.stride:]
	switch s {
	case embed:
		first, last := share(rows)
		e.embed(a, a.work.batch, first, last)
	case project:
		first, last := share(l.project.N / kernel.Width)
		k.Multiply(rows, x, e.stride, l.project, first, last, a.projected, e.wide, l.projectBias, 0)
	case attend:
		first, last := share(e.Heads)
		e.attend(a, &a.parts[i], first, last)
	case out:
		first, last := share(l.out.N / kernel.Width)
		k.Multiply(rows, a.attended, e.heads, l.out, first, last, x, e.stride, l.outBias, kernel.Add)
	case up:
		first, last := share(l.up.N / kernel.Width)
		k.Multiply(rows, x, e.stride, l.up, first, last, a.inner, e.inner, l.upBias, kernel.GELU)
	case down:
		first, last := share(l.down.N / kernel.Width)
		k.Multiply(rows, a.inner, e.inner, l.down, first, last, x, e.stride, l.downBias, kernel.Add)
	case normalise:
		first, last := share(rows)
		e.normalise(x[first*e.stride:last*e.stride], a.work.norm)
	}
}
