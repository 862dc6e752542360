package local

import (
	"context"
	"sync"

	"github.com/seed-d3156d19/quarry/store"
)

// pin holds one commit: a read transaction on the file, and, once a search asked
// for it, the index in memory at exactly that commit.
//
// The index that is at hand when the pin is taken is remembered before the
// transaction begins, so it is never newer than the pin and can be brought up to
// it through the pin's own transaction, whatever others commit or index in the
// meantime.
type pin struct {
	store    *Store
	conn     *conn
	sequence int64
	base     *snapshot // nil: no index was loaded yet

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
	base := s.index.latest.Load()
	raw, err := s.read.Conn(ctx)
	if err != nil {
		return nil, s.wrap("reading", err)
	}
	p := &pin{store: s, conn: &conn{Conn: raw}, base: base, refs: 1}
	if _, err = p.conn.exec(ctx, "BEGIN"); err == nil {
		// The transaction's commit is chosen by its first read.
		err = raw.QueryRowContext(ctx, "SELECT sequence FROM meta").Scan(&p.sequence)
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

func (p *pin) share() {
	p.mu.Lock()
	p.refs++
	p.mu.Unlock()
}

func (p *pin) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refs--; p.refs == 0 {
		p.conn.exec(context.Background(), "ROLLBACK")
		p.conn.Close()
	}
}

// snapshot returns the index at the pinned commit.
func (p *pin) snapshot(ctx context.Context) (*snapshot, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.snap != nil {
		return p.snap, nil
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
