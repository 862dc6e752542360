package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// placeJSON is where a hit or a citation stands.
type placeJSON struct {
	Document string   `json:"document"`
	Source   string   `json:"source"`
	Title    string   `json:"title"`
	Heading  []string `json:"heading"`
	Span     [2]int   `json:"span"`
	Page     *int     `json:"page"`
	Boxes    [][5]int `json:"boxes"`
}

// standingJSON is when its text holds and where else it stands.
type standingJSON struct {
	Revision string     `json:"revision"`
	Valid    [2]*string `json:"valid"`
	Inferred string     `json:"inferred"` // what valid was inferred from
	// AlsoIn are other places in which the text stands, Superseded what is known of a
	// revision that is no longer in force; null for one that is.
	AlsoIn     []locationJSON  `json:"also_in"`
	Superseded *supersededJSON `json:"superseded"`
}

// hitJSON is a passage as search and ask give it.
type hitJSON struct {
	Rank int `json:"rank"`
	placeJSON
	Score float64 `json:"score"`
	Text  string  `json:"text"`
	standingJSON
}

func hitOf(c quarry.Candidate, span document.Span, text string, also []quarry.Location) hitJSON {
	score := c.Score
	if math.IsNaN(score) || math.IsInf(score, 0) {
		score = 0
	}
	return hitJSON{Rank: c.Rank, Score: score, Text: text,
		placeJSON: placeJSON{Document: c.Document.Path, Source: c.Document.Source, Title: c.Title, Heading: list(c.Heading),
			Span: [2]int{span.From, span.To}, Page: pageJSON(c.Pages.At(span.From)), Boxes: boxesJSON(c.Lines.Within(span))},
		standingJSON: standingJSON{Revision: c.Revision, Valid: validOf(c.Valid), Inferred: c.Inferred, AlsoIn: locationsOf(also)}}
}

// pageJSON is a page's number, null where there are no pages.
func pageJSON(page int) *int {
	if page == 0 {
		return nil
	}
	return &page
}

// boxesJSON are the lines of a text on the pages of the original: page, left, top, right
// and bottom, in points from the upper left corner. None where it is not known.
func boxesJSON(lines document.Lines) [][5]int {
	out := make([][5]int, 0, len(lines))
	for _, l := range lines {
		out = append(out, [5]int{l.Page, l.Box.Left, l.Box.Top, l.Box.Right, l.Box.Bottom})
	}
	return out
}

// trail is where a passage stands, for people: title, then headings. A first
// heading that is the title is not said twice.
func trail(title string, heading []string) string {
	parts := []string{oneLine(title)}
	for i, h := range heading {
		if h = oneLine(h); i > 0 || h != parts[0] {
			parts = append(parts, h)
		}
	}
	return strings.Join(parts, " › ")
}

// lines finds line numbers in the texts of documents, each read once.
type lines struct {
	corpus *standard.Corpus
	scope  document.Scope
	read   map[document.ID]quarry.Layout
	named  bool // by their sources too: what is listed comes from several
}

// lines is for a list of places in the given documents. All of them are named the
// same way.
func (a *app) lines(corpus *standard.Corpus, scope document.Scope, listed []document.ID) *lines {
	l := &lines{corpus: corpus, scope: scope, read: map[document.ID]quarry.Layout{}}
	for _, id := range listed {
		l.named = l.named || id.Source != listed[0].Source
	}
	return l
}

// place is "path, page N" or "path, line N" of an offset. The number is left out where
// it says nothing to who opens the file: the line when the canonical text is not
// the file's, and either when the revision is no longer in force.
func (l *lines) place(ctx context.Context, id document.ID, revision string, offset int) string {
	r, ok := l.read[id]
	if !ok {
		r, _ = l.corpus.Layout(ctx, id, l.scope) // without it there is no line number
		l.read[id] = r
	}
	where := oneLine(id.Path)
	if l.named {
		where = oneLine(id.String())
	}
	if page := r.Pages.At(offset); page > 0 && r.Revision == revision {
		return fmt.Sprintf("%s, page %d", where, page)
	}
	if r.Revision != revision || r.Format != "markdown" && r.Format != "text" || offset < 0 || offset > r.Length {
		return where
	}
	return fmt.Sprintf("%s, line %d", where, r.Line(offset))
}
