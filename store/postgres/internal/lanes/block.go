package lanes

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/seed-d3156d19/quarry/store"
)

// member is a row of a block: the revisions of the document from first on and before gone
// hold it. A section is held by one revision.
type member struct {
	at                    uint16
	document, first, gone int64
	lengths               [store.Fields]uint32
}

// Forever is the revision that ends a passage which the newest revision holds.
const Forever = math.MaxInt64

// encodeMembers writes members, which ascend by place. Neighbours mostly are of one document,
// so each begins with whether it is held as the one before is.
func encodeMembers(members []member) []byte {
	b := binary.AppendUvarint(nil, uint64(len(members)))
	var last member
	for i, m := range members {
		step := uint64(m.at)
		if i > 0 {
			step = uint64(m.at-last.at) - 1
		}
		same := i > 0 && m.document == last.document && m.first == last.first && m.gone == last.gone
		if same {
			b = binary.AppendUvarint(b, step<<1|1)
		} else {
			b = binary.AppendUvarint(b, step<<1)
			b = binary.AppendVarint(b, m.document-last.document)
			b = binary.AppendVarint(b, m.first-last.first)
			b = binary.AppendUvarint(b, uint64(Forever-m.gone))
		}
		for _, n := range m.lengths {
			b = binary.AppendUvarint(b, uint64(n))
		}
		last = m
	}
	return b
}

// decodeMembers is the reverse of encodeMembers.
func decodeMembers(b []byte) ([]member, error) {
	bad := false
	unsigned := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[size:]
		return n
	}
	signed := func() int64 {
		n, size := binary.Varint(b)
		if size <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[size:]
		return n
	}
	n := unsigned()
	if n > blockRows {
		return nil, errBlock
	}
	members := make([]member, n)
	var last member
	next := uint64(0)
	for i := range members {
		m := last
		step := unsigned()
		at := next + step>>1
		if at >= blockRows {
			return nil, errBlock
		}
		m.at, next = uint16(at), at+1
		if step&1 == 0 {
			m.document += signed()
			m.first += signed()
			m.gone = int64(Forever - unsigned())
		}
		for field := range m.lengths {
			m.lengths[field] = uint32(unsigned())
		}
		members[i], last = m, m
	}
	if bad || len(b) > 0 {
		return nil, errBlock
	}
	return members, nil
}

var errBlock = fmt.Errorf("%w: a block of the index cannot be read", store.ErrDamaged)

// block is what is kept of a block's members: neighbours that are held alike as one run.
type block struct {
	version int64
	runs    []run
	rows    bitset
	lengths [blockRows]float32 // weighted
}

type run struct {
	document, first, gone int64
	from, to              uint16
}

func (x *Index) decodeBlock(version int64, body []byte) (*block, error) {
	members, err := decodeMembers(body)
	if err != nil {
		return nil, err
	}
	b := &block{version: version}
	for _, m := range members {
		var lengths [store.Fields]int
		for f, n := range m.lengths {
			lengths[f] = int(n)
		}
		b.rows.set(m.at)
		b.lengths[m.at] = float32(x.bm25.Length(lengths))
		if n := len(b.runs); n > 0 && b.runs[n-1].document == m.document && b.runs[n-1].first == m.first && b.runs[n-1].gone == m.gone {
			b.runs[n-1].to = m.at
			continue
		}
		b.runs = append(b.runs, run{m.document, m.first, m.gone, m.at, m.at})
	}
	return b, nil
}

// held are the rows that a revision of revisions holds, by document.
func (b *block) held(revisions map[int64]int64) *bitset {
	var out bitset
	any := false
	for _, r := range b.runs {
		if revision, ok := revisions[r.document]; ok && r.first <= revision && revision < r.gone {
			out.fill(r.from, r.to)
			any = true
		}
	}
	if !any {
		return nil
	}
	for word := range out {
		out[word] &= b.rows[word]
	}
	return &out
}
