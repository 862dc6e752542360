package lanes

import (
	"cmp"
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

	"github.com/seed-d3156d19/quarry/document"
)

// Read is what the readers of a view have read so far, for those that come later. One at a time uses it.
// The zero Read is nothing.
type Read struct {
	sees, counts [2]*rowSet // passages, sections
	with         embeddedSet
	lists        map[listKey]list
	size         int                            // of lists, bytes
	names        map[document.PassageID]passage // that are seen
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
	*worked
}

// worked is what is worked out of a list once, for all who read it.
type worked struct {
	peak   keptPeak
	before [blockRows / 64 / ranked]uint16 // of a dense list, rows in the words before each ranked-th
}

// ranked is how many words of a dense list are counted anew to look a row up.
const ranked = 8

func newListed(block int64, rows, weights []byte) listed {
	l := listed{block, rows, weights, new(worked)}
	if len(rows) == denseBytes {
		n := 0
		for i := range blockRows / 64 {
			if i%ranked == 0 {
				l.before[i/ranked] = uint16(n)
			}
			n += bits.OnesCount64(binary.LittleEndian.Uint64(rows[8*i:]))
		}
	}
	return l
}

// count is how many rows are in the list, or about as many.
func (l *listed) count() int {
	if len(l.rows) == denseBytes {
		return len(l.weights)
	}
	return len(l.rows) / 2
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

func (l list) size() int {
	const each = 96 // bytes of a block besides the values
	n := each
	for _, b := range l.blocks {
		n += each + len(b.rows) + len(b.weights)
	}
	return n
}

// What is kept of lists, in bytes: for a view, from one of its questions to the next, and by the
// process, for all views.
const (
	mostListed = 16 << 20
	mostKept   = 64 << 20
)

type keptListKey struct {
	tenant string
	listKey
}

// keptList is a whole list as it was at the versions of a directory.
type keptList struct {
	list
	at *directory
}

// listsOf gives the lists of terms, all of each or what stands in blocks that the view sees.
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
	lists, err := r.missingLists(ctx, of, missing, whole)
	if err != nil {
		return nil, err
	}
	for t, l := range lists {
		if r.size += l.size(); r.lists == nil || r.size > mostListed {
			r.lists, r.size = map[listKey]list{}, l.size()
		}
		out[t] = l
		r.lists[listKey{of, t}] = l
	}
	return out, nil
}

// missingLists gives lists that the process keeps, of which it reads anew the blocks that have changed
// since, and reads the others.
func (r *Reader) missingLists(ctx context.Context, of lane, terms []string, whole bool) (map[string]list, error) {
	sees, err := r.seen(ctx, of.sections())
	if err != nil {
		return nil, err
	}
	out := make(map[string]list, len(terms))
	stale := map[string]keptList{}
	var fresh, outdated []string
	var changed []int64 // blocks, of the outdated
	for _, t := range terms {
		l, ok := r.index.kept.lists.get(r.keptKey(of, t))
		switch since := sees.of.changed(l.directory()); {
		case ok && len(since) == 0:
			out[t] = l.list
		case ok && 4*len(since) < len(sees.of.ids):
			stale[t], outdated = l, append(outdated, t)
			changed = append(changed, since...)
		default:
			fresh = append(fresh, t)
		}
	}
	if len(fresh) > 0 {
		var blocks []int64 // nil: all
		if !whole {
			if blocks, err = r.fewBlocks(ctx, of.sections()); err != nil {
				return nil, err
			}
		}
		read, err := r.readLists(ctx, of, fresh, blocks)
		if err != nil {
			return nil, err
		}
		for i, t := range fresh {
			if out[t] = read[i]; blocks == nil {
				r.keep(of, t, read[i], sees.of)
			}
		}
	}
	if len(outdated) > 0 {
		slices.Sort(changed)
		changed = slices.Compact(changed)
		read, err := r.readLists(ctx, of, outdated, changed)
		if err != nil {
			return nil, err
		}
		for i, t := range outdated {
			out[t] = stale[t].with(changed, read[i], sees.of)
			r.keep(of, t, out[t], sees.of)
		}
	}
	return out, nil
}

func (r *Reader) keptKey(of lane, term string) keptListKey {
	return keptListKey{r.scope.Tenant, listKey{of, term}}
}

// keep keeps a whole list for other views, but for one that is kept as a later commit has it.
func (r *Reader) keep(of lane, term string, l list, at *directory) {
	key := r.keptKey(of, term)
	r.index.kept.lists.put(key, keptList{l, at}, l.size()+len(term), func(old keptList) bool { return old.at.newest > at.newest })
}

// directory is that of the list; of none it has no blocks.
func (l keptList) directory() *directory {
	if l.at == nil {
		return &directory{}
	}
	return l.at
}

// with puts what was read of some blocks in the place of what was known of them.
func (l keptList) with(changed []int64, read list, now *directory) (out list) {
	for _, b := range l.blocks {
		if _, anew := slices.BinarySearch(changed, b.block); !anew && now.has(b.block) {
			out.blocks = append(out.blocks, b)
		}
	}
	out.blocks = append(out.blocks, read.blocks...)
	slices.SortFunc(out.blocks, func(a, b listed) int { return cmp.Compare(a.block, b.block) })
	return out
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

// readLists reads the lists of terms, each once: of some blocks, or, if nil, of all.
func (r *Reader) readLists(ctx context.Context, of lane, terms []string, blocks []int64) ([]list, error) {
	lists := make([]list, len(terms))
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
	err := r.ask(ctx, lookups, sql, args, func(rows pgx.Rows) error {
		defer rows.Close()
		for rows.Next() {
			raw := rows.RawValues() // which the next row overwrites
			n := len(raw[2])
			values := append(append(make([]byte, 0, n+len(raw[3])), raw[2]...), raw[3]...)
			l := &lists[at[string(raw[0])]]
			l.blocks = append(l.blocks, newListed(int64(binary.BigEndian.Uint64(raw[1])), values[:n:n], values[n:]))
		}
		return rows.Err()
	})
	for i := range lists {
		slices.SortFunc(lists[i].blocks, func(a, b listed) int { return cmp.Compare(a.block, b.block) })
	}
	return lists, err
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
		n = int(l.before[at/64/ranked])
		for i := int(at) / 64 / ranked * ranked; i < int(at)/64; i++ {
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
