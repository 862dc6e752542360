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
		Long:              "Find the passages for a question, best first, without an answer.",
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
		result.Candidates = result.Candidates[:min(k, len(result.Candidates))]
		a.noteTrace(result.Trace)
		if a.json {
			return a.writeSearch(result)
		}
		a.printSearch(ctx, corpus, scope, result)
		return nil
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

func (a *app) writeSearch(r quarry.Result) error {
	hits := make([]hitJSON, len(r.Candidates))
	for i, c := range r.Candidates {
		hits[i] = hitOf(c, c.Span, c.Text)
	}
	return a.writeJSON(struct {
		Question string        `json:"question"`
		Hits     []hitJSON     `json:"hits"`
		Trace    *quarry.Trace `json:"trace"`
	}{r.Question, hits, r.Trace})
}

// snippetRunes is how much of a passage search shows unless told to say more.
const snippetRunes = 320

func (a *app) printSearch(ctx context.Context, corpus *standard.Corpus, scope document.Scope, r quarry.Result) {
	if len(r.Candidates) == 0 {
		a.printf("No passage was found.\n")
		return
	}
	var listed []document.ID
	for _, c := range r.Candidates {
		listed = append(listed, c.Document)
	}
	lines := a.lines(corpus, scope, listed)
	for i, c := range r.Candidates {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("%d. %s (%s)  %.3f\n", c.Rank, trail(c.Title, c.Heading), lines.place(ctx, c.Document, c.Revision, c.Span.From), c.Score)
		text := c.Text
		if !a.verbose {
			text = snippet(text)
		}
		a.printf("%s\n", indented(4, text))
	}
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
