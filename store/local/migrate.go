package local

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// oldestFormat is the oldest that is read as it is. The first write brings it to
// formatVersion, so that reading changes no byte of a file.
//
//	5: there are no findings and names of revisions.
//	4: also, passages are found by id and by content key through SQL indexes.
//	3: also, rows have no checksums; segments stand in one blob each and are encoded
//	   otherwise; vectors stand in blocks and are searched as they are.
//	2: also, a source has no time at which it was last synced; documents that supersede
//	   each other in a ring have ended each other.
const oldestFormat = 2

func (c *conn) format(ctx context.Context) (int, error) {
	var version int
	_, err := c.get(ctx, "SELECT user_version FROM pragma_user_version", nil, &version)
	return version, err
}

// migrate brings the file to the newest format, within the transaction of a write.
func (c *conn) migrate(ctx context.Context) error {
	version, err := c.format(ctx)
	if err != nil || version == formatVersion {
		return err
	}
	if version > formatVersion { // since this process opened it
		return newer(version)
	}
	if version < 3 {
		if _, err := c.exec(ctx, "ALTER TABLE source ADD COLUMN synced TEXT NOT NULL DEFAULT ''"); err != nil {
			return err
		}
	}
	if version < holderFormat {
		if _, err := c.ExecContext(ctx, "DROP INDEX passage_id; DROP INDEX passage_key"); err != nil {
			return err
		}
	}
	switch {
	case version < sealedFormat:
		err = c.migrateUnsealed(ctx, version)
	case version < holderFormat:
		err = c.addHolders(ctx)
	}
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, schemaFrom("finding")); err != nil {
		return err
	}
	if err := c.setFormat(ctx); err != nil {
		return err
	}
	return c.sealAll(ctx)
}

// migrateUnsealed brings a file of before format 4 to format 5, but for the checksums.
func (c *conn) migrateUnsealed(ctx context.Context, version int) error {
	sums, _ := strings.CutSuffix(schemaFrom("document_sum"), schemaFrom("finding"))
	if _, err := c.ExecContext(ctx, sums); err != nil {
		return err
	}
	if err := c.drawIdentity(ctx); err != nil {
		return err
	}
	if version < vectorRowsFormat {
		if err := c.migrateVectors(ctx); err != nil {
			return err
		}
	}
	if version < 3 {
		if err := c.mendRings(ctx); err != nil {
			return err
		}
	}
	return c.remakeIndex(ctx)
}

func (c *conn) setFormat(ctx context.Context) error {
	// A pragma takes no argument, and as any statement it is undone by ROLLBACK.
	_, err := c.exec(ctx, fmt.Sprintf("PRAGMA user_version = %d", formatVersion))
	return err
}

// addHolders makes what format 5 keeps beside each segment.
func (c *conn) addHolders(ctx context.Context) error {
	if _, err := c.ExecContext(ctx, segmentSchema[strings.Index(segmentSchema, "CREATE TABLE holder"):]); err != nil {
		return err
	}
	list, err := c.segments(ctx)
	if err != nil {
		return err
	}
	for _, x := range list {
		if err = c.addHolder(ctx, x); err != nil {
			break
		}
	}
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	sequence, err := c.sequence(ctx)
	if err != nil {
		return err
	}
	return (&applier{conn: c, ctx: ctx, sequence: sequence}).rebuild()
}

func (c *conn) addHolder(ctx context.Context, x extent) error {
	g, err := c.segment(ctx, x)
	if err != nil {
		return err
	}
	ids, keys := g.holders()
	_, err = c.exec(ctx, "INSERT INTO holder (segment, ids, keys) VALUES (?, ?, ?)", x.id, ids, keys)
	return err
}

// schemaFrom is the schema from the table on with which a format added to it.
func schemaFrom(table string) string {
	return schema[strings.Index(schema, "CREATE TABLE "+table+" "):]
}

// mendRings derives anew the validity of the documents that stand in rings.
func (c *conn) mendRings(ctx context.Context) error {
	var name string
	var sources []string
	if err := c.each(ctx, "SELECT name FROM source", nil, []any{&name}, func() error { sources = append(sources, name); return nil }); err != nil {
		return err
	}
	var mend []document.ID
	for _, source := range sources {
		rings, err := c.rings(ctx, source)
		if err != nil {
			return err
		}
		for _, ring := range rings {
			for _, path := range ring {
				mend = append(mend, document.ID{Source: source, Path: path})
			}
		}
	}
	if len(mend) == 0 {
		return nil
	}
	sequence, err := c.bump(ctx)
	if err != nil {
		return err
	}
	a := &applier{conn: c, ctx: ctx, sequence: sequence, named: names{}, touched: map[int64]int64{}}
	for _, id := range mend {
		if err := a.revalidate(id); err != nil {
			return err
		}
	}
	return nil
}

// remakeIndex replaces the index of an older format by one that is made from the
// record.
func (c *conn) remakeIndex(ctx context.Context) error {
	if _, err := c.ExecContext(ctx, "DROP TABLE segment;\n"+segmentSchema); err != nil {
		return err
	}
	sequence, err := c.sequence(ctx)
	if err != nil {
		return err
	}
	return (&applier{conn: c, ctx: ctx, sequence: sequence}).rebuild()
}
