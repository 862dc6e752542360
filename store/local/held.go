package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
)

// held is a document as a view sees it, read from the file: the revision in
// force without its text, or a failure.
type held struct {
	row int64 // document row
	id  document.ID

	revision int64 // 0 if none is seen
	hash     string
	title    string
	status   document.Status
	valid    document.Interval
	metadata document.Metadata
	passages int
	headings int
	sections []document.Section // read when first asked for

	failed bool
	reason string
}

// notFound is the one answer for what is not there and what may not be seen.
type notFound struct{ what string }

func (e notFound) Error() string { return fmt.Sprintf("%s: %v", e.what, document.ErrNotFound) }
func (e notFound) Unwrap() error { return document.ErrNotFound }

func asNotFound(err error) error {
	var e notFound
	if errors.As(err, &e) {
		return e
	}
	return nil
}

const headers = `SELECT d.id, d.source, d.path, r.id, r.hash, r.title, r.status, r.valid_from, r.valid_to, r.tenant, k.access,
		r.metadata, r.passages, r.headings, coalesce(f.seen_day, 0)
	FROM document d JOIN revision r ON r.document = d.id JOIN class k ON k.id = r.class
	LEFT JOIN failure f ON f.document = d.id `

const failures = `SELECT d.id, d.source, d.path, f.hash, f.reason, f.seen_day, f.tenant, k.access
	FROM failure f JOIN document d ON d.id = f.document JOIN class k ON k.id = f.class `

// header is one revision of one document as headers selects it.
type header struct {
	held
	tenant   string
	access   string
	raw      string // metadata
	failedOn document.Day
}

// choose calls fn with each document that the view sees among those that where
// selects, by source and path. Failures come after revisions.
func (v *view) choose(ctx context.Context, c *conn, where string, args []any, fn func(*held) error) error {
	var group []header
	settle := func() error {
		if len(group) == 0 {
			return nil
		}
		defer func() { group = group[:0] }()
		at := inForce(len(group), func(i int) standing { return standing{group[i].valid, group[i].status} },
			group[0].failedOn, v.day, v.today, v.scope.Drafts)
		if at < 0 {
			return nil
		}
		h := group[at]
		if err := json.Unmarshal([]byte(h.raw), &h.metadata); err != nil {
			return err
		}
		allowed, err := v.allows(h.access)
		if err != nil || !admits(&v.scope, h.id.Source, h.tenant, allowed, h.metadata.Attributes) {
			return err
		}
		return v.offer(&h.held, fn)
	}
	var h header
	if err := c.each(ctx, headers+where+" ORDER BY d.source, d.path, r.id", args,
		[]any{&h.row, &h.id.Source, &h.id.Path, &h.revision, &h.hash, &h.title, &h.status, &h.valid.From, &h.valid.To,
			&h.tenant, &h.access, &h.raw, &h.passages, &h.headings, &h.failedOn}, func() error {
			if len(group) > 0 && group[0].row != h.row {
				if err := settle(); err != nil {
					return err
				}
			}
			group = append(group, h)
			return nil
		}); err != nil {
		return err
	}
	if err := settle(); err != nil {
		return err
	}
	f := header{held: held{failed: true}}
	return c.each(ctx, failures+where+" ORDER BY d.source, d.path", args,
		[]any{&f.row, &f.id.Source, &f.id.Path, &f.hash, &f.reason, &f.failedOn, &f.tenant, &f.access}, func() error {
			if inForce(1, func(int) standing { return standing{} }, f.failedOn, v.day, v.today, false) == 0 {
				return nil // it had not failed yet
			}
			allowed, err := v.allows(f.access)
			if err != nil || !admits(&v.scope, f.id.Source, f.tenant, allowed, nil) {
				return err
			}
			seen := f.held
			return v.offer(&seen, fn)
		})
}

// offer passes on what lies within a restricted view's places.
func (v *view) offer(h *held, fn func(*held) error) error {
	if v.within != nil && !v.within.holds(h) {
		return nil
	}
	return fn(h)
}

func (v *view) allows(access string) (bool, error) {
	var a document.Access
	if err := json.Unmarshal([]byte(access), &a); err != nil {
		return false, err
	}
	return a.Allows(v.scope.Principals), nil
}

// held returns the document of this id with a revision in force; notFound if the
// view sees none. The view remembers it.
func (v *view) held(ctx context.Context, c *conn, id document.ID) (*held, error) {
	if h, ok := v.docs[id]; ok {
		if h == nil {
			return nil, notFound{"document " + id.String()}
		}
		return h, nil
	}
	var found *held
	if err := v.choose(ctx, c, "WHERE d.source = ? AND d.path = ?", []any{id.Source, id.Path}, func(h *held) error {
		if !h.failed {
			found = h
		}
		return nil
	}); err != nil {
		return nil, err
	}
	v.docs[id] = found
	if found == nil {
		return nil, notFound{"document " + id.String()}
	}
	return found, nil
}

// outline reads the sections of a document's revision once.
func (h *held) outline(ctx context.Context, c *conn) ([]document.Section, error) {
	if h.sections == nil {
		var raw string
		found, err := c.get(ctx, "SELECT sections FROM revision WHERE id = ?", []any{h.revision}, &raw)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, dangling("a revision")
		}
		if err := json.Unmarshal([]byte(raw), &h.sections); err != nil {
			return nil, err
		}
		if len(h.sections) != h.headings+1 {
			return nil, dangling("a section")
		}
	}
	return h.sections, nil
}
