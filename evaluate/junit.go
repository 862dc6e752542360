package evaluate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Written is what the writers of files show of a run.
type Written struct {
	Report Report
	Run    RunInfo
	// Baseline is the report that Report.ComparedWith compares with, for charts.
	Baseline *Report
	Gate     *GateResult
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes a run as JUnit XML: a suite with the gate's conditions, and one with the
// questions. Where there is a gate it alone decides, so that a failed question is
// skipped with its reason and not a failed test; without one it fails.
func (w Written) WriteJUnit(out io.Writer) error {
	var suites junitSuites
	set := clean(w.Report.Set)
	if w.Gate != nil {
		gate := junitSuite{Name: "gate of " + set}
		for _, c := range w.Gate.Checks {
			test := junitCase{Class: set + ".gate", Name: clean(c.Condition)}
			if !c.Passed {
				gate.Failures++
				test.Failure = &junitMessage{Message: clean(c.Reason)}
			}
			gate.Cases = append(gate.Cases, test)
		}
		gate.Tests = len(gate.Cases)
		suites.Suites = append(suites.Suites, gate)
	}
	failed := map[string]Failure{}
	for _, f := range w.Report.Failures {
		failed[f.ID] = f
	}
	questions := junitSuite{Name: set, Tests: len(w.Report.ByQuestion)}
	if c := w.Report.Cost; c != nil {
		questions.Time = fmt.Sprintf("%.3f", c.Seconds)
	}
	for _, q := range w.Report.ByQuestion {
		test := junitCase{Class: set + "." + clean(q.Type), Name: clean(q.ID + ": " + oneLine(q.Question))}
		if q.Seconds > 0 {
			test.Time = fmt.Sprintf("%.3f", q.Seconds)
		}
		if f, ok := failed[q.ID]; ok {
			message := &junitMessage{Message: clean(oneLine(f.Reason)), Text: clean(details(f))}
			if w.Gate != nil {
				questions.Skipped++
				test.Skipped = message
			} else {
				questions.Failures++
				test.Failure = message
			}
		}
		questions.Cases = append(questions.Cases, test)
	}
	suites.Suites = append(suites.Suites, questions)
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(out)
	enc.Indent("", "  ")
	if err := enc.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// details are the lines below a failure's reason.
func details(f Failure) string {
	var lines []string
	if f.LostAt != "" {
		lines = append(lines, "lost at: "+f.LostAt)
	}
	if f.Blame != "" {
		lines = append(lines, "whose doing: "+f.Blame)
	}
	for _, u := range f.Missing {
		lines = append(lines, "missing: "+oneLine(u.Document+" "+u.Heading+" "+u.Quote))
	}
	return strings.Join(lines, "\n")
}

// clean takes out of a set's text what acts on who shows it: control characters but
// for tab and line feed, and the controls of bidirectional text, which reorder it.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20, 0x7f <= r && r <= 0x9f, r == 0x061c, 0x200e <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == utf8.RuneError:
			return '\uFFFD'
		}
		return r
	}, s)
}
