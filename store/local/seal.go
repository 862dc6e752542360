package local

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// SQLite has no checksum of a page, so a byte that the disk flipped in a title or a
// day would be believed. Encoded values end with a checksum of their own; the rows
// beside them are sealed here: those of a document together, so that what is
// damaged has a name, and the small tables whole. Every write seals what it changed,
// in its transaction.

// sealedTables are the tables that are sealed whole, with what of them. Where a
// source is kept is all that the rest of the store cannot tell again.
var sealedTables = []struct {
	name, rows string
	lost       bool
}{
	{"schema", "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", false},
	{"sequences", "SELECT name, seq FROM sqlite_sequence ORDER BY name", false},
	{"meta", "SELECT * FROM meta", false},
	{"source", "SELECT * FROM source ORDER BY name", true},
	{"model", "SELECT * FROM model ORDER BY id", false},
	{"block", "SELECT id, model, first, size FROM block ORDER BY id", false},
	{"segment", "SELECT id, first, last, docs, dead, size FROM segment ORDER BY id", false},
	{"part", "SELECT id, segment FROM part ORDER BY id", false},
}

// documentRows are the rows of a document, and who may read it. Its contents are
// bound by the checksums in them, the terms of its passages by their digest.
var documentRows = []string{
	documentRow,
	revisionRows,
	supersedesRows,
	failureRows,
	passageRows,
	classRows,
}

const (
	documentRow    = "SELECT * FROM document WHERE id = ?"
	revisionRows   = "SELECT * FROM revision WHERE document = ? ORDER BY id"
	supersedesRows = "SELECT s.* FROM revision r JOIN supersedes s ON s.revision = r.id WHERE r.document = ? ORDER BY r.id, s.path"
	failureRows    = "SELECT * FROM failure WHERE document = ?"
	passageRows    = "SELECT row, id, digest FROM passage WHERE document = ? ORDER BY row"
	classRows      = `SELECT id, access FROM class WHERE id IN
		(SELECT class FROM revision WHERE document = ?1 UNION SELECT class FROM failure WHERE document = ?1) ORDER BY id`
)

// rows encodes what a query would give of a new document; ok is false where it must be
// asked. To read back what was just written would cost a good part of what writing it does.
func (w *written) rows(query string) (b []byte, ok bool) {
	if w == nil {
		return nil, false
	}
	switch query {
	case documentRow:
		return appendRow(nil, w.doc, w.Document.Source, w.Document.Path, w.sequence), true
	case revisionRows:
		m := &w.Metadata
		return appendRow(nil, w.row, w.doc, w.Hash, w.Pipeline, instant(w.Seen), int64(w.recorded.Seen), w.Format, w.Title,
			string(w.recorded.Status), int64(m.Effective.From), int64(m.Effective.To), int64(w.valid.From), int64(w.valid.To),
			int64(m.Authority), m.Tenant, w.class, string(w.metadata)), true
	case classRows:
		return appendRow(nil, w.class, w.access), true
	case failureRows:
		return nil, true
	case supersedesRows:
		return nil, len(w.Metadata.Supersedes) == 0
	case passageRows:
		for i, row := range w.numbers {
			b = binary.AppendVarint(append(b, 'r', 'i'), row)
			b = appendString(append(b, 'b'), w.ids[i])
			b = appendString(append(b, 'b'), string(w.digests[i]))
		}
		return b, true
	}
	return nil, false
}

// appendRow encodes a row of numbers and texts.
func appendRow(b []byte, values ...any) []byte {
	b = append(b, 'r')
	for _, v := range values {
		b, _ = appendValue(b, v) // it fails for other types alone
	}
	return b
}

// findingRows are those that a document has besides, since findingsFormat. The body is
// bound by its own checksum.
var findingRows = []string{
	"SELECT f.revision, f.suspect, f.extraction, typeof(f.body), length(f.body) FROM revision r JOIN finding f ON f.revision = r.id WHERE r.document = ? ORDER BY r.id",
	"SELECT n.* FROM revision r JOIN name n ON n.revision = r.id WHERE r.document = ? ORDER BY r.id, n.name",
}

// rowsSum is the CRC-32C of the rows that queries give, continued from sum.
func (c *conn) rowsSum(ctx context.Context, sum uint32, query string, args ...any) (uint32, error) {
	rows, err := c.query(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var b []byte
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return 0, err
		}
		b = append(b[:0], 'r')
		for _, v := range values {
			if b, err = appendValue(b, v); err != nil {
				return 0, err
			}
		}
		sum = crc32.Update(sum, castagnoli, b)
	}
	return crc32.Update(sum, castagnoli, []byte{'.'}), rows.Err()
}

// appendValue encodes a value with its type, so that no two rows are encoded alike.
func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, 'n'), nil
	case int64:
		return binary.AppendVarint(append(b, 'i'), v), nil
	case string:
		return appendString(append(b, 't'), v), nil
	case []byte:
		return appendString(append(b, 'b'), string(v)), nil
	}
	return nil, fmt.Errorf("%w: a column holds a value of type %T", store.ErrDamaged, v)
}

// documentSum is that of a document in a file of the given format; it reads what is not
// known of one that was just written.
func (c *conn) documentSum(ctx context.Context, row int64, format int, known *written) (sum uint32, err error) {
	queries := documentRows
	if format >= findingsFormat {
		queries = slices.Concat(documentRows, findingRows)
	}
	for _, query := range queries {
		if b, ok := known.rows(query); ok {
			sum = crc32.Update(crc32.Update(sum, castagnoli, b), castagnoli, []byte{'.'})
			continue
		}
		if sum, err = c.rowsSum(ctx, sum, query, row); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

func (c *conn) sealDocument(ctx context.Context, row int64, known *written) error {
	sum, err := c.documentSum(ctx, row, formatVersion, known)
	if err == nil {
		_, err = c.exec(ctx, "INSERT OR REPLACE INTO document_sum (document, sum) VALUES (?, ?)", row, int64(sum))
	}
	return err
}

// sealTables is the last thing that a write does.
func (c *conn) sealTables(ctx context.Context) error {
	for _, table := range sealedTables {
		sum, err := c.rowsSum(ctx, 0, table.rows)
		if err != nil {
			return err
		}
		if _, err := c.exec(ctx, "INSERT OR REPLACE INTO table_sum (name, sum) VALUES (?, ?)", table.name, int64(sum)); err != nil {
			return err
		}
	}
	return nil
}

// sealAll seals a store that had no checksums.
func (c *conn) sealAll(ctx context.Context) error {
	docs, err := c.allDocuments(ctx)
	if err != nil {
		return err
	}
	for _, row := range docs {
		if err := c.sealDocument(ctx, row, nil); err != nil {
			return err
		}
	}
	return c.sealTables(ctx)
}

// tableFits reports, as store.ErrDamaged, where a table is not what was sealed.
func (c *conn) tableFits(ctx context.Context, name, rows string) error {
	var want int64
	found, err := c.get(ctx, "SELECT sum FROM table_sum WHERE name = ?", []any{name}, &want)
	if err != nil {
		return err
	}
	sum, err := c.rowsSum(ctx, 0, rows)
	if err == nil && (!found || int64(sum) != want) {
		err = fmt.Errorf("%w: its rows do not match their checksum", store.ErrDamaged)
	}
	return err
}

// documentFits does so for the rows of a document, in a file of the given format.
func (c *conn) documentFits(ctx context.Context, row int64, format int) error {
	var want int64
	found, err := c.get(ctx, "SELECT sum FROM document_sum WHERE document = ?", []any{row}, &want)
	if err != nil {
		return err
	}
	sum, err := c.documentSum(ctx, row, format, nil)
	if err == nil && (!found || int64(sum) != want) {
		err = fmt.Errorf("%w: its rows do not match their checksum", store.ErrDamaged)
	}
	return err
}

// nameOf is what a document's row says it is called.
func (c *conn) nameOf(ctx context.Context, row int64) (id document.ID, err error) {
	_, err = c.get(ctx, "SELECT source, path FROM document WHERE id = ?", []any{row}, &id.Source, &id.Path)
	return id, err
}
