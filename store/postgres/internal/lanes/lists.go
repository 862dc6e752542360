package lanes

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
)

// read is what a reader has read so far.
type read struct {
	sees, counts [2]*rowSet // passages, sections
	lists        map[listKey]list
	size         int              // of lists, bytes
	names        map[string]int64 // rows of passages that are seen, by name
	with         embeddedSet
}

type listKey struct {
	lane lane
	term string
}

// list is the postings of a term by block, ascending.
type list struct {
	blocks []listed
	// part says that blocks are left out of which the view sees nothing.
	part bool
}

// listed is the list of a term in a block, as encodeList writes it.
type listed struct {
	block         int64
	rows, weights []byte
}

// common counts the rows of the list that are in a set.
func (l list) common(in *rowSet) (n int, err error) {
	for _, b := range l.blocks {
		i, ok := in.at[b.block]
		if !ok {
			continue
		}
		c, err := common(b.rows, in.blocks[i].rows)
		if err != nil {
			return 0, err
		}
		n += c
	}
	return n, nil
}

// in gives the list of a block, if there is one.
func (l list) in(block int64) (listed, bool) {
	i := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].block >= block })
	if i == len(l.blocks) || l.blocks[i].block != block {
		return listed{}, false
	}
	return l.blocks[i], true
}

// mostListed bounds the bytes of lists that a reader keeps from one question to the next.
const mostListed = 16 << 20

// listsOf reads the lists of terms, all of each or what stands in blocks that the view sees.
// A term that nothing holds has an empty list.
func (r *Reader) listsOf(ctx context.Context, of lane, terms []string, whole bool) (map[string]list, error) {
	out := make(map[string]list, len(terms))
	var missing []string
	for _, t := range terms {
		if l, ok := r.lists[listKey{of, t}]; ok && (!whole || !l.part) {
			out[t] = l
		} else if _, asked := out[t]; !asked {
			out[t] = list{}
			missing = append(missing, t)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	var blocks []int64 // nil: all
	if !whole {
		var err error
		if blocks, err = r.fewBlocks(ctx, of.sections()); err != nil {
			return nil, err
		}
	}
	read, size, err := r.readLists(ctx, of, missing, blocks)
	if err != nil {
		return nil, err
	}
	if r.size += size; r.size > mostListed {
		r.lists, r.size = map[listKey]list{}, size
	}
	for i, t := range missing {
		out[t] = read[i]
		r.lists[listKey{of, t}] = read[i]
	}
	return out, nil
}

// fewBlocks are those of which the view sees something, where they are few of those that its
// statistics count; else nil, as reading all is then as fast.
func (r *Reader) fewBlocks(ctx context.Context, sections bool) ([]int64, error) {
	seen, err := r.seen(ctx, sections)
	if err != nil {
		return nil, err
	}
	counts, err := r.population(ctx, sections)
	if err != nil || 4*len(seen.blocks) > len(counts.blocks) {
		return nil, err
	}
	blocks := make([]int64, len(seen.blocks))
	for i, b := range seen.blocks {
		blocks[i] = b.id
	}
	return blocks, nil
}

// readLists reads the lists of terms, each once.
func (r *Reader) readLists(ctx context.Context, of lane, terms []string, blocks []int64) (lists []list, size int, err error) {
	lists = make([]list, len(terms))
	at := make(map[string]int, len(terms))
	stored := make([]string, len(terms))
	for i, t := range terms {
		stored[i] = storedTerm(t)
		at[stored[i]] = i
		lists[i].part = blocks != nil
	}
	sql, args := `SELECT term, block, rows, weights FROM posting WHERE tenant = $1 AND lane = $2 AND term = ANY($3)`, []any{r.scope.Tenant, of, stored}
	if blocks != nil {
		sql, args = sql+` AND block = ANY($4)`, append(args, blocks)
	}
	err = r.ask(ctx, lookups, sql, args, func(rows pgx.Rows) error {
		defer rows.Close()
		for rows.Next() {
			raw := rows.RawValues() // which the next row overwrites
			n := len(raw[2])
			values := append(append(make([]byte, 0, n+len(raw[3])), raw[2]...), raw[3]...)
			l := &lists[at[string(raw[0])]]
			l.blocks = append(l.blocks, listed{int64(binary.BigEndian.Uint64(raw[1])), values[:n:n], values[n:]})
			size += len(values)
		}
		return rows.Err()
	})
	for i := range lists {
		slices.SortFunc(lists[i].blocks, func(a, b listed) int { return int(a.block - b.block) })
	}
	return lists, size, err
}

// mostTerm is how long a term is stored as it is, in bytes: an index holds no more than a
// third of a page.
const mostTerm = 1000

// storedTerm is a term as a text of Postgres holds it: one that is not UTF-8, holds a NUL or is
// very long has another form, under which no two that occur are the same.
func storedTerm(t string) string {
	if len(t) <= mostTerm && utf8.ValidString(t) && strings.IndexByte(t, 0) < 0 {
		return t
	}
	sum := sha256.Sum256([]byte(t))
	return "\uFFFD" + hex.EncodeToString(sum[:])
}

// weightAt is what the score of a place depends on (see scored); false where the place is
// not in the list.
func (x *Index) weightAt(of lane, l listed, at uint16) (weight float64, ok bool, err error) {
	n := 0 // which of the list
	if len(l.rows) == denseBytes {
		word := binary.LittleEndian.Uint64(l.rows[8*(at/64):])
		if word>>(at%64)&1 == 0 {
			return 0, false, nil
		}
		for i := range int(at / 64) {
			n += bits.OnesCount64(binary.LittleEndian.Uint64(l.rows[8*i:]))
		}
		n += bits.OnesCount64(word & (1<<(at%64) - 1))
	} else {
		place := func(i int) uint16 { return binary.LittleEndian.Uint16(l.rows[2*i:]) }
		count := len(l.rows) / 2
		n = sort.Search(count, func(i int) bool { return place(i) >= at })
		if n == count || place(n) != at {
			return 0, false, nil
		}
	}
	switch {
	case of == identifiers && len(l.weights) >= 4*n+4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(l.weights[4*n:]))), true, nil
	case of != identifiers && len(l.weights) > n && l.weights[n] != 0:
		return x.frequency[l.weights[n]], true, nil
	}
	var all decoded
	if err := x.scored(of, l.rows, l.weights, &all); err != nil {
		return 0, false, err
	}
	return all.weights[n], true, nil
}
