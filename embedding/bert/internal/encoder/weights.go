package encoder

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// Encoder holds a model's weights, ready for the kernels. Its methods may be
// called concurrently, each with an Arena of its own.
type Encoder struct {
	Config
	kernels *kernel.Set

	// Strides, in values, of the rows of what goes between layers: token
	// vectors, the three projections side by side, heads, feed-forward. A head
	// has a slot of slot values, its size rounded up to whole panels.
	stride, slot, wide, heads, inner int

	zeros                   []float32 // the bias of what has none
	words, positions, types Rows
	norm                    norm
	layers                  []layer
}

type norm struct{ gamma, beta []float32 }

// layer holds an encoder layer. Queries, keys and values are one matrix; the
// queries' part is divided by the square root of the size of a head beforehand.
type layer struct {
	project, out, up, down                 *kernel.Matrix
	projectBias, outBias, upBias, downBias []float32
	attended, fed                          norm
}

// New loads an encoder. prefix stands before the tensors' names ("bert." in
// models with a head).
func New(c Config, src Source, prefix string, kernels *kernel.Set) (*Encoder, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	size := c.Hidden / c.Heads
	e := &Encoder{Config: c, kernels: kernels, stride: kernel.Round(c.Hidden), slot: kernel.Round(size)}
	e.heads = c.Heads * e.slot
	e.wide = 3 * e.heads
	// One panel more than needed: rows a multiple of 4 KB apart would fall on
	// the same few lines of the cache.
	e.inner = kernel.Round(c.Inner) + kernel.Width
	l := &loader{src: src, prefix: prefix}
	e.words = l.rows("embeddings.word_embeddings.weight", c.Vocab, c.Hidden)
	e.positions = l.rows("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	e.types = l.rows("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	e.norm = l.norm("embeddings.LayerNorm", c.Hidden)
	if l.err != nil {
		return nil, l.err
	}
	e.zeros = make([]float32, max(e.slot, kernel.Round(c.Positions)))
	// The shapes of a layer's tensors are checked before anything of their
	// size is allocated.
	e.layers = make([]layer, c.Layers)
	errs := make([]error, c.Layers)
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range e.layers {
		wait.Add(1)
		free <- struct{}{}
		go func() {
			defer func() { <-free; wait.Done() }()
			errs[i] = e.load(&e.layers[i], &loader{src: src, prefix: fmt.Sprintf("%sencoder.layer.%d.", prefix, i)})
		}()
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (e *Encoder) load(to *layer, l *loader) error {
	size := e.Hidden / e.Heads
	scale := float32(1 / math.Sqrt(float64(size)))
	hidden, inner := e.Hidden, e.Inner
	slotOf := func(j int) int { return j/size*e.slot + j%size }
	parts := []struct {
		name string
		w, b Rows
	}{{name: "query"}, {name: "key"}, {name: "value"}}
	for i := range parts {
		parts[i].w = l.rows("attention.self."+parts[i].name+".weight", hidden, hidden)
		parts[i].b = l.rows("attention.self."+parts[i].name+".bias", 1, hidden)
	}
	out := l.rows("attention.output.dense.weight", hidden, hidden)
	up := l.rows("intermediate.dense.weight", inner, hidden)
	down := l.rows("output.dense.weight", hidden, inner)
	to.outBias = l.vector("attention.output.dense.bias", hidden, e.stride)
	to.upBias = l.vector("intermediate.dense.bias", inner, kernel.Round(inner))
	to.downBias = l.vector("output.dense.bias", hidden, e.stride)
	to.attended = l.norm("attention.output.LayerNorm", hidden)
	to.fed = l.norm("output.LayerNorm", hidden)
	if l.err != nil {
		return l.err
	}
	row := make([]float32, max(hidden, inner))
	reader := func(r Rows, k int) func(int) []float32 {
		return func(j int) []float32 { r(j, row[:k]); return row[:k] }
	}
	to.project = kernel.NewMatrix(hidden, e.wide)
	to.projectBias = make([]float32, e.wide)
	for i, p := range parts {
		s := float32(1)
		if i == 0 {
			s = scale
		}
		place := func(j int) int { return i*e.heads + slotOf(j) }
		to.project.Place(hidden, hidden, reader(p.w, hidden), place, nil, s)
		for j, v := range reader(p.b, hidden)(0) {
			to.projectBias[place(j)] = v * s
		}
	}
	to.out = kernel.NewMatrix(e.heads, hidden)
	to.out.Place(hidden, hidden, reader(out, hidden), nil, slotOf, 1)
	to.up = kernel.NewMatrix(hidden, inner)
	to.up.Place(inner, hidden, reader(up, hidden), nil, nil, 1)
	to.down = kernel.NewMatrix(inner, hidden)
	to.down.Place(hidden, inner, reader(down, inner), nil, nil, 1)
	return nil
}

// loader reads tensors and keeps the first error.
type loader struct {
	src    Source
	prefix string
	err    error
}

func (l *loader) rows(name string, n, k int) Rows {
	if l.err != nil {
		return nil
	}
	var r Rows
	r, l.err = l.src.Rows(l.prefix+name, n, k)
	return r
}

// vector gives a vector of n values in a slice of size, the rest zeros.
func (l *loader) vector(name string, n, size int) []float32 {
	r := l.rows(name, 1, n)
	if l.err != nil {
		return nil
	}
	v := make([]float32, size)
	r(0, v[:n])
	return v
}

func (l *loader) norm(name string, n int) norm {
	return norm{l.vector(name+".weight", n, n), l.vector(name+".bias", n, n)}
}
