package lanes

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// rowSet is the rows of the passages, or of the sections, that some revisions hold: those that
// a view sees, or those that its statistics count. It never changes.
type rowSet struct {
	blocks []seenBlock // ascending
	at     map[int64]int
	rows   int
	of     *directory // of all blocks of the tenant

	mu          sync.Mutex
	frequencies map[frequency]int
}

// seenBlock is a block of which rows are in a set.
type seenBlock struct {
	id    int64
	block *block
	rows  *bitset
}

func newRowSet(blocks []seenBlock) *rowSet {
	s := &rowSet{blocks: blocks, at: make(map[int64]int, len(blocks))}
	for i, b := range blocks {
		s.at[b.id] = i
		s.rows += b.rows.count()
	}
	return s
}

func (s *rowSet) has(row int64) bool {
	i, ok := s.at[blockOf(row)]
	return ok && s.blocks[i].rows.has(placeOf(row))
}

// only keeps the given rows.
func (s *rowSet) only(rows []int64) *rowSet {
	kept := map[int64]*bitset{}
	for _, row := range rows {
		if !s.has(row) {
			continue
		}
		b := kept[blockOf(row)]
		if b == nil {
			b = new(bitset)
			kept[blockOf(row)] = b
		}
		b.set(placeOf(row))
	}
	var blocks []seenBlock
	for _, b := range s.blocks {
		if rows := kept[b.id]; rows != nil {
			blocks = append(blocks, seenBlock{b.id, b.block, rows})
		}
	}
	out := newRowSet(blocks)
	out.of = s.of
	return out
}

// all lists the rows, ascending.
func (s *rowSet) all() []int64 {
	out := make([]int64, 0, s.rows)
	for _, b := range s.blocks {
		b.rows.each(func(at uint16) { out = append(out, b.id*blockRows+int64(at)) })
	}
	return out
}

type frequency struct {
	lane lane
	term string
}

// knownFrequencies is how many document frequencies are remembered in a set.
const knownFrequencies = 1 << 14

func (s *rowSet) known(of lane, term string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.frequencies[frequency{of, term}]
	return n, ok
}

// frequent counts the rows of a whole list that are in the set.
func (s *rowSet) frequent(of lane, term string, l list) (n int, err error) {
	if n, ok := s.known(of, term); ok {
		return n, nil
	}
	if n, err = l.common(s); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frequencies == nil || len(s.frequencies) >= knownFrequencies {
		s.frequencies = map[frequency]int{}
	}
	s.frequencies[frequency{of, term}] = n
	return n, nil
}

// kept is what a process keeps between views: blocks as they are decoded, what scopes see, and lists.
// All of it is of a commit, or of a version of a block, by its key: a view finds what is as it would
// read it, whichever process wrote last, and reads the rest.
type kept struct {
	lists      recent[keptListKey, keptList]
	identities recent[blockKey, *identities]
	compared   atomic.Bool // vectors were, with a question

	mu          sync.Mutex
	blocks      map[blockKey]*block
	sets        map[setKey]*rowSet
	directories map[blockKey]*directory
	embedded    map[embeddedKey]embeddedRows
	with        map[embeddedSetKey]embeddedSet
	tables      map[string]tableSize
}

type blockKey struct {
	tenant   string
	sections bool
	id       int64
}

type setKey struct {
	key      string
	sections bool
}

// How many scopes and blocks are kept at most; when there are more all are let go. A block
// takes about 20 kB, of which a scope that sees it adds half a kB.
const (
	keptSets   = 64
	keptBlocks = 1 << 14
)

func (k *kept) set(key setKey) *rowSet {
	if key.key == "" {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.sets[key]
}

func (k *kept) putSet(key setKey, s *rowSet) {
	if key.key == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sets == nil || len(k.sets) >= keptSets {
		k.sets = map[setKey]*rowSet{}
	}
	k.sets[key] = s
}

func (k *kept) block(key blockKey, version int64) *block {
	k.mu.Lock()
	defer k.mu.Unlock()
	if b := k.blocks[key]; b != nil && b.version == version {
		return b
	}
	return nil
}

// putBlock keeps the newest: a view that began earlier reads older ones.
func (k *kept) putBlock(key blockKey, b *block) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.blocks == nil || len(k.blocks) >= keptBlocks {
		k.blocks = map[blockKey]*block{}
	}
	if old := k.blocks[key]; old == nil || old.version < b.version {
		k.blocks[key] = b
	}
}

// seen are the passages, or sections, that the view sees.
func (r *Reader) seen(ctx context.Context, sections bool) (*rowSet, error) {
	var only []int64 // nil: all
	if r.scope.Passages != nil {
		only = r.scope.Passages
		if sections {
			only = append([]int64{}, r.scope.Sections...)
		}
	}
	return r.rows(ctx, &r.sees[index(sections)], setKey{r.scope.SeenKey, sections}, r.scope.Seen, only)
}

// population are those that its statistics count.
func (r *Reader) population(ctx context.Context, sections bool) (*rowSet, error) {
	if r.scope.PopulationKey == r.scope.SeenKey && r.scope.SeenKey != "" && r.scope.Passages == nil {
		return r.seen(ctx, sections)
	}
	return r.rows(ctx, &r.counts[index(sections)], setKey{r.scope.PopulationKey, sections}, r.scope.Population, nil)
}

func index(sections bool) int {
	if sections {
		return 1
	}
	return 0
}

func (r *Reader) rows(ctx context.Context, known **rowSet, key setKey, relation string, only []int64) (*rowSet, error) {
	if *known != nil {
		return *known, nil
	}
	set := r.index.kept.set(key)
	if set == nil {
		revisions, err := r.revisions(ctx, relation)
		if err != nil {
			return nil, err
		}
		blocks, err := r.blocks(ctx, key.sections)
		if err != nil {
			return nil, err
		}
		of := directoryOf(blocks)
		var held []seenBlock
		for _, b := range blocks {
			if b.rows = b.block.held(revisions); b.rows != nil {
				held = append(held, b)
			}
		}
		set = newRowSet(held)
		set.of = r.index.kept.directory(r.scope.Tenant, key.sections, of)
		r.index.kept.putSet(key, set)
	}
	if only != nil {
		set = set.only(only)
	}
	*known = set
	return set, nil
}

// revisions runs a relation of the scope.
func (r *Reader) revisions(ctx context.Context, relation string) (map[int64]int64, error) {
	rows, err := r.q.Query(ctx, "SELECT document, revision FROM "+relation+" AS held", r.scope.Args)
	if err != nil {
		return nil, err
	}
	out := map[int64]int64{}
	var document, revision int64
	_, err = pgx.ForEachRow(rows, []any{&document, &revision}, func() error {
		out[document] = revision
		return nil
	})
	return out, err
}

// blocks are all of the tenant, ascending; those that have changed are read.
func (r *Reader) blocks(ctx context.Context, sections bool) ([]seenBlock, error) {
	rows, err := r.q.Query(ctx, `SELECT block, version FROM block WHERE tenant = $1 AND sections = $2 ORDER BY block`, r.scope.Tenant, sections)
	if err != nil {
		return nil, err
	}
	var out []seenBlock
	var stale []int64
	var id, version int64
	if _, err := pgx.ForEachRow(rows, []any{&id, &version}, func() error {
		b := r.index.kept.block(blockKey{r.scope.Tenant, sections, id}, version)
		if b == nil {
			stale = append(stale, id)
		}
		out = append(out, seenBlock{id: id, block: b})
		return nil
	}); err != nil {
		return nil, err
	}
	for ids := range slices.Chunk(stale, 256) {
		rows, err := r.q.Query(ctx, `SELECT block, version, body FROM block WHERE tenant = $1 AND sections = $2 AND block = ANY($3)`, r.scope.Tenant, sections, ids)
		if err != nil {
			return nil, err
		}
		var body []byte
		if _, err := pgx.ForEachRow(rows, []any{&id, &version, &body}, func() error {
			b, err := r.index.decodeBlock(version, body)
			if err != nil {
				return err
			}
			r.index.kept.putBlock(blockKey{r.scope.Tenant, sections, id}, b)
			at, _ := slices.BinarySearchFunc(out, id, func(b seenBlock, id int64) int { return int(b.id - id) })
			out[at].block = b
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}
