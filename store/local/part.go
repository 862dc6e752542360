package local

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
)

// partSize is how much of a segment stands in one row of the table: reading it takes
// little memory beside the segment's own, and writing it little time.
const partSize = 2 << 20

// insertSegment writes a segment with all its parts.
func (c *conn) insertSegment(ctx context.Context, first, last int64, s built) (int64, error) {
	id, err := c.insertRow(ctx, first, last, s)
	if err != nil {
		return 0, err
	}
	for piece := range pieces(s.body, partSize) {
		if err := c.insertPart(ctx, id, piece); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// insertRow writes everything of a segment but its parts.
func (c *conn) insertRow(ctx context.Context, first, last int64, s built) (int64, error) {
	rows := binary.AppendUvarint(nil, uint64(len(s.docs)))
	before := int64(0)
	for _, row := range s.docs {
		rows = binary.AppendUvarint(rows, uint64(row-before))
		before = row
	}
	result, err := c.exec(ctx, "INSERT INTO segment (first, last, docs, dead, size, rows) VALUES (?, ?, ?, 0, ?, ?)",
		first, last, len(s.docs), len(s.body), seal(rows))
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	_, err = c.exec(ctx, "INSERT INTO holder (segment, ids, keys) VALUES (?, ?, ?)", id, s.ids, s.keys)
	return id, err
}

// pieces are the parts of a segment's body, of a size.
func pieces(body string, size int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for body != "" {
			n := min(len(body), size)
			if !yield(body[:n]) {
				return
			}
			body = body[n:]
		}
	}
}

func (c *conn) insertPart(ctx context.Context, segment int64, piece string) error {
	c.piece = seal(append(c.piece[:0], piece...))
	_, err := c.exec(ctx, "INSERT INTO part (segment, body) VALUES (?, ?)", segment, c.piece)
	return err
}

// segment reads a segment to be merged, for which no score is bounded.
func (c *conn) segment(ctx context.Context, x extent) (*segment, error) {
	body := x.body
	if body == "" {
		var err error
		if body, err = c.bodyOf(ctx, x.id, x.size); err != nil {
			return nil, err
		}
	}
	return decodeSegment(x.id, body, store.DefaultBM25)
}

// bodyOf reads a segment of a size and compares the checksums of its parts.
func (c *conn) bodyOf(ctx context.Context, segment int64, size int) (string, error) {
	var body strings.Builder
	var raw sql.RawBytes
	err := c.each(ctx, "SELECT body FROM part WHERE segment = ? ORDER BY id", []any{segment}, []any{&raw}, func() error {
		piece, err := unseal(raw)
		if err == nil && body.Len()+len(piece) <= size {
			if body.Len() == 0 {
				body.Grow(size)
			}
			body.Write(piece)
		}
		return err
	})
	if err == nil && body.Len() != size {
		err = fmt.Errorf("%w: a segment has %d bytes of %d", store.ErrDamaged, body.Len(), size)
	}
	return body.String(), err
}

// rowsOf reads which documents a segment holds, without its body.
func (c *conn) rowsOf(ctx context.Context, segment int64) ([]int64, error) {
	var raw []byte
	if _, err := c.get(ctx, "SELECT rows FROM segment WHERE id = ?", []any{segment}, &raw); err != nil {
		return nil, err
	}
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	out := []int64{}
	row := int64(0)
	for n := d.count(); n > 0 && !d.bad; n-- {
		row += int64(d.number(math.MaxInt64))
		out = append(out, row)
	}
	return out, d.end()
}
