package main

import (
	"context"
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
	extraction  document.Extraction
	references  []quarry.Reference
	definitions []document.Definition
}

func (a *app) show() *cobra.Command {
	asked := make([]bool, len(showParts))
	cmd := &cobra.Command{
		Use:   "show DOCUMENT",
		Short: "Show what is known of a document: outline, passages, text, references, how it was read",
		Long: `Show the revision of a document that is in force: what is known of it and its
outline, or one part: its passages, its canonical text to compare with the
original, the report of its extraction, what it refers to, what its terms mean.`,
		Example:           "  quarry show policies/refunds.md --passages",
		Args:              needs("one DOCUMENT", 1, 1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	for i, p := range showParts {
		cmd.Flags().BoolVar(&asked[i], p.name, false, p.help)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		part, err := onePart(asked)
		if err != nil {
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
		if s.listed, s.revision, err = a.find(ctx, corpus, args[0], scope); err != nil {
			return err
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
	id, err := corpus.Resolve(ctx, name, scope)
	if err != nil {
		return store.Listed{}, document.Revision{}, err
	}
	documents, err := corpus.Documents(ctx, scope)
	if err != nil {
		return store.Listed{}, document.Revision{}, err
	}
	var listed store.Listed
	for _, d := range documents {
		if d.Document == id {
			listed = d
		}
	}
	if listed.Error != "" {
		return listed, document.Revision{}, fmt.Errorf("%s could not be indexed: %s; correct it and run quarry add again", id.Path, listed.Error)
	}
	revision, err := corpus.Document(ctx, id, scope)
	return listed, revision, err
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
		a.printOutline(r)
	}
}
