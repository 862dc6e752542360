package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/engine"
	"github.com/seed-d3156d19/quarry/benchmarks/search/exact"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/benchmarks/search/report"
)

// file holds the tables.
const file = "../search.md"

// names are those of all systems, in the order in which they are measured.
func names() []string {
	var out []string
	for _, e := range engine.Go {
		out = append(out, e.Name)
	}
	return append(out, luceneKeyword, luceneVectors)
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// compare measures the systems on each corpus and reports on it before the next.
func compare(ctx context.Context) error {
	s, err := parse()
	if err != nil {
		return err
	}
	if s.write {
		if err := report.Check(file); err != nil {
			return err
		}
	}
	parameters, err := corpus.Fitted()
	if err != nil {
		return err
	}
	var noLucene error
	if slices.ContainsFunc(s.systems, isLucene) {
		noLucene = buildLucene(ctx)
	}
	for _, size := range s.sizes {
		dir, err := corpus.Folder(s.dir, parameters, corpus.Seed, size)
		if err != nil {
			return err
		}
		say("the corpus of %d passages is in %s", size, dir)
		if err := corpus.Make(dir, parameters, corpus.Seed, size); err != nil {
			return err
		}
		run, err := s.measure(ctx, dir, noLucene, s.keep)
		if err != nil {
			return err
		}
		if !s.write {
			fmt.Println(run.Markdown())
		}
	}
	return nil
}

// keep writes what was measured so far, so that a run which is interrupted leaves whole
// tables.
func (s settings) keep(run report.Run, left []string) error {
	if !s.write {
		return nil
	}
	run.Left = slices.Clone(run.Left)
	for _, name := range left {
		run.Left = append(run.Left, name+", which the run did not reach")
	}
	return run.Write(file)
}

// measure measures all systems on one corpus, and calls keep after each, with those that
// are still to come. A system that fails is left out, and the report says so.
func (s settings) measure(ctx context.Context, dir string, noLucene error, keep func(run report.Run, left []string) error) (report.Run, error) {
	files, err := corpus.Open(dir)
	if err != nil {
		return report.Run{}, err
	}
	run := report.Run{
		Passages: files.Passages,
		Machine:  machine(ctx),
		Plan:     fmt.Sprintf("At most %d questions and %v a cell, after %v to warm up", s.plan.Questions, s.plan.Cap, s.plan.Warm),
	}
	for _, name := range names() {
		if !slices.Contains(s.systems, name) {
			run.Left = append(run.Left, name+", which was not asked for")
		}
	}
	say("computing what should be found")
	if err := files.MakePhrases(); err != nil {
		return run, fmt.Errorf("choosing phrases: %w", err)
	}
	if run.Exact, err = exactAnswers(files); err != nil {
		return run, fmt.Errorf("computing what should be found: %w", err)
	}
	if run.Questions, err = describe(files, s.plan.Questions); err != nil {
		return run, err
	}
	if run.Read, err = readVectors(files); err != nil {
		return run, err
	}
	for i, name := range s.systems {
		var measured report.System
		var err error
		if isLucene(name) {
			err = noLucene
		} else if e, unknown := find(name); unknown == nil {
			err = e.Missing()
		}
		if err == nil {
			measured, err = measureSystem(ctx, task{System: name, Corpus: dir, Index: filepath.Join(dir, "index-"+name), Plan: s.plan})
		}
		if ctx.Err() != nil {
			return run, ctx.Err()
		}
		if err != nil {
			say("%v", err)
			run.Left = append(run.Left, fmt.Sprintf("%s, which failed: %v", name, err))
		} else {
			run.Systems = append(run.Systems, measured)
		}
		if err := keep(run, s.systems[i+1:]); err != nil {
			return run, err
		}
	}
	return run, nil
}

// exactAnswers keeps them beside the corpus, since at a million passages they take
// minutes.
func exactAnswers(files corpus.Files) ([]measure.Answers, error) {
	kept := filepath.Join(files.Dir, fmt.Sprintf("exact-%d-%d.json", measure.Answered[measure.Keyword], measure.Answered[measure.Vector]))
	var all []measure.Answers
	if err := measure.Read(kept, &all); err == nil {
		return all, nil
	}
	questions, err := files.Questions(corpus.QuestionsMade)
	if err != nil {
		return nil, err
	}
	words, err := exact.Keyword(files, questions[:measure.Answered[measure.Keyword]], measure.Depth[measure.Keyword])
	if err != nil {
		return nil, err
	}
	near, err := exact.Vectors(files, questions[:measure.Answered[measure.Vector]], measure.Depth[measure.Vector])
	if err != nil {
		return nil, err
	}
	all = append(words, near...)
	return all, measure.Write(kept, all)
}

func describe(files corpus.Files, asked int) (report.Questions, error) {
	questions, err := files.Questions(asked)
	if err != nil {
		return report.Questions{}, err
	}
	common, err := exact.Common(files, questions, 0.1)
	if err != nil {
		return report.Questions{}, err
	}
	var words, frequent float64
	for _, q := range questions {
		words += float64(len(q.Terms))
		if slices.ContainsFunc(q.Terms, func(t string) bool { return common[t] }) {
			frequent++
		}
	}
	n := float64(len(questions))
	return report.Questions{Words: words / n, Frequent: frequent / n}, nil
}

// readVectors times reading all vectors once, and gives their memory back before
// engines are measured.
func readVectors(files corpus.Files) (report.Read, error) {
	f, err := os.Open(filepath.Join(files.Dir, corpus.VectorsFile))
	if err != nil {
		return report.Read{}, err
	}
	defer f.Close()
	defer debug.FreeOSMemory()
	words := make([]uint64, 4*files.Passages*files.Dims/8)
	for part := range slices.Chunk(words, 1<<16) {
		if err := binary.Read(f, binary.LittleEndian, part); err != nil {
			return report.Read{}, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
	}
	const rounds = 10
	return report.Read{
		Bytes: int64(8 * len(words)),
		One:   measure.ReadOnce(words, 1, rounds),
		Two:   measure.ReadOnce(words, 2, rounds),
	}, nil
}

// machine says what the figures were taken on.
func machine(ctx context.Context) string {
	model := "an unknown processor"
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	load := "unknown"
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(b), " ")
	}
	return fmt.Sprintf("%s, %d cores, %s, %s; load before: %s (over 0.5, read the figures as ratios)",
		model, runtime.NumCPU(), runtime.Version(), javaVersion(ctx), load)
}
