package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func (a *app) printPassages(r document.Revision) {
	for i, passage := range r.Passages {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("%d. %s, %s, bytes %d to %d\n", i+1, passage.Kind, count(passage.Tokens, "token"), passage.Span.From, passage.Span.To)
		if heading := r.Sections[passage.Section].Path; len(heading) > 0 {
			a.printf("   %s\n", oneLine(strings.Join(heading, " › ")))
		}
		a.printf("%s\n", indented(4, passage.Text))
	}
}

// printLine prints what is known under a name, if it is.
func (a *app) printLine(what, value string) {
	if value != "" {
		a.printf("%-12s %s\n", what, oneLine(value))
	}
}

func (a *app) printAbout(d store.Listed, r document.Revision) {
	m := r.Metadata
	a.printLine("title", d.Title)
	a.printLine("document", d.Document.String())
	a.printLine("revision", r.Hash)
	a.printLine("format", r.Format)
	a.printLine("status", d.Status)
	a.printLine("valid", standing(d.Valid, d.Inferred))
	a.printLine("version", m.Version)
	a.printLine("date", m.Date.String())
	a.printLine("category", m.Category)
	a.printLine("language", m.Language)
	a.printLine("tenant", m.Tenant)
	a.printLine("supersedes", strings.Join(m.Supersedes, ", "))
	if m.Authority != 0 {
		a.printLine("authority", fmt.Sprint(m.Authority))
	}
	if !m.Access.Everyone {
		a.printLine("readers", strings.Join(m.Access.Readers, ", "))
	}
	a.printLine("deny", strings.Join(m.Access.Deny, ", "))
	for _, key := range slices.Sorted(maps.Keys(m.Attributes)) {
		a.printLine(key, strings.Join(m.Attributes[key], ", "))
	}
	for _, f := range m.Formerly {
		a.printLine("formerly", fmt.Sprintf("%s, until %s", f.Path, f.Until))
	}
	a.printLine("passages", fmt.Sprint(len(r.Passages)))
	if d.Suspect {
		a.printLine("extraction", "suspect; --extraction says why")
	}
}

func (a *app) printOutline(r document.Revision) {
	for _, s := range r.Sections {
		if n := len(s.Path); n > 0 {
			a.printf("%s%s\n", strings.Repeat("  ", n-1), oneLine(s.Path[n-1]))
		}
	}
}

func (a *app) printExtraction(e document.Extraction) {
	if e.Pages > 0 {
		a.printLine("pages", fmt.Sprint(e.Pages))
	}
	if n := len(e.EmptyPages); n > 0 {
		a.printLine("without text", strings.Trim(fmt.Sprint(e.EmptyPages), "[]"))
	}
	a.printLine("characters", fmt.Sprint(e.Characters))
	a.printLine("unreadable", fmt.Sprintf("%d, %s of them", e.Unreadable, percent(e.Unreadable, e.Characters)))
	a.printLine("headings", fmt.Sprint(e.Headings))
	a.printLine("outside", percent(e.Outside, e.Characters)+" of the characters stand before the first heading")
	a.printLine("tables", fmt.Sprint(e.Tables))
	for _, note := range e.Notes {
		a.printLine("note", note)
	}
	for _, doubt := range e.Doubts {
		a.printLine("suspect", doubt)
	}
	if e.Suspect() {
		a.printf("Compare what quarry show --text prints with the original.\n")
	}
}

// percent is the share of n in all.
func percent(n, all int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1)))
}
