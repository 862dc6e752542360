package main

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) search() *cobra.Command {
	var k int
	var dir string
	cmd := &cobra.Command{
		Use:               "search QUESTION",
		Short:             "Find the passages for a question, without an answer",
		Long:              "Find the passages for a question, best first, without an answer. A text that stands\nin several documents is given once, with the other places. What --as-of finds that\nis no longer in force says so. A question may say its own day, as for ask;\n--as-of counts before it.",
		Example:           `  quarry search -k 5 "notice period for a renewal"`,
		Args:              needs("a QUESTION", 1, -1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	addDocsFlag(cmd, &dir)
	cmd.Flags().IntVarP(&k, "limit", "k", 10, "how many passages at most")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		question, scope, err := questionOf(args, flags)
		if err != nil {
			return err
		}
		if k < 1 {
			return usage("-k is %d: give a number above 0", k)
		}
		corpus, err := a.openDocs(ctx, dir, &scope)
		if err != nil {
			return err
		}
		defer corpus.Close()
		result, err := corpus.Search(ctx, question, scope)
		if err != nil {
			return err
		}
		hits := result.Distinct()
		hits = hits[:min(k, len(hits))]
		for i := range hits {
			hits[i].Rank = i + 1 // among texts that differ
		}
		a.noteTrace(result.Trace)
		if a.json {
			return a.writeSearch(ctx, pastOf(corpus, onDay(scope, result.AsOf)), result, hits)
		}
		return a.printSearch(ctx, corpus, scope, result.AsOf, hits)
	}
	return cmd
}

// questionOf joins the words of a question that was not quoted.
func questionOf(args []string, flags *scopeFlags) (string, document.Scope, error) {
	question := strings.TrimSpace(strings.Join(args, " "))
	if question == "" {
		return "", document.Scope{}, usage("the question is empty: ask something")
	}
	scope, err := flags.scope()
	return question, scope, err
}

func (a *app) writeSearch(ctx context.Context, past *past, r quarry.Result, found []quarry.Stated) error {
	hits := make([]hitJSON, len(found))
	for i, h := range found {
		hits[i] = hitOf(h.Candidate, h.Span, h.Text, h.Also)
		s, err := past.of(ctx, h.Document, h.Revision)
		if err != nil {
			return err
		}
		hits[i].Superseded = supersededOf(s)
	}
	return a.writeJSON(struct {
		Question string        `json:"question"`
		AsOf     asOfJSON      `json:"as_of"`
		Hits     []hitJSON     `json:"hits"`
		Trace    *quarry.Trace `json:"trace"`
	}{r.Question, asOfOf(r.AsOf), hits, r.Trace})
}

// snippetRunes is how much of a passage search shows unless told to say more.
const snippetRunes = 320

func (a *app) printSearch(ctx context.Context, corpus *standard.Corpus, scope document.Scope, on quarry.AsOf, hits []quarry.Stated) error {
	a.printAsOf(on)
	if len(hits) == 0 {
		a.printf("No passage was found.\n")
		return nil
	}
	var listed []document.ID
	for _, h := range hits {
		listed = append(listed, h.Document)
		for _, l := range h.Also {
			listed = append(listed, l.Document)
		}
	}
	lines, past := a.lines(corpus, onDay(scope, on), listed), pastOf(corpus, onDay(scope, on))
	for i, h := range hits {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("%d. %s (%s%s)  %.3f\n", h.Rank, trail(h.Title, h.Heading), lines.place(ctx, h.Document, h.Revision, h.Span.From), held(on, h.Valid, h.Inferred), h.Score)
		text := h.Text
		if !a.verbose {
			text = snippet(text)
		}
		a.printf("%s\n", indented(4, text))
		a.printAlso(ctx, lines, h.Also)
		s, err := past.of(ctx, h.Document, h.Revision)
		if err != nil {
			return err
		}
		a.printSuperseded(s, h.Document.Path)
	}
	return nil
}

func snippet(text string) string {
	if utf8.RuneCountInString(text) <= snippetRunes {
		return text
	}
	runes := []rune(text)[:snippetRunes]
	cut := string(runes)
	if at := strings.LastIndexAny(cut, " \n\t"); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " \n\t") + " …"
}
