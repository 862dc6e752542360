package local

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/store"
)

// A merge of more than inlineMerge is made beside the changes: the change that asks for it
// is done before it begins. It is computed from segments as they stand, without the right
// to write, and written a part at a time, so that another change waits for one part at
// most. Until all of it is in the file its row has unpublished as its last commit, and
// nobody sees it; then it takes the place of what it was made of in one transaction, which
// is no commit, as nothing that is read changes. Where another process took away what is
// merged, the merge begins anew. What a crash leaves is deleted by a merge after it.
const inlineMerge = 1 << 20

// merger makes the merges of a process, one at a time.
type merger struct {
	inline   int          // inlineMerge, but for tests
	part     int          // partSize, but for tests
	patience int64        // abandoned, but for tests
	step     func() error // before each write, in tests

	mu    sync.Mutex
	ended chan struct{} // closed when the merging under way ends; nil where none is
	again bool          // look once more before it ends
	// taken are the segments that the merge under way is made of: changes leave them.
	taken atomic.Pointer[[]int64]
	ready atomic.Pointer[segment] // the last one made, for an index that is in memory
	own   []int64                 // unpublished segments of this process, known to the merging under way
}

// due returns which of the segments become one beside the changes; none where from is to.
func due(list []extent, inline int) (from, to int) {
	if from = newest(list, smallestSegment, largestSegment); from < len(list) {
		sum := 0
		for _, x := range list[from:] {
			sum += x.size
		}
		if sum > inline {
			return from, len(list)
		}
	}
	i := slices.IndexFunc(list, func(x extent) bool { return mostlyDead(x) && x.size > inline })
	return max(i, 0), i + 1
}

func mostlyDead(x extent) bool { return 2*x.dead > x.docs }

// rewrites reports whether a change writes a segment anew without what is dead in it.
func (a *applier) rewrites(x extent) bool {
	return mostlyDead(x) && x.size <= a.inline && !slices.Contains(a.taken, x.id)
}

// mergeDue reports whether there is something for a merger to do.
func (m *merger) mergeDue(ctx context.Context, c *conn) (bool, error) {
	list, err := c.segments(ctx)
	if err != nil {
		return false, err
	}
	if from, to := due(list, m.inline); from < to {
		return true, nil
	}
	id, err := m.useless(ctx, c, nil)
	return id != 0, err
}

// merge begins the merging that is due, unless it is under way. What fails is tried again
// after the next change: a merge changes nothing that anyone sees.
func (s *Store) merge() {
	m := &s.merges
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended != nil {
		m.again = true
		return
	}
	m.ended = make(chan struct{})
	go func() {
		for more := true; more; {
			err := s.mergeAll(context.Background())
			if errors.Is(err, store.ErrDamaged) {
				s.index.damaged.Store(true) // the next change builds it anew
			}
			m.mu.Lock()
			more = m.again && err == nil
			m.again = false
			if !more {
				close(m.ended)
				m.ended = nil
			}
			m.mu.Unlock()
		}
	}()
}

// Settle waits until the merging that changes left to do beside them has ended. Close does
// so, too; whoever measures what changes cost needs it.
func (s *Store) Settle(ctx context.Context) error {
	for {
		s.merges.mu.Lock()
		ended := s.merges.ended
		s.merges.mu.Unlock()
		if ended == nil {
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Store) mergeAll(ctx context.Context) error {
	defer s.merges.taken.Store(nil)
	for overtaken := 0; ; {
		if err := s.dropUseless(ctx); err != nil {
			return err
		}
		more, err := s.mergeOnce(ctx)
		if errors.Is(err, errOvertaken) && overtaken < 3 {
			overtaken++
			continue
		}
		if err != nil || !more {
			return err
		}
	}
}

// mergeOnce makes one merge; false where none is due.
func (s *Store) mergeOnce(ctx context.Context) (bool, error) {
	var of []extent
	var parts []*segment
	var dead []bitset
	if err := s.reading(ctx, "merging", func(c *conn) (err error) {
		of, parts, dead, err = s.takeDue(ctx, c)
		return err
	}); err != nil || len(of) == 0 {
		return false, err
	}
	made, err := merge(parts, dead)
	if err != nil {
		return false, err
	}
	id, err := s.writeUnpublished(ctx, made, of)
	if err != nil {
		return false, err
	}
	if s.index.latest.Load() != nil {
		g, err := decodeSegment(id, made.body, s.bm25)
		if err != nil {
			return false, err
		}
		s.merges.ready.Store(g)
	}
	if err := s.mergeStep(ctx, func(c *conn) error { return c.publish(ctx, id, made, of) }); err != nil {
		s.merges.ready.Store(nil) // nobody will ask for it
		return false, err
	}
	for _, x := range of {
		s.merges.own = append(s.merges.own, x.id) // beside the new one, where that is empty
	}
	return true, nil
}

// takeDue reads the segments of the merge that is due, with their documents that stand in
// later ones.
func (s *Store) takeDue(ctx context.Context, c *conn) (of []extent, parts []*segment, dead []bitset, err error) {
	list, err := c.segments(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	from, to := due(list, s.merges.inline)
	if from == to {
		return nil, nil, nil, nil
	}
	of = list[from:to]
	var ids []int64
	for _, x := range of {
		ids = append(ids, x.id)
	}
	s.merges.taken.Store(&ids)
	later := map[int64]bool{}
	for i := len(list) - 1; i >= from; i-- {
		docs, err := c.rowsOf(ctx, list[i].id)
		if err != nil {
			return nil, nil, nil, err
		}
		if i < to {
			g, err := c.segment(ctx, list[i])
			if err != nil {
				return nil, nil, nil, err
			}
			marks := newBitset(len(g.docs))
			for at, d := range g.docs {
				if later[d.row] {
					marks.set(uint32(at))
				}
			}
			parts, dead = append(parts, g), append(dead, marks)
		}
		for _, row := range docs {
			later[row] = true
		}
	}
	slices.Reverse(parts)
	slices.Reverse(dead)
	return of, parts, dead, nil
}

// takenNow are the segments that changes leave to the merge under way.
func (m *merger) takenNow() []int64 {
	if ids := m.taken.Load(); ids != nil {
		return *ids
	}
	return nil
}

// free returns where the segments begin that a change may merge itself.
func (a *applier) free(list []extent) int {
	for i := len(list) - 1; i >= 0; i-- {
		if slices.Contains(a.taken, list[i].id) {
			return i + 1
		}
	}
	return 0
}
