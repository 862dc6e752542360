package local

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
)

// partSize is how much of a segment stands in one row of the table: reading it takes
// little memory beside the segment's own.
const partSize = 4 << 20

func (a *applier) insertSegment(first, last int64, s built) (int64, error) {
	rows := binary.AppendUvarint(nil, uint64(len(s.docs)))
	before := int64(0)
	for _, row := range s.docs {
		rows = binary.AppendUvarint(rows, uint64(row-before))
		before = row
	}
	result, err := a.exec(a.ctx, "INSERT INTO segment (first, last, docs, dead, size, rows) VALUES (?, ?, ?, 0, ?, ?)",
		first, last, len(s.docs), len(s.body), seal(rows))
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	if err := a.do("INSERT INTO holder (segment, ids, keys) VALUES (?, ?, ?)", id, s.ids, s.keys); err != nil {
		return 0, err
	}
	piece := make([]byte, 0, min(len(s.body), partSize)+4)
	for rest := s.body; rest != ""; {
		n := min(len(rest), partSize)
		piece = seal(append(piece[:0], rest[:n]...))
		if err := a.do("INSERT INTO part (segment, body) VALUES (?, ?)", id, piece); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return id, nil
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
