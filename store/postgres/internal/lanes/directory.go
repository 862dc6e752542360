package lanes

import "slices"

// directory is the blocks of a tenant at a commit, each with its version: whatever the index holds of a
// block is the same as long as its version is. A version is given by the database and never
// twice, so this holds for what any process has written. It never changes.
type directory struct {
	ids, versions []int64 // by id
	newest        int64
}

func directoryOf(blocks []seenBlock) *directory {
	d := &directory{ids: make([]int64, len(blocks)), versions: make([]int64, len(blocks))}
	for i, b := range blocks {
		d.ids[i], d.versions[i] = b.id, b.block.version
		d.newest = max(d.newest, b.block.version)
	}
	return d
}

func (d *directory) has(id int64) bool {
	_, ok := slices.BinarySearch(d.ids, id)
	return ok
}

// changed are the blocks of the directory that another one has not, or in another version.
func (d *directory) changed(since *directory) (ids []int64) {
	if d == since {
		return nil
	}
	at := 0
	for i, id := range d.ids {
		for at < len(since.ids) && since.ids[at] < id {
			at++
		}
		if at == len(since.ids) || since.ids[at] != id || since.versions[at] != d.versions[i] {
			ids = append(ids, id)
		}
	}
	return ids
}

// directory gives a directory that equals another the same place as that one.
func (k *kept) directory(tenant string, sections bool, d *directory) *directory {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := blockKey{tenant: tenant, sections: sections}
	if old := k.directories[key]; old != nil && slices.Equal(old.ids, d.ids) && slices.Equal(old.versions, d.versions) {
		return old
	}
	if k.directories == nil || len(k.directories) >= keptSets {
		k.directories = map[blockKey]*directory{}
	}
	k.directories[key] = d
	return d
}
