package kernel

import "golang.org/x/sys/cpu"

func detect() *Set {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return &Set{Name: "AVX2", rows: 6, tile: tileAVX2, softmax: softmax8, norm: norm8}
	}
	return Portable
}

func tileAVX2(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, ahead []float32, pace int) {
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
		tile1(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 2:
		tile2(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 3:
		tile3(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 4:
		tile4(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 5:
		tile5(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	case 6:
		tile6(n, k, pa, lda, pb, pc, ldc, pbias, int(mode), next, pace)
	}
}

func softmax8(x []float32) { softmaxAVX2(&x[0], len(x)/8) }

func norm8(x, gamma, beta []float32, eps float32) {
	normAVX2(&x[0], &gamma[0], &beta[0], len(x)/8, 1/float32(len(x)), eps)
}
