package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) ask() *cobra.Command {
	var dir string
	var stream bool
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question from the documents, with citations",
		Long: `Answer a question with sentences of the documents, each with its citation, or
say what is missing. Not to answer is a result: the exit code is 0.

A question may say its own day: "in March 2025", "under the previous policy",
"what changed between 2023 and 2025". It counts where the documents that are
found say when they hold; --as-of counts before it.

With a chat model (generate.model) the answer is written. Each sentence is held
against the passages that it cites; one that does not hold is asked for once
more, and else removed and listed. Where the model fails, documents are quoted.`,
		Example: `  quarry ask --docs handbook "How many days may I work from abroad?"
  quarry ask --stream "How many days may I work from abroad?"`,
		Args:              needs("a QUESTION", 1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &dir)
	cmd.Flags().BoolVar(&stream, "stream", false, "print each sentence once it has been checked, while a model writes the rest")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		question, scope, err := questionOf(args, flags)
		if err != nil {
			return err
		}
		if stream && a.json {
			return usage("--stream prints sentences and --json one object: give one of them")
		}
		corpus, err := a.openDocs(ctx, dir, &scope)
		if err != nil {
			return err
		}
		defer corpus.Close()
		var tell func(quarry.Said) error
		told := false
		if stream {
			tell = func(s quarry.Said) error {
				told = true
				a.printf("%s", s.Text)
				return a.flush()
			}
		}
		asked, err := corpus.AskTelling(ctx, question, scope, tell)
		if told {
			a.printf("\n")
		}
		if err != nil {
			return err
		}
		a.noteTrace(asked.Trace)
		if a.json {
			return a.writeAnswer(ctx, pastOf(corpus, onDay(scope, asked.AsOf)), asked)
		}
		a.printAsOf(asked.AsOf)
		if !told {
			a.printf("%s\n", strings.TrimSpace(asked.Answer.Text))
		}
		return a.printAnswer(ctx, corpus, scope, asked)
	}
	return cmd
}

// printAnswer prints what belongs to an answer's text.
func (a *app) printAnswer(ctx context.Context, corpus *standard.Corpus, scope document.Scope, asked quarry.Asked) error {
	answer := asked.Answer
	var listed []document.ID
	for _, c := range answer.Conflicts {
		for _, o := range c.Overruled {
			listed = append(listed, o.Document)
		}
	}
	places := a.lines(corpus, onDay(scope, asked.AsOf), listed)
	for _, c := range answer.Conflicts {
		if c.SettledBy == "" {
			a.printf("\nConflict. %s: %s.\n", strings.TrimRight(oneLine(c.Text), ".?! "), references(c.Citations))
			continue
		}
		a.printf("\nSettled by %s. %s: %s", c.SettledBy, oneLine(c.Text), references(c.Citations))
		for _, o := range c.Overruled {
			a.printf(", over %s", places.place(ctx, o.Document, o.Revision, o.Span.From))
		}
		a.printf(".\n")
	}
	if len(answer.Missing) > 0 {
		a.printf("\n")
		for _, m := range answer.Missing {
			if answer.Status == statusNeedsInformation {
				a.printf("Not said: %s.\n", strings.TrimRight(oneLine(m), "."))
			} else {
				a.printf("Not found: %s\n", oneLine(m))
			}
		}
	}
	a.printFaults(answer)
	var near []quarry.Piece
	if answer.Status == statusInsufficient {
		near = asked.Evidence[:min(nearest, len(asked.Evidence))]
	}
	for _, p := range near {
		listed = append(listed, p.Document)
	}
	for _, c := range answer.Citations {
		listed = append(listed, c.Document)
		for _, l := range c.Also {
			listed = append(listed, l.Document)
		}
	}
	lines := a.lines(corpus, onDay(scope, asked.AsOf), listed)
	if len(near) > 0 {
		a.printf("\nNearest passages:\n")
		for _, p := range near {
			a.printf("- %s (%s%s)\n", trail(p.Title, p.Heading), lines.place(ctx, p.Document, p.Revision, p.Span.From), held(asked.AsOf, p.Valid, p.Inferred))
		}
	}
	if len(answer.Citations) == 0 {
		return nil
	}
	past := pastOf(corpus, onDay(scope, asked.AsOf))
	a.printf("\n")
	for _, c := range answer.Citations {
		a.printf("[%d] %s (%s%s)\n", c.N, trail(c.Title, c.Heading), lines.place(ctx, c.Document, c.Revision, c.Span.From), held(asked.AsOf, c.Valid, c.Inferred))
		a.printf("%s\n", indented(4, c.Quote))
		a.printAlso(ctx, lines, c.Also)
		s, err := past.of(ctx, c.Document, c.Revision)
		if err != nil {
			return err
		}
		a.printSuperseded(s, c.Document.Path)
	}
	return nil
}

// nearest is how many passages are named where none answers.
const nearest = 3

const (
	statusInsufficient     = "insufficient"
	statusNeedsInformation = "needs_information"
)

// references names citations: "see [1] and [2]".
func references(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = fmt.Sprintf("[%d]", n)
	}
	if len(parts) < 2 {
		return "see " + strings.Join(parts, "")
	}
	return "see " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// The JSON of ask.
type answerJSON struct {
	Question     string                 `json:"question"`
	AsOf         asOfJSON               `json:"as_of"`
	Status       string                 `json:"status"`
	Answer       string                 `json:"answer"`
	Citations    []citationJSON         `json:"citations"`
	Requirements []requirementJSON      `json:"requirements"`
	Missing      []string               `json:"missing"`
	Conflicts    []conflictJSON         `json:"conflicts"`
	Evidence     []hitJSON              `json:"evidence"`
	WrittenBy    string                 `json:"written_by,omitempty"` // the model; absent where the answer is quoted
	Repaired     []sentenceRepairedJSON `json:"repaired,omitempty"`
	Removed      []sentenceRemovedJSON  `json:"removed,omitempty"`
	Support      []sentenceSupportJSON  `json:"support,omitempty"` // by a second model, where one is asked
	Trace        *quarry.Trace          `json:"trace"`
}

type citationJSON struct {
	N int `json:"n"`
	placeJSON
	Quote string `json:"quote"`
	standingJSON
}

type requirementJSON struct {
	Text      string `json:"text"`
	Status    string `json:"status"`
	Citations []int  `json:"citations"`
}

type conflictJSON struct {
	Text      string         `json:"text"`
	Citations []int          `json:"citations"`
	SettledBy string         `json:"settled_by"` // "" where nothing settles it
	Overruled []citationJSON `json:"overruled"`  // what does not prevail; their n is 0
}

func (a *app) writeAnswer(ctx context.Context, past *past, asked quarry.Asked) error {
	answer := asked.Answer
	out := answerJSON{Question: asked.Question, AsOf: asOfOf(asked.AsOf), Status: string(answer.Status), Answer: answer.Text,
		Citations: []citationJSON{}, Requirements: []requirementJSON{}, Missing: list(answer.Missing),
		Conflicts: []conflictJSON{}, Evidence: []hitJSON{}, WrittenBy: answer.By, Trace: asked.Trace}
	out.addWritten(answer)
	for _, c := range answer.Citations {
		made, err := citationOf(ctx, past, c)
		if err != nil {
			return err
		}
		out.Citations = append(out.Citations, made)
	}
	for _, r := range answer.Requirements {
		out.Requirements = append(out.Requirements, requirementJSON{r.Text, string(r.Status), list(r.Citations)})
	}
	for _, c := range answer.Conflicts {
		conflict := conflictJSON{c.Text, list(c.Citations), c.SettledBy, []citationJSON{}}
		for _, o := range c.Overruled {
			made, err := citationOf(ctx, past, o)
			if err != nil {
				return err
			}
			conflict.Overruled = append(conflict.Overruled, made)
		}
		out.Conflicts = append(out.Conflicts, conflict)
	}
	for _, p := range asked.Evidence {
		s, err := past.of(ctx, p.Document, p.Revision)
		if err != nil {
			return err
		}
		hit := hitOf(p.Candidate, p.Span, p.Text, p.Also)
		hit.Superseded = supersededOf(s)
		out.Evidence = append(out.Evidence, hit)
	}
	return a.writeJSON(out)
}

func citationOf(ctx context.Context, past *past, c quarry.Citation) (citationJSON, error) {
	s, err := past.of(ctx, c.Document, c.Revision)
	return citationJSON{N: c.N, Quote: c.Quote,
		placeJSON: placeJSON{Document: c.Document.Path, Source: c.Document.Source, Title: c.Title, Heading: list(c.Heading),
			Span: [2]int{c.Span.From, c.Span.To}, Page: pageJSON(c.Page), Boxes: boxesJSON(c.Lines)},
		standingJSON: standingJSON{Revision: c.Revision, Valid: validOf(c.Valid), Inferred: c.Inferred, AlsoIn: locationsOf(c.Also), Superseded: supersededOf(s)}}, err
}
