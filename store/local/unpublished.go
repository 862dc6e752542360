package local

import (
	"context"
	"errors"
)

// unpublished is the last commit of a segment that nobody sees: it is being written, or
// another has taken its place.
const unpublished = -1

// mergeStep is one write of a merge.
func (s *Store) mergeStep(ctx context.Context, fn func(c *conn) error) error {
	if s.merges.step != nil {
		if err := s.merges.step(); err != nil {
			return err
		}
	}
	return s.write(ctx, "merging", fn)
}

// writeUnpublished writes a segment that nobody sees yet.
func (s *Store) writeUnpublished(ctx context.Context, made built) (id int64, err error) {
	if err = s.mergeStep(ctx, func(c *conn) error {
		id, err = c.insertRow(ctx, unpublished, unpublished, made)
		return err
	}); err != nil {
		return 0, err
	}
	for piece := range pieces(made.body, s.merges.part) {
		if err := s.mergeStep(ctx, func(c *conn) error { return c.insertPart(ctx, id, piece) }); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// errOvertaken says that what a merge was made of, or wrote, is there no more.
var errOvertaken = errors.New("another write came before")

// publish puts a segment that was written in the place of what it was made of.
func (c *conn) publish(ctx context.Context, id int64, made built, of []extent) error {
	size := 0
	if _, err := c.get(ctx, "SELECT coalesce(sum(length(body) - 4), 0) FROM part WHERE segment = ?", []any{id}, &size); err != nil {
		return err
	}
	if size != len(made.body) {
		return errOvertaken
	}
	dead := 0 // since it was made
	for _, x := range of {
		var now int
		found, err := c.get(ctx, "SELECT dead FROM segment WHERE id = ? AND last >= 0", []any{x.id}, &now)
		if err != nil {
			return err
		}
		if !found {
			return errOvertaken
		}
		dead += now - x.dead
		if _, err := c.exec(ctx, "UPDATE segment SET last = ? WHERE id = ?", unpublished, x.id); err != nil {
			return err
		}
	}
	if len(made.docs) == 0 {
		return nil
	}
	_, err := c.exec(ctx, "UPDATE segment SET first = ?, last = ?, dead = ? WHERE id = ?", of[0].first, of[len(of)-1].last, dead, id)
	return err
}

// dropUnpublished deletes the segments that nobody sees, a part at a time.
func (s *Store) dropUnpublished(ctx context.Context) error {
	for more := true; more; {
		if err := s.reading(ctx, "merging", func(c *conn) (err error) {
			more, err = c.get(ctx, "SELECT 1 FROM segment WHERE last < 0", nil, new(int))
			return err
		}); err != nil || !more {
			return err
		}
		if err := s.mergeStep(ctx, func(c *conn) error {
			var part int64
			found, err := c.get(ctx, "SELECT p.id FROM segment s JOIN part p ON p.segment = s.id WHERE s.last < 0 LIMIT 1", nil, &part)
			if err != nil {
				return err
			}
			if found {
				_, err = c.exec(ctx, "DELETE FROM part WHERE id = ?", part)
			} else {
				_, err = c.exec(ctx, "DELETE FROM segment WHERE last < 0")
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
