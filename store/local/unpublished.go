package local

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// unpublished is the last commit of a segment that nobody sees: it is being written, or
// another has taken its place. Its first one is that at which it became so: after so many
// more whoever did it is taken for dead.
const (
	unpublished = -1
	abandoned   = 1000
)

// mergeStep is one write of a merge.
func (s *Store) mergeStep(ctx context.Context, fn func(c *conn) error) error {
	if s.merges.step != nil {
		if err := s.merges.step(); err != nil {
			return err
		}
	}
	return s.write(ctx, "merging", fn)
}

// writeUnpublished writes a segment that nobody sees yet, unless what it was made of is
// there no more: a document that was removed must not come back with it.
func (s *Store) writeUnpublished(ctx context.Context, made built, of []extent) (id int64, err error) {
	if err = s.mergeStep(ctx, func(c *conn) error {
		for _, x := range of {
			if _, err := c.deadOf(ctx, x.id); err != nil {
				return err
			}
		}
		sequence, err := c.sequence(ctx)
		if err == nil {
			id, err = c.insertRow(ctx, sequence, unpublished, made)
		}
		return err
	}); err != nil {
		return 0, err
	}
	s.merges.own = []int64{id}
	for piece := range pieces(made.body, s.merges.part) {
		if err := s.mergeStep(ctx, func(c *conn) error {
			if found, err := c.get(ctx, "SELECT 1 FROM segment WHERE id = ?", []any{id}, new(int)); err != nil || !found {
				return cmp.Or(err, errOvertaken)
			}
			return c.insertPart(ctx, id, piece)
		}); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// errOvertaken says that what a merge was made of, or wrote, is there no more.
var errOvertaken = errors.New("another write came before")

// publish puts a segment that was written in the place of what it was made of.
func (c *conn) publish(ctx context.Context, id int64, made built, of []extent) error {
	sequence, err := c.sequence(ctx)
	if err != nil {
		return err
	}
	size := 0
	if _, err := c.get(ctx, "SELECT coalesce(sum(length(body) - 4), 0) FROM part WHERE segment = ?", []any{id}, &size); err != nil {
		return err
	}
	if size != len(made.body) {
		return errOvertaken
	}
	dead := 0 // since it was made
	for _, x := range of {
		now, err := c.deadOf(ctx, x.id)
		if err != nil {
			return err
		}
		dead += now - x.dead
		if _, err := c.exec(ctx, "UPDATE segment SET first = ?, last = ? WHERE id = ?", sequence, unpublished, x.id); err != nil {
			return err
		}
	}
	if len(made.docs) == 0 {
		return nil
	}
	_, err = c.exec(ctx, "UPDATE segment SET first = ?, last = ?, dead = ? WHERE id = ?", of[0].first, of[len(of)-1].last, dead, id)
	return err
}

// deadOf counts what is dead in a segment that a merge is made of.
func (c *conn) deadOf(ctx context.Context, segment int64) (dead int, err error) {
	found, err := c.get(ctx, "SELECT dead FROM segment WHERE id = ? AND last >= 0", []any{segment}, &dead)
	if err == nil && !found {
		err = errOvertaken
	}
	return dead, err
}

// dropRemoved deletes the segments that nobody sees and a removed document stands in: what
// a crash left of a merge would hold its terms for long. A merge that was writing one
// begins anew.
func (a *applier) dropRemoved() error {
	if len(a.removed) == 0 {
		return nil
	}
	var ids []int64
	var id int64
	if err := a.each(a.ctx, "SELECT id FROM segment WHERE last < 0", nil, []any{&id}, func() error {
		ids = append(ids, id)
		return nil
	}); err != nil {
		return err
	}
	for _, id := range ids {
		docs, err := a.rowsOf(a.ctx, id)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(docs, a.isRemoved) {
			continue
		}
		if err := a.do("DELETE FROM segment WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) isRemoved(row int64) bool {
	_, ok := a.removed[row]
	return ok
}

// useless is a segment to be dropped, 0 for none: one of this process, or one that another
// has abandoned.
func (m *merger) useless(ctx context.Context, c *conn, own []int64) (id int64, err error) {
	sequence, err := c.sequence(ctx)
	if err != nil {
		return 0, err
	}
	var at, first int64
	err = c.each(ctx, "SELECT id, first FROM segment WHERE last < 0", nil, []any{&at, &first}, func() error {
		if sequence-first >= m.patience || slices.Contains(own, at) {
			id = at
		}
		return nil
	})
	return id, err
}

// dropUseless deletes such segments, about as much at a time as a part is.
func (s *Store) dropUseless(ctx context.Context) error {
	own := s.merges.own
	for {
		var id int64
		if err := s.reading(ctx, "merging", func(c *conn) (err error) {
			id, err = s.merges.useless(ctx, c, own)
			return err
		}); err != nil || id == 0 {
			return err
		}
		if err := s.mergeStep(ctx, func(c *conn) error {
			for dropped := 0; dropped < s.merges.part; {
				id, err := s.merges.useless(ctx, c, own)
				if err != nil || id == 0 {
					return err
				}
				size, err := c.dropPart(ctx, id)
				if err != nil {
					return err
				}
				dropped += size
			}
			return nil
		}); err != nil {
			return err
		}
	}
}

// dropPart deletes a part of a segment, or the segment where none is left.
func (c *conn) dropPart(ctx context.Context, segment int64) (size int, err error) {
	var part int64
	found, err := c.get(ctx, "SELECT id, length(body) FROM part WHERE segment = ? LIMIT 1", []any{segment}, &part, &size)
	if err == nil && found {
		_, err = c.exec(ctx, "DELETE FROM part WHERE id = ?", part)
	} else if err == nil {
		_, err = c.exec(ctx, "DELETE FROM segment WHERE id = ?", segment)
	}
	return size, err
}
