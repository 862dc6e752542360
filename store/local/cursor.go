package local

import (
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// cursor goes through the posting list of a term, block by block in the order of the
// rows. Once damaged it finds nothing more; whoever uses it asks for that in the end.
type cursor struct {
	lists   *inverted
	table   string // empty for a list that is one short block
	data    string
	count   int
	blocks  int
	at      int // the block in which the next rows are looked for
	damaged bool

	found   int // the block that encoded is, -1 for none
	encoded encoded
	loaded  int // the block that rows are of, -1 for none
	decoded int // the block that codes are of, -1 for none
	n       int // of rows
	rows    [blockSize]uint32
	codes   [blockSize]uint32
	place   int // among rows; see next

	share share   // of the question that looks
	bound float64 // of the shares in a window; see scan
}

// open points a cursor to the list of a term.
func (c *cursor) open(x *inverted, term int) {
	list := x.lists.at(term)
	c.lists, c.count = x, int(x.count.at(term))
	c.table, c.data, c.blocks = "", list, 1
	c.at, c.found, c.loaded, c.decoded, c.damaged, c.place = 0, -1, -1, -1, false, 0
	if c.count > blockSize {
		c.blocks = (c.count + blockSize - 1) / blockSize
		c.table, c.data = list[:c.blocks*entrySize], list[c.blocks*entrySize:]
		return
	}
	c.n = c.count
	if !decodeShort(list, c.count, &c.rows, &c.codes, x.rows, len(x.codes)) {
		c.damage()
		return
	}
	c.loaded, c.decoded = 0, 0
}

func (c *cursor) damage() { c.damaged, c.at, c.blocks, c.n = true, 0, 0, 0 }

// last is the last row of a block.
func (c *cursor) last(block int) uint32 {
	if c.table == "" {
		return c.rows[c.n-1]
	}
	return uint32At(c.table, block*entrySize)
}

// base is the least that the first row of a block may be.
func (c *cursor) base(block int) uint32 {
	if c.table == "" {
		return c.rows[0]
	}
	if block == 0 {
		return 0
	}
	return c.last(block-1) + 1
}

// seek goes on to the first block that may hold a row from row on, false where
// there is none.
func (c *cursor) seek(row uint32) bool {
	for c.at < c.blocks && c.last(c.at) < row {
		c.at++
	}
	return c.at < c.blocks
}

// block finds a block in the list; false where it does not lie in it.
func (c *cursor) block(i int) (*encoded, bool) {
	if c.found == i {
		return &c.encoded, true
	}
	from, to := 0, int(uint32At(c.table, i*entrySize+4))
	if i > 0 {
		from = int(uint32At(c.table, (i-1)*entrySize+4))
	}
	k := &c.encoded
	*k = encoded{n: min(blockSize, c.count-i*blockSize), base: c.base(i), last: c.last(i)}
	if from >= to || to > len(c.data) || k.last < k.base || int(k.last) >= c.lists.rows || !k.split(c.data[from:to]) {
		c.damage()
		return nil, false
	}
	c.found = i
	return k, true
}

// bitsOf gives the rows of a block that is encoded as bits, and the least that the first
// may be, without taking more of the block apart. ok is false for other blocks, and
// where codes tell which of the rows count.
func (c *cursor) bitsOf(i int) (rows string, base uint32, ok bool) {
	if c.table == "" || c.lists.idle {
		return "", 0, false
	}
	from := 0
	if i > 0 {
		before := c.table[(i-1)*entrySize:]
		base, from = uint32At(before, 0)+1, int(uint32At(before, 4))
	}
	last := c.last(i)
	if from >= len(c.data) || c.data[from]&3 != rowBits || last < base || int(last) >= c.lists.rows {
		return "", 0, false
	}
	size := 8 * (int(last/64-base/64) + 1)
	if size >= len(c.data)-from {
		return "", 0, false
	}
	return c.data[from+1 : from+1+size], base, true
}

// load decodes the rows of a block, and its codes if asked.
func (c *cursor) load(i int, codes bool) bool {
	if c.loaded == i && (!codes || c.decoded == i) {
		return true
	}
	k, ok := c.block(i)
	if ok && c.loaded != i {
		c.loaded, c.decoded, c.n, c.place = i, -1, k.n, 0
		ok = k.decodeRows(&c.rows)
	}
	if ok && codes {
		c.decoded = i
		ok = k.decodeCodes(&c.codes, len(c.lists.codes))
	}
	if !ok {
		c.damage()
	}
	return ok
}

// from is the place in the loaded block of its first row from row on.
func (c *cursor) from(row uint32) int {
	if c.n == 0 || c.rows[0] >= row {
		return 0
	}
	low, high := 0, c.n
	for low < high {
		mid := int(uint(low+high) >> 1)
		if c.rows[mid] < row {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// has reports whether a row is in the list, and with which code. Rows that are asked
// for ascend. A block of bits is not decoded for it.
func (c *cursor) has(row uint32) (code uint32, ok bool) {
	if !c.seek(row) || c.base(c.at) > row {
		return 0, false
	}
	if c.table == "" {
		if c.place = c.next(row); c.place == c.n || c.rows[c.place] != row {
			return 0, false
		}
		return c.codes[c.place], true
	}
	k, ok := c.block(c.at)
	if !ok {
		return 0, false
	}
	n := 0
	if k.kind == rowBits {
		if n, ok = k.placeOf(row); !ok {
			return 0, false
		}
	} else {
		if !c.load(c.at, false) {
			return 0, false
		}
		if c.place = c.next(row); c.place == c.n || c.rows[c.place] != row {
			return 0, false
		}
		n = c.place
	}
	if code = k.codeAt(n); int(code) >= len(c.lists.codes) {
		c.damage()
		return 0, false
	}
	return code, true
}

// next is from, from the place on where the last row that was asked for stood.
func (c *cursor) next(row uint32) int {
	n := c.place
	if n > 0 && c.rows[n-1] >= row { // the rows begin anew
		n = 0
	}
	for n < c.n && c.rows[n] < row {
		n++
	}
	return n
}

// common counts the rows of the list that are among others.
func (c *cursor) common(among bitset) (n int) {
	for ; c.at < c.blocks; c.at++ {
		if c.table != "" {
			k, ok := c.block(c.at)
			if !ok {
				break
			}
			if k.kind == rowBits {
				n += k.commonBits(among)
				continue
			}
		}
		if !c.load(c.at, false) {
			break
		}
		for _, row := range c.rows[:c.n] {
			n += int(among[row>>6] >> (row & 63) & 1)
		}
	}
	return n
}

// all calls fn with every posting.
func (c *cursor) all(fn func(p posting)) error {
	for ; c.at < c.blocks && c.load(c.at, true); c.at++ {
		for i, row := range c.rows[:c.n] {
			fn(posting{row, c.codes[i]})
		}
	}
	return c.err()
}

func (c *cursor) err() error {
	if c.damaged {
		return fmt.Errorf("%w: a posting list cannot be read", store.ErrDamaged)
	}
	return nil
}

// most bounds the shares of the postings in the blocks from at on that begin before
// row.
func (c *cursor) most(row uint32) float64 {
	if c.table == "" {
		return c.share.most(float32(math.Inf(1)), 0)
	}
	bound := 0.0
	for i := c.at; i < c.blocks && c.base(i) < row; i++ {
		bound = max(bound, c.share.most(c.lists.bound(c.table[i*entrySize:])))
	}
	return bound
}
