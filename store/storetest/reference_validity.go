package storetest

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// settle derives validity.
func (x *reference) settle() {
	for id, k := range x.docs {
		var recorded []store.Recorded
		for _, r := range k.revisions {
			recorded = append(recorded, store.Recorded{Seen: document.DayOf(r.Seen), Status: r.Metadata.Status, Effective: r.Metadata.Effective})
		}
		k.valid = store.Validity(recorded, x.supersededFrom(id, k))
	}
}

// newest is the newest revision, drafts aside; nil for none.
func (k *kept) newest() *store.Revision {
	for i := len(k.revisions) - 1; i >= 0; i-- {
		if r := &k.revisions[i]; r.Metadata.Status != document.Draft {
			return r
		}
	}
	return nil
}

// supersededFrom is the first day of the revisions, drafts aside, by which others of
// the same source and tenant supersede a document, as long as their newest one does
// so and they are in no ring with it.
func (x *reference) supersededFrom(id document.ID, k *kept) (first document.Day) {
	if len(k.revisions) == 0 {
		return 0
	}
	tenant := k.revisions[len(k.revisions)-1].Metadata.Tenant
	ring := x.ring(id, k)
	for other, o := range x.docs {
		newest := o.newest()
		if other == id || other.Source != id.Source || newest == nil || !slices.Contains(newest.Metadata.Supersedes, id.Path) || slices.Contains(ring, other.Path) {
			continue
		}
		for _, r := range o.revisions {
			m := r.Metadata
			if m.Status == document.Draft || m.Tenant != tenant || !slices.Contains(m.Supersedes, id.Path) {
				continue
			}
			begins := m.Effective.From
			switch {
			case m.Effective == document.Interval{}:
				begins = document.DayOf(r.Seen)
			case begins == 0:
				begins = document.DayMin
			}
			if first == 0 || begins < first {
				first = begins
			}
		}
	}
	return first
}

// ring is the paths of the ring that a document stands in.
func (x *reference) ring(id document.ID, k *kept) []string {
	newest := k.newest()
	if newest == nil {
		return nil
	}
	graph := map[string][]string{}
	for other, o := range x.docs {
		if n := o.newest(); n != nil && other.Source == id.Source && n.Metadata.Tenant == newest.Metadata.Tenant {
			graph[other.Path] = n.Metadata.Supersedes
		}
	}
	for _, ring := range store.Rings(graph) {
		if slices.Contains(ring, id.Path) {
			return ring
		}
	}
	return nil
}
