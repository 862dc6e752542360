package main

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// locationJSON is another place in which a text stands.
type locationJSON struct {
	Document string   `json:"document"`
	Source   string   `json:"source"`
	Title    string   `json:"title"`
	Heading  []string `json:"heading"`
	Span     [2]int   `json:"span"`
	Page     *int     `json:"page"`
	Revision string   `json:"revision"`
}

func locationsOf(places []quarry.Location) []locationJSON {
	out := make([]locationJSON, len(places))
	for i, l := range places {
		out[i] = locationJSON{l.Document.Path, l.Document.Source, l.Title, list(l.Heading), pair(l.Span), pageJSON(l.Page), l.Revision}
	}
	return out
}

// maxAlso is how many other places are named unless told to say more.
const maxAlso = 3

// printAlso names the other places in which a text stands.
func (a *app) printAlso(ctx context.Context, lines *lines, places []quarry.Location) {
	for i, l := range places {
		if i == maxAlso && len(places) > maxAlso+1 && !a.verbose {
			a.printf("    also in %d more; -v names them\n", len(places)-i)
			return
		}
		a.printf("    also in %s\n", lines.place(ctx, l.Document, l.Revision, l.Span.From))
	}
}

// supersededJSON says that a revision is no longer in force. It is absent for one that is
// not in force yet: its validity tells.
type supersededJSON struct {
	Since *string `json:"since"` // the first day on which it was not
	By    string  `json:"by"`    // the hash of the revision in force; "" where none is
}

func supersededOf(s *quarry.Superseded) *supersededJSON {
	if s == nil || s.Until != 0 {
		return nil
	}
	out := &supersededJSON{By: s.By}
	if s.Since != 0 {
		day := s.Since.String()
		out.Since = &day
	}
	return out
}

// past knows of revisions that were found as of another day whether they are in force
// today; each is asked for once. As of today it asks nothing.
type past struct {
	corpus *standard.Corpus
	scope  document.Scope
	known  map[string]*quarry.Superseded
}

func pastOf(corpus *standard.Corpus, scope document.Scope) *past {
	return &past{corpus, scope, map[string]*quarry.Superseded{}}
}

func (p *past) of(ctx context.Context, id document.ID, revision string) (*quarry.Superseded, error) {
	if p.scope.AsOf == 0 {
		return nil, nil
	}
	key := id.String() + " " + revision
	if s, ok := p.known[key]; ok {
		return s, nil
	}
	s, err := p.corpus.Superseded(ctx, id, revision, p.scope)
	p.known[key] = s
	return s, err
}

// said is what a revision that is not in force today is marked with, for people; "" for
// one that is.
func said(s *quarry.Superseded, path string) string {
	switch {
	case s == nil:
		return ""
	case s.Until != 0 && s.By == "":
		return fmt.Sprintf("not in force until %s", s.Until)
	case s.Until != 0:
		return fmt.Sprintf("not in force until %s; quarry show %s has what is in force", s.Until, oneLine(path))
	case s.By == "":
		return "no longer in force" + sinceOf(s)
	}
	return fmt.Sprintf("superseded%s; quarry show %s has what is in force", sinceOf(s), oneLine(path))
}

func sinceOf(s *quarry.Superseded) string {
	if s.Since == 0 {
		return ""
	}
	return " since " + s.Since.String()
}

// printSuperseded says that a newer revision exists than the one that was shown.
func (a *app) printSuperseded(s *quarry.Superseded, path string) {
	if text := said(s, path); text != "" {
		a.printf("    %s\n", text)
	}
}
