package main

import "github.com/seed-d3156d19/quarry"

// printWarned lists the documents that are indexed and whose metadata contradicts
// that of others, or names one that there is not.
func (a *app) printWarned(r quarry.Report) {
	for _, w := range r.Warned {
		a.printf("  %-8s %s: %s\n", "warned", oneLine(w.Document), oneLine(w.Error))
	}
}
