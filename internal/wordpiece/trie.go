package wordpiece

import "math/bits"

// trie is a double-array trie over bytes (Aoe, "An Efficient Digital Search
// Algorithm by Using a Double-Array Structure", 1989): the child of slot s by
// byte c is slot base[s]+c if that one's parent is s. Slot 0 is the root. One
// step is one memory access, which is what Count spends its time on.
type trie []slot

type slot struct {
	base   int32
	parent int32 // -1: free
	id     int32 // -1: no entry ends here
}

// walk follows key from slot at; the key must be in the trie.
func (t trie) walk(at int32, key string) int32 {
	for i := range len(key) {
		at = t[at].base + int32(key[i])
	}
	return at
}

// builder collects entries as a trie of linked siblings and lays it out. A hash
// table with open addressing finds a node's child, as some nodes have hundreds.
type builder struct {
	nodes []node
	table []int32 // of nodes; 0: free
}

type node struct {
	child, next int32 // first child, next sibling; 0: none
	parent, id  int32
	c           byte
}

func (b *builder) init(size int) {
	b.nodes = append(make([]node, 0, size/3), node{id: -1})
	b.table = make([]int32, 1<<bits.Len(uint(size)))
}

// path gives the node of key, and makes it if it is not there.
func (b *builder) path(key string) int32 {
	at := int32(0)
	for i := range len(key) {
		at = b.child(at, key[i])
	}
	return at
}

// child gives the child of node at by c, and makes it if it is not there.
func (b *builder) child(at int32, c byte) int32 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: multiplicative hashing
	h := (uint64(at)<<8 | uint64(c)) * golden >> (65 - bits.Len(uint(len(b.table))))
	for ; ; h++ {
		place := &b.table[h&uint64(len(b.table)-1)]
		switch n := *place; {
		case n == 0:
			n = int32(len(b.nodes))
			b.nodes = append(b.nodes, node{next: b.nodes[at].child, parent: at, id: -1, c: c})
			b.nodes[at].child = n
			*place = n
			return n
		case b.nodes[n].parent == at && b.nodes[n].c == c:
			return n
		}
	}
}

// build lays the nodes out breadth first. Where a node's children go is sought
// from where the last node with about as many children found its place, so that
// the whole takes linear time; nodes with one child, the most, fill the gaps that
// the others leave. The array ends with free slots, so that a step from any base
// stays inside it.
func (b *builder) build() trie {
	t := make(trie, 0, len(b.nodes)*5/4)
	grow := func(n int32) {
		for int32(len(t)) < n {
			t = append(t, slot{parent: -1, id: -1})
		}
	}
	t = append(t, slot{parent: -2, id: -1})
	type placed struct{ node, slot int32 }
	queue := make([]placed, 1, len(b.nodes))
	var from [10]int32 // by bits of the number of children: the slot of the lowest child
	last := int32(0)
	for i := 0; i < len(queue); i++ {
		q := queue[i]
		first := b.nodes[q.node].child
		if first == 0 {
			continue
		}
		low, count := int32(255), 0
		for n := first; n != 0; n = b.nodes[n].next {
			low = min(low, int32(b.nodes[n].c))
			count++
		}
		class := bits.Len(uint(count))
		at := max(from[class], low, 1)
		for grow(at + 256); !b.fits(t, first, at-low); grow(at + 256) {
			at++
		}
		from[class] = at
		t[q.slot].base = at - low
		for n := first; n != 0; n = b.nodes[n].next {
			s := at - low + int32(b.nodes[n].c)
			t[s] = slot{parent: q.slot, id: b.nodes[n].id}
			last = max(last, s)
			queue = append(queue, placed{n, s})
		}
	}
	grow(last + 257)
	return t[:last+257]
}

func (b *builder) fits(t trie, first, base int32) bool {
	for n := first; n != 0; n = b.nodes[n].next {
		if t[base+int32(b.nodes[n].c)].parent != -1 {
			return false
		}
	}
	return true
}
