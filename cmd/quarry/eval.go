package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/standard"
)

// evalFlags are what quarry eval was told.
type evalFlags struct {
	dir      string
	only     string
	metrics  []string
	answers  string
	gold     bool
	name     string
	baseline string
	gateText string
	gate     evaluate.Gate
	files    map[string]*string // by what is written
	try      []string
	reader   []string // who is told which stage lost a passage
}

// Choices of --answers.
const (
	answersAuto = "auto"
	answersYes  = "yes"
	answersNo   = "no"
)

func (a *app) eval() *cobra.Command {
	e := &evalFlags{files: map[string]*string{"junit": new(string), "markdown": new(string), "html": new(string)}}
	cmd := &cobra.Command{
		Use:   "eval SET",
		Short: "Measure search and answers on a question set",
		Long: `Measure search and answers on a question set: a folder that holds questions.jsonl
and docs/, a BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv), or a questions
file, with the documents from --docs or the store. Scope flags count for the
questions that do not say otherwise. quarry eval init makes a first set.

Answers are measured too, and which stage lost what was not found, but for a BEIR set,
which judges no answer (--answers yes does both; -v names the stage). --gold also measures the answers that are made
from the judged passages: what is still wrong then is not retrieval's doing.

Every run is kept in a folder beside the store (STORE.runs): the newest thirty, and
those with a name. --baseline shows what got better and worse since one, and --gate
ends with exit code 3 unless its conditions hold: metrics, and the counts better,
broken, failures, fixed, outgrown, problems, unreviewed, worse.

--try measures configurations against each other: every combination of the values
given, with what it costs; p says whether the first is really another. A change of
how documents are cut is tried in a store of its own.`,
		Example: `  quarry eval examples/handbook --only tuning
  quarry eval questions.jsonl --docs handbook --name before
  quarry eval questions.jsonl --docs handbook --baseline before --gate 'recall@5>=0.8,worse<=2' --html report.html
  quarry eval questions.jsonl --docs handbook --try fusion=weighted,rrf --try chunk.target=128,256`,
		Args: needs("one SET", 1, 1),
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &e.dir)
	addReader(cmd, &e.reader)
	f := cmd.Flags()
	f.StringVar(&e.only, "only", evaluate.All, "which questions: all, tuning or held-out")
	f.StringSliceVar(&e.metrics, "metrics", nil, "which metrics, such as recall@5,ndcg@10 (default some thirty)")
	f.StringVar(&e.answers, "answers", answersAuto, "measure answers, and name the stage that lost a passage: yes, no, or auto, all but BEIR sets")
	f.BoolVar(&e.gold, "gold", false, "measure answers from the judged passages too")
	f.StringVar(&e.name, "name", "", "keep the run under this name")
	f.StringVar(&e.baseline, "baseline", "", "compare with a kept run: last, its name, or a file")
	f.StringVar(&e.gateText, "gate", "", "conditions, such as 'recall@5>=0.9,worse<=2'; exit code 3 unless all hold")
	f.StringVar(e.files["junit"], "junit", "", "write JUnit XML to this file")
	f.StringVar(e.files["markdown"], "markdown", "", "write Markdown to this file")
	f.StringVar(e.files["html"], "html", "", "write one HTML file with charts")
	f.StringArrayVar(&e.try, "try", nil, "try values of a setting, KEY=VALUE,VALUE... (repeatable)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := e.check(); err != nil {
			return err
		}
		scope, err := flags.scope()
		if err != nil {
			return err
		}
		tries, err := a.triesOf(e.try)
		if err != nil {
			return err
		}
		set, _, err := evaluate.Load(args[0])
		if err != nil {
			return err
		}
		if len(tries) > 0 {
			return a.runTries(cmd.Context(), set, scope, *e, tries)
		}
		return a.runEval(cmd.Context(), set, scope, *e)
	}
	cmd.AddCommand(a.evalInit())
	return cmd
}

// check reports the first flag that is wrong, before anything is read.
func (e *evalFlags) check() error {
	if e.only != evaluate.All && e.only != evaluate.Tuning && e.only != evaluate.HeldOut {
		return usage("--only is %q: give all, tuning or held-out", e.only)
	}
	if e.answers != answersAuto && e.answers != answersYes && e.answers != answersNo {
		return usage("--answers is %q: give yes, no or auto", e.answers)
	}
	if e.gold && e.answers == answersNo {
		return usage("--gold measures answers and --answers no does not: give one of them")
	}
	if e.gateText != "" {
		gate, err := evaluate.ParseGate(e.gateText)
		if err != nil {
			return usage("--gate: %s", sentence(err))
		}
		if gate.Compares() && e.baseline == "" {
			return usage("--gate counts questions that changed, and there is nothing to compare with: give --baseline too")
		}
		e.gate = gate
	}
	if len(e.try) > 0 {
		for flag, value := range map[string]string{"--name": e.name, "--baseline": e.baseline, "--gate": e.gateText,
			"--junit": *e.files["junit"], "--markdown": *e.files["markdown"], "--html": *e.files["html"]} {
			if value != "" {
				return usage("%s is for one run and --try makes several: give one of them", flag)
			}
		}
		if len(e.reader) > 0 {
			return usage("--reader says who is told which stage lost a passage, and --try names no stages: leave it out")
		}
	}
	return nil
}

// options are those of a run: what is measured, and of whom.
func (e *evalFlags) options(set evaluate.Set, test *measure.Corpus, listed bool) evaluate.Options {
	o := evaluate.Options{Only: e.only, Metrics: e.metrics, Library: test, Stager: test, Now: time.Now}
	if named := e.gate.Metrics(); len(named) > 0 {
		if len(o.Metrics) == 0 {
			o.Metrics = evaluate.DefaultMetrics()
		}
		o.Metrics = append(append([]string{}, o.Metrics...), named...)
	}
	answers, gold := evaluate.OfAnswers(append(append([]string{}, e.metrics...), e.gate.Metrics()...))
	bySet := len(e.metrics) == 0 && set.JudgesAnswers()
	if e.answers == answersYes || e.gold || e.answers == answersAuto && (answers || bySet) {
		o.Asker = test
		if e.gold || gold {
			o.Gold = test
		}
	}
	if o.Asker == nil && !listed {
		o.Stager = test.RecallOnly()
	}
	return o
}

// runEval measures a set once.
func (a *app) runEval(ctx context.Context, set evaluate.Set, scope document.Scope, e evalFlags) error {
	runs, err := a.runsOf(set, e.dir)
	if err != nil {
		return err
	}
	if e.name != "" {
		if err := runs.CheckName(e.name); err != nil {
			return usage("--name: %s", sentence(err))
		}
	}
	baseline, err := a.baseline(runs, set, e)
	if err != nil {
		return err
	}
	corpus, err := a.openSet(ctx, &set, e.dir, &scope)
	if err != nil {
		return err
	}
	defer corpus.Close()
	test := measure.New(corpus, scope).Reader(e.reader)
	o := e.options(set, test, a.verbose)
	s, err := a.settings()
	if err != nil {
		return err
	}
	if o.Judge, err = standard.Judge(s); err != nil {
		return err
	}
	report, parts, err := a.measured(ctx, set, test, o)
	if err != nil {
		return err
	}
	run := evaluate.Kept{Report: report}
	if run.Run, err = a.runInfo(ctx, corpus, set, scope, e); err != nil {
		return err
	}
	w := evaluate.Written{}
	if baseline != nil {
		c := evaluate.Compare(baseline.Report, report, 0)
		c.Baseline, c.Settings = baseline.Title(), run.Differences(*baseline)
		run.Report.ComparedWith, w.Baseline = &c, &baseline.Report
	}
	if e.gate != nil {
		result := e.gate.Check(run.Report)
		w.Gate = &result
	}
	if run.Run.File, err = runs.Save(run); err != nil {
		a.note("note: %s", sentence(err))
	}
	w.Report, w.Run = run.Report, run.Run
	if err := a.showRun(w, parts); err != nil {
		return err
	}
	if err := e.writeFiles(w); err != nil {
		return err
	}
	return failedGate(w.Gate)
}

// measured runs a set, and where a part of it is held out, each part: the lists
// and answers are there already then, and only the figures are made anew.
func (a *app) measured(ctx context.Context, set evaluate.Set, test *measure.Corpus, o evaluate.Options) (evaluate.Report, map[string]evaluate.Group, error) {
	show, end := a.line()
	if show != nil {
		o.Progress = func(done, total int) { show("%d of %d questions", done, total) }
	}
	report, err := evaluate.Run(ctx, set, test, o)
	end()
	if err != nil || o.Only != evaluate.All || !hasBoth(set) {
		return report, nil, err
	}
	parts, err := evaluate.Parts(set, report, o)
	return report, parts, err
}

// baseline is the run to compare with; nil where none was asked for, or where the
// last one was and this is the first.
func (a *app) baseline(runs evaluate.Runs, set evaluate.Set, e evalFlags) (*evaluate.Kept, error) {
	if e.baseline == "" {
		return nil, nil
	}
	k, err := runs.Find(e.baseline, set.Name, e.only)
	if errors.Is(err, evaluate.ErrNoRun) {
		a.note("note: there is no earlier run of these questions to compare with; this one is kept")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &k, nil
}

// runInfo says what a run was made with.
func (a *app) runInfo(ctx context.Context, corpus *standard.Corpus, set evaluate.Set, scope document.Scope, e evalFlags) (evaluate.RunInfo, error) {
	s, err := a.settings()
	if err != nil {
		return evaluate.RunInfo{}, err
	}
	f, err := corpus.Fingerprint(ctx, scope.Sources)
	if err != nil {
		return evaluate.RunInfo{}, err
	}
	return evaluate.RunInfo{Name: e.name, At: time.Now().UTC(), Set: set.Name, SetHash: set.Hash(), Only: e.only, Version: version(),
		Settings: config.Values(s), Models: corpus.Models(), Corpus: evaluate.CorpusState(f)}, nil
}
