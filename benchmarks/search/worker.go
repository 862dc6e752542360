package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/engine"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/benchmarks/search/report"
)

// workerArgument makes this program a process that measures one engine.
const workerArgument = "worker"

// The tasks of a worker.
const (
	building = "build"
	opening  = "open"
	serving  = "serve"
)

// openings are how often an index is opened in a fresh process before it is asked; with
// that which asks, the least time of a lane counts. The first may find pages of the files
// outside the page cache, or memory that the machine has yet to be given.
const openings = 2

// task is what a worker is told.
type task struct {
	Task   string
	System string
	Corpus string // folder
	Index  string // folder
	Result string // file
	Plan   engine.Plan
}

// work carries out a task in this process.
func work(ctx context.Context, args []string) error {
	var t task
	if err := json.Unmarshal([]byte(strings.Join(args, " ")), &t); err != nil {
		return fmt.Errorf("a worker is started by this program, with a task: %w", err)
	}
	e, err := find(t.System)
	if err != nil {
		return err
	}
	files, err := corpus.Open(t.Corpus)
	if err != nil {
		return err
	}
	if t.Task == building {
		built, err := e.Build(ctx, files, t.Index)
		if err != nil {
			return err
		}
		return measure.Write(t.Result, built)
	}
	measured := e.Serve
	if t.Task == opening {
		measured = e.Opened
	}
	served, err := measured(ctx, files, t.Index, t.Plan)
	if err != nil {
		return err
	}
	return measure.Write(t.Result, served)
}

func find(name string) (engine.Engine, error) {
	for _, e := range engine.Go {
		if e.Name == name {
			return e, nil
		}
	}
	return engine.Engine{}, fmt.Errorf("there is no engine %q", name)
}

// launch runs a task in a process of its own and waits for it.
func launch(ctx context.Context, t task) error {
	program, args, err := commandLine(t)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("the process that was to %s %s: %w", t.Task, t.System, err)
	}
	return nil
}

func commandLine(t task) (program string, args []string, err error) {
	if isLucene(t.System) {
		files, err := corpus.Open(t.Corpus)
		if err != nil {
			return "", nil, err
		}
		args, err = javaArguments(t, files)
		return "java", args, err
	}
	said, err := json.Marshal(t)
	if err != nil {
		return "", nil, err
	}
	program, err = os.Executable()
	return program, []string{workerArgument, string(said)}, err
}

// measureSystem builds and serves one system, anew each time.
func measureSystem(ctx context.Context, t task) (s report.System, err error) {
	s.Name = t.System
	if err := os.RemoveAll(t.Index); err != nil {
		return s, err
	}
	if err := os.MkdirAll(t.Index, 0o755); err != nil {
		return s, err
	}
	// An index is as large as its corpus and is not used again.
	defer os.RemoveAll(t.Index)
	t.Task, t.Result = building, filepath.Join(t.Index, "built.json")
	say("building %s", t.System)
	if err := launch(ctx, t); err != nil {
		return s, err
	}
	if err := measure.Read(t.Result, &s.Built); err != nil {
		return s, err
	}
	t.Task, t.Result = opening, filepath.Join(t.Index, "opened.json")
	say("asking %s", t.System)
	var opened []measure.Served
	for range openings {
		if err := launch(ctx, t); err != nil {
			return s, err
		}
		var o measure.Served
		if err := measure.Read(t.Result, &o); err != nil {
			return s, err
		}
		opened = append(opened, o)
	}
	t.Task, t.Result = serving, filepath.Join(t.Index, "served.json")
	if err := launch(ctx, t); err != nil {
		return s, err
	}
	if err := measure.Read(t.Result, &s.Served); err != nil {
		return s, err
	}
	for _, o := range opened {
		s.Served.Ready = measure.Sooner(s.Served.Ready, o.Ready)
	}
	return s, nil
}
