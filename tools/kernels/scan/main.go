// Command scan writes the assembly of store/local/internal/scan: AVX2 for amd64 by
// avo, NEON for arm64. From that package:
//
//	go generate
//
// A test of that package checks that its files are what this writes.
package main

import "github.com/seed-d3156d19/quarry/tools/kernels/write"

func main() {
	write.Files("scan", writeNeon, sums)
}
