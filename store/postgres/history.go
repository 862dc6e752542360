package postgres

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// standsAs is a document as its history tells it to one who may read it.
type standsAs struct {
	failed   string
	failedOn document.Day
	held     []heldRevision
}

type heldRevision struct {
	id int64
	store.Held
}

// History implements store.View.
func (v *view) History(ctx context.Context, id document.ID) (store.History, error) {
	out := store.History{Document: id}
	err := v.reads(ctx, "reading the history of a document", func(q *reading) error {
		h, err := v.history(ctx, q, id)
		if err != nil {
			return err
		}
		out = store.History{Document: id, Failed: h.failed, FailedOn: h.failedOn}
		for _, r := range h.held {
			out.Revisions = append(out.Revisions, r.Held)
		}
		return nil
	})
	if err != nil {
		return store.History{}, err
	}
	return out, nil
}

// Revision implements store.View.
func (v *view) Revision(ctx context.Context, id document.ID, hash string) (out document.Revision, err error) {
	err = v.reads(ctx, "reading a revision", func(q *reading) error {
		h, err := v.history(ctx, q, id)
		if err != nil {
			return err
		}
		for _, r := range slices.Backward(h.held) {
			if r.Held.Revision == clean(hash) {
				out, err = v.revision(ctx, q, id, r.id, "true")
				return err
			}
		}
		return notFound{"revision " + hash + " of document " + id.String()}
	})
	if err != nil {
		return document.Revision{}, err
	}
	return out, nil
}

// history reads a document whose newest revision, and whose failure where it failed, admit the
// scope's tenant and principals. Another is not found, as where there is no such document.
func (v *view) history(ctx context.Context, q querier, id document.ID) (*standsAs, error) {
	absent := notFound{"document " + id.String()}
	args := v.args(pgx.NamedArgs{"source": clean(id.Source), "path": clean(id.Path)})
	restricted := ""
	if v.restricted {
		restricted = " AND d.id = ANY(@v_documents)"
	}
	var doc int64
	var out standsAs
	var reason *string
	var failedOn *document.Day
	var tenant string
	var failureAdmits *bool
	var failed bool
	err := q.QueryRow(ctx, `SELECT d.id, d.tenants[1], d.failed <> 0, x.reason, x.seen_day, x.tenant = @v_tenant AND x.class = ANY(@v_classes)
		FROM document d LEFT JOIN failure x ON x.document = d.id WHERE d.source = @source AND d.path = @path`+restricted, args).
		Scan(&doc, &tenant, &failed, &reason, &failedOn, &failureAdmits)
	switch {
	case err == pgx.ErrNoRows:
		return nil, absent
	case err != nil:
		return nil, err
	case failed && (failureAdmits == nil || !*failureAdmits): // it may be one that row-level security hides
		return nil, absent
	case tenant != v.compiled.Tenant:
		return nil, absent
	case reason != nil:
		out.failed, out.failedOn = *reason, *failedOn
	}
	var r heldRevision
	var admits bool
	var seen time.Time
	var nanos int16
	var raw []byte
	newestAdmits := true
	args["document"] = doc
	if err := query(ctx, q, `SELECT id, hash, title, status, valid_from, valid_to, seen, seen_nanos, format, metadata, tenant = @v_tenant AND class = ANY(@v_classes)
		FROM revision WHERE document = @document ORDER BY id`, []any{args},
		[]any{&r.id, &r.Held.Revision, &r.Title, &r.Status, &r.Valid.From, &r.Valid.To, &seen, &nanos, &r.Format, &raw, &admits}, func() error {
			if newestAdmits = admits; !admits {
				return nil
			}
			var m rules.Metadata
			if err := json.Unmarshal(raw, &m); err != nil {
				return err
			}
			one := r
			one.Seen, one.Metadata, one.Attributes, one.Forgotten = timeOf(seen, nanos), m.Metadata, m.Attributes, m.Forgotten
			out.held = append(out.held, one)
			return nil
		}); err != nil {
		return nil, err
	}
	if !newestAdmits {
		return nil, absent
	}
	return &out, nil
}
