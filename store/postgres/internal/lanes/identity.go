package lanes

import (
	"context"
	"hash/maphash"
	"slices"
)

// identities are the names and content keys of the passages of a block, so that hits need not be looked up
// one by one. They hold for a version of the block and never change.
type identities struct {
	version     int64
	names, keys [blockRows]string // by place; "" where there is no passage
	// order lists the places by the buckets of their keys, with tags of these; those of bucket b are from
	// first[b] on and before first[b+1].
	order []tagged
	first [keyBuckets + 1]uint16
}

// tagged is a place with some bits of its key, by which nearly all other keys are told from it without
// being read.
type tagged struct{ at, tag uint16 }

const (
	keyBuckets = blockRows
	// identitySize is about how many bytes one takes, and mostIdentities how many all take that are kept.
	identitySize   = blockRows * (2*16 + 2*16 + 6)
	mostIdentities = 64 << 20
	// identifiedAtOnce is of how many blocks a question reads them, each in about a millisecond.
	identifiedAtOnce = 4
)

var seed = maphash.MakeSeed()

// bucketOf gives the bucket of a key and its tag.
func bucketOf(key string) (bucket int, tag uint16) {
	h := maphash.String(seed, key)
	return int(h % keyBuckets), uint16(h >> 48)
}

// sort makes the order, once all passages are there.
func (i *identities) sort() {
	var buckets [blockRows]int
	for at, key := range i.keys {
		if key != "" {
			bucket, tag := bucketOf(key)
			buckets[at] = bucket
			i.order = append(i.order, tagged{uint16(at), tag})
		}
	}
	slices.SortFunc(i.order, func(a, b tagged) int { return buckets[a.at] - buckets[b.at] })
	at := 0
	for b := range i.first {
		for at < len(i.order) && buckets[i.order[at].at] < b {
			at++
		}
		i.first[b] = uint16(at)
	}
}

// with calls fn with the place of each passage that has a key, of a bucket and a tag.
func (i *identities) with(key string, bucket int, tag uint16, fn func(at uint16)) {
	for _, p := range i.order[i.first[bucket]:i.first[bucket+1]] {
		if p.tag == tag && i.keys[p.at] == key {
			fn(p.at)
		}
	}
}

// identitiesOf are those of a block as a view sees it, if they are kept.
func (r *Reader) identitiesOf(b seenBlock) *identities {
	if i, ok := r.index.kept.identities.get(blockKey{r.scope.Tenant, false, b.id}); ok && i.version == b.block.version {
		return i
	}
	return nil
}

// identified gives the identities of all blocks of a set; nil where some are not kept.
func (r *Reader) identified(set *rowSet) []*identities {
	out := make([]*identities, len(set.blocks))
	for n, b := range set.blocks {
		if out[n] = r.identitiesOf(b); out[n] == nil {
			return nil
		}
	}
	return out
}

// identify reads identities of some blocks of a set, for questions that come later: not with the first one
// of a process, as it may be the only one; of blocks of which the set has at least half, so that
// questions for few documents read few rows; and not where those of the set would not all be kept.
func (r *Reader) identify(ctx context.Context, set *rowSet) error {
	if first := !r.index.kept.compared.Swap(true); first || len(set.blocks) > mostIdentities/2/identitySize {
		return nil
	}
	read := 0
	for _, b := range set.blocks {
		if read == identifiedAtOnce {
			break
		}
		if r.identitiesOf(b) != nil || 2*b.rows.count() < b.block.rows.count() {
			continue
		}
		read++
		who := &identities{version: b.block.version}
		var id int64
		var name, key []byte
		if err := r.each(ctx, lookups, `SELECT id, name, key FROM passage WHERE tenant = $1 AND id >= $2 AND id < $3`,
			[]any{r.scope.Tenant, b.id * blockRows, (b.id + 1) * blockRows}, []any{&id, &name, &key}, func() error {
				who.names[placeOf(id)], who.keys[placeOf(id)] = string(name), string(key)
				return nil
			}); err != nil {
			return err
		}
		who.sort()
		r.index.kept.identities.put(blockKey{r.scope.Tenant, false, b.id}, who, identitySize, func(old *identities) bool { return old.version > who.version })
	}
	return nil
}
