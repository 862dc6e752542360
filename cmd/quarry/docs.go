package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// documentJSON is a document as docs lists it.
type documentJSON struct {
	Document string     `json:"document"`
	Source   string     `json:"source"`
	Title    string     `json:"title"`
	Revision string     `json:"revision"`
	Status   string     `json:"status"`
	Valid    [2]*string `json:"valid"`
	Inferred string     `json:"inferred"` // what valid was inferred from
	Passages int        `json:"passages"`
	Vectors  int        `json:"vectors"`
	Suspect  bool       `json:"suspect"`
	Error    string     `json:"error"`
}

func documentOf(d store.Listed) documentJSON {
	return documentJSON{d.Document.Path, d.Document.Source, d.Title, d.Revision, d.Status, validOf(d.Valid), d.Inferred, d.Passages, d.Vectors, d.Suspect, d.Error}
}

// validOf is an interval as JSON has it: half-open, null where a side is open.
func validOf(i document.Interval) [2]*string {
	day := func(d document.Day) *string {
		if d == 0 {
			return nil
		}
		s := d.String()
		return &s
	}
	return [2]*string{day(i.From), day(i.To)}
}

func (a *app) docs() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "docs",
		Short:             "List the documents with validity, status and failures",
		Long:              "List the documents that the scope sees, with the revision in force, its validity,\nstatus, passages, and why it failed if it did. \"suspect\" marks one whose text should\nbe compared with the original: quarry show DOCUMENT --extraction says why.",
		Example:           "  quarry docs --as-of 2025-06-30",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx := cmd.Context()
		scope, err := flags.scope()
		if err != nil {
			return err
		}
		corpus, _, err := a.open(ctx)
		if err != nil {
			return err
		}
		defer corpus.Close()
		documents, err := corpus.Documents(ctx, scope)
		if err != nil {
			return err
		}
		if a.json {
			out := make([]documentJSON, len(documents))
			for i, d := range documents {
				out[i] = documentOf(d)
			}
			return a.writeJSON(struct {
				Documents []documentJSON `json:"documents"`
			}{out})
		}
		a.printDocuments(documents)
		return nil
	}
	return cmd
}

func (a *app) printDocuments(documents []store.Listed) {
	if len(documents) == 0 {
		// The same whatever there is beyond: that something is not seen, and from
		// which day, is not for everyone to know.
		a.printf("no documents are seen; --drafts sees drafts too, --as-of another day, --as what a principal may read\n")
		return
	}
	sources := map[string]bool{}
	for _, d := range documents {
		sources[d.Document.Source] = true
	}
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "DOCUMENT\tSTATUS\tVALID\tPASSAGES\tTITLE\n")
	for _, d := range documents {
		name := d.Document.Path
		if len(sources) > 1 {
			name = d.Document.String()
		}
		about := d.Title
		if d.Error != "" {
			about = d.Error
		}
		status := d.Status
		if d.Suspect {
			status += ", suspect"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\n", oneLine(name), status, daysOf(d), d.Passages, oneLine(about))
		if a.verbose && d.Revision != "" {
			fmt.Fprintf(t, "  revision %s\t\t\t\t\n", d.Revision)
		}
	}
	t.Flush()
}

// daysOf are the days on which a document holds, marked where they are inferred.
func daysOf(d store.Listed) string {
	if d.Inferred == "" {
		return days(d.Valid)
	}
	return days(d.Valid) + ", inferred"
}

// days is an interval for people: with its last day, not the one after.
func days(i document.Interval) string {
	switch {
	case i == document.Interval{}:
		return "always"
	case i.From != 0 && i.From == i.To:
		return "never"
	case i.To == 0:
		return "from " + i.From.String()
	case i.From == 0:
		return "to " + (i.To - 1).String()
	}
	return i.From.String() + " to " + (i.To - 1).String()
}
