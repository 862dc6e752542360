package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// heldJSON is a revision as history lists it.
type heldJSON struct {
	Revision   string              `json:"revision"`
	Title      string              `json:"title"`
	Status     string              `json:"status"`
	Valid      [2]*string          `json:"valid"`
	Basis      string              `json:"basis"` // of its validity: "stated", "seen" or "inferred from ..."
	InForce    bool                `json:"in_force"`
	Seen       time.Time           `json:"seen"`
	Format     string              `json:"format"`
	Version    string              `json:"version"`
	Public     bool                `json:"public"`
	Readers    []string            `json:"readers"`
	Deny       []string            `json:"deny"`
	Attributes map[string][]string `json:"attributes"`
	Formerly   []formerJSON        `json:"formerly"`
}

// formerJSON is a path that the document had with this content.
type formerJSON struct {
	Document string `json:"document"`
	Until    string `json:"until"` // the first day on which it had another
}

type historyJSON struct {
	Document  string     `json:"document"`
	Source    string     `json:"source"`
	Revisions []heldJSON `json:"revisions"` // the newest first
	Error     string     `json:"error"`     // why it failed, if it did last
	FailedOn  *string    `json:"failed_on"`
}

func (a *app) history() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history DOCUMENT",
		Short: "List the revisions of a document and when each was in force",
		Long: `List the revisions of a document that are kept, the newest first: the beginning of the
hash, status, the days on which each holds and whether the document states them, they
are inferred or follow from when it was seen, readers, and the paths that it had before it was renamed.
quarry show DOCUMENT --revision opens one, quarry diff compares two. Who may not read
the newest revision is told of none.`,
		Example:           "  quarry history policies/refunds.md",
		Args:              needs("one DOCUMENT", 1, 1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addReaders(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
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
		id, err := corpus.ResolveAny(ctx, args[0], scope)
		if err != nil {
			return err
		}
		h, inForce, err := corpus.History(ctx, id, scope)
		if err != nil {
			return err
		}
		if a.json {
			return a.writeJSON(historyOf(h, inForce))
		}
		a.printHistory(historyOf(h, inForce), h)
		return nil
	}
	return cmd
}

func historyOf(h store.History, inForce string) historyJSON {
	out := historyJSON{Document: h.Document.Path, Source: h.Document.Source, Revisions: []heldJSON{}, Error: h.Failed}
	if h.FailedOn != 0 {
		day := h.FailedOn.String()
		out.FailedOn = &day
	}
	for _, r := range slices.Backward(h.Revisions) {
		held := heldOf(r)
		if r.Revision == inForce { // the newest of several with one hash
			held.InForce, inForce = true, ""
		}
		out.Revisions = append(out.Revisions, held)
	}
	return out
}

func heldOf(r store.Held) heldJSON {
	m := r.Metadata
	held := heldJSON{Revision: r.Revision, Title: r.Title, Status: string(r.Status), Valid: validOf(r.Valid), Basis: "seen", Seen: *known(r.Seen),
		Format: r.Format, Version: m.Version, Public: m.Access.Everyone, Readers: list(m.Access.Readers), Deny: list(m.Access.Deny),
		Attributes: m.Attributes, Formerly: []formerJSON{}}
	switch {
	case m.Inferred != "":
		held.Basis = "inferred from " + m.Inferred
	case m.Effective != (document.Interval{}):
		held.Basis = "stated"
	}
	if r.Forgotten {
		held.Status += ", not kept"
	}
	if held.Attributes == nil {
		held.Attributes = map[string][]string{}
	}
	for _, f := range m.Formerly {
		held.Formerly = append(held.Formerly, formerJSON{f.Path, f.Until.String()})
	}
	return held
}

// shortHash is how much of a hash people are shown; it names the revision.
func shortHash(hash string) string { return hash[:min(12, len(hash))] }

func (a *app) printHistory(h historyJSON, was store.History) {
	a.printf("%s:%s\n", oneLine(h.Source), oneLine(h.Document))
	if h.Error != "" {
		a.printf("failed since %s: %s\n", *h.FailedOn, oneLine(h.Error))
	}
	if len(h.Revisions) == 0 {
		return
	}
	a.printf("\n")
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "REVISION\tSTATUS\tHOLDS\tBASIS\tSEEN\tREADERS\tTITLE\n")
	for i, r := range h.Revisions {
		status, readers := r.Status, "everyone"
		if r.InForce {
			status += ", in force"
		}
		if !r.Public {
			readers = strings.Join(r.Readers, " ")
		}
		if len(r.Deny) > 0 {
			readers += " but " + strings.Join(r.Deny, " ")
		}
		valid := was.Revisions[len(was.Revisions)-1-i].Valid
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", shortHash(r.Revision), status, days(valid), r.Basis, r.Seen.Format(minuteForm), oneLine(readers), oneLine(r.Title))
	}
	t.Flush()
	for _, r := range h.Revisions {
		for _, f := range slices.Backward(r.Formerly) {
			a.printf("%s was %s until %s\n", shortHash(r.Revision), oneLine(f.Document), f.Until)
		}
	}
}
