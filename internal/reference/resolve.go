package reference

import (
	"context"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// Reader is what Resolve reads, a view of a store. What it does not see is not there.
type Reader interface {
	Document(ctx context.Context, id document.ID, passages bool) (document.Revision, error)
	Findings(ctx context.Context, id document.ID) (document.Findings, error)
	Named(ctx context.Context, name string) ([]document.ID, error)
}

// Resolved is a reference with what it leads to.
type Resolved struct {
	document.Reference
	Text    string   // the words that refer
	Heading []string // of the section that they stand in
	// Target is nil where nothing that the reader sees has the name, or several
	// documents have it.
	Target *Target
}

// Target is what a reference leads to.
type Target struct {
	Document document.ID
	Title    string
	Section  int // 0 is the whole document
	Heading  []string
	Span     document.Span // of the place, else of the document
	// Placed is whether the place was found; else the document is all that is known.
	Placed bool
}

// Resolve gives the references of a document, each with what it leads to now. Tentative
// ones that lead nowhere, or to the document itself, are left out.
func Resolve(ctx context.Context, r Reader, id document.ID) ([]Resolved, error) {
	x := &resolver{ctx: ctx, reader: r, open: map[document.ID]*placed{}, named: map[string][]document.ID{}}
	own, err := x.read(id)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range Names(own.revision) {
		names[name] = true
	}
	var out []Resolved
	for _, ref := range own.findings.References {
		to, err := x.document(own, names, ref)
		if err != nil {
			return nil, err
		}
		var target *Target
		if to != nil {
			target = to.target(ref, to == own)
		}
		if ref.Tentative && (target == nil || to == own && ref.Kind == document.ToDocument && target.Section == 0) {
			continue
		}
		out = append(out, Resolved{Reference: ref, Text: strings.Join(strings.Fields(ref.Span.Of(own.revision.Text)), " "),
			Heading: own.section(ref.Section).Path, Target: target})
	}
	return out, nil
}

// resolver remembers what one resolution has read.
type resolver struct {
	ctx    context.Context
	reader Reader
	open   map[document.ID]*placed
	named  map[string][]document.ID
}

func (x *resolver) read(id document.ID) (*placed, error) {
	if p := x.open[id]; p != nil {
		return p, nil
	}
	revision, err := x.reader.Document(x.ctx, id, false)
	if err != nil {
		return nil, err
	}
	findings, err := x.reader.Findings(x.ctx, id)
	if err != nil {
		return nil, err
	}
	p := newPlaced(revision, findings)
	if len(x.open) > 0 {
		// Of what the first leads to its places are enough: it may lead to all there is.
		p.revision.Text, p.revision.Passages, p.findings = "", nil, document.Findings{}
	}
	x.open[id] = p
	return p, nil
}

// document is the one that a reference names; nil if none or several have the name.
func (x *resolver) document(own *placed, names map[string]bool, ref document.Reference) (*placed, error) {
	id := own.revision.Document
	// A manual that speaks of "the manual" means itself.
	if ref.Document == "" || names[ref.Document] || strings.HasSuffix(Name(own.revision.Title), " "+ref.Document) {
		return own, nil
	}
	all, known := x.named[ref.Document]
	if !known {
		var err error
		if all, err = x.reader.Named(x.ctx, ref.Document); err != nil {
			return nil, err
		}
		x.named[ref.Document] = all
	}
	var near []document.ID
	for _, other := range all {
		if other.Source == id.Source {
			near = append(near, other)
		}
	}
	switch {
	case len(near) == 1:
		return x.read(near[0])
	case len(near) == 0 && len(all) == 1 && ref.Kind != document.ToLink:
		return x.read(all[0])
	}
	return nil, nil
}
