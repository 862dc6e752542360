// Command quality measures Quarry on examples/handbook and on every judged set that it
// finds, beside two plain ways to search that it builds in the same run, and writes
// the tables of benchmarks/quality.md. It is run from the project's root:
//
//	go run ./benchmarks/quality                            all sets, the small ones first
//	go run ./benchmarks/quality -only handbook,cranfield   these alone; the tables of the others stay
//	go run ./benchmarks/quality -sets DIR                  sets from DIR, not from ../shared/sets
//
// A set is what evaluate.Load reads. The tables stand between two marks in quality.md;
// what is around them is kept by hand and never touched. The file is written after each
// set, so that a run which is interrupted leaves whole tables. Progress, problems of a
// set, and sets that are not there are told on standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/seed-d3156d19/quarry/embedding/bert"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// handbook is the set that the project brings.
const handbook = "handbook"

// known are the sets that belong to the file, in its order: by what it takes to embed
// them. Others that are found follow by name.
var known = []string{handbook, "llm_api_docs", "hotpotqa100", "cranfield", "chunking_eval", "clapnq_dev", "tatqa_dev", "scifact", "handbook_versions", validity, days}

func main() {
	sets := flag.String("sets", "../shared/sets", "folder of the public sets")
	only := flag.String("only", "", "names of the sets to measure, with commas between")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "quality: %q is too much; name sets with -only\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, "benchmarks/quality.md", *sets, *only); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, sets, only string) error {
	if _, err := readTables(file); err != nil { // before hours of work for nothing
		return err
	}
	all := find(sets)
	chosen, err := choose(all, only)
	if err != nil {
		return err
	}
	bench := bench{embedder: bert.Default(), say: say}
	var failed []error
	for _, c := range chosen {
		if c.name == days {
			table, err := bench.dayTable(ctx, all)
			if err == nil {
				err = writeTable(file, days, table)
			}
			if err != nil {
				return err
			}
			continue
		}
		set, problems, err := evaluate.Load(c.dir)
		if err != nil {
			say("%s cannot be measured: %v", c.name, err)
			if only != "" {
				failed = append(failed, err)
			}
			continue
		}
		set.Name = c.name
		for _, p := range problems {
			say("%s: %s", c.name, p)
		}
		measure := bench.measure
		if c.name == validity {
			measure = bench.versions
		}
		tables, err := measure(ctx, set)
		if err != nil {
			return fmt.Errorf("measuring %s: %w", c.name, err)
		}
		if err := writeTable(file, c.name, tables); err != nil {
			return err
		}
		say("%s is written", c.name)
	}
	return errors.Join(failed...)
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// located is a set and where it lies; dir is "" where it is not there.
type located struct{ name, dir string }

// find gives the known sets and those that DIR holds beside them.
func find(dir string) []located {
	list := []located{{handbook, filepath.Join("examples", "handbook")}}
	for _, name := range known[1:] {
		at := filepath.Join(dir, name)
		switch name { // tables of documents of others
		case validity:
			at = filepath.Join(dir, versionedSet)
		case days:
			list = append(list, located{name, dir})
			continue
		}
		if !isSet(at) {
			at = ""
		}
		list = append(list, located{name, at})
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		say("the folder of the public sets is not there: %v", err)
	}
	for _, e := range entries {
		if at := filepath.Join(dir, e.Name()); isSet(at) && !slices.Contains(known, e.Name()) {
			list = append(list, located{e.Name(), at})
		}
	}
	return list
}

// isSet reports whether a folder has questions with judgements.
func isSet(dir string) bool {
	for _, name := range []string{"questions.jsonl", "queries.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// choose gives the sets that are there and wanted. One that is named and not there is
// an error; the others are told.
func choose(all []located, only string) ([]located, error) {
	if only == "" {
		var list []located
		for _, l := range all {
			if l.dir == "" {
				say("SKIPPED: the set %s is not there; its table, if any, is left as it was", l.name)
				continue
			}
			list = append(list, l)
		}
		return list, nil
	}
	var list []located
	wanted := strings.Split(only, ",")
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(l located) bool { return l.name == name && l.dir != "" }) {
			return nil, fmt.Errorf("there is no set %q: give names of folders in -sets, or %s", name, handbook)
		}
	}
	for _, l := range all {
		if slices.Contains(wanted, l.name) {
			list = append(list, l)
		}
	}
	return list, nil
}
