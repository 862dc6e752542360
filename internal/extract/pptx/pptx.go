// Package pptx reads presentations of PowerPoint (Office Open XML, ECMA-376 part 1,
// clause 19).
package pptx

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// slideLevel is the level of a slide's heading; the level above is the title's.
const slideLevel = 2

// Read makes a page of a presentation: each slide a section under its number and
// title, its shapes in the order in which they are read, then its speaker notes.
func Read(pack *office.Package) (*office.Page, error) {
	presentation, rels, err := pack.MainTree()
	if err != nil {
		return nil, err
	}
	r := &reader{pack: pack, page: office.NewPage(), parts: map[string]*office.Element{}}
	r.page.Title = pack.Title()
	for i, id := range presentation.Child("p:sldIdLst").All("p:sldId") {
		part := rels[id.Attr("r:id")].Target
		if !pack.Has(part) {
			continue
		}
		if err := r.slide(part, i+1); err != nil {
			return nil, err
		}
	}
	r.page.Count(r.hiddenSlides, "Hidden slides that were left out")
	r.page.Count(r.hiddenShapes, "Hidden shapes that were left out")
	r.page.Count(r.comments, "Comments that were left out")
	return r.page, r.page.Full()
}

type reader struct {
	pack  *office.Package
	page  *office.Page
	parts map[string]*office.Element // layouts and masters by name
	// of the slide that is read
	rels   map[string]office.Relation
	styles inherited

	hiddenSlides, hiddenShapes, comments int
}

func (r *reader) slide(part string, number int) error {
	root, err := r.pack.Tree(part)
	if err != nil {
		return err
	}
	if show := root.Attr("show"); show == "0" || show == "false" {
		r.hiddenSlides++
		return nil
	}
	if r.rels, err = r.pack.Relations(part); err != nil {
		return err
	}
	if r.styles, err = r.inherit(office.Related(r.rels, "slideLayout")); err != nil {
		return err
	}
	shapes := r.shapes(root.Child("p:cSld", "p:spTree"))
	title := titleOf(shapes)
	if r.page.Title == "" && number == 1 {
		r.page.Title = title
	}
	heading := fmt.Sprintf("Slide %d", number)
	if title != "" {
		heading += ": " + title
	}
	r.page.Text(r.page.Heading(r.page.Body, slideLevel), heading)
	if err := r.page.Slide(number, title, func() error {
		for _, s := range ordered(shapes) {
			if s.isTitle() {
				continue
			}
			if err := r.shape(s, r.page.Body); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, rel := range r.rels {
		if rel.Type == "comments" {
			comments, err := r.pack.Tree(rel.Target)
			if err != nil {
				return err
			}
			r.comments += len(comments.Children)
		}
	}
	return r.notes(office.Related(r.rels, "notesSlide"))
}

// notes writes what the speaker has to say, as a section of the slide.
func (r *reader) notes(part string) error {
	root, err := r.pack.Tree(part)
	if err != nil {
		return err
	}
	to := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	for _, s := range r.shapes(root.Child("p:cSld", "p:spTree")) {
		if s.kind == "body" {
			r.text(s.e.Child("p:txBody"), nil, to)
		}
	}
	if strings.TrimSpace(office.Plain(to)) == "" {
		return r.page.Full()
	}
	r.page.Text(r.page.Heading(r.page.Body, slideLevel+1), "Speaker notes")
	office.Move(to, r.page.Body)
	return r.page.Full()
}
