// Command kernels writes the assembly of embedding/bert: AVX2 with FMA and AVX-512
// for amd64 by avo, NEON for arm64. It is a module of its own, so that avo is no dependency
// of the project. From embedding/bert/internal/kernel:
//
//	go generate
//
// A test of that package checks that its files are what this writes.
package main

import "github.com/seed-d3156d19/quarry/tools/kernels/write"

func main() {
	write.Files("kernels", writeNeon, func() {
		for m := 1; m <= 6; m++ {
			tile(avx2, m)
		}
		for m := 1; m <= 12; m++ {
			tile(avx512, m)
		}
		softmax()
		norm()
	})
}
