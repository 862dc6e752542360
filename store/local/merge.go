package local

// merge makes one segment of the live documents of several.
func merge(parts []*segment, dead []bitset) *segment {
	out := &segment{passages: newInverted(), identifiers: newInverted(), outline: newInverted()}
	for i, g := range parts {
		out.take(g, dead[i])
	}
	out.seal()
	return out
}

// take appends the live documents of g.
func (out *segment) take(g *segment, dead bitset) {
	const none = ^uint32(0)
	docs := renumber(len(g.docs), len(out.docs), func(i int) bool { return !dead.has(uint32(i)) })
	rows := renumber(len(g.rows), len(out.rows), func(i int) bool { return docs[g.rows[i].doc] != none })
	sections := renumber(len(g.sections), len(out.sections), func(i int) bool { return docs[g.sections[i].doc] != none })

	classes := len(out.classes)
	out.classes = append(out.classes, g.classes...)
	for i, d := range g.docs {
		if docs[i] == none {
			continue
		}
		revisions := make([]revision, len(d.revisions))
		for j, r := range d.revisions {
			r.class += classes
			r.first = firstOf(r, sections)
			places := make([]place, len(r.passages))
			for k, p := range r.passages {
				places[k] = place{row: rows[p.row], section: p.section}
			}
			r.passages = places
			revisions[j] = r
		}
		d.revisions = revisions
		out.docs = append(out.docs, d)
	}
	for i, r := range g.rows {
		if rows[i] != none {
			r.doc = int32(docs[r.doc])
			out.rows = append(out.rows, r)
		}
	}
	for i, s := range g.sections {
		if sections[i] != none {
			s.doc = int32(docs[s.doc])
			out.sections = append(out.sections, s)
		}
	}
	out.passages.take(&g.passages, rows)
	out.identifiers.take(&g.identifiers, rows)
	out.outline.take(&g.outline, sections)
	out.shareClasses()
}

func firstOf(r revision, sections []uint32) uint32 {
	if r.count == 0 {
		return 0
	}
	return sections[r.first]
}

// renumber gives each of n things that is kept the next number from base on.
func renumber(n, base int, keep func(int) bool) []uint32 {
	out := make([]uint32, n)
	next := uint32(base)
	for i := range out {
		out[i] = ^uint32(0)
		if keep(i) {
			out[i] = next
			next++
		}
	}
	return out
}

// take appends the postings and lengths of the rows that have a new number. Rows
// are appended in order, so postings stay sorted.
func (x *inverted) take(y *inverted, rows []uint32) {
	for term, list := range y.terms {
		kept := x.terms[term]
		for _, p := range list {
			if to := rows[p.row]; to != ^uint32(0) {
				kept = append(kept, posting{to, p.weight})
			}
		}
		if len(kept) > 0 {
			x.terms[term] = kept
		}
	}
	for i, n := range y.lengths {
		if rows[i] != ^uint32(0) {
			x.lengths = append(x.lengths, n)
		}
	}
}

// shareClasses keeps one of equal classes, so that their number does not grow
// with every merge.
func (out *segment) shareClasses() {
	seen := map[string]int{}
	to := make([]int, len(out.classes))
	kept := out.classes[:0:0]
	for i, a := range out.classes {
		key := classKey(a)
		at, ok := seen[key]
		if !ok {
			at = len(kept)
			seen[key] = at
			kept = append(kept, a)
		}
		to[i] = at
	}
	out.classes = kept
	for i := range out.docs {
		for j := range out.docs[i].revisions {
			r := &out.docs[i].revisions[j]
			r.class = to[r.class]
		}
	}
}
