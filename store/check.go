package store

import (
	"fmt"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// Validate reports, as ErrInvalid, how a change breaks the contract; every store
// asks it before it writes, so that all refuse the same. It looks at the change
// alone: that a source was added is for the store to check.
func (c Change) Validate() error {
	named := map[document.ID]bool{}
	claim := func(id document.ID) error {
		if err := id.Validate(); err != nil {
			return fmt.Errorf("%w: %v", ErrInvalid, err)
		}
		if named[id] {
			return fmt.Errorf("%w: document %s is named more than once in it", ErrInvalid, id)
		}
		if id.Source == c.RemoveSource {
			return fmt.Errorf("%w: document %s belongs to the source that it removes", ErrInvalid, id)
		}
		named[id] = true
		return nil
	}
	if c.Source != nil {
		if err := (document.ID{Source: c.Source.Name, Path: "any"}).Validate(); err != nil {
			return fmt.Errorf("%w: %v", ErrInvalid, err)
		}
		if c.Source.Name == c.RemoveSource {
			return fmt.Errorf("%w: source %s is both added and removed", ErrInvalid, c.Source.Name)
		}
	}
	for i := range c.Put {
		r := &c.Put[i]
		if err := claim(r.Document); err != nil {
			return err
		}
		if err := r.validate(); err != nil {
			return fmt.Errorf("%w: document %s: %v", ErrInvalid, r.Document, err)
		}
		if err := validateTenant(r.Document, r.Metadata.Tenant); err != nil {
			return err
		}
	}
	for _, f := range c.Fail {
		if err := claim(f.Document); err != nil {
			return err
		}
		if err := validateTenant(f.Document, f.Tenant); err != nil {
			return err
		}
	}
	for _, d := range c.Date {
		if err := claim(d.Document); err != nil {
			return err
		}
	}
	for _, f := range c.Forget {
		if err := claim(f.Document); err != nil {
			return err
		}
		if f.Keep < 1 {
			return fmt.Errorf("%w: document %s is to keep %d revisions", ErrInvalid, f.Document, f.Keep)
		}
	}
	for _, id := range c.Remove {
		if err := claim(id); err != nil {
			return err
		}
	}
	return c.validateRenamed(claim)
}

func validateTenant(id document.ID, tenant string) error {
	if len(tenant) > document.MaxTenant {
		return fmt.Errorf("%w: the tenant of document %s has a name of %d bytes and may have one of %d", ErrInvalid, id, len(tenant), document.MaxTenant)
	}
	return nil
}

func (c Change) validateRenamed(claim func(document.ID) error) error {
	if len(c.Renamed) == 0 {
		return nil
	}
	put := map[document.ID]bool{}
	for i := range c.Put {
		put[c.Put[i].Document] = true
	}
	for _, n := range c.Renamed {
		if err := claim(n.From); err != nil {
			return err
		}
		if !put[n.To] || n.From.Source != n.To.Source {
			return fmt.Errorf("%w: document %s is said to be %s now, of which it puts no revision in the same source", ErrInvalid, n.From, n.To)
		}
		delete(put, n.To)
	}
	return nil
}

func (r *Revision) validate() error {
	switch {
	case len(r.Terms) != len(r.Passages):
		return fmt.Errorf("%d passages have the terms of %d", len(r.Passages), len(r.Terms))
	case len(r.Outline) != len(r.Sections):
		return fmt.Errorf("%d sections have the terms of %d", len(r.Sections), len(r.Outline))
	case len(r.Sections) == 0:
		return fmt.Errorf("there is no section for the document itself")
	case !utf8.ValidString(r.Text):
		return fmt.Errorf("its text is not UTF-8")
	case r.Forgotten && (r.Text != "" || len(r.Passages) > 0 || len(r.Sections) > 1):
		return fmt.Errorf("it is forgotten and has a text")
	}
	whole := document.Span{From: 0, To: len(r.Text)}
	for i, s := range r.Sections {
		top := i == 0
		switch {
		case top && (s.Parent != -1 || s.Level != 0):
			return fmt.Errorf("section 0 is not the document itself")
		case !top && (s.Parent < 0 || s.Parent >= i):
			return fmt.Errorf("section %d has no parent before it", i)
		case !top && s.Level < 1:
			return fmt.Errorf("section %d has level %d", i, s.Level)
		case !inside(whole, s.Span) || !inside(s.Span, s.Body):
			return fmt.Errorf("section %d lies outside the text", i)
		}
		if err := r.Outline[i].validate(); err != nil {
			return fmt.Errorf("section %d: %v", i, err)
		}
	}
	seen := make(map[document.PassageID]bool, len(r.Passages))
	for i, p := range r.Passages {
		switch {
		case !hexadecimal(string(p.ID)):
			return fmt.Errorf("passage %d has the id %q, which is not lower-case hex", i, p.ID)
		case !hexadecimal(string(p.Key)):
			return fmt.Errorf("passage %d has the content key %q, which is not lower-case hex", i, p.Key)
		case seen[p.ID]:
			return fmt.Errorf("passage id %s stands twice", p.ID)
		case p.Section < 0 || p.Section >= len(r.Sections):
			return fmt.Errorf("passage %d is in section %d of %d", i, p.Section, len(r.Sections))
		case !inside(whole, p.Span):
			return fmt.Errorf("passage %d lies outside the text", i)
		case p.Span.Of(r.Text) != p.Text:
			return fmt.Errorf("passage %d is not the text of its span", i)
		}
		seen[p.ID] = true
		if err := r.Terms[i].validate(); err != nil {
			return fmt.Errorf("passage %d: %v", i, err)
		}
	}
	for i, name := range r.Names {
		if name == "" || i > 0 && r.Names[i-1] >= name {
			return fmt.Errorf("name %q is empty, out of order or repeated", name)
		}
	}
	return r.validateFindings(whole)
}

func (r *Revision) validateFindings(whole document.Span) error {
	place := func(what string, i int, s document.Span, section int) error {
		switch {
		case !inside(whole, s):
			return fmt.Errorf("%s %d lies outside the text", what, i)
		case section < 0 || section >= len(r.Sections):
			return fmt.Errorf("%s %d is in section %d of %d", what, i, section, len(r.Sections))
		}
		return nil
	}
	for i, f := range r.Findings.References {
		if err := place("reference", i, f.Span, f.Section); err != nil {
			return err
		}
	}
	for i, f := range r.Findings.Labels {
		if err := place("label", i, f.Span, f.Section); err != nil {
			return err
		}
	}
	for i, f := range r.Findings.Definitions {
		if err := place("definition", i, f.Span, f.Section); err != nil {
			return err
		}
		if err := place("meaning", i, f.Meaning, f.Section); err != nil {
			return err
		}
	}
	return nil
}

func (t *Terms) validate() error {
	for i := range t.Postings {
		p := &t.Postings[i]
		switch {
		case p.Field >= Fields:
			return fmt.Errorf("term %q is in field %d", p.Term, p.Field)
		case len(p.Positions) == 0:
			return fmt.Errorf("term %q has no position", p.Term)
		case i > 0 && !before(&t.Postings[i-1], p):
			return fmt.Errorf("term %q is out of order or repeated", p.Term)
		}
		for j := 1; j < len(p.Positions); j++ {
			if p.Positions[j] <= p.Positions[j-1] {
				return fmt.Errorf("the positions of term %q do not ascend", p.Term)
			}
		}
	}
	for f, n := range t.Lengths {
		if n < 0 {
			return fmt.Errorf("field %d has the length %d", f, n)
		}
	}
	for i, d := range t.Identifiers {
		switch {
		case !(d.Weight > 0 && d.Weight <= 1):
			return fmt.Errorf("identifier %q has the weight %v", d.Value, d.Weight)
		case i > 0 && t.Identifiers[i-1].Value >= d.Value:
			return fmt.Errorf("identifier %q is out of order or repeated", d.Value)
		}
	}
	return nil
}

func before(a, b *Posting) bool {
	if a.Field != b.Field {
		return a.Field < b.Field
	}
	return a.Term < b.Term
}

func inside(outer, inner document.Span) bool {
	return inner.From <= inner.To && outer.Contains(inner)
}

// hexadecimal accepts hashes of 1 to 32 bytes.
func hexadecimal(s string) bool {
	if len(s) == 0 || len(s) > 64 || len(s)%2 > 0 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
