// Command kernels writes the assembly of embedding/bert: AVX2 with FMA for amd64
// by avo, NEON for arm64. It is a module of its own, so that avo is no dependency
// of the project. From embedding/bert/internal/kernel:
//
//	go generate
//
// A test of that package checks that its files are what this writes.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	neon := flag.String("neon", "", "file for the arm64 assembly; the other flags are avo's")
	flag.Parse()
	if err := writeNeon(*neon); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
	build.ConstraintExpr("amd64")
	for m := 1; m <= 6; m++ {
		tile(m)
	}
	softmax()
	norm()
	build.Generate()
}
