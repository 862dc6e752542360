package postgres

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// newestNames selects, for the newest revision of each document, drafts aside, what it
// supersedes; the path is NULL where that is nothing.
const newestNames = `SELECT d.path, r.tenant, s.path FROM document d
	JOIN revision r ON r.id = (SELECT max(id) FROM revision WHERE document = d.id AND status <> 'draft')
	LEFT JOIN supersedes s ON s.revision = r.id WHERE d.source = $1`

// namesOf is what the newest revision of a document supersedes, from known if it stands there.
func (a *applier) namesOf(known map[document.ID]rules.Named, id document.ID) (rules.Named, error) {
	if n, ok := known[id]; ok {
		return n, nil
	}
	var out rules.Named
	var self string
	var path *string
	err := a.each(newestNames+" AND d.path = $2", []any{clean(id.Source), clean(id.Path)}, []any{&self, &out.Tenant, &path}, func() error {
		if path != nil {
			out.Paths = append(out.Paths, *path)
		}
		return nil
	})
	known[id] = out
	return out, err
}

// ring is the paths of the ring that a document stands in.
func (a *applier) ring(known map[document.ID]rules.Named, id document.ID) ([]string, error) {
	return rules.Ring(id.Path, func(path string) (rules.Named, error) {
		return a.namesOf(known, document.ID{Source: id.Source, Path: path})
	})
}

// markSuperseded remembers, before anything changes, every document that those which are
// about to change or to go name, and those that stand in a ring with one of them.
func (a *applier) markSuperseded() error {
	var docs []int64
	for _, k := range a.remove {
		docs = append(docs, k.row)
	}
	for _, n := range a.rename {
		docs = append(docs, n.row)
	}
	for _, d := range a.date {
		docs = append(docs, d.row)
	}
	for _, r := range a.put {
		if k := a.documents[r.Document]; k != nil {
			docs = append(docs, k.row)
		}
	}
	before := map[document.ID]rules.Named{}
	return a.markNamed(before, docs)
}

// markNamed remembers what documents name in any of their revisions, and their rings.
func (a *applier) markNamed(known map[document.ID]rules.Named, docs []int64) error {
	if len(docs) == 0 {
		return nil
	}
	naming := map[document.ID]bool{}
	var id, other document.ID
	if err := a.each("SELECT DISTINCT d.source, d.path, s.path FROM supersedes s JOIN document d ON d.id = s.document WHERE s.document = ANY($1)",
		[]any{docs}, []any{&id.Source, &id.Path, &other.Path}, func() error {
			naming[id] = true
			a.superseded[document.ID{Source: id.Source, Path: other.Path}] = true
			return nil
		}); err != nil {
		return err
	}
	for id := range naming { // others stand in no ring
		ring, err := a.ring(known, id)
		if err != nil {
			return err
		}
		for _, path := range ring {
			a.superseded[document.ID{Source: id.Source, Path: path}] = true
		}
	}
	return nil
}

// validity is what there is of a document whose days are derived anew.
type validity struct {
	row      int64
	tenant   string // of the newest revision
	rows     []int64
	recorded []store.Recorded
	had      []document.Interval
}

// revalidate derives anew the days on which the revisions of superseded documents may be in
// force, and of those that the change made: each ring that it made has a document in it that
// was put. Those of rings that it broke were remembered before.
func (a *applier) revalidate() error {
	a.names = map[document.ID]rules.Named{}
	if err := a.markNamed(a.names, keys(a.touched)); err != nil {
		return err
	}
	ids := keys(a.superseded)
	if len(ids) == 0 {
		return nil
	}
	all, err := a.recorded(ids)
	if err != nil {
		return err
	}
	from, err := a.supersededFrom(ids, all)
	if err != nil {
		return err
	}
	var rows []int64
	var froms, tos []document.Day
	for id, d := range all {
		for i, v := range store.Validity(d.recorded, from[id]) {
			if v != d.had[i] {
				rows, froms, tos = append(rows, d.rows[i]), append(froms, v.From), append(tos, v.To)
				a.touched[d.row] = true
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return a.do(`UPDATE revision r SET valid_from = a.f, valid_to = a.t
		FROM unnest($1::bigint[], $2::int[], $3::int[]) a (id, f, t) WHERE r.id = a.id`, rows, froms, tos)
}

// recorded reads the revisions of documents.
func (a *applier) recorded(ids []document.ID) (map[document.ID]*validity, error) {
	out := map[document.ID]*validity{}
	sources, paths := split(ids)
	var id document.ID
	var doc, row int64
	var r store.Recorded
	var had document.Interval
	var tenant string
	return out, a.each(`SELECT d.id, d.source, d.path, r.id, r.seen_day, r.status, r.effective_from, r.effective_to, r.valid_from, r.valid_to, r.tenant
		FROM unnest($1::text[], $2::text[]) a (source, path) JOIN document d ON d.source = a.source AND d.path = a.path
		JOIN revision r ON r.document = d.id ORDER BY r.id`, []any{sources, paths},
		[]any{&doc, &id.Source, &id.Path, &row, &r.Seen, &r.Status, &r.Effective.From, &r.Effective.To, &had.From, &had.To, &tenant}, func() error {
			d := out[id]
			if d == nil {
				d = &validity{row: doc}
				out[id] = d
			}
			d.tenant = tenant
			d.rows, d.recorded, d.had = append(d.rows, row), append(d.recorded, r), append(d.had, had)
			return nil
		})
}

// supersededFrom is, for each document that is superseded, the first day of the revisions of
// other documents that name it, in its source and tenant, drafts aside. A document whose
// newest revision no longer names it does not count: a mistaken "supersedes" is undone
// by taking it away; nor does one that stands in a ring with this one.
func (a *applier) supersededFrom(ids []document.ID, all map[document.ID]*validity) (map[document.ID]document.Day, error) {
	type superseding struct {
		path   string
		begins document.Day
	}
	by := map[document.ID][]superseding{}
	sources, paths := split(ids)
	var id document.ID
	var path, tenant string
	var r store.Recorded
	if err := a.each(`SELECT t.source, t.path, d.path, r.tenant, r.seen_day, r.effective_from, r.effective_to
		FROM unnest($1::text[], $2::text[]) t (source, path)
		JOIN supersedes s ON s.path = t.path JOIN revision r ON r.id = s.revision
		JOIN document d ON d.id = s.document AND d.source = t.source AND d.path <> t.path
		WHERE r.status <> 'draft' AND EXISTS (SELECT FROM supersedes l WHERE l.path = s.path AND l.revision =
			(SELECT max(n.id) FROM revision n WHERE n.document = s.document AND n.status <> 'draft'))`, []any{sources, paths},
		[]any{&id.Source, &id.Path, &path, &tenant, &r.Seen, &r.Effective.From, &r.Effective.To}, func() error {
			if d := all[id]; d != nil && d.tenant == tenant {
				by[id] = append(by[id], superseding{path, rules.Begins(r)})
			}
			return nil
		}); err != nil {
		return nil, err
	}
	out := map[document.ID]document.Day{}
	for id, list := range by {
		ring, err := a.ring(a.names, id)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if !slices.Contains(ring, s.path) && (out[id] == 0 || s.begins < out[id]) {
				out[id] = s.begins
			}
		}
	}
	return out, nil
}

// dateDocuments gives the revisions of documents that state no validity the one that was
// inferred for them.
func (a *applier) dateDocuments() error {
	for _, d := range a.date {
		a.touched[d.row] = true
		a.superseded[d.id] = true // its own validity
		for _, r := range d.past {
			var changes bool
			if r.metadata.Metadata, changes = rules.Date(r.metadata.Metadata, d.Dated); changes {
				if err := a.putMetadata(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
