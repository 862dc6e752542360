package source

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"
)

// Inside stands between the path of an archive or message and that of what it holds:
// "offers.zip!/2026/team.md".
const Inside = "!/"

// member is a file that an archive says it holds. It describes itself to the walk.
type member struct {
	path     string // within the archive, clean
	size     int64
	mode     fs.FileMode
	offset   int64 // in the archive's content
	packed   int64 // bytes there
	deflated bool
	checksum *uint32 // CRC-32 (IEEE) of what it unpacks to, where the archive has one
	fault    error   // why it is not read
	carrier  *Carrier
}

func (m *member) Name() string               { return path.Base(m.path) }
func (m *member) Size() int64                { return m.size }
func (m *member) Mode() fs.FileMode          { return m.mode }
func (m *member) Type() fs.FileMode          { return m.mode.Type() }
func (m *member) ModTime() time.Time         { return time.Time{} }
func (m *member) IsDir() bool                { return m.mode.IsDir() }
func (m *member) Sys() any                   { return nil }
func (m *member) Info() (fs.FileInfo, error) { return m, nil }

// archive is a place within a file. Its content is that file, or what is made of it:
// of a compressed TAR the TAR, of a message what is attached, one after the other.
type archive struct {
	path    string // of the file, within the source
	level   int    // 1 where the file lies on disk, 2 in an archive there, ...
	members []*member
	files   map[string]*member
	tree    map[string][]fs.DirEntry
	// attached is whether it came with a message, from whoever wrote that.
	attached bool
	// Exactly one of the two is there: open for content that is read where it lies,
	// load for content that is held in memory by shelf.
	open  func() (file, error)
	load  func() ([]byte, error)
	shelf *shelf
}

// file is what an archive's content is read from.
type file interface {
	io.ReaderAt
	io.Closer
}

func (a *archive) prefix() string { return a.path + Inside }

func (a *archive) entries(dir string) ([]fs.DirEntry, error) { return a.tree[dir], nil }

var errDamaged = errors.New("the archive is damaged here: make it anew")

func (a *archive) read(name string, _ fs.FileInfo, limit int64, key string) ([]byte, error) {
	if a.shelf != nil {
		a.shelf.mu.Lock()
		defer a.shelf.mu.Unlock()
	}
	return a.unpack(name, limit, key)
}

// unpack is read for who holds the shelf already. What the archive says of a size is
// not believed.
func (a *archive) unpack(name string, limit int64, key string) ([]byte, error) {
	m := a.files[name]
	switch {
	case m == nil:
		return nil, ErrGone
	case m.fault != nil:
		return nil, m.fault
	case !m.mode.IsRegular():
		return nil, fmt.Errorf("it is %s, which is not followed", describe(m.mode))
	case m.size > limit:
		return nil, tooLarge(m.size, limit, key)
	}
	content, err := a.content()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	var r io.Reader = io.NewSectionReader(content, m.offset, m.packed)
	if m.deflated {
		r = inflate(r)
	}
	data, err := readUpTo(r, m.size, m.size)
	switch {
	case OfMachine(err):
		return nil, err
	case err != nil, int64(len(data)) != m.size, m.checksum != nil && crc32.ChecksumIEEE(data) != *m.checksum:
		return nil, errDamaged
	}
	return data, nil
}

func (a *archive) content() (file, error) {
	if a.open != nil {
		return a.open()
	}
	data, err := a.shelf.content(a)
	return inMemory{bytes.NewReader(data)}, err
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// shelf holds the content of archives that must be in memory to be read: of each
// level the one that was read last. Originals are read in the order of their paths,
// so each is loaded about once, and no more than one of each level takes room.
type shelf struct {
	mu   sync.Mutex
	held [maxNested + 1]struct {
		of   *archive
		data []byte
	}
}

func (s *shelf) content(a *archive) ([]byte, error) {
	at := &s.held[a.level]
	if at.of == a {
		return at.data, nil
	}
	at.of, at.data = nil, nil
	data, err := a.load()
	if err == nil {
		at.of, at.data = a, data
	}
	return data, err
}

// readHeld reads a file of a place for who holds the shelf, or while nobody else
// reads.
func readHeld(in place, name string, listed fs.FileInfo, limit int64, key string) ([]byte, error) {
	if a, ok := in.(*archive); ok {
		return a.unpack(name, limit, key)
	}
	return in.read(name, listed, limit, key)
}

const (
	maxMemberPath  = 512 // bytes
	maxMemberDepth = 64  // folders
)

// arrange sorts the members into folders, and says in a sentence each which paths are
// refused. Of a path that several have none is read: programs differ on which counts.
func (a *archive) arrange() []string {
	a.files, a.tree = map[string]*member{}, map[string][]fs.DirEntry{}
	folders := map[string]bool{".": true}
	refused := &refusals{}
	for _, m := range a.members {
		name, why := memberPath(m.path)
		switch {
		case why != "":
			refused.add(why, m.path)
			continue
		case name == ".":
			continue
		}
		m.path = name
		a.folders(folders, path.Dir(name))
		switch twin := a.files[name]; {
		case m.mode.IsDir():
			a.folders(folders, name)
		case twin != nil:
			twin.fault = errors.New("the archive holds several files of this path: make it anew with one")
		default:
			a.files[name] = m
			dir := path.Dir(name)
			a.tree[dir] = append(a.tree[dir], m)
		}
	}
	return refused.sentences()
}

// folders makes a folder and those it lies in.
func (a *archive) folders(made map[string]bool, dir string) {
	for ; !made[dir]; dir = path.Dir(dir) {
		made[dir] = true
		up := path.Dir(dir)
		a.tree[up] = append(a.tree[up], &member{path: dir, mode: fs.ModeDir})
	}
}

// memberPath is a member's path in the form of this package, or why it is refused.
func memberPath(name string) (clean, why string) {
	name = strings.ReplaceAll(name, `\`, "/") // as some programs on Windows write them
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return "", "leads outside the archive"
		}
	}
	switch {
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':':
		return "", "is absolute"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }):
		return "", "holds characters that no path has"
	case len(name) > maxMemberPath, strings.Count(name, "/") > maxMemberDepth:
		return "", fmt.Sprintf("is longer than %d bytes or %d folders", maxMemberPath, maxMemberDepth)
	}
	return path.Clean(name), ""
}

// refusals count the members that are refused, by reason.
type refusals struct {
	reasons []string
	count   map[string]int
	first   map[string]string
}

func (r *refusals) add(why, name string) {
	if r.count == nil {
		r.count, r.first = map[string]int{}, map[string]string{}
	}
	if r.count[why]++; r.count[why] == 1 {
		r.reasons = append(r.reasons, why)
		r.first[why] = name
	}
}

func (r *refusals) sentences() []string {
	var out []string
	for _, why := range r.reasons {
		out = append(out, fmt.Sprintf("%d left out whose path %s, first %.80q: make the archive anew", r.count[why], why, r.first[why]))
	}
	return out
}
