package local

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Segments are kept few: as soon as the newest ones are eight of about one size
// they become one, so that each posting is written once for every eightfold growth
// and the number of segments grows with the logarithm of the rows.
const (
	smallestSegment = 32 << 10
	largestSegment  = 64 << 20 // see merging.go for those that a change does not merge itself
	fan             = 8
)

// extent is a segment or block as the merging of the newest looks at it.
type extent struct {
	id          int64
	first, last int64
	docs, dead  int
	size        int
	body        string // if it was just made
}

// newest returns from which on extents, in the order of their age, become one of
// at most largest bytes; len(list) for none. An extent's level is the eightfold
// growth that it reached. What is too large to become one with seven of its level
// stays as it is.
func newest(list []extent, smallest, largest int) int {
	level := func(size int) (n int) {
		for limit := smallest; size > limit; limit *= fan {
			n++
		}
		return n
	}
	start, from, sum := len(list), len(list), 0
	for at := range level(largest) + 1 {
		i := from
		for ; i > 0 && level(list[i-1].size) <= at && sum+list[i-1].size <= largest; i-- {
			sum += list[i-1].size
		}
		n := from - i
		if from < len(list) {
			n++ // all smaller ones together count as one
		}
		if n >= fan {
			start = i
		}
		from = i
	}
	return start
}

// reindex brings the index up to the commit: a segment of the documents that it
// touched, and what merging asks for. A removed document's terms are left nowhere.
func (a *applier) reindex() error {
	if err := a.dropRemoved(); err != nil {
		return a.repair(err)
	}
	list, err := a.segments(a.ctx)
	if err != nil {
		return err
	}
	for _, before := range a.replaced() {
		for i := range list {
			if list[i].first <= before && before <= list[i].last {
				list[i].dead++
				if err := a.do("UPDATE segment SET dead = ? WHERE id = ?", list[i].dead, list[i].id); err != nil {
					return err
				}
				break
			}
		}
	}
	b := newBuilder(a.ctx, a.conn)
	b.fresh = a.fresh
	made, err := b.build(slices.Sorted(maps.Keys(a.touched)))
	if err != nil {
		return err
	}
	if err := a.own(made); err != nil {
		return a.repair(err)
	}
	fresh := len(list)
	for _, s := range made {
		list = append(list, extent{first: a.sequence, last: a.sequence, docs: len(s.docs), size: len(s.body), body: s.body})
	}
	free := a.free(list)
	from := free + newest(list[free:], smallestSegment, a.inline)
	if fresh < from { // what is kept as it is
		for i, s := range made[:min(from, len(list))-fresh] {
			if list[fresh+i].id, err = a.insertSegment(a.ctx, a.sequence, a.sequence, s); err != nil {
				return err
			}
		}
	}
	return a.compact(list, from, func(i int) []int64 {
		if i >= fresh {
			return made[i-fresh].docs
		}
		return nil
	})
}

// replaced are the commits in whose segments a touched or removed document stood.
func (a *applier) replaced() []int64 {
	var out []int64
	for _, rows := range []map[int64]int64{a.touched, a.removed} {
		for _, before := range rows {
			if before > 0 {
				out = append(out, before)
			}
		}
	}
	return out
}

// compact merges the segments from from on, and rewrites those before that are
// mostly dead and small or hold a removed document. fresh gives the documents of a segment
// that was just made.
func (a *applier) compact(list []extent, from int, fresh func(int) []int64) error {
	rewrite := func(x extent) bool { return a.rewrites(x) || len(a.removed) > 0 }
	if from == len(list) && !slices.ContainsFunc(list, rewrite) {
		return nil
	}
	shadow := maps.Clone(a.removed) // documents that stand in a later segment, or nowhere
	var pending []int               // the segments that become one, the newest first
	for i := len(list) - 1; i >= 0; i-- {
		docs := fresh(i)
		if docs == nil {
			var err error
			if docs, err = a.rowsOf(a.ctx, list[i].id); err != nil {
				return a.repair(err)
			}
		}
		gone := slices.ContainsFunc(docs, a.isRemoved)
		switch {
		case i >= from:
			if pending = append(pending, i); i > from {
				continue
			}
		case gone || a.rewrites(list[i]):
			pending = append(pending, i)
		}
		if len(pending) > 0 {
			if err := a.merge(list, pending, shadow); err != nil {
				return a.repair(err)
			}
			pending = nil
		} else {
			for _, row := range docs {
				shadow[row] = 0
			}
		}
	}
	return nil
}

// merge replaces segments, the newest first, by one, and adds its documents to
// shadow.
func (a *applier) merge(list []extent, pending []int, shadow map[int64]int64) error {
	var parts []*segment
	var dead []bitset
	first, last := int64(math.MaxInt64), int64(0)
	for _, i := range pending {
		x := list[i]
		g, err := a.segment(a.ctx, x)
		if err != nil {
			return err
		}
		marks := newBitset(len(g.docs))
		for at, d := range g.docs {
			if _, ok := shadow[d.row]; ok {
				marks.set(uint32(at))
			} else {
				shadow[d.row] = 0
			}
		}
		parts, dead = append(parts, g), append(dead, marks)
		first, last = min(first, x.first), max(last, x.last)
		if x.id != 0 { // its pages are free for what follows
			if err := a.do("DELETE FROM segment WHERE id = ?", x.id); err != nil {
				return err
			}
		}
	}
	slices.Reverse(parts)
	slices.Reverse(dead)
	s, err := merge(parts, dead)
	if err != nil || len(s.docs) == 0 {
		return err
	}
	_, err = a.insertSegment(a.ctx, first, last, s)
	return err
}

// repair builds the index anew from the record where it is damaged.
func (a *applier) repair(err error) error {
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	return a.rebuild()
}

func (a *applier) rebuild() error {
	if err := a.do("DELETE FROM segment"); err != nil {
		return err
	}
	docs, err := a.allDocuments(a.ctx)
	if err != nil {
		return err
	}
	made, err := newBuilder(a.ctx, a.conn).build(docs)
	if err != nil {
		return err
	}
	if err := a.own(made); err != nil {
		return err
	}
	for _, s := range made {
		if _, err := a.insertSegment(a.ctx, 0, a.sequence, s); err != nil {
			return err
		}
	}
	return a.do("UPDATE meta SET documents = (SELECT count(*) FROM document)")
}

func (c *conn) allDocuments(ctx context.Context) ([]int64, error) {
	var docs []int64
	var row int64
	err := c.each(ctx, "SELECT id FROM document ORDER BY id", nil, []any{&row}, func() error { docs = append(docs, row); return nil })
	return docs, err
}

func (c *conn) segments(ctx context.Context) ([]extent, error) {
	var list []extent
	var x extent
	err := c.each(ctx, "SELECT id, first, last, docs, dead, size FROM segment WHERE last >= 0 ORDER BY last, id", nil,
		[]any{&x.id, &x.first, &x.last, &x.docs, &x.dead, &x.size}, func() error { list = append(list, x); return nil })
	return list, err
}
