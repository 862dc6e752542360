package kernel

// Every arm64 CPU has NEON.
func detect() *Set {
	return &Set{Name: "NEON", rows: 4, tile: tileNEON, softmax: softmax8, norm: norm8}
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

func tileNEON(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, ahead []float32, pace int) {
	if m < 1 || n < 1 || k < 1 {
		return
	}
	// The assembly trusts these bounds.
	_, _ = a[(m-1)*lda+k-1], b[n*k*Width-1]
	_, _ = c[(m-1)*ldc+n*Width-1], bias[n*Width-1]
	pa, pb, pc, pbias := &a[0], &b[0], &c[0], &bias[0]
	lda, ldc = 4*lda, 4*ldc
	next := pb // nothing to prefetch: what is in the cache anyway
	if len(ahead) > 0 {
		next, pace = &ahead[0], 4*pace
	} else {
		pace = 0
	}
	switch m {
	case 1:
		neon1(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 2:
		neon2(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 3:
		neon3(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 4:
		neon4(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	}
}

func softmax8(x []float32) { neonSoftmax(&x[0], len(x)/8) }

func norm8(x, gamma, beta []float32, eps float32) {
	neonNorm(&x[0], &gamma[0], &beta[0], len(x)/8, 1/float32(len(x)), eps)
}
