package quarry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Auditor keeps who asked what, and what was shown.
type Auditor interface {
	// Record keeps one call. It is called before the call gives its result, which is
	// withheld where it fails (see Options.AuditFailed). It may be called concurrently.
	Record(ctx context.Context, r AuditRecord) error
}

// AuditRecord is one call that took a scope. It holds no text of a document.
type AuditRecord struct {
	At   time.Time
	Call string // "search", "ask", "ask_from", "why", "lost_at", "documents", "listed", "resolve", "resolve_any", "document", "revision", "history", "diff", "extraction", "references", "definitions"
	Via  string // who called, as Via said it: "quarry ask"
	// Given are the principals as they were given; Scope has those that the directory
	// adds, and whether the asker is an administrator.
	Given []string
	Scope document.Scope
	// About is what was asked for, as it was written: a question, the name of a document.
	About string
	// Expected is what a diagnosis looked for, Reader whom else it was told.
	Expected, Quote string
	Reader          []string
	// Shown are the revisions that the call gave something of, each once: text, title or
	// that they are there. Of what a reference leads to the revision is not said.
	Shown  []ShownRevision
	Failed bool // the call gave an error, as for a document that the scope does not see
}

// ShownRevision is a revision of which something was shown.
type ShownRevision struct {
	Document document.ID
	Revision string // its hash; "" where that is not known
	Cited    bool   // by an answer
}

// ErrNotRecorded is wrapped by the error of a call that could not be recorded.
var ErrNotRecorded = errors.New("nothing is shown that cannot be recorded in the audit log")

type viaKey struct{}

// Via says in whose name calls with the context are made, for the audit log.
func Via(ctx context.Context, caller string) context.Context {
	return context.WithValue(ctx, viaKey{}, caller)
}

// recorded is the way of every call that takes a scope and shows something: the scope is resolved, the call
// is made, and it is recorded before its result is given.
func recorded[T any](ctx context.Context, c *Corpus, r AuditRecord, scope document.Scope, call func(document.Scope) (T, error), shown func(T) []ShownRevision) (T, error) {
	var none T
	given := scope.Principals
	scope, err := c.resolved(ctx, scope)
	if err != nil {
		return none, err
	}
	out, err := call(scope)
	if c.options.Auditor == nil {
		return out, err
	}
	r.At, r.Given, r.Scope, r.Failed = c.options.Clock().UTC(), given, scope, err != nil
	r.Via, _ = ctx.Value(viaKey{}).(string)
	if err == nil {
		r.Shown = once(shown(out))
	}
	// What was found is shown or not, whatever becomes of the caller meanwhile.
	if failed := c.options.Auditor.Record(context.WithoutCancel(ctx), r); failed != nil {
		failed = fmt.Errorf("%w: %w", ErrNotRecorded, failed)
		if c.options.AuditFailed == nil {
			return none, failed
		}
		c.options.AuditFailed(failed)
	}
	return out, err
}

// once joins what is said of the same revision.
func once(list []ShownRevision) []ShownRevision {
	type key struct {
		id       document.ID
		revision string
	}
	at := make(map[key]int, len(list))
	out := list[:0]
	for _, s := range list {
		k := key{s.Document, s.Revision}
		if i, ok := at[k]; ok {
			out[i].Cited = out[i].Cited || s.Cited
			continue
		}
		at[k] = len(out)
		out = append(out, s)
	}
	return out
}

func shownOf(lists ...[]Candidate) []ShownRevision {
	var out []ShownRevision
	for _, list := range lists {
		for _, c := range list {
			out = append(out, ShownRevision{Document: c.Document, Revision: c.Revision})
		}
	}
	return out
}

func (r Result) shown() []ShownRevision { return shownOf(r.Candidates, r.Beyond) }

func (a Asked) shown() []ShownRevision {
	out := shownOf(a.Candidates, a.Beyond)
	for _, p := range a.Evidence {
		out = append(out, ShownRevision{Document: p.Document, Revision: p.Revision})
		out = append(out, shownAt(p.Also)...)
	}
	for _, c := range a.Answer.Citations {
		out = append(out, ShownRevision{Document: c.Document, Revision: c.Revision, Cited: true})
		out = append(out, shownAt(c.Also)...)
	}
	return out
}

// shownAt are the other places of a text.
func shownAt(list []Location) []ShownRevision {
	out := make([]ShownRevision, len(list))
	for i, l := range list {
		out[i] = ShownRevision{Document: l.Document, Revision: l.Revision}
	}
	return out
}

func shownListed(list []store.Listed) []ShownRevision {
	out := make([]ShownRevision, len(list))
	for i, d := range list {
		out[i] = ShownRevision{Document: d.Document, Revision: d.Revision}
	}
	return out
}
