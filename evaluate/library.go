package evaluate

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
)

// library reads documents of a Library and keeps them reduced: by question and
// path what the asker sees, by revision the letters. It is used from one goroutine.
type library struct {
	from    Library
	seen    map[string]seenContent // by scope and path
	reduced map[string]letters     // by path and revision
}

type seenContent struct {
	content Content
	err     error
}

func newLibrary(from Library) *library {
	return &library{from: from, seen: map[string]seenContent{}, reduced: map[string]letters{}}
}

func (l *library) content(ctx context.Context, q Query, path string) (Content, error) {
	key := fmt.Sprintf("%+v %q", q.Scope, path)
	s, ok := l.seen[key]
	if !ok {
		s.content, s.err = l.from.Content(ctx, q, path)
		l.seen[key] = s
	}
	return s.content, s.err
}

// letters of a document; none, without an error, where it is not there.
func (l *library) letters(ctx context.Context, q Query, path string) (letters, error) {
	c, err := l.content(ctx, q, path)
	if errors.Is(err, document.ErrNotFound) {
		return letters{}, nil
	}
	if err != nil {
		return letters{}, err
	}
	key := path + "\x00" + c.Revision
	reduced, ok := l.reduced[key]
	if !ok {
		reduced = compact(c.Text)
		l.reduced[key] = reduced
	}
	return reduced, nil
}

// outgrown says what of a question's judgements the corpus no longer holds: a
// source that is gone, a heading that it has no more, a quote that no revision in
// force holds. Only relevant sources count, and a quote may stand in any of them
// or of AlsoValid; without sources it is not looked for, which would mean to
// read the whole corpus.
func (r *runner) outgrown(ctx context.Context, q Question) []string {
	if r.o.Library == nil {
		return nil
	}
	query := Query{Text: q.Text, Scope: q.Scope}
	var faults []string
	note := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	gone := map[string]bool{}
	for _, s := range q.Sources {
		if s.Grade < 1 || gone[s.Document] {
			continue
		}
		there, err := r.o.Library.Has(ctx, query, s.Document)
		var c Content
		if err == nil && there && s.Heading != "" {
			c, err = r.library.content(ctx, query, s.Document)
		}
		switch {
		case err != nil:
			note("source %q cannot be read: %v", s.Document, err)
		case !there:
			gone[s.Document] = true
			note("source %q is not in the corpus, or not in force for who asks", s.Document)
		case s.Heading != "" && !r.hasHeading(c.Headings, s.Heading):
			note("source %q has no heading %q", s.Document, s.Heading)
		}
	}
	documents := append(q.documents(), q.AlsoValid...)
	for _, passage := range q.Passages {
		quote := compact(passage)
		if quote.text == "" || len(documents) == 0 || len(gone) == len(documents) {
			continue
		}
		found := false
		for _, d := range documents {
			text, err := r.library.letters(ctx, query, d)
			// An edge of a passage may cut a quote, a document cuts none: it
			// must hold all of it, wherever a hit would need a part.
			found = found || err != nil || holds(quote, text)
		}
		if !found {
			note("no revision in force holds the quote %q", shortened(passage))
		}
	}
	return faults
}

func (r *runner) hasHeading(have []string, want string) bool {
	w := parseHeading(want)
	for _, h := range have {
		if w.matches(r.cache.heading(h)) {
			return true
		}
	}
	return false
}

// shortened is a quote as a message gives it.
func shortened(s string) string {
	const most = 80
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}
