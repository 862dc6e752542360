package lanes

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// embeddedKey is a block as a model's vectors are of it.
type embeddedKey struct {
	tenant, table string
	id            int64
}

// embeddedRows are the passages of a block that have vectors, whether they are seen or not.
type embeddedRows struct {
	version int64
	rows    *bitset
	n       int
}

func (k *kept) embeddedIn(key embeddedKey) embeddedRows {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.embedded[key]
}

func (k *kept) putEmbedded(key embeddedKey, e embeddedRows) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.embedded == nil || len(k.embedded) >= keptBlocks {
		k.embedded = map[embeddedKey]embeddedRows{}
	}
	if k.embedded[key].version < e.version {
		k.embedded[key] = e
	}
}

// embeddedSet is the passages that a view sees and that have vectors of a model.
type embeddedSet struct {
	table string
	*rowSet
	all   int   // passages of the tenant that have vectors, seen or not
	stamp int64 // grows when passages of the tenant get vectors
}

// embeddedSetKey is a scope at a commit, as that of rowSets, and a model.
type embeddedSetKey struct{ seen, table string }

func (k *kept) embeddedSet(key embeddedSetKey) (set embeddedSet, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	set, ok = k.with[key]
	return set, ok
}

func (k *kept) putEmbeddedSet(key embeddedSetKey, set embeddedSet) {
	if key.seen == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.with == nil || len(k.with) >= keptSets {
		k.with = map[embeddedSetKey]embeddedSet{}
	}
	k.with[key] = set
}

// embedded gives the passages that the view sees and that have vectors.
func (r *Reader) embedded(ctx context.Context, t VectorTable) (embeddedSet, error) {
	if r.with.table == t.Name {
		return r.with, nil
	}
	kept, key := &r.index.kept, embeddedSetKey{}
	if r.scope.Passages == nil {
		key = embeddedSetKey{r.scope.SeenKey, t.Name}
	}
	if set, ok := kept.embeddedSet(key); ok {
		r.with = set
		return set, nil
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return embeddedSet{}, err
	}
	blocks, err := r.embeddedBlocks(ctx, t)
	if err != nil {
		return embeddedSet{}, err
	}
	out := embeddedSet{table: t.Name}
	var held []seenBlock
	for id, e := range blocks {
		out.all += e.n
		out.stamp = max(out.stamp, e.version)
		i, ok := sees.at[id]
		if !ok || e.n == 0 {
			continue
		}
		both := *sees.blocks[i].rows
		any := uint64(0)
		for word := range both {
			both[word] &= e.rows[word]
			any |= both[word]
		}
		if any != 0 {
			held = append(held, seenBlock{id, sees.blocks[i].block, &both})
		}
	}
	slices.SortFunc(held, func(a, b seenBlock) int { return cmp.Compare(a.id, b.id) })
	out.rowSet = newRowSet(held)
	r.with = out
	kept.putEmbeddedSet(key, out)
	return out, nil
}

// embeddedBlocks are all of the tenant; those that have changed are asked for.
func (r *Reader) embeddedBlocks(ctx context.Context, t VectorTable) (map[int64]embeddedRows, error) {
	blocks := map[int64]embeddedRows{}
	versions := map[int64]int64{} // of those that have changed
	var ranges [][2]int64         // of their rows, neighbours as one
	var id, version int64
	if err := r.each(ctx, lookups, `SELECT block, embedded FROM block WHERE tenant = $1 AND NOT sections ORDER BY block`, []any{r.scope.Tenant}, []any{&id, &version}, func() error {
		e := r.index.kept.embeddedIn(embeddedKey{r.scope.Tenant, t.Name, id})
		if blocks[id] = e; e.version == version {
			return nil
		}
		versions[id] = version
		blocks[id] = embeddedRows{version: version, rows: new(bitset)}
		if n := len(ranges); n > 0 && ranges[n-1][1] == id*blockRows {
			ranges[n-1][1] += blockRows
		} else {
			ranges = append(ranges, [2]int64{id * blockRows, (id + 1) * blockRows})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, between := range ranges {
		rows, err := r.q.Query(ctx, `
			SELECT p.id FROM passage p WHERE p.tenant = $1 AND p.id >= $2 AND p.id < $3
			AND EXISTS (SELECT FROM `+t.Name+` v WHERE v.tenant = p.tenant AND v.key = p.key)`, r.scope.Tenant, between[0], between[1])
		if err != nil {
			return nil, err
		}
		if _, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			e := blocks[blockOf(id)]
			if e.rows == nil {
				return nil // a passage of no block: it is not searched either
			}
			e.rows.set(placeOf(id))
			e.n++
			blocks[blockOf(id)] = e
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for id := range versions {
		r.index.kept.putEmbedded(embeddedKey{r.scope.Tenant, t.Name, id}, blocks[id])
	}
	return blocks, nil
}

// Vectors counts the passages that the view sees and that have vectors.
func (r *Reader) Vectors(ctx context.Context, t VectorTable) (int, error) {
	if t.Name == "" {
		return 0, nil
	}
	has, err := r.embedded(ctx, t)
	if err != nil {
		return 0, err
	}
	return has.rows, nil
}
