package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/evaluate"
)

func hasBoth(set evaluate.Set) bool {
	held := 0
	for _, q := range set.Questions {
		if q.HeldOut {
			held++
		}
	}
	return held > 0 && held < len(set.Questions)
}

// showRun writes the result of a run to standard output.
func (a *app) showRun(w evaluate.Written, parts map[string]evaluate.Group) error {
	if a.json {
		return a.writeJSON(struct {
			evaluate.Report
			Parts map[string]evaluate.Group `json:"parts,omitempty"` // tuning and held-out
			Gate  *evaluate.GateResult      `json:"gate,omitempty"`
			Run   evaluate.RunInfo          `json:"run"`
		}{w.Report, parts, w.Gate, w.Run})
	}
	if err := a.printEval(w.Report, parts); err != nil {
		return err
	}
	if w.Gate != nil {
		a.printf("\n")
		for _, c := range w.Gate.Checks {
			state := "passed"
			if !c.Passed {
				state = "failed"
			}
			a.printf("gate %s: %s", state, c.Condition)
			if c.Reason != "" {
				a.printf(" (%s)", oneLine(c.Reason))
			}
			a.printf("\n")
		}
	}
	if a.verbose && w.Run.File != "" {
		a.printf("\nkept in %s\n", oneLine(w.Run.File))
	}
	return nil
}

// writeFiles writes the files that were asked for.
func (e *evalFlags) writeFiles(w evaluate.Written) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{*e.files["junit"], w.WriteJUnit}, {*e.files["markdown"], w.WriteMarkdown}, {*e.files["html"], w.WriteHTML}} {
		if f.name == "" {
			continue
		}
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return fmt.Errorf("writing %s: %w", f.name, err)
		}
		if err := os.WriteFile(f.name, b.Bytes(), 0o644); err != nil {
			return fmt.Errorf("%s cannot be written: %w; name another file", f.name, cause(err))
		}
	}
	return nil
}

// failedGate is an error of its own kind where a gate failed.
func failedGate(g *evaluate.GateResult) error {
	if g == nil || g.Passed {
		return nil
	}
	var reasons []string
	for _, c := range g.Checks {
		if !c.Passed {
			reasons = append(reasons, c.Reason)
		}
	}
	return kindError{errGate, "the gate failed: " + strings.Join(reasons, "; ")}
}

func (a *app) printEval(report evaluate.Report, parts map[string]evaluate.Group) error {
	if err := report.WriteTable(&a.out); err != nil {
		return err
	}
	if len(parts) > 0 {
		a.printParts(report, parts)
	}
	if !a.verbose {
		if len(report.Failures)+len(report.Problems) > 0 || judgedWrong(report) {
			a.printf("-v lists %s\n", unlisted(report))
		}
		return nil
	}
	for _, f := range report.Failures {
		a.printf("\n%s (%s) %s\n    %s\n", oneLine(f.ID), oneLine(f.Type), oneLine(f.Question), oneLine(f.Reason))
		if f.LostAt != "" {
			a.printf("    lost at: %s\n", f.LostAt)
		}
		if f.Blame != "" {
			a.printf("    whose doing: %s\n", f.Blame)
		}
		for _, u := range f.Missing {
			a.printf("    missing: %s\n", oneLine(fmt.Sprint(u.Document, " ", u.Heading, " ", u.Quote)))
		}
	}
	for _, q := range report.ByQuestion {
		if v := q.Verdict; isWrong(v) {
			a.printf("\n%s (%s) %s\n    judged incorrect: %s\n", oneLine(q.ID), oneLine(q.Type), oneLine(q.Question), oneLine(v.Reason))
		}
	}
	for _, p := range report.Problems {
		a.printf("\n%s\n", oneLine(p.String()))
	}
	return nil
}

// unlisted names what -v would list: a table may stand between it and its count.
func unlisted(r evaluate.Report) string {
	var parts []string
	if n := len(r.Failures); n > 0 {
		parts = append(parts, count(n, "failed question"))
	}
	if n := len(r.Problems); n > 0 {
		parts = append(parts, count(n, "problem"))
	}
	if judgedWrong(r) {
		parts = append(parts, "the answers that were judged incorrect")
	}
	return strings.Join(parts, " and ")
}

func judgedWrong(r evaluate.Report) bool {
	return slices.ContainsFunc(r.ByQuestion, func(q evaluate.Result) bool { return isWrong(q.Verdict) })
}

func isWrong(v *evaluate.Verdict) bool { return v != nil && !v.Correct }
