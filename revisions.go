package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// ErrRevision is wrapped by the errors about which revision of a document is meant.
var ErrRevision = errors.New("no such revision")

// What a revision may be named by beside a date and the beginning of its hash.
const (
	CurrentRevision  = "current"  // the one in force today
	PreviousRevision = "previous" // the one before that, drafts aside
)

// minHash is how many digits of a hash name a revision at least.
const minHash = 6

// ResolveAny is Resolve for documents that may not be in force on the scope's day: it finds
// whatever has a history that the scope's tenant and principals may read.
func (c *Corpus) ResolveAny(ctx context.Context, name string, scope document.Scope) (document.ID, error) {
	return recorded(ctx, c, AuditRecord{Call: "resolve_any", About: name}, scope, func(scope document.Scope) (document.ID, error) {
		return c.resolveAny(ctx, name, scope)
	}, func(id document.ID) []ShownRevision { return []ShownRevision{{Document: id}} })
}

func (c *Corpus) resolveAny(ctx context.Context, name string, scope document.Scope) (document.ID, error) {
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return document.ID{}, err
	}
	view, err := c.store.View(ctx, scope)
	if err != nil {
		return document.ID{}, err
	}
	defer view.Close()
	var found []document.ID
	for _, s := range sources {
		path, whole := strings.CutPrefix(name, s.Name+":")
		for _, id := range []document.ID{{Source: s.Name, Path: path}, {Source: s.Name, Path: name}} {
			_, err := view.History(ctx, id)
			switch {
			case errors.Is(err, document.ErrNotFound):
				continue
			case err != nil:
				return document.ID{}, err
			case whole && id.Path == path:
				return id, nil
			}
			found = append(found, id)
			break
		}
	}
	return oneOf(name, found)
}

// oneOf is the document that a name stands for.
func oneOf(name string, found []document.ID) (document.ID, error) {
	switch len(found) {
	case 0:
		return document.ID{}, fmt.Errorf("%q: %w; quarry docs lists them", name, document.ErrNotFound)
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for i, id := range found {
		names[i] = id.String()
	}
	return document.ID{}, fmt.Errorf("%q is in several sources: give one of %s", name, strings.Join(names, ", "))
}

// History tells what a document was and is, with the hash of the revision in force on the
// scope's day, "" for none. One that the scope may not read is document.ErrNotFound.
func (c *Corpus) History(ctx context.Context, id document.ID, scope document.Scope) (h store.History, inForce string, err error) {
	h, err = recorded(ctx, c, AuditRecord{Call: "history", About: id.String()}, scope, func(scope document.Scope) (store.History, error) {
		h, inForce, err = c.history(ctx, id, scope)
		return h, err
	}, func(h store.History) (out []ShownRevision) {
		for _, r := range h.Revisions {
			out = append(out, ShownRevision{Document: id, Revision: r.Revision})
		}
		return out
	})
	if err != nil {
		inForce = ""
	}
	return h, inForce, err
}

func (c *Corpus) history(ctx context.Context, id document.ID, scope document.Scope) (h store.History, inForce string, err error) {
	err = c.read(ctx, scope, func(view store.View) error {
		h, inForce, err = historyIn(ctx, view, id)
		return err
	})
	return h, inForce, err
}

func historyIn(ctx context.Context, view store.View, id document.ID) (h store.History, inForce string, err error) {
	if h, err = view.History(ctx, id); err == nil {
		inForce, err = current(ctx, view, id)
	}
	return h, inForce, err
}

// Revision returns a revision of a document by a name: a date (the one in force on that
// day), CurrentRevision, PreviousRevision, or the beginning of its hash, of six digits or
// more. A document that the scope may not read is document.ErrNotFound, whichever of its
// revisions is meant; one that there is not is ErrRevision.
func (c *Corpus) Revision(ctx context.Context, id document.ID, name string, scope document.Scope) (document.Revision, store.Held, error) {
	var held store.Held
	r, err := recorded(ctx, c, AuditRecord{Call: "revision", About: id.String() + " " + name}, scope, func(scope document.Scope) (r document.Revision, err error) {
		r, held, err = c.revision(ctx, id, name, scope)
		return r, err
	}, func(r document.Revision) []ShownRevision { return []ShownRevision{{Document: id, Revision: r.Hash}} })
	if err != nil {
		held = store.Held{}
	}
	return r, held, err
}

func (c *Corpus) revision(ctx context.Context, id document.ID, name string, scope document.Scope) (document.Revision, store.Held, error) {
	var r document.Revision
	held, err := c.named(ctx, id, name, scope)
	if err != nil {
		return r, held, err
	}
	err = c.read(ctx, scope, func(view store.View) error {
		r, err = view.Revision(ctx, id, held.Revision)
		return err
	})
	return r, held, err
}

// named finds which revision a name means.
func (c *Corpus) named(ctx context.Context, id document.ID, name string, scope document.Scope) (store.Held, error) {
	scope.AsOf = 0
	day, notDay := document.ParseDay(name)
	if notDay == nil {
		scope.AsOf = day
	}
	h, now, err := c.history(ctx, id, scope)
	if err != nil {
		return store.Held{}, err
	}
	none := func(why string) error {
		return fmt.Errorf("%w of %s: %s; quarry history %s lists them", ErrRevision, id.Path, why, id.Path)
	}
	switch {
	case notDay == nil && now == "":
		return store.Held{}, none(fmt.Sprintf("none was in force on %s", day))
	case notDay == nil:
		return newest(h, now), nil
	case name == CurrentRevision && now == "":
		return store.Held{}, none("none is in force today")
	case name == CurrentRevision:
		return newest(h, now), nil
	case name == PreviousRevision:
		if was, ok := before(h, now); ok {
			return was, nil
		}
		return store.Held{}, none("there is none before the one in force")
	}
	return byHash(h, strings.ToLower(name), none)
}

// newest is the newest revision with a hash.
func newest(h store.History, hash string) store.Held {
	for i := len(h.Revisions) - 1; i >= 0; i-- {
		if h.Revisions[i].Revision == hash {
			return h.Revisions[i]
		}
	}
	return store.Held{}
}

// before is the revision before the one in force, drafts aside; where none is in force,
// the newest.
func before(h store.History, hash string) (store.Held, bool) {
	past := hash == ""
	for i := len(h.Revisions) - 1; i >= 0; i-- {
		switch r := h.Revisions[i]; {
		case !past:
			past = r.Revision == hash
		case r.Status != document.Draft && r.Revision != hash:
			return r, true
		}
	}
	return store.Held{}, false
}

func byHash(h store.History, prefix string, none func(string) error) (store.Held, error) {
	if len(prefix) < minHash || strings.Trim(prefix, "0123456789abcdef") != "" {
		return store.Held{}, none(fmt.Sprintf("%q is neither a date nor %s, %s or at least %d digits of a hash", prefix, CurrentRevision, PreviousRevision, minHash))
	}
	var found store.Held
	for i := len(h.Revisions) - 1; i >= 0; i-- {
		r := h.Revisions[i]
		if !strings.HasPrefix(r.Revision, prefix) || r.Revision == found.Revision {
			continue
		}
		if found.Revision != "" {
			return store.Held{}, none(fmt.Sprintf("several begin with %s", prefix))
		}
		found = r
	}
	if found.Revision == "" {
		return found, none(fmt.Sprintf("none begins with %s", prefix))
	}
	return found, nil
}

// Superseded says that a revision is not in force today.
type Superseded struct {
	Since document.Day // the first day on which it was no longer; 0 where that is not known
	Until document.Day // where it is not in force yet, the first day on which it is; else 0
	By    string       // the hash of the revision in force today; "" where there is none
}

// Superseded tells of a revision that was found as of another day whether it is in force
// today: nil where it is, and where that is not known to who asks.
func (c *Corpus) Superseded(ctx context.Context, id document.ID, hash string, scope document.Scope) (*Superseded, error) {
	scope, err := c.resolved(ctx, scope)
	if err != nil {
		return nil, err
	}
	scope.AsOf = 0
	var h store.History
	var now string
	var today document.Day
	err = c.read(ctx, scope, func(view store.View) error {
		today = view.Day()
		h, now, err = historyIn(ctx, view, id)
		return err
	})
	if errors.Is(err, document.ErrNotFound) || err == nil && now == hash {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if held := newest(h, hash).Valid; held.From > today && (held.To == 0 || held.To > held.From) {
		return &Superseded{Until: held.From, By: now}, nil
	}
	return &Superseded{Since: cmp.Or(newest(h, hash).Valid.To, h.FailedOn), By: now}, nil
}

// current is the hash of the revision of a document that a view sees, "" for none.
func current(ctx context.Context, view store.View, id document.ID) (string, error) {
	r, err := view.Document(ctx, id, false)
	if errors.Is(err, document.ErrNotFound) {
		return "", nil
	}
	return r.Hash, err
}
