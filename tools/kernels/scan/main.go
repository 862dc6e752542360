// Command scan writes the assembly of store/local/internal/scan: AVX2 for amd64 by
// avo, NEON for arm64. From that package:
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
		fmt.Fprintln(os.Stderr, "scan:", err)
		os.Exit(1)
	}
	build.ConstraintExpr("amd64")
	sums()
	build.Generate()
}
