package main

import (
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// printReferences prints what a document refers to under the sections that do.
func (a *app) printReferences(s shown) {
	if len(s.references) == 0 {
		a.printf("no references were found\n")
	}
	section := -1
	for _, r := range s.references {
		if r.Section != section {
			section = r.Section
			a.printf("%s\n", oneLine(headingOf(s.listed.Title, r.Heading)))
		}
		to := "leads nowhere"
		switch t := r.Target; {
		case t == nil:
		case !t.Placed:
			to = oneLine(nameOf(s, t.Document) + ", without the place")
		case t.Document == s.listed.Document:
			to = oneLine(headingOf(t.Title, t.Heading))
		default:
			to = oneLine(strings.Join(append([]string{nameOf(s, t.Document)}, t.Heading...), " › "))
		}
		a.printf("  %s -> %s\n", oneLine(r.Text), to)
	}
}

// headingOf is a heading path, or the title for the document itself.
func headingOf(title string, path []string) string {
	if len(path) == 0 {
		return title
	}
	return strings.Join(path, " › ")
}

// nameOf is how a document of another source is told apart.
func nameOf(s shown, id document.ID) string {
	if id.Source == s.listed.Document.Source {
		return id.Path
	}
	return id.String()
}

func (a *app) printDefinitions(s shown) {
	if len(s.definitions) == 0 {
		a.printf("no definitions were found\n")
	}
	for _, d := range s.definitions {
		a.printf("%s: %s\n", oneLine(d.Term), oneLine(plain(d.Meaning, s.revision.Text)))
	}
}

// plain is the text of a span as one line.
func plain(s document.Span, text string) string { return strings.Join(strings.Fields(s.Of(text)), " ") }

type referenceJSON struct {
	Kind    string      `json:"kind"`
	Text    string      `json:"text"`
	Span    [2]int      `json:"span"`
	Heading []string    `json:"heading"`
	Target  *targetJSON `json:"target"` // null where nothing that the asker sees has the name
}

type targetJSON struct {
	Document string   `json:"document"`
	Source   string   `json:"source"`
	Title    string   `json:"title"`
	Heading  []string `json:"heading"`
	Span     [2]int   `json:"span"`
	Placed   bool     `json:"placed"` // false where only the document is known
}

type definitionJSON struct {
	Kind    string   `json:"kind"`
	Term    string   `json:"term"`
	Meaning string   `json:"meaning"`
	Span    [2]int   `json:"span"` // of the whole definition
	Heading []string `json:"heading"`
}

func referencesOf(references []quarry.Reference) *[]referenceJSON {
	out := []referenceJSON{}
	for _, r := range references {
		j := referenceJSON{string(r.Kind), r.Text, pair(r.Span), list(r.Heading), nil}
		if t := r.Target; t != nil {
			j.Target = &targetJSON{t.Document.Path, t.Document.Source, t.Title, list(t.Heading), pair(t.Span), t.Placed}
		}
		out = append(out, j)
	}
	return &out
}

func definitionsOf(s shown) *[]definitionJSON {
	out := []definitionJSON{}
	for _, d := range s.definitions {
		out = append(out, definitionJSON{string(d.Kind), d.Term, plain(d.Meaning, s.revision.Text), pair(d.Span), list(s.revision.Sections[d.Section].Path)})
	}
	return &out
}
