package encoder

import (
	"fmt"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// blockRows is how many rows go through the feed-forward layer at once; it
// bounds the memory for its width.
const blockRows = 120

// States are the last layer's token vectors; they belong to the Arena and hold
// until its next use.
type States struct {
	arena  *Arena
	hidden int
	stride int
}

// Job is a batch and how to compute it.
type Job struct {
	Batch []Sequence
	// First says that of each sequence only the first token's vector is wanted:
	// the last layer does nothing else then.
	First bool
	// Threads is by how many goroutines the work on one batch is shared out:
	// more than one is worth while where there is one batch only; several had
	// better run side by side. 0 means 1.
	Threads int
}

// Len is the number of tokens of sequence i whose vectors there are.
func (s States) Len(i int) int { return s.arena.starts[i+1] - s.arena.starts[i] }

// Token is the vector of token t of sequence i.
func (s States) Token(i, t int) []float32 {
	at := (s.arena.starts[i] + t) * s.stride
	return s.arena.x[at : at+s.hidden]
}

// Forward runs the encoder over sequences of 1 to Positions tokens.
func (e *Encoder) Forward(a *Arena, j Job) (States, error) {
	batch := j.Batch
	rows, longest := 0, 0
	a.starts = a.starts[:0]
	for i, s := range batch {
		if err := e.check(s); err != nil {
			return States{}, fmt.Errorf("sequence %d: %w", i, err)
		}
		a.starts = append(a.starts, rows)
		rows += len(s.IDs)
		longest = max(longest, len(s.IDs))
	}
	a.starts = append(a.starts, rows)
	threads := max(1, min(j.Threads, e.Heads))
	e.prepare(a, rows, longest, threads)
	a.team.start(a, threads)
	defer a.team.stop()
	a.work.batch, a.work.from, a.work.rows = batch, 0, rows
	a.team.do(a, embed)
	a.work.batch = nil
	for i := range e.layers {
		a.work.first = j.First && i == len(e.layers)-1
		e.layer(a, &e.layers[i], rows)
	}
	return States{arena: a, hidden: e.Hidden, stride: e.stride}, nil
}

func (e *Encoder) check(s Sequence) error {
	if len(s.IDs) < 1 || len(s.IDs) > e.Positions {
		return fmt.Errorf("it has %d tokens; the model takes 1 to %d", len(s.IDs), e.Positions)
	}
	if s.Second > 0 && e.Types < 2 {
		return fmt.Errorf("it is a pair of texts, and the model knows single ones only")
	}
	for _, id := range s.IDs {
		if id < 0 || int(id) >= e.Vocab {
			return fmt.Errorf("token %d is not in the model's vocabulary of %d", id, e.Vocab)
		}
	}
	return nil
}

func (e *Encoder) prepare(a *Arena, rows, longest, threads int) {
	a.x = grow(a.x, rows*e.stride)
	a.projected = grow(a.projected, rows*e.wide)
	a.attended = grow(a.attended, rows*e.heads)
	a.inner = grow(a.inner, min(rows, blockRows)*e.inner)
	if len(a.parts) < threads {
		a.parts = append(a.parts, make([]scratch, threads-len(a.parts))...)
	}
	panels := kernel.Round(longest)
	for i := range a.parts[:threads] {
		p := &a.parts[i]
		p.keys = grow(p.keys, panels*e.slot)
		p.values = grow(p.values, longest*e.slot)
		p.scores = grow(p.scores, rowsAtOnce*panels)
	}
	a.work.e = e
}

// embed is the sum of word, position and type, normalised, for rows [first, last).
func (e *Encoder) embed(a *Arena, batch []Sequence, first, last int) {
	for i, s := range batch {
		start := a.starts[i]
		for row := max(first, start); row < min(last, a.starts[i+1]); row++ {
			t := row - start
			x := a.x[row*e.stride:][:e.stride]
			clear(x[e.Hidden:])
			x = x[:e.Hidden]
			sum := a.attended[row*e.heads:][:e.Hidden] // nothing else is there yet
			e.words(int(s.IDs[t]), x)
			e.positions(t, sum)
			add(x, sum)
			kind := 0
			if s.Second > 0 && t >= s.Second {
				kind = 1
			}
			e.types(kind, sum)
			add(x, sum)
			e.kernels.LayerNorm(x, e.norm.gamma, e.norm.beta, float32(e.Eps))
		}
	}
}

func add(x, y []float32) {
	y = y[:len(x)]
	for i := range x {
		x[i] += y[i]
	}
}

// layer is one layer in place: x = norm(x + attention(x)), then
// x = norm(x + feedForward(x)). The sums are made in the multiplications.
func (e *Encoder) layer(a *Arena, l *layer, rows int) {
	w := &a.work
	w.layer = l
	w.rows, w.from = rows, 0
	a.team.do(a, project)
	a.team.do(a, attend)
	if w.first {
		rows = e.keepFirst(a)
		w.rows = rows
	}
	a.team.do(a, out)
	w.norm = l.attended
	a.team.do(a, normalise)
	for blocks := (rows + blockRows - 1) / blockRows; blocks > 0 && w.from < rows; blocks-- {
		w.rows = min(rows-w.from, kernel.Tiled((rows-w.from+blocks-1)/blocks))
		a.team.do(a, up)
		a.team.do(a, down)
		w.from += w.rows
	}
	w.rows, w.from, w.norm = rows, 0, l.fed
	a.team.do(a, normalise)
}

// keepFirst moves the first token of every sequence to the front, as if it were a
// sequence of its own, and gives their number.
func (e *Encoder) keepFirst(a *Arena) int {
	n := len(a.starts) - 1
	for i := range n {
		from := a.starts[i]
		copy(a.x[i*e.stride:][:e.stride], a.x[from*e.stride:])
		copy(a.attended[i*e.heads:][:e.heads], a.attended[from*e.heads:])
		a.starts[i] = i
	}
	a.starts[n] = n
	return n
}

func (e *Encoder) normalise(x []float32, n norm) {
	for ; len(x) > 0; x = x[e.stride:] {
		e.kernels.LayerNorm(x[:e.Hidden], n.gamma, n.beta, float32(e.Eps))
	}
}
