package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// showParts are the parts of a document of which show shows one alone, in the order
// of its help; without one it shows a summary and the outline.
var showParts = []struct{ name, help string }{
	{"outline", "only the outline"},
	{"passages", "only the passages"},
	{"text", "only the canonical text"},
	{"extraction", "only how well the original could be read"},
	{"references", "only what it refers to, and where that leads"},
	{"definitions", "only what it says of terms and abbreviations"},
}

// shown is a document with what show shows of it.
type shown struct {
	part        string // "" for the summary
	listed      store.Listed
	revision    document.Revision
	superseded  *quarry.Superseded // where it is not in force today
	extraction  document.Extraction
	references  []quarry.Reference
	definitions []document.Definition
}

func (a *app) show() *cobra.Command {
	asked := make([]bool, len(showParts))
	var revision string
	cmd := &cobra.Command{
		Use:   "show DOCUMENT",
		Short: "Show what is known of a document: outline, passages, text, references, how it was read",
		Long: `Show the revision of a document that is in force: what is known of it and its
outline, or one part: its passages, its canonical text to compare with the
original, the report of its extraction, what it refers to, what its terms mean.

--revision shows another revision: a date (what was in force on that day), "previous", or
the beginning of a hash of quarry history. One that is no longer in force says so.`,
		Example:           "  quarry show policies/refunds.md --passages\n  quarry show policies/refunds.md --revision 2025-12-31 --text",
		Args:              needs("one DOCUMENT", 1, 1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	for i, p := range showParts {
		cmd.Flags().BoolVar(&asked[i], p.name, false, p.help)
	}
	cmd.Flags().StringVar(&revision, "revision", "", "another revision: a date, previous, or the beginning of its hash")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		part, err := onePart(asked)
		if err != nil {
			return err
		}
		byName := cmd.Flags().Changed("revision")
		if err := checkRevision(cmd, part); err != nil {
			return err
		}
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
		s := shown{part: part}
		if byName {
			s.listed, s.revision, err = a.findRevision(ctx, corpus, args[0], revision, scope)
		} else {
			s.listed, s.revision, err = a.find(ctx, corpus, args[0], scope)
		}
		if err != nil {
			return err
		}
		if byName || scope.AsOf != 0 {
			if s.superseded, err = corpus.Superseded(ctx, s.listed.Document, s.revision.Hash, scope); err != nil {
				return err
			}
		}
		if err := s.read(ctx, corpus, scope); err != nil {
			return err
		}
		if a.json {
			return a.writeShow(s)
		}
		a.printShow(s)
		return nil
	}
	return cmd
}

// checkRevision refuses what is known of the revision in force alone, and two ways to say
// which one is meant.
func checkRevision(cmd *cobra.Command, part string) error {
	switch f := cmd.Flags(); {
	case !f.Changed("revision"):
		return nil
	case f.Changed("as-of"):
		return usage("--revision and --as-of both say which revision: give one of them")
	case part == "extraction" || part == "references" || part == "definitions":
		return usage("--%s shows what is known of a revision in force: give --as-of and a date in the place of --revision", part)
	}
	return nil
}

// findRevision finds a revision, in force or not.
func (a *app) findRevision(ctx context.Context, corpus *standard.Corpus, name, revision string, scope document.Scope) (store.Listed, document.Revision, error) {
	id, err := corpus.ResolveAny(ctx, name, scope)
	if err != nil {
		return store.Listed{}, document.Revision{}, err
	}
	r, held, err := corpus.Revision(ctx, id, revision, scope)
	return store.Listed{Document: id, Title: held.Title, Revision: held.Revision, Status: string(held.Status), Valid: held.Valid, Inferred: held.Metadata.Inferred, Passages: len(r.Passages)}, r, err
}

// onePart is the part that the flags ask for.
func onePart(asked []bool) (string, error) {
	part := ""
	for i, p := range showParts {
		if asked[i] && part != "" {
			return "", usage("--%s and --%s show one thing each: give one of them", part, p.name)
		}
		if asked[i] {
			part = p.name
		}
	}
	return part, nil
}

// read takes what the part needs beside the revision.
func (s *shown) read(ctx context.Context, corpus *standard.Corpus, scope document.Scope) (err error) {
	switch id := s.listed.Document; s.part {
	case "extraction":
		s.extraction, err = corpus.Extraction(ctx, id, scope)
	case "references":
		s.references, err = corpus.References(ctx, id, scope)
	case "definitions":
		s.definitions, err = corpus.Definitions(ctx, id, scope)
	}
	return err
}

func (a *app) find(ctx context.Context, corpus *standard.Corpus, name string, scope document.Scope) (store.Listed, document.Revision, error) {
	listed, err := corpus.Listed(ctx, name, scope)
	if errors.Is(err, document.ErrNotFound) {
		err = a.notNow(ctx, corpus, name, scope, err)
	}
	if err != nil {
		return store.Listed{}, document.Revision{}, err
	}
	if listed.Error != "" {
		return listed, document.Revision{}, fmt.Errorf("%s could not be indexed: %s; correct it and run quarry add again", listed.Document.Path, listed.Error)
	}
	revision, err := corpus.Document(ctx, listed.Document, scope)
	return listed, revision, err
}

// notNow says of a document that a scope does not find, but whose history it may read, why
// that is; of any other it leaves the error as it is.
func (a *app) notNow(ctx context.Context, corpus *standard.Corpus, name string, scope document.Scope, notFound error) error {
	id, err := corpus.ResolveAny(ctx, name, scope)
	if err != nil {
		return notFound
	}
	h, _, err := corpus.History(ctx, id, scope)
	if err != nil || len(h.Revisions) == 0 {
		return notFound
	}
	if h.Revisions[len(h.Revisions)-1].Status == document.Draft {
		return fmt.Errorf("%s is a draft: --drafts shows it", id.Path)
	}
	day := "today"
	if scope.AsOf != 0 {
		day = "on " + scope.AsOf.String()
	}
	return fmt.Errorf("%s is not in force %s: quarry history %s says when it is, and --revision with a hash of it shows it", id.Path, day, id.Path)
}

func (a *app) printShow(s shown) {
	r := s.revision
	switch s.part {
	case "text":
		a.out.WriteString(r.Text)
		if !strings.HasSuffix(r.Text, "\n") {
			a.printf("\n")
		}
	case "passages":
		a.printPassages(r)
	case "outline":
		a.printOutline(r)
	case "extraction":
		a.printExtraction(s.extraction)
	case "references":
		a.printReferences(s)
	case "definitions":
		a.printDefinitions(s)
	default:
		a.printAbout(s.listed, r)
		what := "superseded"
		if s.superseded != nil && s.superseded.Until != 0 {
			what = "today"
		}
		a.printLine(what, strings.TrimPrefix(said(s.superseded, s.listed.Document.Path), "superseded "))
		if len(r.Sections) > 1 {
			a.printf("\n")
		}
		a.printOutline(r)
	}
}
