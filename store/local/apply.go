package local

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// Apply implements store.Catalog. What changes nothing is found on a reading
// connection first, so that a sync with nothing to do writes nothing and waits
// for nobody.
func (s *Store) Apply(ctx context.Context, change store.Change) (store.Commit, error) {
	if err := change.Validate(); err != nil {
		return store.Commit{}, err
	}
	var commit store.Commit
	var todo plan
	idle := false
	today := document.DayOf(s.clock())
	err := s.reading(ctx, "comparing a change", func(c *conn) (err error) {
		if todo, err = c.plan(ctx, change, today); err != nil {
			return err
		}
		idle = todo.empty()
		commit.Sequence, err = c.sequence(ctx)
		return err
	})
	if err == nil && idle {
		err = s.still(s.path, s.file)
	}
	if err != nil || idle {
		return commit, err
	}
	heal, mergeDue := s.index.damaged.Load(), false
	err = s.write(ctx, "applying a change", func(c *conn) error {
		// Where another writer has come in between, look again.
		now, err := c.sequence(ctx)
		if err == nil && now != commit.Sequence {
			todo, err = c.plan(ctx, change, today)
		}
		if err != nil {
			return err
		}
		if commit.Changed = !todo.empty(); !commit.Changed {
			if commit.Sequence, err = c.sequence(ctx); err == nil {
				err = errNothing
			}
			return err
		}
		if commit.Sequence, err = c.bump(ctx); err != nil {
			return err
		}
		a := &applier{conn: c, ctx: ctx, sequence: commit.Sequence, today: today, heal: heal, inline: s.merges.inline, taken: s.merges.takenNow()}
		if err := a.apply(todo); err != nil {
			return err
		}
		if a.takenOut {
			s.logged.Store(true)
		}
		mergeDue, err = s.merges.mergeDue(ctx, c)
		return err
	})
	if err != nil {
		return store.Commit{}, err
	}
	if s.logged.Load() {
		s.emptyLog(ctx)
	}
	if heal && commit.Changed {
		s.index.damaged.Store(false)
	}
	if mergeDue {
		s.merge()
	}
	return commit, nil
}

// plan is what of a change is not so yet.
type plan struct {
	source *document.Source
	put    []*store.Revision
	fail   []*store.Failure
	date   []store.Dated
	forget []forgetting
	remove []int64 // document rows
	gone   string  // source

	renamed []renaming
}

func (p plan) empty() bool {
	return p.source == nil && len(p.put) == 0 && len(p.fail) == 0 && len(p.date) == 0 && len(p.forget) == 0 && len(p.remove) == 0 && p.gone == ""
}

func (c *conn) plan(ctx context.Context, change store.Change, today document.Day) (plan, error) {
	var p plan
	known := map[string]bool{}
	if src := change.Source; src != nil {
		known[src.Name] = true
		var same bool
		if _, err := c.get(ctx, "SELECT kind = ? AND root = ? FROM source WHERE name = ?", []any{src.Kind, src.Root, src.Name}, &same); err != nil {
			return p, err
		}
		if !same {
			p.source = src
		}
	}
	require := func(id document.ID) error {
		if known[id.Source] {
			return nil
		}
		found, err := c.get(ctx, "SELECT 1 FROM source WHERE name = ?", []any{id.Source}, new(int))
		if err == nil && !found {
			err = fmt.Errorf("%w: document %s is of a source that was not added", store.ErrInvalid, id)
		}
		known[id.Source] = found
		return err
	}
	is := func(id document.ID, want store.State) (bool, error) {
		var st store.State
		var seen string
		want.Path, st.Seen = id.Path, want.Seen
		found, err := c.get(ctx, latest+" AND d.path = ?", []any{id.Source, id.Path}, &st.Path, &st.Hash, &st.Pipeline, &st.Failed, &st.Reason, &seen)
		if !found || err != nil || st != want {
			return false, err
		}
		at, err := parseInstant(seen)
		return want.Failed || !rules.Sooner(want.Seen, document.DayOf(at), today), err
	}
	for i := range change.Put {
		r := &change.Put[i]
		if err := require(r.Document); err != nil {
			return p, err
		}
		if same, err := is(r.Document, store.State{Hash: r.Hash, Pipeline: r.Pipeline, Seen: r.Seen}); err != nil {
			return p, err
		} else if !same {
			p.put = append(p.put, r)
		}
	}
	for i := range change.Fail {
		f := &change.Fail[i]
		if err := require(f.Document); err != nil {
			return p, err
		}
		if same, err := is(f.Document, store.State{Hash: f.Hash, Pipeline: f.Pipeline, Failed: true, Reason: f.Reason}); err != nil {
			return p, err
		} else if !same {
			p.fail = append(p.fail, f)
		}
	}
	for _, d := range change.Date {
		if differs, err := c.redates(ctx, d); err != nil {
			return p, err
		} else if differs {
			p.date = append(p.date, d)
		}
	}
	for _, f := range change.Forget {
		if todo, err := c.forgettable(ctx, f); err != nil {
			return p, err
		} else if len(todo.revisions) > 0 {
			p.forget = append(p.forget, todo)
		}
	}
	for _, id := range change.Remove {
		var row int64
		if found, err := c.get(ctx, "SELECT id FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &row); err != nil {
			return p, err
		} else if found {
			p.remove = append(p.remove, row)
		}
	}
	if err := c.planRenamed(ctx, change.Renamed, &p); err != nil {
		return p, err
	}
	if change.RemoveSource != "" {
		if found, err := c.get(ctx, "SELECT 1 FROM source WHERE name = ?", []any{change.RemoveSource}, new(int)); err != nil {
			return p, err
		} else if found {
			p.gone = change.RemoveSource
		}
	}
	return p, nil
}

// applier carries out a plan within a transaction.
type applier struct {
	*conn
	ctx      context.Context
	sequence int64
	today    document.Day
	heal     bool    // build the index anew
	inline   int     // see merger
	taken    []int64 // by a merge beside the changes
	// touched and removed are the documents that the commit changes, with the
	// commit that changed them before; 0 for a new one.
	touched, removed map[int64]int64
	fresh            map[int64]*written // new documents
	freshRows        map[document.ID]int64
	digest           digester
	batch            []any  // scratch of passages
	encoded          []byte // scratch of passages: the terms of a batch
	// superseded are the paths, by source, whose derived validity may have changed.
	superseded map[document.ID]bool
	named      names // what documents supersede after the change; see closeRings
	// orphans are content keys of passages that are gone; their vectors go as well
	// unless another passage has the key.
	orphans map[string]bool
	// takenOut is set where passages or documents were deleted.
	takenOut bool
	classes  map[string]int64 // ids of access classes that were asked for, by their text
	access   map[int64]string // their texts
}

func (a *applier) apply(p plan) error {
	a.superseded, a.orphans, a.named = map[document.ID]bool{}, map[string]bool{}, names{}
	a.touched, a.removed, a.fresh = map[int64]int64{}, map[int64]int64{}, map[int64]*written{}
	a.freshRows = map[document.ID]int64{}
	a.classes, a.access = map[string]int64{}, map[int64]string{}
	if src := p.source; src != nil {
		if err := a.do(`INSERT INTO source (name, kind, root) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, root = excluded.root`, src.Name, src.Kind, src.Root); err != nil {
			return err
		}
	}
	for _, row := range p.remove {
		if err := a.remove(row); err != nil {
			return err
		}
	}
	for _, r := range p.renamed {
		if err := a.rename(r); err != nil {
			return err
		}
	}
	if p.gone != "" {
		if err := a.removeSource(p.gone); err != nil {
			return err
		}
	}
	for _, r := range p.put {
		if err := a.put(r); err != nil {
			return err
		}
	}
	for _, f := range p.fail {
		if err := a.fail(f); err != nil {
			return err
		}
	}
	for _, d := range p.date {
		if err := a.redate(d); err != nil {
			return err
		}
	}
	for _, f := range p.forget {
		if err := a.forget(f); err != nil {
			return err
		}
	}
	if err := a.closeRings(); err != nil {
		return err
	}
	for id := range a.superseded {
		if err := a.revalidate(id); err != nil {
			return err
		}
	}
	added := -len(a.removed)
	for _, before := range a.touched {
		if before == 0 {
			added++
		}
	}
	if err := a.do("UPDATE meta SET documents = documents + ?", added); err != nil {
		return err
	}
	for _, row := range slices.Sorted(maps.Keys(a.touched)) {
		if err := a.sealDocument(a.ctx, row, a.fresh[row]); err != nil {
			return err
		}
	}
	a.takenOut = len(a.removed)+len(a.orphans) > 0
	if a.heal {
		if err := a.rebuildVectors(); err != nil {
			return err
		}
		err := a.rebuild()
		if err == nil {
			err = a.dropVectors()
		}
		return err
	}
	if err := a.reindex(); err != nil {
		return err
	}
	return a.dropVectors() // by what the index says now
}

func (a *applier) do(query string, args ...any) error {
	_, err := a.exec(a.ctx, query, args...)
	return err
}

// touch returns the row of a document, new if need be, marked as changed by
// this commit.
func (a *applier) touch(id document.ID) (int64, error) {
	var row, before int64
	found, err := a.get(a.ctx, "SELECT id, changed FROM document WHERE source = ? AND path = ?", []any{id.Source, id.Path}, &row, &before)
	switch {
	case err != nil:
		return 0, err
	case !found:
		result, err := a.exec(a.ctx, "INSERT INTO document (source, path, changed) VALUES (?, ?, ?)", id.Source, id.Path, a.sequence)
		if err != nil {
			return 0, err
		}
		if row, err = result.LastInsertId(); err != nil {
			return 0, err
		}
	case before == a.sequence:
		return row, nil
	default:
		if err := a.do("UPDATE document SET changed = ? WHERE id = ?", a.sequence, row); err != nil {
			return 0, err
		}
	}
	a.touched[row] = before
	return row, nil
}

// fail records a failure as the document's latest state. Its revisions stay, for
// days before.
func (a *applier) fail(f *store.Failure) error {
	row, err := a.touch(f.Document)
	if err != nil {
		return err
	}
	class, err := a.class(f.Access)
	if err != nil {
		return err
	}
	return a.do(`INSERT OR REPLACE INTO failure (document, hash, pipeline, reason, seen, seen_day, tenant, class)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		row, f.Hash, f.Pipeline, f.Reason, instant(f.Seen), document.DayOf(f.Seen), f.Tenant, class)
}

// remove deletes a document with all that hangs on it.
func (a *applier) remove(row int64) error {
	var id document.ID
	var before int64
	if _, err := a.get(a.ctx, "SELECT source, path, changed FROM document WHERE id = ?", []any{row}, &id.Source, &id.Path, &before); err != nil {
		return err
	}
	a.removed[row] = before
	if err := a.supersedes(id, row); err != nil {
		return err
	}
	if err := a.orphan("SELECT DISTINCT key FROM passage WHERE document = ?", row); err != nil {
		return err
	}
	return a.do("DELETE FROM document WHERE id = ?", row)
}

func (a *applier) removeSource(name string) error {
	var rows []int64
	var row int64
	if err := a.each(a.ctx, "SELECT id FROM document WHERE source = ?", []any{name}, []any{&row},
		func() error { rows = append(rows, row); return nil }); err != nil {
		return err
	}
	for _, row := range rows {
		if err := a.remove(row); err != nil {
			return err
		}
	}
	return a.do("DELETE FROM source WHERE name = ?", name)
}

// orphan remembers the content keys that a query selects.
func (a *applier) orphan(query string, args ...any) error {
	var key []byte
	return a.each(a.ctx, query, args, []any{&key}, func() error { a.orphans[string(key)] = true; return nil })
}
