package main

import "github.com/seed-d3156d19/quarry"

// maxListed is how many documents of a kind a report lists unless told to say more.
const maxListed = 5

func (a *app) printReports(reports []quarry.Report) {
	for _, r := range reports {
		a.printf("%s: %d added, %d changed, %d removed, %d unchanged, %d failed, %d skipped", oneLine(r.Source),
			len(r.Added), len(r.Changed), len(r.Removed), r.Unchanged, len(r.Failed), len(r.Skipped))
		if n := len(r.Renamed); n > 0 {
			a.printf(", %d renamed", n)
		}
		a.printf("\n")
		if r.Inferred > 0 {
			a.printf("  %-8s of %s the validity is inferred from file names; sources.series: off infers nothing\n", "dated", count(r.Inferred, "document"))
		}
		if a.verbose {
			for _, l := range []struct {
				what      string
				documents []string
			}{{"added", r.Added}, {"changed", r.Changed}, {"removed", r.Removed}} {
				for _, d := range l.documents {
					a.printf("  %-8s %s\n", l.what, oneLine(d))
				}
			}
			for _, n := range r.Renamed {
				a.printf("  %-8s %s, which was %s\n", "renamed", oneLine(n.To), oneLine(n.From))
			}
		}
		for _, f := range r.Failed {
			a.printf("  %-8s %s: %s\n", "failed", oneLine(f.Document), oneLine(f.Error))
		}
		a.printWarned(r)
		a.printProblems("kept", r.Unreached)
		withheld := make([]quarry.Problem, len(r.Withheld))
		for i, d := range r.Withheld {
			withheld[i] = quarry.Problem{Document: d, Error: "it is gone from the source and still indexed"}
		}
		a.printProblems("withheld", withheld)
		a.printProblems("suspect", r.Suspect)
		a.printProblems("refused", r.Unembedded)
		a.printProblems("skipped", r.Skipped)
		if n := len(r.Suspect); n > 0 {
			a.printf("  %s suspect: compare what quarry show DOCUMENT --text prints with the original, and give a better copy where it differs\n", countIs(n, "document"))
		}
	}
}

// countIs is "1 document is", "2 documents are".
func countIs(n int, what string) string {
	if n == 1 {
		return count(n, what) + " is"
	}
	return count(n, what) + " are"
}

// printProblems lists the first of several documents of a kind.
func (a *app) printProblems(kind string, problems []quarry.Problem) {
	for i, p := range problems {
		if i == maxListed && len(problems) > maxListed+1 && !a.verbose {
			a.printf("  %-8s %d more; -v lists them\n", kind, len(problems)-i)
			break
		}
		a.printf("  %-8s %s: %s\n", kind, oneLine(p.Document), oneLine(p.Error))
	}
}

// reportJSON is a report with every field there.
type reportJSON struct {
	Source     string           `json:"source"`
	Added      []string         `json:"added"`
	Changed    []string         `json:"changed"`
	Removed    []string         `json:"removed"`
	Renamed    []quarry.Rename  `json:"renamed"`
	Unreached  []quarry.Problem `json:"unreached"`
	Withheld   []string         `json:"withheld"`
	Unchanged  int              `json:"unchanged"`
	Inferred   int              `json:"inferred"`
	Failed     []quarry.Problem `json:"failed"`
	Skipped    []quarry.Problem `json:"skipped"`
	Warned     []quarry.Problem `json:"warned"`
	Suspect    []quarry.Problem `json:"suspect"`
	Vectors    int              `json:"vectors"`
	Unembedded []quarry.Problem `json:"unembedded"`
	Incomplete bool             `json:"incomplete"`
}

func (a *app) writeReports(reports []quarry.Report) error {
	out := make([]reportJSON, len(reports))
	for i, r := range reports {
		out[i] = reportJSON{r.Source, list(r.Added), list(r.Changed), list(r.Removed), list(r.Renamed), list(r.Unreached), list(r.Withheld), r.Unchanged, r.Inferred,
			list(r.Failed), list(r.Skipped), list(r.Warned), list(r.Suspect), r.Vectors, list(r.Unembedded), r.Incomplete}
	}
	if len(out) == 1 {
		return a.writeJSON(out[0])
	}
	return a.writeJSON(struct {
		Reports []reportJSON `json:"reports"`
	}{out})
}
