package local

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local/internal/scan"
)

// codes are vectors with one byte for each component: a vector is about its scale
// times its row. How far it is from that is known, so that comparing codes tells
// between which bounds a dot product lies, and no vector that belongs to the best
// is missed (the VA-file of Weber, Schek and Blott, "A Quantitative Analysis and
// Performance Study for Similarity-Search Methods in High-Dimensional Spaces",
// VLDB 1998, with bounds by the inequality of Cauchy and Schwarz).
type codes struct {
	stride int     // bytes of a row; see scan.Stride
	spread float32 // no vector differs from scale*row by more than spread*scale
	scales []float32
	rows   []byte
}

func newCodes(dims int) codes { return codes{stride: scan.Stride(dims)} }

// add appends the codes of a vector.
func (c *codes) add(vector []float32) {
	most := 0.0
	for _, x := range vector {
		most = max(most, math.Abs(float64(x)))
	}
	scale := float32(0)
	if most > 0 {
		scale = float32(max(most/127, 0x1p-126)) // what is smaller has few digits
	}
	at := len(c.rows)
	c.rows = append(c.rows, make([]byte, c.stride)...)
	lost := 0.0
	for i, x := range vector {
		if scale == 0 {
			break
		}
		code := math.Round(min(127, max(-127, float64(x)/float64(scale))))
		c.rows[at+i] = byte(int8(code))
		rest := float64(x)/float64(scale) - code
		lost += rest * rest
	}
	c.scales = append(c.scales, scale)
	c.spread = max(c.spread, roundUp(math.Sqrt(lost)))
}

// roundUp gives a float32 that is no smaller.
func roundUp(x float64) float32 { return math.Nextafter32(float32(x), math.MaxFloat32) }

// take appends vectors from..to of another set.
func (c *codes) take(o *codes, from, to int) {
	c.scales = append(c.scales, o.scales[from:to]...)
	c.rows = append(c.rows, o.rows[from*o.stride:to*o.stride]...)
	c.spread = max(c.spread, o.spread)
}

// encode writes the spread, the scales and the rows.
func (c *codes) encode() []byte {
	b := make([]byte, 0, codesSize(len(c.scales), c.stride))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c.spread))
	b = appendFloats(b, c.scales)
	return seal(append(b, c.rows...))
}

// codesSize is how long n vectors are when encoded.
func codesSize(n, dims int) int { return 4 + n*(4+scan.Stride(dims)) + 4 }

// decodeCodes reads n vectors of dims components. It keeps raw and writes to it: of a
// million vectors a copy would be as much memory again.
func decodeCodes(raw []byte, n, dims int) (*codes, error) {
	body, err := unseal(raw)
	if err != nil {
		return nil, err
	}
	c := newCodes(dims)
	if dims <= 0 || n < 0 || n > len(body) || len(raw) != codesSize(n, dims) {
		return nil, fmt.Errorf("%w: %d bytes are not the codes of %d vectors of %d dimensions", store.ErrDamaged, len(body), n, dims)
	}
	c.spread = math.Float32frombits(binary.LittleEndian.Uint32(body))
	c.scales = floatsOf(body[4 : 4+4*n])
	c.rows = raw[:copy(raw, body[4+4*n:])] // to the front, where they are aligned
	ok := c.spread >= 0 && c.spread <= math.MaxFloat32
	for _, x := range c.scales {
		ok = ok && x >= 0 && x <= math.MaxFloat32
	}
	if !ok {
		return nil, fmt.Errorf("%w: codes have no scale", store.ErrDamaged)
	}
	return &c, nil
}

// question is a question's vector as codes are compared with it.
type question struct {
	floats []float32
	codes  []int16
	scale  float64
	length float64 // Euclidean
	lost   float64 // the length of what scale*codes leaves out
}

func newQuestion(vector []float32) *question {
	stride := scan.Stride(len(vector))
	q := &question{floats: vector, codes: make([]int16, stride)}
	most, sum := 0.0, 0.0
	for _, x := range vector {
		most = max(most, math.Abs(float64(x)))
		sum += float64(x) * float64(x)
	}
	q.length = math.Sqrt(sum)
	if q.scale = most / float64(scan.MostQuery(stride)); q.scale == 0 {
		return q
	}
	lost := 0.0
	for i, x := range vector {
		code := math.Round(float64(x) / q.scale)
		q.codes[i] = int16(code)
		rest := float64(x) - code*q.scale
		lost += rest * rest
	}
	q.lost = math.Sqrt(lost)
	return q
}

// slack is how far, in scales of the vector, scale*q.scale*sum may be from the dot
// product: what the codes of the vector leave out times the length of the question,
// and what those of the question leave out times the greatest length of a row.
func (q *question) slack(c *codes) float64 {
	const rounding = 1 + 1e-9
	return rounding * (float64(c.spread)*q.length + q.lost*127*math.Sqrt(float64(len(q.floats))))
}

func appendFloats(b []byte, floats []float32) []byte {
	for _, x := range floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// floatsOf reads what appendFloats wrote.
func floatsOf(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
