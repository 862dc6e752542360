package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
)

func (a *app) why() *cobra.Command {
	var dir string
	var e quarry.Expected
	cmd := &cobra.Command{
		Use:   "why QUESTION --expect DOCUMENT[#HEADING] | --quote TEXT",
		Short: "Say stage by stage what became of a document or passage that a question should find",
		Long: `Ask a question and say, stage by stage, what became of the document, heading or
quote that it should have found: which stage lost it, what stood before it there,
and what to try. What the asker may not read is reported as what does not exist
is; --reader tells it to one who may read it.`,
		Example: `  quarry why "How long may I work from abroad?" --expect policies/remote-work.md#Abroad
  quarry why "What is the handling fee?" --quote "capped at EUR 250 per request"`,
		Args:              needs("a QUESTION", 1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &dir)
	f := cmd.Flags()
	f.StringVar(&e.Document, "expect", "", "the DOCUMENT or DOCUMENT#HEADING that should be found")
	f.StringVar(&e.Quote, "quote", "", "the text that should be found, as it stands in a document")
	addReader(cmd, &e.Reader)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		question, scope, err := questionOf(args, flags)
		if err != nil {
			return err
		}
		switch {
		case f.Changed("expect") && strings.Trim(e.Document, " #") == "":
			return usage("--expect is empty: name a document, as quarry docs lists it")
		case f.Changed("quote") && strings.TrimSpace(e.Quote) == "":
			return usage("--quote is empty: give a text that should be found")
		case e.Document == "" && e.Quote == "":
			return usage("quarry why needs --expect DOCUMENT or --quote TEXT: %s", example(cmd))
		}
		corpus, err := a.openDocs(ctx, dir, &scope)
		if err != nil {
			return err
		}
		defer corpus.Close()
		d, err := corpus.Why(ctx, question, scope, e)
		if errors.Is(err, quarry.ErrExpected) {
			return usage("%s", sentence(err))
		}
		if err != nil {
			return err
		}
		if a.json {
			return a.writeWhy(d)
		}
		a.printWhy(d)
		return nil
	}
	return cmd
}

// addReader adds the flag that says who may be told of what the scope does not see.
func addReader(cmd *cobra.Command, reader *[]string) {
	cmd.Flags().StringArrayVar(reader, "reader", nil, "tell it to one who is this principal, though --as may not read it (repeatable)")
}

// The JSON of why.
type whyJSON struct {
	Question   string         `json:"question"`
	Expected   []expectedJSON `json:"expected"`
	Stages     []stageJSON    `json:"stages"`
	LostAt     string         `json:"lost_at"`
	Suggestion string         `json:"suggestion"`
}

type expectedJSON struct {
	Document string `json:"document"`
	Heading  string `json:"heading"`
	Quote    string `json:"quote"`
}

type stageJSON struct {
	Stage   string `json:"stage"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

func (a *app) writeWhy(d quarry.Diagnosis) error {
	out := whyJSON{Question: d.Question, Expected: []expectedJSON{}, Stages: []stageJSON{}, LostAt: string(d.LostAt), Suggestion: d.Suggestion}
	for _, e := range d.Expected {
		out.Expected = append(out.Expected, expectedJSON{e.Document, e.Heading, e.Quote})
	}
	for _, s := range d.Steps {
		out.Stages = append(out.Stages, stageJSON{string(s.Stage), string(s.Outcome), s.Detail})
	}
	return a.writeJSON(out)
}

func (a *app) printWhy(d quarry.Diagnosis) {
	for _, e := range d.Expected {
		what := e.Document
		if e.Heading != "" {
			what += "#" + e.Heading
		}
		if e.Quote != "" {
			what = strings.TrimSpace(fmt.Sprintf("%s %q", what, snippet(e.Quote)))
		}
		a.printf("expected: %s\n\n", oneLine(what))
	}
	for _, s := range d.Steps {
		a.printf("%s\n", strings.TrimRight(fmt.Sprintf("%-10s  %-11s  %s", s.Stage, s.Outcome, oneLine(s.Detail)), " "))
	}
	if d.LostAt == "" {
		a.printf("\nNothing was lost: the answer cites it.\n")
		return
	}
	a.printf("\nlost at: %s\ntry: %s\n", d.LostAt, oneLine(d.Suggestion))
}
