package local

import (
	"context"
	"sync"

	"github.com/seed-d3156d19/quarry/store"
)

// pin holds one commit: a read transaction on the file, and, once it was asked
// for, the index in memory at exactly that commit.
type pin struct {
	store    *Store
	conn     *conn
	sequence int64

	mu   sync.Mutex // guards conn, snap and refs
	snap *snapshot
	refs int
}

func (s *Store) pin(ctx context.Context) (*pin, error) {
	if err := s.alive(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.thawed(); err != nil {
		return nil, err
	}
	c, err := s.borrow(ctx)
	if err != nil {
		return nil, s.wrap("reading", err)
	}
	p := &pin{store: s, conn: c, refs: 1}
	if _, err = c.exec(ctx, "BEGIN"); err == nil {
		// The transaction's commit is chosen by its first read.
		p.sequence, err = c.sequence(ctx)
	}
	if err != nil {
		p.release()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, s.wrap("reading", err)
	}
	return p, nil
}

func (p *pin) commit() store.Commit { return store.Commit{Sequence: p.sequence} }

// share gives the pin one more owner; false where the last one has left.
func (p *pin) share() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refs == 0 {
		return false
	}
	p.refs++
	return true
}

func (p *pin) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refs--; p.refs > 0 {
		return
	}
	_, err := p.conn.exec(context.Background(), "ROLLBACK")
	p.store.giveBack(p.conn, err == nil)
}

// snapshot returns the index at the pinned commit.
func (p *pin) snapshot(ctx context.Context) (*snapshot, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.snap != nil {
		return p.snap, nil
	}
	if p.refs == 0 {
		return nil, p.store.wrap("reading", store.ErrClosed)
	}
	snap, err := p.store.index.at(ctx, p)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, p.store.wrap("loading the index", err)
	}
	p.snap = snap
	return snap, nil
}
