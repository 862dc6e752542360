// Command search compares Quarry's local store with other engines on the same made
// corpora, each in processes of its own, one after the other, and prints or writes the
// tables of benchmarks/search.md. It runs on Linux, from benchmarks/search:
//
//	go run . -write                       everything, as in the file; takes long
//	go run . -size 10000                  the smallest corpus alone, to standard output
//	go run . -systems quarry,lucene       these alone
//
// What could not be measured, and why, stands in the tables.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/engine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if len(os.Args) > 1 && os.Args[1] == workerArgument {
		err = work(ctx, os.Args[2:])
	} else {
		err = compare(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	sizes   []int
	systems []string
	dir     string
	write   bool
	plan    engine.Plan
}

func parse() (settings, error) {
	sizes := flag.String("size", "10000,100000,1000000", "numbers of passages, with commas between")
	systems := flag.String("systems", strings.Join(names(), ","), "engines to measure, with commas between")
	questions := flag.Int("questions", corpus.QuestionsMade, "questions to ask in a cell, at most")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "quarry-search"), "folder for corpora and indexes; some GB")
	limit := flag.Duration("cap", time.Minute, "most time for a cell; what was asked until then is reported")
	warm := flag.Duration("warm", 3*time.Second, "time to warm up before a cell")
	write := flag.Bool("write", false, "write the tables into "+file+", in place of those of the same size")
	flag.Parse()
	s := settings{dir: *dir, write: *write, plan: engine.Plan{Questions: *questions, Cap: *limit, Warm: *warm}}
	if flag.NArg() > 0 {
		return s, fmt.Errorf("%q is too much; see -help", flag.Arg(0))
	}
	if *questions < 1 || *questions > corpus.QuestionsMade {
		return s, fmt.Errorf("-questions is %d; give 1 to %d", *questions, corpus.QuestionsMade)
	}
	for part := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return s, fmt.Errorf("-size: %q is no number of passages", part)
		}
		s.sizes = append(s.sizes, n)
	}
	known := names()
	for name := range strings.SplitSeq(*systems, ",") {
		if !slices.Contains(known, name) {
			return s, fmt.Errorf("-systems: %q is none of %s", name, strings.Join(known, ", "))
		}
		s.systems = append(s.systems, name)
	}
	return s, nil
}
