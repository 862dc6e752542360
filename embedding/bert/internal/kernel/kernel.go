// Package kernel holds the arithmetic of the transformer: matrix multiplication
// on packed panels with what follows it fused in, softmax, layer normalisation.
//
// A set of kernels is chosen at run time by what the CPU can do. Portable is
// plain Go and the reference for the others: AVX-512, or AVX2 with FMA, on amd64
// (written by tools/kernels), NEON on arm64.
package kernel

//go:generate go run -C ../../../../tools/kernels . -pkg kernel -out ../../embedding/bert/internal/kernel/simd_amd64.s -stubs ../../embedding/bert/internal/kernel/simd_amd64.go -neon ../../embedding/bert/internal/kernel/neon_arm64.s

import "math"

// Width is the number of columns of a panel: two AVX2 registers of float32, one of
// AVX-512.
const Width = 16

// Round gives n rounded up to whole panels.
func Round(n int) int { return (n + Width - 1) / Width * Width }

// Tiled gives m rounded up to whole tiles, of whichever set.
func Tiled(m int) int { return (m + 11) / 12 * 12 }

// Mode says what a multiplication does with its result before it is stored.
type Mode int

const (
	// Add adds what C held before.
	Add Mode = 1 << iota
	// GELU applies x*Phi(x), Phi being the normal distribution function
	// (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016), exactly, not
	// by the tanh that approximates it. It is applied last.
	GELU
)

// Set is a set of kernels. Its functions check the bounds of what they are given,
// allocate nothing and may be called concurrently on different results.
type Set struct {
	// Name says which instructions it uses.
	Name string
	// rows is how many rows a tile has at most.
	rows int
	// tile computes m rows (1..rows) of n panels: C = A*B + bias, then mode.
	// Row i of A is a[i*lda:][:k], row i of C is c[i*ldc:][:n*Width]; panel p of
	// B is b[p*k*Width:], k rows of Width values; bias has n*Width values. ahead
	// is what comes next of B: it is prefetched at a pace of so many values for
	// every second of the k steps.
	tile func(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, ahead []float32, pace int)
	// softmax replaces x, len(x) a multiple of 8, by exp(x-max)/sum.
	softmax func(x []float32)
	// norm replaces x by (x-mean)/sqrt(variance+eps)*gamma+beta; len(x) is a
	// multiple of 8.
	norm func(x, gamma, beta []float32, eps float32)
}

// Portable is plain Go.
var Portable = &Set{Name: "portable", rows: 4, tile: tileGo, softmax: softmaxGo, norm: normGo}

// Sets are those that this CPU can run, the fastest last.
var Sets = detect()

// Best is the fastest of them.
var Best = Sets[len(Sets)-1]

// Softmax replaces x by exp(x-max)/sum, in place.
func (s *Set) Softmax(x []float32) {
	if len(x)%8 != 0 {
		softmaxGo(x)
		return
	}
	if len(x) > 0 {
		s.softmax(x)
	}
}

// LayerNorm normalises x in place (Ba, Kiros and Hinton, "Layer Normalization",
// 2016). gamma and beta are as long as x.
func (s *Set) LayerNorm(x, gamma, beta []float32, eps float32) {
	gamma, beta = gamma[:len(x)], beta[:len(x)]
	if len(x)%8 != 0 {
		normGo(x, gamma, beta, eps)
		return
	}
	if len(x) > 0 {
		s.norm(x, gamma, beta, eps)
	}
}

func softmaxGo(x []float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	sum := float32(0)
	for i, v := range x {
		e := float32(math.Exp(float64(v - top)))
		x[i] = e
		sum += e
	}
	for i := range x {
		x[i] /= sum
	}
}

func normGo(x, gamma, beta []float32, eps float32) {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	sum = 0
	for _, v := range x {
		d := float64(v) - mean
		sum += d * d
	}
	scale := 1 / math.Sqrt(sum/float64(len(x))+float64(eps))
	for i, v := range x {
		x[i] = float32((float64(v)-mean)*scale)*gamma[i] + beta[i]
	}
}

func geluGo(x float32) float32 {
	return float32(float64(x) * 0.5 * math.Erfc(-float64(x)/math.Sqrt2))
}
