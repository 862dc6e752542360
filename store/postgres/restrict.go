package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// place is a document that the view sees, and what of it a restricted view sees.
type place struct {
	document int64
	revision int64        // 0 where it failed: it is listed and no more
	sections map[int]bool // by number; nil is all
}

// Restrict implements store.View. Restricting again intersects.
func (v *view) Restrict(ctx context.Context, to []store.Place) (store.View, error) {
	out := &view{pin: v.pin, scope: v.scope, day: v.day, today: v.today, restricted: true, answers: &answer{}, whole: v.whole}
	err := v.reads(ctx, "narrowing a view", func(q *reading) error {
		places, err := v.places(ctx, q, to)
		if err != nil {
			return err
		}
		out.compiled = v.compiled
		return out.narrow(ctx, q, places)
	})
	if err != nil {
		return nil, err
	}
	if !v.share() {
		return nil, v.alive()
	}
	return out, nil
}

// places finds the documents that the view sees among those asked for.
func (v *view) places(ctx context.Context, q querier, to []store.Place) (map[document.ID]*place, error) {
	out := map[document.ID]*place{}
	ids := make([]document.ID, 0, len(to))
	for _, p := range to {
		ids = append(ids, p.Document)
	}
	sources, paths := split(ids)
	var id document.ID
	var p place
	args := v.args(pgx.NamedArgs{"sources": sources, "paths": paths})
	const asked = "(SELECT DISTINCT * FROM unnest(@sources::text[], @paths::text[]) a (source, path) OFFSET 0) a"
	for _, sql := range []string{
		"SELECT d.source, d.path, s.document, s.revision FROM " + asked + " JOIN document d ON d.source = a.source AND d.path = a.path " + v.compiled.seenOf("d.id"),
		"SELECT f.source, f.path, f.id, 0::bigint FROM " + asked + " JOIN (" + v.failures("d.source, d.path, d.id") + ") f ON f.source = a.source AND f.path = a.path",
	} {
		if err := query(ctx, q, sql, []any{args}, []any{&id.Source, &id.Path, &p.document, &p.revision}, func() error {
			out[id] = &place{document: p.document, revision: p.revision, sections: map[int]bool{}}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	partly := map[int64][]int{} // by revision, the sections asked for
	for _, p := range to {
		switch at := out[p.Document]; {
		case at == nil:
		case p.Section == 0:
			at.sections = nil
		case at.revision != 0:
			partly[at.revision] = append(partly[at.revision], p.Section)
		}
	}
	below, err := sectionsBelow(ctx, q, partly)
	if err != nil {
		return nil, err
	}
	for id, p := range out {
		if p.sections == nil {
			continue
		}
		if p.sections = below[p.revision]; p.sections == nil {
			delete(out, id)
		}
	}
	return out, nil
}

// sectionsBelow are sections of revisions with all below them.
func sectionsBelow(ctx context.Context, q querier, asked map[int64][]int) (map[int64]map[int]bool, error) {
	out := map[int64]map[int]bool{}
	if len(asked) == 0 {
		return out, nil
	}
	var revision int64
	var n, parent int
	return out, query(ctx, q, "SELECT revision, n, parent FROM section WHERE revision = ANY($1) ORDER BY revision, n", []any{keys(asked)}, []any{&revision, &n, &parent}, func() error {
		if slices.Contains(asked[revision], n) || out[revision][parent] {
			if out[revision] == nil {
				out[revision] = map[int]bool{}
			}
			out[revision][n] = true
		}
		return nil
	})
}

// narrow restricts a view to places. Where some are parts of documents, the passages and
// sections of all are looked up.
func (v *view) narrow(ctx context.Context, q querier, places map[document.ID]*place) error {
	documents := []int64{}
	byRevision := map[int64]*place{}
	partly := v.compiled.Passages != nil
	for _, p := range places {
		partly = partly || p.sections != nil
		if p.revision != 0 {
			byRevision[p.revision] = p
		}
		documents = append(documents, p.document)
	}
	if !partly {
		v.compiled.restrict(documents, nil, nil)
		return nil
	}
	seen := map[int64]bool{} // documents of which something is seen
	for _, p := range places {
		if p.sections == nil {
			seen[p.document] = true
		}
	}
	pick := func(sql string, had []int64) ([]int64, error) {
		var before map[int64]bool
		if v.compiled.Passages != nil {
			before = make(map[int64]bool, len(had))
			for _, id := range had {
				before[id] = true
			}
		}
		out := []int64{}
		var revision, id int64
		var section int
		err := query(ctx, q, sql, []any{keys(byRevision)}, []any{&revision, &id, &section}, func() error {
			p := byRevision[revision]
			if (p.sections == nil || p.sections[section]) && (before == nil || before[id]) {
				out = append(out, id)
				seen[p.document] = true
			}
			return nil
		})
		return out, err
	}
	passages, err := pick("SELECT revision, passage, section FROM occurrence WHERE revision = ANY($1)", v.compiled.Passages)
	if err != nil {
		return err
	}
	sections, err := pick("SELECT revision, id, n FROM section WHERE revision = ANY($1) AND n > 0", v.compiled.Sections)
	if err != nil {
		return err
	}
	v.compiled.restrict(slices.Collect(maps.Keys(seen)), passages, sections)
	return nil
}
