package kernel

import "golang.org/x/sys/cpu"

// detect gives the sets that this CPU can run, the fastest last.
func detect() []*Set {
	sets := []*Set{Portable}
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return sets
	}
	sets = append(sets, &Set{Name: "AVX2", rows: 6, softmax: softmax8, norm: norm8,
		tile: tiled(tileAVX2x1, tileAVX2x2, tileAVX2x3, tileAVX2x4, tileAVX2x5, tileAVX2x6)})
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		sets = append(sets, &Set{Name: "AVX-512", rows: 12, softmax: softmax8, norm: norm8,
			tile: tiled(tileAVX512x1, tileAVX512x2, tileAVX512x3, tileAVX512x4, tileAVX512x5, tileAVX512x6,
				tileAVX512x7, tileAVX512x8, tileAVX512x9, tileAVX512x10, tileAVX512x11, tileAVX512x12)})
	}
	return sets
}

func softmax8(x []float32) { softmaxAVX2(&x[0], len(x)/8) }

func norm8(x, gamma, beta []float32, eps float32) {
	normAVX2(&x[0], &gamma[0], &beta[0], len(x)/8, 1/float32(len(x)), eps)
}
