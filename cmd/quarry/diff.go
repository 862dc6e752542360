package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

func (a *app) diff() *cobra.Command {
	var words bool
	cmd := &cobra.Command{
		Use:   "diff DOCUMENT [A] [B]",
		Short: "Show what changed between two revisions of a document",
		Long: `Show what changed between two revisions of a document, in what it says of itself and in
its canonical text, as a unified diff of lines; --words marks the words instead. A and B
are dates (what was in force on that day), "current", "previous", or the beginning of a
hash of quarry history; without them the previous and the current revision are compared.`,
		Example:           "  quarry diff policies/refunds.md 2025-12-31 current",
		Args:              needs("one DOCUMENT, and at most two revisions", 1, 3),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addReaders(cmd)
	cmd.Flags().BoolVar(&words, "words", false, "mark what changed within lines, [-so-]{+so+}")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		scope, err := flags.scope()
		if err != nil {
			return err
		}
		from, to := quarry.PreviousRevision, quarry.CurrentRevision
		if len(args) > 1 {
			from = args[1]
		}
		if len(args) > 2 {
			to = args[2]
		}
		corpus, _, err := a.open(ctx)
		if err != nil {
			return err
		}
		defer corpus.Close()
		id, err := corpus.ResolveAny(ctx, args[0], scope)
		if err != nil {
			return err
		}
		d, err := corpus.Diff(ctx, id, from, to, scope)
		if err != nil {
			return err
		}
		if a.json {
			return a.writeDiff(id, d)
		}
		a.printDiff(id, d, words)
		return nil
	}
	return cmd
}

type diffJSON struct {
	Document string         `json:"document"`
	Source   string         `json:"source"`
	From     heldJSON       `json:"from"`
	To       heldJSON       `json:"to"`
	Metadata []metadataJSON `json:"metadata"`
	Changes  []changeJSON   `json:"changes"`
}

type metadataJSON struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// changeJSON replaces a span of the old text by one of the new; lines are half-open, from 0.
type changeJSON struct {
	Heading  []string `json:"heading"`
	OldSpan  [2]int   `json:"old_span"`
	NewSpan  [2]int   `json:"new_span"`
	OldLines [2]int   `json:"old_lines"`
	NewLines [2]int   `json:"new_lines"`
	Old      string   `json:"old"`
	New      string   `json:"new"`
}

func (a *app) writeDiff(id document.ID, d quarry.Difference) error {
	out := diffJSON{Document: id.Path, Source: id.Source, From: heldOf(d.From), To: heldOf(d.To), Metadata: []metadataJSON{}, Changes: []changeJSON{}}
	out.From.InForce, out.To.InForce = d.From.Revision == d.InForce, d.To.Revision == d.InForce
	for _, m := range d.Metadata {
		out.Metadata = append(out.Metadata, metadataJSON(m))
	}
	for _, c := range d.Changes {
		out.Changes = append(out.Changes, changeJSON{list(c.Heading), pair(c.Old), pair(c.New), c.OldLines, c.NewLines,
			strings.Join(d.Old[c.OldLines[0]:c.OldLines[1]], ""), strings.Join(d.New[c.NewLines[0]:c.NewLines[1]], "")})
	}
	return a.writeJSON(out)
}

// around is how many lines are shown before and after a change.
const around = 3

func (a *app) printDiff(id document.ID, d quarry.Difference, words bool) {
	a.printf("--- %s\t%s, %s\n", oneLine(id.Path), shortHash(d.From.Revision), days(d.From.Valid))
	a.printf("+++ %s\t%s, %s\n", oneLine(id.Path), shortHash(d.To.Revision), days(d.To.Valid))
	for _, m := range d.Metadata {
		a.printf("%s: %s -> %s\n", m.Field, orNone(m.Old), orNone(m.New))
	}
	if len(d.Changes) == 0 {
		a.printf("The texts are the same.\n")
	}
	for from := 0; from < len(d.Changes); {
		to := from + 1
		for to < len(d.Changes) && d.Changes[to].OldLines[0]-d.Changes[to-1].OldLines[1] <= 2*around {
			to++
		}
		a.printHunk(d, d.Changes[from:to], words)
		from = to
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return oneLine(s)
}

// printHunk prints changes that stand close together, with the lines around them.
func (a *app) printHunk(d quarry.Difference, changes []quarry.TextChange, words bool) {
	first, last := changes[0], changes[len(changes)-1]
	before := min(around, first.OldLines[0])
	after := min(around, len(d.Old)-last.OldLines[1])
	a.printf("@@ -%s +%s @@%s\n", lineRange(first.OldLines[0]-before, last.OldLines[1]+after),
		lineRange(first.NewLines[0]-before, last.NewLines[1]+after), headingAbove(changes))
	at := first.OldLines[0] - before
	for _, c := range changes {
		a.printLines(" ", d.Old[at:c.OldLines[0]])
		if at = c.OldLines[1]; words {
			a.printWords(c.Words)
			continue
		}
		a.printLines("-", d.Old[c.OldLines[0]:c.OldLines[1]])
		a.printLines("+", d.New[c.NewLines[0]:c.NewLines[1]])
	}
	a.printLines(" ", d.Old[at:at+after])
}

// headingAbove is where changes stand: the first heading that is above one.
func headingAbove(changes []quarry.TextChange) string {
	for _, c := range changes {
		if len(c.Heading) > 0 {
			return " " + oneLine(strings.Join(c.Heading, " › "))
		}
	}
	return ""
}

// lineRange is a range of lines as unified diffs have it, counted from 1.
func lineRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func (a *app) printLines(mark string, lines []string) {
	for _, l := range lines {
		a.printf("%s%s\n", mark, strings.TrimSuffix(l, "\n"))
	}
}

func (a *app) printWords(changes []quarry.WordChange) {
	var b strings.Builder
	for _, w := range changes {
		b.WriteString(w.Same)
		if w.Old != "" {
			b.WriteString("[-" + strings.TrimSuffix(w.Old, "\n") + "-]")
		}
		if w.New != "" {
			b.WriteString("{+" + strings.TrimSuffix(w.New, "\n") + "+}")
		}
	}
	a.printLines("~", strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"))
}
