package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/firstset"
)

// initFlags are what quarry eval init was told.
type initFlags struct {
	dir   string
	out   string
	count int
	force bool
}

func (a *app) evalInit() *cobra.Command {
	i := &initFlags{}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a first question set from the documents",
		Long: `Make a first question set from the documents, without a model: from headings,
definitions, tables and identifiers. The questions say "reviewed": false: read them,
correct or delete them, and set it to true. A third is held out, for measuring what
was tuned on the others; the same documents give the same questions.

They share words with their passages, as a reader's questions do not: figures over
them are too good, and show what is not found at all and what a change breaks.`,
		Example: `  quarry eval init --docs handbook --out questions.jsonl
  quarry eval questions.jsonl --docs handbook`,
		Args: needs("no argument", 0, 0),
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &i.dir)
	cmd.Flags().StringVar(&i.out, "out", "questions.jsonl", "the file to write")
	cmd.Flags().IntVar(&i.count, "count", 60, "how many questions at most")
	cmd.Flags().BoolVar(&i.force, "force", false, "replace the file")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		scope, err := flags.scope()
		if err != nil {
			return err
		}
		if i.count < 1 {
			return usage("--count is %d: give a number above 0", i.count)
		}
		if i.out == "" {
			return usage("--out is empty: name the file to write")
		}
		if _, err := os.Lstat(i.out); err == nil && !i.force {
			return fmt.Errorf("%s is there already, perhaps with questions that were reviewed: name another file with --out, or replace it with --force", i.out)
		}
		return a.runInit(cmd.Context(), scope, *i)
	}
	return cmd
}

func (a *app) runInit(ctx context.Context, scope document.Scope, i initFlags) error {
	asked := scope
	corpus, err := a.openDocs(ctx, i.dir, &scope)
	if err != nil {
		return err
	}
	defer corpus.Close()
	listed, err := corpus.Documents(ctx, scope)
	if err != nil {
		return err
	}
	maker := firstset.New()
	for _, d := range listed {
		if d.Error != "" {
			continue
		}
		r, err := corpus.Document(ctx, d.Document, scope)
		if err != nil {
			return fmt.Errorf("reading %s: %w", d.Document, err)
		}
		maker.Add(r)
	}
	questions := maker.Questions(i.count, asked)
	if len(questions) == 0 {
		headings := "no heading"
		if passed := maker.Passed(); passed != "" {
			headings = "no heading to ask about (" + passed + ")"
		}
		return fmt.Errorf("no question could be made of %s: no definition, table or identifier is recognised there, and %s; write questions by hand, one JSON object a line, as docs/MEASURING.md shows",
			count(len(listed), "document"), headings)
	}
	var b bytes.Buffer
	if err := evaluate.WriteQuestions(&b, questions); err != nil {
		return err
	}
	if err := os.WriteFile(i.out, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("%s cannot be written: %w; name another file with --out", i.out, cause(err))
	}
	byType, held := map[string]int{}, 0
	for _, q := range questions {
		byType[q.Type]++
		if q.HeldOut {
			held++
		}
	}
	if a.json {
		return a.writeJSON(struct {
			File      string         `json:"file"`
			Questions int            `json:"questions"`
			HeldOut   int            `json:"held_out"`
			ByType    map[string]int `json:"by_type"`
		}{i.out, len(questions), held, byType})
	}
	a.printf("%s: %s, %d of them held out\n", oneLine(i.out), count(len(questions), "question"), held)
	for _, kind := range []string{firstset.Heading, firstset.Definition, firstset.Table, firstset.Identifier} {
		a.printf("  %-17s %d\n", kind, byType[kind])
	}
	a.printf("None is reviewed: read them, correct or delete them, and set \"reviewed\" to true.\n")
	return nil
}
