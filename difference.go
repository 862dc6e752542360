package quarry

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/diff"
	"github.com/seed-d3156d19/quarry/store"
)

// Difference is what changed between two revisions of a document.
type Difference struct {
	From, To store.Held
	// InForce is the hash of the revision in force on the scope's day, "" for none.
	InForce string
	// Old and New are the lines of the canonical texts, with their line ends.
	Old, New []string
	// Changes are in the order of the text; what stands between them is the same.
	Changes []TextChange
	// Metadata are what the revisions say differently of themselves.
	Metadata []MetadataChange
}

// TextChange replaces lines of the old text by lines of the new one.
type TextChange struct {
	OldLines, NewLines [2]int // half-open, from 0
	Old, New           document.Span
	Heading            []string // above the change in the new text
	Words              []WordChange
}

// WordChange is a piece of a changed text: the same in both, or else what stood there and
// what stands there now.
type WordChange struct{ Same, Old, New string }

// MetadataChange is a field of the metadata with what the two revisions say in it.
type MetadataChange struct{ Field, Old, New string }

// Diff compares two revisions of a document, named as Revision does.
func (c *Corpus) Diff(ctx context.Context, id document.ID, from, to string, scope document.Scope) (Difference, error) {
	return recorded(ctx, c, AuditRecord{Call: "diff", About: id.String() + " " + from + " " + to}, scope, func(scope document.Scope) (Difference, error) {
		return c.diff(ctx, id, from, to, scope)
	}, func(d Difference) []ShownRevision {
		return []ShownRevision{{Document: id, Revision: d.From.Revision}, {Document: id, Revision: d.To.Revision}}
	})
}

func (c *Corpus) diff(ctx context.Context, id document.ID, from, to string, scope document.Scope) (Difference, error) {
	a, fromHeld, err := c.revision(ctx, id, from, scope)
	if err != nil {
		return Difference{}, err
	}
	b, toHeld, err := c.revision(ctx, id, to, scope)
	if err != nil {
		return Difference{}, err
	}
	_, inForce, err := c.history(ctx, id, scope)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{From: fromHeld, To: toHeld, InForce: inForce, Old: diff.Lines(a.Text), New: diff.Lines(b.Text), Metadata: metadataChanges(a, b)}
	oldAt, newAt := offsets(d.Old), offsets(d.New)
	for _, e := range diff.Tokens(withoutEnds(d.Old), withoutEnds(d.New)) {
		t := TextChange{OldLines: [2]int{e.FromA, e.ToA}, NewLines: [2]int{e.FromB, e.ToB},
			Old: document.Span{From: oldAt[e.FromA], To: oldAt[e.ToA]}, New: document.Span{From: newAt[e.FromB], To: newAt[e.ToB]}}
		t.Heading = headingAt(b.Sections, t.New.From)
		t.Words = words(t.Old.Of(a.Text), t.New.Of(b.Text))
		d.Changes = append(d.Changes, t)
	}
	return d, nil
}

// withoutEnds are lines as they are compared: the last of a text, which has no end, is the
// same as one in the middle of the other.
func withoutEnds(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimSuffix(line, "\n")
	}
	return out
}

// offsets are where lines begin, and where the last ends.
func offsets(lines []string) []int {
	out := make([]int, len(lines)+1)
	for i, line := range lines {
		out[i+1] = out[i] + len(line)
	}
	return out
}

// headingAt is the heading path at an offset.
func headingAt(sections []document.Section, offset int) []string {
	var path []string
	for _, s := range sections {
		if s.Span.From <= offset && offset < max(s.Span.To, s.Span.From+1) {
			path = s.Path // the innermost comes last
		}
	}
	return path
}

// maxWords bounds the texts whose words are compared, in bytes.
const maxWords = 64 << 10

func words(a, b string) []WordChange {
	if len(a)+len(b) > maxWords {
		return []WordChange{{Old: a, New: b}}
	}
	x, y := diff.Words(a), diff.Words(b)
	var out []WordChange
	at := 0
	for _, e := range diff.Tokens(x, y) {
		if e.FromA > at {
			out = append(out, WordChange{Same: strings.Join(x[at:e.FromA], "")})
		}
		out = append(out, WordChange{Old: strings.Join(x[e.FromA:e.ToA], ""), New: strings.Join(y[e.FromB:e.ToB], "")})
		at = e.ToA
	}
	if at < len(x) {
		out = append(out, WordChange{Same: strings.Join(x[at:], "")})
	}
	return out
}

// metadataChanges lists the fields that differ.
func metadataChanges(a, b document.Revision) []MetadataChange {
	var out []MetadataChange
	was := metadataFields(a)
	for i, f := range metadataFields(b) {
		if f.New != was[i].New {
			out = append(out, MetadataChange{Field: f.Field, Old: was[i].New, New: f.New})
		}
	}
	return out
}

// metadataFields are what a revision says of itself, in New.
func metadataFields(r document.Revision) []MetadataChange {
	m := r.Metadata
	attributes := ""
	if len(m.Attributes) > 0 {
		text, _ := json.Marshal(m.Attributes) // of strings, by key; it cannot fail
		attributes = string(text)
	}
	readers := strings.Join(m.Access.Readers, ", ")
	if m.Access.Everyone {
		readers = "everyone"
	}
	return []MetadataChange{
		{Field: "title", New: r.Title}, {Field: "format", New: r.Format}, {Field: "status", New: string(m.Status)},
		{Field: "version", New: m.Version}, {Field: "date", New: m.Date.String()}, {Field: "category", New: m.Category},
		{Field: "effective from", New: m.Effective.From.String()}, {Field: "effective until", New: m.Effective.To.String()},
		{Field: "supersedes", New: strings.Join(m.Supersedes, ", ")}, {Field: "authority", New: fmt.Sprint(m.Authority)},
		{Field: "readers", New: readers}, {Field: "deny", New: strings.Join(m.Access.Deny, ", ")},
		{Field: "attributes", New: attributes}, {Field: "language", New: m.Language},
	}
}
