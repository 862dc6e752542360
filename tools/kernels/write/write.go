// Package write is what the generators of assembly have in common: avo's flags, and one
// for the file of the arm64 assembly.
package write

import (
	"flag"
	"fmt"
	"os"

	"github.com/mmcloughlin/avo/build"
)

// Files writes what a generator named so makes: the arm64 assembly into the file of -neon,
// and what amd64 builds into those that avo's flags name.
func Files(name string, arm64 func(file string) error, amd64 func()) {
	neon := flag.String("neon", "", "file for the arm64 assembly; the other flags are avo's")
	flag.Parse()
	if err := arm64(*neon); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
	build.ConstraintExpr("amd64")
	amd64()
	build.Generate()
}
