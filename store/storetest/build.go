package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Make builds a revision of document "docs:path" from a small text, with an
// analyser of its own (lower-case words between spaces). A line "# Heading" opens
// a section, more # a deeper one; every other line is a passage. A word with a
// digit and a '-' is also an identifier. The document is public; its hash is of
// path, text and what the edits leave in its metadata.
func Make(path, text string, edits ...func(*store.Revision)) store.Revision {
	r := store.Revision{Revision: document.Revision{
		Document: docID(path), Pipeline: "p1", Format: "markdown", Text: text,
		Metadata: document.Metadata{Access: document.Public()},
	}}
	for _, edit := range edits {
		edit(&r)
	}
	if r.Title = r.Metadata.Title; r.Title == "" {
		r.Title = path
	}
	if r.Hash == "" {
		r.Hash = hash(32, r.Document.String(), text, fmt.Sprint(r.Metadata))
	}
	split(&r)
	for _, p := range r.Passages {
		path := r.Sections[p.Section].Path
		if r.Format == "fixed" {
			path = nil
		}
		r.Terms = append(r.Terms, analyse(r.Title, path, p.Text))
	}
	for _, s := range r.Sections {
		r.Outline = append(r.Outline, analyse(r.Title, s.Path, s.Description))
	}
	return r
}

// split makes sections and passages of the text.
func split(r *store.Revision) {
	whole := document.Span{From: 0, To: len(r.Text)}
	r.Sections = []document.Section{{Parent: -1, Span: whole, Body: whole}}
	seen := map[string]int{}
	open, at := 0, 0
	closeTo := func(level, end int) {
		for r.Sections[open].Level >= level && open > 0 {
			r.Sections[open].Span.To = end
			open = r.Sections[open].Parent
		}
	}
	for line := range strings.SplitAfterSeq(r.Text, "\n") {
		span := document.Span{From: at, To: at + len(strings.TrimSuffix(line, "\n"))}
		at += len(line)
		text := span.Of(r.Text)
		if heading := strings.TrimLeft(text, "#"); len(heading) < len(text) {
			level := len(text) - len(heading)
			closeTo(level, span.From)
			if s := &r.Sections[open]; s.Body.To > span.From {
				s.Body.To = span.From
			}
			heading = strings.TrimSpace(heading)
			path := append(slices.Clone(r.Sections[open].Path), heading)
			rest := document.Span{From: span.From, To: len(r.Text)}
			r.Sections = append(r.Sections, document.Section{Parent: open, Level: level, Heading: heading, Path: path, Span: rest, Body: rest})
			open = len(r.Sections) - 1
			continue
		}
		if text == "" {
			continue
		}
		s := &r.Sections[open]
		if s.Description == "" {
			s.Description = text
		}
		path := s.Path
		if r.Format == "fixed" {
			path = nil
		}
		context := strings.Join(append([]string{r.Title}, path...), " > ")
		name := strings.Join(append([]string{r.Document.String(), text}, path...), "\x00")
		seen[name]++
		r.Passages = append(r.Passages, document.Passage{
			ID:      document.PassageID(hash(16, name, fmt.Sprint(seen[name]))),
			Key:     document.ContentKey(hash(16, context, text)),
			Section: open, Kind: document.Paragraph, Context: context, Text: text, Span: span,
			Tokens: len(strings.Fields(text)),
		})
	}
	for i := range r.Sections {
		if s := &r.Sections[i]; s.Body.To > s.Span.To {
			s.Body.To = s.Span.To
		}
	}
}

// analyse is the smallest analyser that fills every field of store.Terms.
func analyse(title string, path []string, text string) store.Terms {
	var t store.Terms
	weights := map[string]float32{}
	for field, words := range [store.Fields][]string{
		store.Title: words(title), store.HeadingPath: words(strings.Join(path, " ")), store.Text: words(text),
	} {
		t.Lengths[field] = len(words)
		at := map[string][]uint32{}
		for i, w := range words {
			at[w] = append(at[w], uint32(i))
			if strings.Contains(w, "-") && strings.ContainsAny(w, "0123456789") {
				weights[w] = max(weights[w], [store.Fields]float32{0.25, 1, 0.5}[field])
			}
		}
		for w, positions := range at {
			t.Postings = append(t.Postings, store.Posting{Term: w, Field: store.Field(field), Positions: positions})
		}
	}
	slices.SortFunc(t.Postings, func(a, b store.Posting) int {
		if a.Field != b.Field {
			return int(a.Field) - int(b.Field)
		}
		return strings.Compare(a.Term, b.Term)
	})
	for w, weight := range weights {
		t.Identifiers = append(t.Identifiers, store.Identifier{Value: w, Weight: weight})
	}
	slices.SortFunc(t.Identifiers, func(a, b store.Identifier) int { return strings.Compare(a.Value, b.Value) })
	return t
}

func words(s string) []string { return strings.Fields(strings.ToLower(s)) }

func hash(bytes int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:bytes])
}

// The edits below say what a test is about.

// Meta edits a revision's metadata.
func Meta(edit func(*document.Metadata)) func(*store.Revision) {
	return func(r *store.Revision) { edit(&r.Metadata) }
}

// fixed gives headings no part in passages, so that one passage may move to
// another section and stay what it is.
func fixed(r *store.Revision) { r.Format = "fixed" }

func source(name string) func(*store.Revision) {
	return func(r *store.Revision) { r.Document.Source = name }
}

func pipeline(name string) func(*store.Revision) {
	return func(r *store.Revision) { r.Pipeline = name }
}

func seen(date string) func(*store.Revision) {
	return func(r *store.Revision) { r.Seen = day(date).Time().Add(9 * time.Hour) }
}

func status(s document.Status) func(*store.Revision) {
	return Meta(func(m *document.Metadata) { m.Status = s })
}

func tenant(name string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) { m.Tenant = name })
}

func readers(names ...string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) { m.Access = document.Access{Readers: names} })
}

func deny(names ...string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) { m.Access.Deny = names })
}

func attribute(key string, values ...string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) {
		if m.Attributes == nil {
			m.Attributes = map[string][]string{}
		}
		m.Attributes[key] = values
	})
}

func supersedes(paths ...string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) { m.Supersedes = paths })
}

// effective states a validity; "" leaves a side open.
func effective(from, to string) func(*store.Revision) {
	return Meta(func(m *document.Metadata) {
		if from != "" {
			m.Effective.From = day(from)
		}
		if to != "" {
			m.Effective.To = day(to)
		}
	})
}
