package kernel

// Every arm64 CPU has NEON.
func detect() []*Set {
	return []*Set{Portable, {Name: "NEON", rows: 4, tile: tiled(neon1, neon2, neon3, neon4), softmax: softmax8, norm: norm8}}
}

//go:noescape
func neon1(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)

//go:noescape
func neon2(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)

//go:noescape
func neon3(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)

//go:noescape
func neon4(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)

//go:noescape
func neonSoftmax(x *float32, n int)

//go:noescape
func neonNorm(x, gamma, beta *float32, n int, share, eps float32)

func softmax8(x []float32) { neonSoftmax(&x[0], len(x)/8) }

func norm8(x, gamma, beta []float32, eps float32) {
	neonNorm(&x[0], &gamma[0], &beta[0], len(x)/8, 1/float32(len(x)), eps)
}
