package testkit

import (
	"encoding/binary"
	"maps"
	"path"
	"slices"
	"unicode/utf16"
)

// Compound is a compound file ([MS-CFB]) of streams by path, as Outlook saves a
// message: sectors of 512 bytes, small streams in sectors of 64. Storages are made of the
// paths; the names of one form a tree that leans to the right.
func Compound(streams map[string][]byte) []byte {
	c := &compound{number: map[string]int{}}
	c.add("", 5, nil)
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		c.storage(path.Dir(name))
		c.add(name, 2, streams[name])
	}
	return c.file()
}

const (
	compoundSector = 512
	compoundMini   = 64
	compoundCutoff = 4096
	endOfChain     = 0xFFFFFFFE
	freeSector     = 0xFFFFFFFF
)

type compound struct {
	entries []*compoundEntry
	number  map[string]int // of an entry
	fat     []uint32
	miniFAT []uint32
	sectors []byte
	mini    []byte
}

type compoundEntry struct {
	name        string
	kind        byte
	right       uint32
	child, last uint32 // the first and last in a storage
	start, size uint32
}

func (c *compound) storage(dir string) {
	if dir == "." {
		return
	}
	if _, ok := c.number[dir]; !ok {
		c.storage(path.Dir(dir))
		c.add(dir, 1, nil)
	}
}

func (c *compound) add(name string, kind byte, content []byte) {
	e := &compoundEntry{name: path.Base(name), kind: kind, right: freeSector, child: freeSector, last: freeSector, start: endOfChain, size: uint32(len(content))}
	n := uint32(len(c.entries))
	c.number[name] = int(n)
	c.entries = append(c.entries, e)
	switch {
	case name == "":
		e.name = "Root Entry"
		return
	case len(content) >= compoundCutoff:
		e.start = c.write(content)
	case len(content) > 0:
		e.start = uint32(len(c.mini) / compoundMini)
		c.mini = padded(append(c.mini, content...), compoundMini)
		c.miniFAT = chained(c.miniFAT, len(c.mini)/compoundMini)
	}
	dir := path.Dir(name)
	if dir == "." {
		dir = ""
	}
	up := c.entries[c.number[dir]]
	if up.child == freeSector {
		up.child = n
	} else {
		c.entries[up.last].right = n
	}
	up.last = n
}

// write puts content into sectors of its own and gives the first.
func (c *compound) write(content []byte) uint32 {
	if len(content) == 0 {
		return endOfChain
	}
	start := uint32(len(c.fat))
	c.sectors = padded(append(c.sectors, content...), compoundSector)
	c.fat = chained(c.fat, len(c.sectors)/compoundSector)
	return start
}

func (c *compound) file() []byte {
	root := c.entries[0]
	root.start, root.size = c.write(c.mini), uint32(len(c.mini))
	miniFAT := c.write(padded(littleEndian(c.miniFAT), compoundSector))
	var directory []byte
	for _, e := range c.entries {
		directory = append(directory, e.bytes()...)
	}
	first := c.write(padded(directory, compoundSector))
	var places []uint32 // of the FAT itself
	for {
		need := (len(c.fat) + len(places) + compoundSector/4 - 1) / (compoundSector / 4)
		if need == len(places) {
			break
		}
		places = append(places, uint32(len(c.fat)+len(places)))
	}
	fat := littleEndian(c.fat)
	for range places {
		fat = binary.LittleEndian.AppendUint32(fat, 0xFFFFFFFD)
	}
	header := make([]byte, 76)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	put16, put32 := binary.LittleEndian.PutUint16, binary.LittleEndian.PutUint32
	put16(header[24:], 0x3E)
	put16(header[26:], 3)
	put16(header[28:], 0xFFFE)
	put16(header[30:], 9)
	put16(header[32:], 6)
	put32(header[44:], uint32(len(places)))
	put32(header[48:], first)
	put32(header[56:], compoundCutoff)
	put32(header[60:], miniFAT)
	put32(header[64:], uint32((len(c.miniFAT)*4+compoundSector-1)/compoundSector))
	put32(header[68:], endOfChain)
	for len(places) < 109 {
		places = append(places, freeSector)
	}
	out := append(header, littleEndian(places[:109])...)
	out = append(out, c.sectors...)
	for fat = slices.Clone(fat); len(fat)%compoundSector != 0; {
		fat = binary.LittleEndian.AppendUint32(fat, freeSector)
	}
	return append(out, fat...)
}

func (e *compoundEntry) bytes() []byte {
	b := make([]byte, 128)
	units := utf16.Encode([]rune(e.name))
	for i, u := range units {
		binary.LittleEndian.PutUint16(b[2*i:], u)
	}
	binary.LittleEndian.PutUint16(b[64:], uint16(2*len(units)+2))
	b[66], b[67] = e.kind, 1
	for i, n := range []uint32{freeSector, e.right, e.child} {
		binary.LittleEndian.PutUint32(b[68+4*i:], n)
	}
	binary.LittleEndian.PutUint32(b[116:], e.start)
	binary.LittleEndian.PutUint32(b[120:], e.size)
	return b
}

// chained lengthens a table to n sectors that follow each other.
func chained(table []uint32, n int) []uint32 {
	for len(table) < n {
		table = append(table, uint32(len(table)+1))
	}
	table[n-1] = endOfChain
	return table
}

func padded(b []byte, to int) []byte { return append(b, make([]byte, (to-len(b)%to)%to)...) }

func littleEndian(list []uint32) []byte {
	var b []byte
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}
