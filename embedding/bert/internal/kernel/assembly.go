//go:build amd64 || arm64

package kernel

// assembly computes a tile of as many rows as its place in a list says; lda, ldc
// and pace are in bytes.
type assembly func(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)

// tiled is Set.tile by the assembly for 1, 2, 3 ... rows. It checks the bounds that
// the assembly trusts.
func tiled(rows ...assembly) func(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, ahead []float32, pace int) {
	return func(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, ahead []float32, pace int) {
		if m < 1 || n < 1 || k < 1 {
			return
		}
		_, _ = a[(m-1)*lda+k-1], b[n*k*Width-1]
		_, _ = c[(m-1)*ldc+n*Width-1], bias[n*Width-1]
		next := &b[0] // nothing to prefetch: what is in the cache anyway
		if len(ahead) > 0 {
			next, pace = &ahead[0], 4*pace
		} else {
			pace = 0
		}
		rows[m-1](n, k, &a[0], 4*lda, &b[0], &c[0], 4*ldc, &bias[0], int(mode), next, pace)
	}
}
