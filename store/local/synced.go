package local

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// syncTable keeps how the last syncs of sources went. It is for people and no part of the
// record, so a store gets it with the first note, whatever its format, and a version that
// does not know it leaves it alone.
const syncTable = `CREATE TABLE IF NOT EXISTS sync (
  source TEXT PRIMARY KEY REFERENCES source (name) ON DELETE CASCADE,
  note   BLOB NOT NULL -- JSON of noted, encoded
) STRICT, WITHOUT ROWID`

// noted is a note with the source that it is of, so that one checksum is over both.
type noted struct {
	Source string
	store.Sync
}

// Synced implements store.Catalog.
func (s *Store) Synced(ctx context.Context) (map[string]store.Sync, error) {
	out := map[string]store.Sync{}
	err := s.reading(ctx, "listing sources", func(c *conn) error {
		if version, err := c.format(ctx); err != nil || version < 3 {
			return err
		}
		if err := c.syncs(ctx, func(source string, note store.Sync) { out[source] = note }); err != nil && !isDamage(err) {
			return err
		}
		var name, at string
		return c.each(ctx, "SELECT name, synced FROM source WHERE synced <> ''", nil, []any{&name, &at}, func() (err error) {
			note := out[name]
			note.Whole, err = parseInstant(at)
			out[name] = note
			return err
		})
	})
	return out, err
}

// syncs reads the notes that there are.
func (c *conn) syncs(ctx context.Context, each func(source string, note store.Sync)) error {
	if found, err := c.get(ctx, "SELECT 1 FROM sqlite_schema WHERE name = 'sync'", nil, new(int)); err != nil || !found {
		return err
	}
	var source string
	var raw []byte
	return c.each(ctx, "SELECT source, note FROM sync", nil, []any{&source, &raw}, func() error {
		text, err := unseal(raw)
		if err != nil {
			return err
		}
		var note noted
		if err := json.Unmarshal(text, &note); err != nil || note.Source != source {
			return fmt.Errorf("%w: what was noted of a sync of %q is of %q, %v", store.ErrDamaged, source, note.Source, err)
		}
		each(source, note.Sync)
		return nil
	})
}

// MarkSynced implements store.Catalog.
func (s *Store) MarkSynced(ctx context.Context, source string, note store.Sync) error {
	whole := ""
	if !note.Whole.IsZero() {
		whole = instant(note.Whole)
	}
	note.Whole = time.Time{} // it stands in its own column
	text, err := json.Marshal(noted{source, note})
	if err != nil {
		return err
	}
	if s.logged.Load() {
		defer s.emptyLog(ctx)
	}
	return s.write(ctx, "noting a sync", func(c *conn) error {
		result, err := c.exec(ctx, "UPDATE source SET synced = ? WHERE name = ?", whole, source)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			if err == nil {
				err = fmt.Errorf("%w: source %s was not added", store.ErrInvalid, source)
			}
			return err
		}
		if _, err := c.ExecContext(ctx, syncTable); err != nil {
			return err
		}
		_, err = c.exec(ctx, "INSERT OR REPLACE INTO sync (source, note) VALUES (?, ?)", source, seal(text))
		return err
	})
}
