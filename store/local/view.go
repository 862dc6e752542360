package local

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// view implements store.View: a pinned commit, and a scope on a day.
type view struct {
	*pin
	scope  document.Scope
	day    document.Day
	today  document.Day
	closed atomic.Bool
	// restricted: it is narrowed to places.
	restricted bool

	mu   sync.Mutex // guards what follows
	seen *visible   // compiled by the first question, or given by Restrict
}

// View implements store.Store.
func (s *Store) View(ctx context.Context, scope document.Scope) (store.View, error) {
	p, err := s.pin(ctx)
	if err != nil {
		return nil, err
	}
	v := &view{pin: p, scope: rules.CloneScope(scope)}
	if v.today, err = p.today(ctx); err != nil {
		p.release()
		return nil, err
	}
	if v.day = scope.AsOf; v.day == 0 {
		v.day = v.today
	}
	return v, nil
}

// today is the clock's day, or the next where something was seen then already.
func (p *pin) today(ctx context.Context) (document.Day, error) {
	var seen document.Day
	if _, err := p.conn.get(ctx, "SELECT seen_day FROM revision ORDER BY id DESC LIMIT 1", nil, &seen); err != nil {
		return 0, p.store.wrap("reading", err)
	}
	return store.Today(document.DayOf(p.store.clock()), seen), nil
}

// Commit implements store.View.
func (v *view) Commit() store.Commit { return v.commit() }

// Day implements store.View.
func (v *view) Day() document.Day { return v.day }

// Close implements store.View.
func (v *view) Close() error {
	if !v.closed.Swap(true) {
		v.release()
	}
	return nil
}

func (v *view) alive() error {
	if v.closed.Load() {
		return fmt.Errorf("this view of %s: %w", v.store.path, store.ErrClosed)
	}
	return nil
}

// searchable returns the index at the view's commit with what the scope sees of it
// and whom the statistics count.
func (v *view) searchable(ctx context.Context) (s *snapshot, sees, counts *visible, err error) {
	if err = v.alive(); err != nil {
		return
	}
	if err = ctx.Err(); err != nil {
		return
	}
	if s, err = v.snapshot(ctx); err != nil {
		return
	}
	counts = s.population(&v.scope, v.today)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = s.compile(&v.scope, v.day, v.today)
	}
	return s, v.seen, counts, nil
}

// reads runs fn on the pinned transaction, one caller at a time.
func (v *view) reads(ctx context.Context, doing string, fn func(c *conn) error) error {
	if err := v.alive(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	v.pin.mu.Lock()
	defer v.pin.mu.Unlock()
	if v.refs == 0 {
		return v.alive()
	}
	err := fn(v.conn)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	if known := asNotFound(err); known != nil {
		return known
	}
	return v.store.unsettled(doing, err)
}
