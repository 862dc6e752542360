package encoder

import "github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"

// rowsAtOnce is how many queries attention takes at once: with 256 keys their
// scores are 24 KB and stay in the first-level cache.
const rowsAtOnce = 24

// masked is added to the scores of the columns that fill up the last panel of
// keys: e to it is 0. masked[n:][:16] masks the last n of a panel.
var masked = func() (m [2 * kernel.Width]float32) {
	for i := range kernel.Width {
		m[kernel.Width+i] = -1e30
	}
	return m
}()

// attend computes softmax(Q K^T) V for heads [from, to) of every sequence: scaled
// dot-product attention (Vaswani et al., "Attention Is All You Need", 2017,
// section 3.2.1); the queries are scaled already.
func (e *Encoder) attend(a *Arena, s *scratch, from, to int) {
	for i := range len(a.starts) - 1 {
		start, n := a.starts[i], a.starts[i+1]-a.starts[i]
		for h := from; h < to; h++ {
			e.attendHead(a, s, start, n, h*e.slot)
		}
	}
}

func (e *Encoder) attendHead(a *Arena, s *scratch, start, n, at int) {
	const width = kernel.Width
	size := e.Hidden / e.Heads
	panels := kernel.Round(n)
	rows := a.projected[start*e.wide:]
	e.packKeys(s.keys, rows[e.heads+at:], n)
	e.packValues(s.values, rows[2*e.heads+at:], n)
	whole := n / width // panels with 16 keys
	queries := n
	if a.work.first {
		queries = 1
	}
	for first := 0; first < queries; first += rowsAtOnce {
		m := min(rowsAtOnce, queries-first)
		query := rows[first*e.wide+at:]
		if whole > 0 {
			e.kernels.MultiplySmall(m, whole, size, query, e.wide, s.keys, s.scores, panels, e.zeros)
		}
		if n > whole*width {
			e.kernels.MultiplySmall(m, 1, size, query, e.wide, s.keys[whole*width*size:], s.scores[whole*width:], panels, masked[panels-n:])
		}
		for r := range m {
			e.kernels.Softmax(s.scores[r*panels:][:panels])
		}
		e.kernels.MultiplySmall(m, e.slot/width, n, s.scores, panels, s.values, a.attended[(start+first)*e.heads+at:], e.heads, e.zeros)
	}
}

// packKeys transposes the keys of one head into panels of 16; the places of the
// last panel without a key get zeros.
func (e *Encoder) packKeys(to, from []float32, n int) {
	const width = kernel.Width
	size := e.Hidden / e.Heads
	for j := 0; j < n; j += width {
		panel := to[j*size:][:width*size]
		if j+width > n {
			clear(panel)
		}
		for k := range min(width, n-j) {
			key := from[(j+k)*e.wide:][:size]
			for i, at := 0, k; i < size && at < len(panel); i, at = i+1, at+width {
				panel[at] = key[i]
			}
		}
	}
}

// packValues copies the values of one head into panels of 16 columns.
func (e *Encoder) packValues(to, from []float32, n int) {
	const width = kernel.Width
	for p := 0; p < e.slot; p += width {
		panel := to[p*n:][:width*n]
		for j := range n {
			copy(panel[j*width:][:width], from[j*e.wide+p:][:width])
		}
	}
}
