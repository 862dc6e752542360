package lanes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// Writers of a store write one after the other, so what a change reads of the index stays
// as it is until it has written.

// Add puts new passages and sections into the index, in the transaction that makes them.
func Add(ctx context.Context, tx pgx.Tx, passages []Passage, sections []Section) error {
	e := newEdits()
	for i := range passages {
		p := &passages[i]
		e.member(p.Tenant, false, p.ID, member{document: p.Document, first: p.First, gone: Forever}, p.Terms)
		e.terms(p.Tenant, words, p.ID, p.Terms, false)
	}
	for i := range sections {
		s := &sections[i]
		e.member(s.Tenant, true, s.ID, member{document: s.Document, first: s.Revision, gone: s.Revision + 1}, s.Terms)
		e.terms(s.Tenant, outline, s.ID, s.Terms, false)
	}
	return e.write(ctx, tx)
}

// Close notes, by passage, the revision from which on it is not held any more.
func Close(ctx context.Context, tx pgx.Tx, gone map[int64]int64) error {
	e := newEdits()
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(gone)), 10000) {
		rows, err := tx.Query(ctx, `SELECT tenant, id FROM passage WHERE id = ANY($1)`, ids)
		if err != nil {
			return err
		}
		var tenant string
		var id int64
		if _, err := pgx.ForEachRow(rows, []any{&tenant, &id}, func() error {
			e.block(tenant, false, id).closed[placeOf(id)] = gone[id]
			return nil
		}); err != nil {
			return err
		}
	}
	return e.write(ctx, tx)
}

// Renamed notes that passages have other names.
func Renamed(ctx context.Context, tx pgx.Tx, passages []int64) error {
	_, err := tx.Exec(ctx, `
		UPDATE block b SET version = v.next, embedded = v.next
		FROM (SELECT tenant, block, nextval('block_version') AS next FROM (
			SELECT DISTINCT tenant, id / $2::bigint AS block FROM passage WHERE id = ANY($1)) AS p) AS v
		WHERE b.tenant = v.tenant AND NOT b.sections AND b.block = v.block`, passages, int64(blockRows))
	return err
}

// Drop takes passages and sections out of the index whose rows are deleted afterwards.
func Drop(ctx context.Context, tx pgx.Tx, passages, sections []int64) error {
	for _, of := range []struct {
		lane  lane
		table string
		ids   []int64
	}{{words, "passage", passages}, {outline, "section", sections}} {
		// In their order, so that lists of blocks that go whole are deleted and not written again and again.
		for ids := range slices.Chunk(slices.Sorted(slices.Values(of.ids)), blockRows) {
			if err := drop(ctx, tx, of.lane, of.table, ids); err != nil {
				return err
			}
		}
	}
	return nil
}

func drop(ctx context.Context, tx pgx.Tx, of lane, table string, ids []int64) error {
	e := newEdits()
	rows, err := tx.Query(ctx, `SELECT tenant, id, terms FROM `+table+` WHERE id = ANY($1)`, ids)
	if err != nil {
		return err
	}
	var tenant string
	var id int64
	var encoded []byte
	if _, err := pgx.ForEachRow(rows, []any{&tenant, &id, &encoded}, func() error {
		t, err := terms.Decode(encoded)
		if err != nil {
			return err
		}
		e.block(tenant, of.sections(), id).gone[placeOf(id)] = true
		e.terms(tenant, of, id, &t, true)
		return nil
	}); err != nil {
		return err
	}
	return e.write(ctx, tx)
}

// edits are what a change does to the index, by block and by list.
type edits struct {
	blocks map[blockKey]*blockEdit
	lists  map[listsKey]map[termBlock]*listEdit
}

type listsKey struct {
	tenant string
	lane   lane
}

type termBlock struct {
	term  string // as stored
	block int64
}

type blockEdit struct {
	added  []member
	closed map[uint16]int64 // with the revision
	gone   map[uint16]bool
}

type listEdit struct {
	added []entry
	gone  []uint16
}

func newEdits() *edits {
	return &edits{blocks: map[blockKey]*blockEdit{}, lists: map[listsKey]map[termBlock]*listEdit{}}
}

func (e *edits) block(tenant string, sections bool, row int64) *blockEdit {
	key := blockKey{tenant, sections, blockOf(row)}
	b := e.blocks[key]
	if b == nil {
		b = &blockEdit{closed: map[uint16]int64{}, gone: map[uint16]bool{}}
		e.blocks[key] = b
	}
	return b
}

func (e *edits) member(tenant string, sections bool, row int64, m member, t *store.Terms) {
	m.at = placeOf(row)
	for f, n := range t.Lengths {
		m.lengths[f] = uint32(n)
	}
	b := e.block(tenant, sections, row)
	b.added = append(b.added, m)
}

// terms puts a row into the lists of its terms, or takes it out of them.
func (e *edits) terms(tenant string, of lane, row int64, t *store.Terms, gone bool) {
	frequencies := make(map[string][store.Fields]uint32, len(t.Postings))
	for i := range t.Postings {
		p := &t.Postings[i]
		f := frequencies[p.Term]
		f[p.Field] = uint32(len(p.Positions))
		frequencies[p.Term] = f
	}
	for term, f := range frequencies {
		e.list(tenant, of, term, row, entry{frequency: f}, gone)
	}
	if of == words {
		for _, d := range t.Identifiers {
			e.list(tenant, identifiers, d.Value, row, entry{weight: d.Weight}, gone)
		}
	}
}

func (e *edits) list(tenant string, of lane, term string, row int64, what entry, gone bool) {
	lists := e.lists[listsKey{tenant, of}]
	if lists == nil {
		lists = map[termBlock]*listEdit{}
		e.lists[listsKey{tenant, of}] = lists
	}
	key := termBlock{storedTerm(term), blockOf(row)}
	l := lists[key]
	if l == nil {
		l = new(listEdit)
		lists[key] = l
	}
	what.at = placeOf(row)
	if gone {
		l.gone = append(l.gone, what.at)
	} else {
		l.added = append(l.added, what)
	}
}

// write merges the edits with what is there, in the order of the keys.
func (e *edits) write(ctx context.Context, tx pgx.Tx) error {
	for _, key := range slices.SortedFunc(maps.Keys(e.blocks), compareBlocks) {
		if err := e.blocks[key].write(ctx, tx, key); err != nil {
			return err
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(e.lists), func(a, b listsKey) int {
		return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.lane, b.lane))
	}) {
		lists := e.lists[key]
		sorted := slices.SortedFunc(maps.Keys(lists), func(a, b termBlock) int {
			return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.block, b.block))
		})
		for some := range slices.Chunk(sorted, mostWritten) {
			if err := writeLists(ctx, tx, key, some, lists); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostWritten is how many lists one statement writes.
const mostWritten = 1 << 14

func compareBlocks(a, b blockKey) int {
	sections := cmp.Compare(index(a.sections), index(b.sections))
	return cmp.Or(cmp.Compare(a.tenant, b.tenant), sections, cmp.Compare(a.id, b.id))
}

func (b *blockEdit) write(ctx context.Context, tx pgx.Tx, key blockKey) error {
	rows, err := tx.Query(ctx, `SELECT body FROM block WHERE tenant = $1 AND sections = $2 AND block = $3`, key.tenant, key.sections, key.id)
	if err != nil {
		return err
	}
	bodies, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return err
	}
	var members []member
	for _, body := range bodies {
		if members, err = decodeMembers(body); err != nil {
			return err
		}
	}
	members = append(slices.DeleteFunc(members, func(m member) bool { return b.gone[m.at] }), b.added...)
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.at, b.at) })
	for i := range members {
		if i > 0 && members[i].at == members[i-1].at {
			return fmt.Errorf("row %d of the index is given twice", key.id*blockRows+int64(members[i].at))
		}
		if revision, ok := b.closed[members[i].at]; ok {
			members[i].gone = revision
		}
	}
	if len(members) == 0 {
		_, err = tx.Exec(ctx, `DELETE FROM block WHERE tenant = $1 AND sections = $2 AND block = $3`, key.tenant, key.sections, key.id)
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO block (tenant, sections, block, version, embedded, body)
		SELECT $1::text, $2::boolean, $3::bigint, v.next, v.next, $4::bytea FROM nextval('block_version') AS v (next)
		ON CONFLICT (tenant, sections, block) DO UPDATE SET version = excluded.version, embedded = excluded.embedded, body = excluded.body`,
		key.tenant, key.sections, key.id, encodeMembers(members))
	return err
}

// Embedded notes that passages of the given content keys got vectors, and makes the HNSW
// index once the table has enough.
func Embedded(ctx context.Context, tx pgx.Tx, t VectorTable, keys [][]byte) error {
	if _, err := tx.Exec(ctx, `
		UPDATE block b SET embedded = nextval('block_version')
		FROM (SELECT DISTINCT p.tenant, p.id / $2::bigint AS block FROM `+t.Name+` v JOIN passage p ON p.tenant = v.tenant AND p.key = v.key
			WHERE v.key = ANY($1)) AS p
		WHERE b.tenant = p.tenant AND NOT b.sections AND b.block = p.block`, keys, int64(blockRows)); err != nil {
		return err
	}
	return indexVectors(ctx, tx, t, len(keys))
}

// indexVectors makes the HNSW index of a table if it is due and not there, after so many keys were added.
func indexVectors(ctx context.Context, tx pgx.Tx, t VectorTable, added int) error {
	var vectors int
	var indexed bool
	err := tx.QueryRow(ctx, `SELECT coalesce(max(keys), 0), to_regclass($2) IS NOT NULL FROM model WHERE 'vector_' || id = $1`, t.Name, hnswOf(t)).Scan(&vectors, &indexed)
	if err != nil || indexed || vectors < fewestIndexed || vectors/dueEvery == (vectors-added)/dueEvery {
		return err
	}
	var contents int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM (SELECT DISTINCT key, tenant FROM passage)`).Scan(&contents); err != nil || !due(vectors, contents) {
		return err
	}
	if _, err := tx.Exec(ctx, `
		SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')), $1) / 1024 || 'kB', true)`,
		hnswMemory(t, vectors)); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, hnsw(t))
	return err
}
