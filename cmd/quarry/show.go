package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// parts are what show shows of a document; none of them is a summary.
type parts struct {
	outline, passages, text bool
}

func (a *app) show() *cobra.Command {
	var p parts
	cmd := &cobra.Command{
		Use:               "show DOCUMENT",
		Short:             "Show what is known of a document: outline, passages, text",
		Long:              "Show the revision of a document that is in force: what is known of it and its\noutline, or its passages, or its canonical text.",
		Example:           "  quarry show policies/refunds.md --passages",
		Args:              needs("one DOCUMENT", 1, 1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := addScope(cmd)
	f := cmd.Flags()
	f.BoolVar(&p.outline, "outline", false, "only the outline")
	f.BoolVar(&p.passages, "passages", false, "only the passages")
	f.BoolVar(&p.text, "text", false, "only the canonical text")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if p.outline && p.passages || p.outline && p.text || p.passages && p.text {
			return usage("--outline, --passages and --text show one thing: give one of them")
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
		listed, revision, err := a.find(ctx, corpus, args[0], scope)
		if err != nil {
			return err
		}
		if a.json {
			return a.writeShow(listed, revision, p)
		}
		a.printShow(listed, revision, p)
		return nil
	}
	return cmd
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

func (a *app) printShow(d store.Listed, r document.Revision, p parts) {
	switch {
	case p.text:
		a.out.WriteString(r.Text)
		if !strings.HasSuffix(r.Text, "\n") {
			a.printf("\n")
		}
	case p.passages:
		for i, passage := range r.Passages {
			if i > 0 {
				a.printf("\n")
			}
			a.printf("%d. %s, %s, bytes %d to %d\n", i+1, passage.Kind, count(passage.Tokens, "token"), passage.Span.From, passage.Span.To)
			if heading := r.Sections[passage.Section].Path; len(heading) > 0 {
				a.printf("   %s\n", oneLine(strings.Join(heading, " › ")))
			}
			a.printf("%s\n", indented(4, passage.Text))
		}
	default:
		if !p.outline {
			a.printAbout(d, r)
		}
		a.printOutline(r)
	}
}

func (a *app) printAbout(d store.Listed, r document.Revision) {
	line := func(what, value string) {
		if value != "" {
			a.printf("%-12s %s\n", what, oneLine(value))
		}
	}
	m := r.Metadata
	line("title", d.Title)
	line("document", d.Document.String())
	line("revision", r.Hash)
	line("format", r.Format)
	line("status", d.Status)
	line("valid", days(d.Valid))
	line("version", m.Version)
	line("date", m.Date.String())
	line("category", m.Category)
	line("language", m.Language)
	line("tenant", m.Tenant)
	line("supersedes", strings.Join(m.Supersedes, ", "))
	if m.Authority != 0 {
		line("authority", fmt.Sprint(m.Authority))
	}
	if !m.Access.Everyone {
		line("readers", strings.Join(m.Access.Readers, ", "))
	}
	line("deny", strings.Join(m.Access.Deny, ", "))
	for _, key := range slices.Sorted(maps.Keys(m.Attributes)) {
		line(key, strings.Join(m.Attributes[key], ", "))
	}
	line("passages", fmt.Sprint(len(r.Passages)))
	if len(r.Sections) > 1 {
		a.printf("\n")
	}
}

func (a *app) printOutline(r document.Revision) {
	for _, s := range r.Sections {
		if n := len(s.Path); n > 0 {
			a.printf("%s%s\n", strings.Repeat("  ", n-1), oneLine(s.Path[n-1]))
		}
	}
}

// The JSON of show. Of outline, passages and text those are there that were
// asked for; without a flag all but the text.
type showJSON struct {
	documentJSON
	Format    string              `json:"format"`
	Authority int                 `json:"authority"`
	Readers   []string            `json:"readers"`
	Deny      []string            `json:"deny"`
	Public    bool                `json:"public"`
	Where     map[string][]string `json:"attributes"`
	Outline   []sectionJSON       `json:"outline,omitempty"`
	Passages  []passageJSON       `json:"passages,omitempty"` // in place of their number
	Text      *string             `json:"text,omitempty"`
}

type sectionJSON struct {
	Level       int      `json:"level"`
	Heading     string   `json:"heading"`
	Number      string   `json:"number"`
	Path        []string `json:"path"`
	Span        [2]int   `json:"span"`
	Description string   `json:"description"`
}

type passageJSON struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Heading []string `json:"heading"`
	Context string   `json:"context"`
	Text    string   `json:"text"`
	Span    [2]int   `json:"span"`
	Tokens  int      `json:"tokens"`
}

func (a *app) writeShow(d store.Listed, r document.Revision, p parts) error {
	m := r.Metadata
	out := showJSON{documentJSON: documentOf(d), Format: r.Format, Authority: m.Authority, Public: m.Access.Everyone,
		Readers: list(m.Access.Readers), Deny: list(m.Access.Deny), Where: m.Attributes}
	if out.Where == nil {
		out.Where = map[string][]string{}
	}
	all := !p.outline && !p.passages && !p.text
	if p.outline || all {
		for _, s := range r.Sections {
			out.Outline = append(out.Outline, sectionJSON{s.Level, s.Heading, s.Number, list(s.Path), [2]int{s.Span.From, s.Span.To}, s.Description})
		}
	}
	if p.passages || all {
		for _, s := range r.Passages {
			out.Passages = append(out.Passages, passageJSON{string(s.ID), string(s.Kind), list(r.Sections[s.Section].Path), s.Context, s.Text, [2]int{s.Span.From, s.Span.To}, s.Tokens})
		}
	}
	if p.text {
		out.Text = &r.Text
	}
	return a.writeJSON(out)
}
