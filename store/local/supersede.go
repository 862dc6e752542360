package local

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// supersedes remembers every document that a revision of this one names, and those
// that stand in a ring with it, because it is about to change or to go.
func (a *applier) supersedes(id document.ID, doc int64) error {
	if err := a.dirtyRing(names{}, id); err != nil {
		return err
	}
	id.Path = ""
	return a.each(a.ctx, "SELECT DISTINCT s.path FROM supersedes s JOIN revision r ON r.id = s.revision WHERE r.document = ?",
		[]any{doc}, []any{&id.Path}, func() error { a.superseded[id] = true; return nil })
}

// revalidate derives anew the days on which the revisions of a document may be
// in force, and marks the document as changed where that changes one.
func (a *applier) revalidate(id document.ID) error {
	if w := a.fresh[a.freshRows[id]]; w != nil {
		return a.revalidateFresh(id, w)
	}
	var doc int64
	if found, err := a.get(a.ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &doc); err != nil || !found {
		return err
	}
	var rows []int64
	var recorded []store.Recorded
	var had []document.Interval
	var row int64
	var r store.Recorded
	var valid document.Interval
	var tenant string
	if err := a.each(a.ctx, `SELECT id, seen_day, status, effective_from, effective_to, valid_from, valid_to, tenant
		FROM revision WHERE document = ? ORDER BY id`, []any{doc},
		[]any{&row, &r.Seen, &r.Status, &r.Effective.From, &r.Effective.To, &valid.From, &valid.To, &tenant},
		func() error {
			rows, recorded, had = append(rows, row), append(recorded, r), append(had, valid)
			return nil
		}); err != nil {
		return err
	}
	from, err := a.supersededFrom(id, doc, tenant)
	if err != nil {
		return err
	}
	changed := false
	for i, v := range store.Validity(recorded, from) {
		if v == had[i] {
			continue
		}
		changed = true
		if err := a.do("UPDATE revision SET valid_from = ?, valid_to = ? WHERE id = ?", v.From, v.To, rows[i]); err != nil {
			return err
		}
	}
	if changed {
		_, err = a.touch(id)
	}
	return err
}

// revalidateFresh does so for a document that the change has added.
func (a *applier) revalidateFresh(id document.ID, w *written) error {
	from, err := a.supersededFrom(id, a.freshRows[id], w.Metadata.Tenant)
	if err != nil {
		return err
	}
	v := store.Validity([]store.Recorded{w.recorded}, from)[0]
	if v == w.valid {
		return nil
	}
	w.valid = v
	return a.do("UPDATE revision SET valid_from = ?, valid_to = ? WHERE id = ?", v.From, v.To, w.row)
}

// supersededFrom is the first day of the revisions of other documents that name
// this one, in its source and tenant, drafts aside. A document whose newest
// revision no longer names it does not count: a mistaken "supersedes" is undone
// by taking it away; nor does one that stands in a ring with this one. The day is
// read from what the superseding revision states and when it was seen, not from its
// derived validity.
func (a *applier) supersededFrom(id document.ID, doc int64, tenant string) (document.Day, error) {
	type superseding struct {
		path   string
		begins document.Day
	}
	var all []superseding
	var path string
	var r store.Recorded
	err := a.each(a.ctx, `SELECT d.path, r.seen_day, r.effective_from, r.effective_to
		FROM supersedes s JOIN revision r ON r.id = s.revision JOIN document d ON d.id = r.document
		WHERE s.path = ? AND d.source = ? AND d.id <> ? AND r.tenant = ? AND r.status <> 'draft'
		AND EXISTS (SELECT 1 FROM supersedes l WHERE l.path = s.path AND l.revision =
			(SELECT max(n.id) FROM revision n WHERE n.document = r.document AND n.status <> 'draft'))`,
		[]any{id.Path, id.Source, doc, tenant}, []any{&path, &r.Seen, &r.Effective.From, &r.Effective.To}, func() error {
			all = append(all, superseding{path, rules.Begins(r)})
			return nil
		})
	if err != nil || len(all) == 0 {
		return 0, err
	}
	ring, err := a.ring(a.named, id)
	var first document.Day
	for _, s := range all {
		if !slices.Contains(ring, s.path) && (first == 0 || s.begins < first) {
			first = s.begins
		}
	}
	return first, err
}
