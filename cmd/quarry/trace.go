package main

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry"
)

// noteTrace names on standard error every stage that failed and filters that leave
// nothing, and with -v what
// each one did.
func (a *app) noteTrace(t *quarry.Trace) {
	for _, failed := range t.Failed() {
		a.note("note: a stage failed and the result was made without it: %s", failed)
	}
	for _, n := range t.Notices {
		a.note("note: %s", n)
	}
	if !a.verbose {
		return
	}
	if len(t.Terms) > 0 {
		fmt.Fprintf(a.errs, "%-11s %s\n", "terms", oneLine(strings.Join(t.Terms, " ")))
	}
	for _, r := range t.Records {
		fmt.Fprintf(a.errs, "%-11s %5d -> %-5d %8.2f ms  %s\n", r.Stage, r.In, r.Out, float64(r.Took.Microseconds())/1000, oneLine(strings.Join(r.Notes, "; ")))
	}
}
