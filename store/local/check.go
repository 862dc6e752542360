package local

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/store"
)

// Check reads all of the store and reports the first damage that Inspect finds as
// store.ErrDamaged.
func (s *Store) Check(ctx context.Context) error {
	found, err := s.Inspect(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	return s.wrap("checking", fmt.Errorf("%w: %s: %s", store.ErrDamaged, found[0].What, found[0].Detail))
}

// Inspect reads all of the store and lists what is damaged: pages as SQLite knows
// them, rows against their checksums, every encoded value and text against its own,
// the index and the vectors against the record. It goes on behind what it finds, sees
// one commit beside writers, and takes time in proportion to the file.
func (s *Store) Inspect(ctx context.Context) ([]store.Damage, error) {
	p, err := s.pin(ctx)
	if err != nil {
		return nil, err
	}
	defer p.release()
	found, err := inspect(ctx, p)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return found.damage, s.unsettled("checking", err)
}
