// Package outlook reads the messages that Outlook saves (.msg): the compound file
// they are ([MS-CFB]), its properties ([MS-OXMSG]) and the compressed text in it
// ([MS-OXRTFCP]).
//
// The container is read here and not by a library: the one that is kept well builds
// the path of each entry from that of the one above, which takes memory by the square
// of what a hostile file nests.
package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
)

// ErrDamaged is for a file that cannot be read as a message.
var ErrDamaged = errors.New("the message is damaged: open it with Outlook and save it again")

// Signature begins every compound file ([MS-CFB], 2.2).
var Signature = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

const (
	headerSize   = 512
	entrySize    = 128
	miniSector   = 64
	lastSector   = 0xFFFFFFFA // the greatest number of a sector, [MS-CFB] 2.1
	noStream     = 0xFFFFFFFF
	firstFATs    = 109 // places of the FAT's sectors that stand in the header
	kindStorage  = 1
	kindStream   = 2
	maxNameBytes = 64
)

// compound is a compound file: streams in storages, as files in folders.
type compound struct {
	data    []byte
	sector  int // bytes
	cutoff  uint64
	fat     []uint32 // of each sector the next in its chain
	miniFAT []uint32
	mini    []byte // the sectors of small streams
	entries []entry
	seen    []bool          // entries that stand in a storage already
	damaged map[*entry]bool // streams that were asked for and are not whole
	left    int             // bytes that may still be read: chains may share sectors
}

type entry struct {
	name               string
	kind               byte
	left, right, child uint32
	start              uint32
	size               uint64
}

func openCompound(data []byte) (*compound, error) {
	if len(data) < headerSize || !bytes.HasPrefix(data, Signature) {
		return nil, ErrDamaged
	}
	shift := binary.LittleEndian.Uint16(data[30:])
	if shift != 9 && shift != 12 {
		return nil, ErrDamaged
	}
	c := &compound{data: data, sector: 1 << shift, damaged: map[*entry]bool{}, cutoff: uint64(binary.LittleEndian.Uint32(data[56:])), left: 2*len(data) + 1<<20}
	c.readFAT()
	directory, err := c.chain(c.fat, binary.LittleEndian.Uint32(data[48:]), -1, c.at)
	if err != nil {
		return nil, err
	}
	for ; len(directory) >= entrySize; directory = directory[entrySize:] {
		c.entries = append(c.entries, readEntry(directory[:entrySize], shift))
	}
	if len(c.entries) == 0 {
		return nil, ErrDamaged
	}
	c.seen = make([]bool, len(c.entries))
	miniFAT, err := c.chain(c.fat, binary.LittleEndian.Uint32(data[60:]), -1, c.at)
	if err != nil {
		return nil, err
	}
	c.miniFAT = numbers(miniFAT)
	c.mini, err = c.chain(c.fat, c.entries[0].start, -1, c.at)
	return c, err
}

// readFAT joins the sectors of the file allocation table: the first are named in the
// header, the others in a chain of sectors of their own.
func (c *compound) readFAT() {
	places := numbers(c.data[76 : 76+4*firstFATs])
	more := binary.LittleEndian.Uint32(c.data[68:])
	for range len(c.data) / c.sector { // a chain that runs in a circle ends here
		s := c.at(more)
		if s == nil {
			break
		}
		list := numbers(s)
		places = append(places, list[:len(list)-1]...)
		more = list[len(list)-1]
	}
	for _, p := range places {
		if len(c.fat) > len(c.data)/c.sector {
			break
		}
		c.fat = append(c.fat, numbers(c.at(p))...)
	}
}

// at is a sector, nil if there is none. The last one of a file may be short.
func (c *compound) at(n uint32) []byte {
	from := (int64(n) + 1) * int64(c.sector)
	if n > lastSector || from >= int64(len(c.data)) {
		return nil
	}
	return c.data[from:min(from+int64(c.sector), int64(len(c.data)))]
}

// miniAt is a sector of a small stream.
func (c *compound) miniAt(n uint32) []byte {
	from := int64(n) * miniSector
	if n > lastSector || from >= int64(len(c.mini)) {
		return nil
	}
	return c.mini[from:min(from+miniSector, int64(len(c.mini)))]
}

// chain joins the sectors from start on, size bytes of them, or all if that is -1.
func (c *compound) chain(fat []uint32, start uint32, size int64, sector func(uint32) []byte) ([]byte, error) {
	var out []byte
	for n := start; size < 0 || int64(len(out)) < size; n = fat[n] {
		s := sector(n)
		if s == nil {
			break
		}
		if c.left -= len(s); c.left < 0 {
			return nil, ErrDamaged
		}
		out = append(out, s...)
		if int64(n) >= int64(len(fat)) {
			break
		}
	}
	if size >= 0 && int64(len(out)) > size {
		out = out[:size]
	}
	return out, nil
}

func readEntry(b []byte, shift uint16) entry {
	e := entry{kind: b[66], left: binary.LittleEndian.Uint32(b[68:]), right: binary.LittleEndian.Uint32(b[72:]), child: binary.LittleEndian.Uint32(b[76:]),
		start: binary.LittleEndian.Uint32(b[116:]), size: binary.LittleEndian.Uint64(b[120:])}
	if shift == 9 {
		e.size &= 0xFFFFFFFF // the upper half may hold anything
	}
	if n := int(binary.LittleEndian.Uint16(b[64:])); n >= 2 && n <= maxNameBytes {
		e.name = strings.ToLower(utf16LE(b[:n-2]))
	}
	return e
}

// storage is what stands in one storage, by name in lower case.
type storage struct {
	c      *compound
	inside map[string]*entry
	names  []string // of the storages in it, in the order of the tree
}

func (c *compound) root() *storage { return c.storage(&c.entries[0]) }

// storage reads the tree of names below an entry. Each entry stands in one storage
// only, so a tree that runs in a circle ends.
func (c *compound) storage(of *entry) *storage {
	s := &storage{c: c, inside: map[string]*entry{}}
	todo := []uint32{of.child}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == noStream || int64(n) >= int64(len(c.entries)) || c.seen[n] {
			continue
		}
		c.seen[n] = true
		e := &c.entries[n]
		if s.inside[e.name] == nil && (e.kind == kindStorage || e.kind == kindStream) {
			s.inside[e.name] = e
			if e.kind == kindStorage {
				s.names = append(s.names, e.name)
			}
		}
		todo = append(todo, e.right, e.left)
	}
	return s
}

// storage is one in this one, nil if there is none.
func (s *storage) storage(name string) *storage {
	if e := s.inside[name]; e != nil && e.kind == kindStorage {
		return s.c.storage(e)
	}
	return nil
}

// stream is a stream's content, nil if there is none. Of a damaged one, which is noted, it is
// what is left, if anything.
func (s *storage) stream(name string) []byte {
	e := s.inside[name]
	if e == nil || e.kind != kindStream {
		return nil
	}
	if e.size > uint64(len(s.c.data)) {
		s.c.damaged[e] = true
		return nil
	}
	var content []byte
	var err error
	if e.size < s.c.cutoff {
		content, err = s.c.chain(s.c.miniFAT, e.start, int64(e.size), s.c.miniAt)
	} else {
		content, err = s.c.chain(s.c.fat, e.start, int64(e.size), s.c.at)
	}
	if err != nil || uint64(len(content)) < e.size {
		s.c.damaged[e] = true
	}
	return content
}

func numbers(b []byte) []uint32 {
	out := make([]uint32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, binary.LittleEndian.Uint32(b))
	}
	return out
}

func utf16LE(b []byte) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, binary.LittleEndian.Uint16(b))
	}
	return string(utf16.Decode(units))
}
