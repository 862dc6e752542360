// Package mirror keeps what was fetched from elsewhere in a folder beside the store, so
// that an interrupted fetch goes on where it stopped and what has not changed is not
// fetched again. It is no truth: what is missing or damaged is fetched anew, and taking
// the folder away costs time only.
//
// A key's data is in a file of its own; a journal, one JSON line for each change, says
// which key's, what its bytes are, and what its server said of them.
package mirror

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// ErrBusy is wrapped where another process fetches into the folder.
var ErrBusy = errors.New("another process reads this source now: wait until it is done")

const (
	journalFile = "journal"
	lockFile    = "lock"
	dataFolder  = "data"
)

// Mirror is a folder of copies. N is what is noted with each. It is used by one
// goroutine, but for Read.
type Mirror[N any] struct {
	root    *os.Root
	name    func(key string) string
	entries map[string]Entry[N]
	journal *os.File
	lock    *flock.Flock
}

// Entry is one copy.
type Entry[N any] struct {
	Key  string `json:"key"`
	Sum  string `json:"sum,omitempty"` // hex SHA-256 of the data
	Size int64  `json:"size,omitempty"`
	Note N      `json:"note,omitzero"`
	Gone bool   `json:"gone,omitempty"`
}

// Open opens the mirror in a folder, and makes one that is not there. name gives the
// slash path of a key's file; nil is one by the hash of the key. Close it.
func Open[N any](dir string, name func(key string) string) (*Mirror[N], error) {
	if name == nil {
		name = hashed
	}
	if err := os.MkdirAll(filepath.Join(dir, dataFolder), 0o700); err != nil {
		return nil, fmt.Errorf("the folder of what was fetched cannot be made: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockFile))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("the folder of what was fetched cannot be locked: %w", err)
	case !held:
		return nil, ErrBusy
	}
	m := &Mirror[N]{name: name, entries: map[string]Entry[N]{}, lock: lock}
	var err error
	if m.root, err = os.OpenRoot(dir); err == nil {
		err = m.load()
	}
	if err == nil {
		err = m.sweep()
	}
	if err != nil {
		lock.Unlock()
		return nil, fmt.Errorf("the folder of what was fetched: %w", err)
	}
	return m, nil
}

// Data is the folder below dir that holds the files of the keys.
func Data(dir string) string { return filepath.Join(dir, dataFolder) }

func hashed(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// load reads the journal as far as it can be read, and writes it anew: a line that a
// crash cut off is as if it had not been written.
func (m *Mirror[N]) load() error {
	old, err := m.root.ReadFile(journalFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := bufio.NewReader(bytes.NewReader(old))
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var e Entry[N]
		if json.Unmarshal(line, &e) != nil {
			break
		}
		m.entries[e.Key] = e
		if e.Gone {
			delete(m.entries, e.Key)
		}
	}
	var fresh bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(m.entries)) {
		if err := writeLine(&fresh, m.entries[key]); err != nil {
			return err
		}
	}
	if err := m.replace(journalFile, fresh.Bytes()); err != nil {
		return err
	}
	m.journal, err = m.root.OpenFile(journalFile, os.O_WRONLY|os.O_APPEND, 0o600)
	return err
}

// sweep takes away files that no line of the journal knows, as of a crash between the two
// or behind a line that was cut off: the folder is read as a source, and nothing else would
// ever take them out of it.
func (m *Mirror[N]) sweep() error {
	known := map[string]bool{dataFolder: true}
	for key := range m.entries {
		for name := path.Join(dataFolder, m.name(key)); !known[name] && name != "." && name != "/"; name = path.Dir(name) {
			known[name] = true
		}
	}
	var stray []string
	err := fs.WalkDir(m.root.FS(), dataFolder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || known[name] {
			return err
		}
		stray = append(stray, name)
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	for _, name := range stray {
		if err == nil {
			err = m.root.RemoveAll(name)
		}
	}
	return err
}

func writeLine[N any](w io.Writer, e Entry[N]) error {
	line, err := json.Marshal(e)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// replace puts a file in the place of another, whole or not at all.
func (m *Mirror[N]) replace(name string, data []byte) error {
	const fresh = "fresh"
	if err := m.root.WriteFile(fresh, data, 0o600); err != nil {
		return err
	}
	return m.root.Rename(fresh, name)
}

// Get is what is kept under a key.
func (m *Mirror[N]) Get(key string) (Entry[N], bool) {
	e, ok := m.entries[key]
	return e, ok
}

// Keys are those under which something is kept, sorted.
func (m *Mirror[N]) Keys() []string { return slices.Sorted(maps.Keys(m.entries)) }

// Put keeps data under a key, in the place of what was there.
func (m *Mirror[N]) Put(key string, data []byte, note N) error {
	if !fs.ValidPath(m.name(key)) {
		return fmt.Errorf("%q is no name of a file", m.name(key))
	}
	name := path.Join(dataFolder, m.name(key))
	err := m.root.MkdirAll(path.Dir(name), 0o700)
	if err == nil {
		err = m.replace(name, data)
	}
	if err != nil {
		return fmt.Errorf("keeping what was fetched: %w", err)
	}
	sum := sha256.Sum256(data)
	return m.record(Entry[N]{Key: key, Sum: hex.EncodeToString(sum[:]), Size: int64(len(data)), Note: note})
}

// Delete keeps nothing under a key any more.
func (m *Mirror[N]) Delete(key string) error {
	if _, ok := m.entries[key]; !ok {
		return nil
	}
	name := path.Join(dataFolder, m.name(key))
	if err := m.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("taking away what was fetched: %w", err)
	}
	for dir := path.Dir(name); dir != dataFolder && m.root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return m.record(Entry[N]{Key: key, Gone: true})
}

func (m *Mirror[N]) record(e Entry[N]) error {
	if err := writeLine(m.journal, e); err != nil {
		return fmt.Errorf("noting what was fetched: %w", err)
	}
	m.entries[e.Key] = e
	if e.Gone {
		delete(m.entries, e.Key)
	}
	return nil
}

// Reader reads the data of an entry as it was when it was got, after Close as well.
// An error means that it was damaged or has changed since.
func (m *Mirror[N]) Reader(e Entry[N]) func() ([]byte, error) {
	root, name := m.root, path.Join(dataFolder, m.name(e.Key))
	return func() ([]byte, error) {
		data, err := root.ReadFile(name)
		if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:]) != e.Sum {
			err = errors.New("it is not what was fetched")
		}
		return data, err
	}
}

// Whole reports whether the data of an entry is what was put.
func (m *Mirror[N]) Whole(e Entry[N]) bool {
	_, err := m.Reader(e)()
	return err == nil
}

// Close lets another process fetch. What Reader gave goes on reading.
func (m *Mirror[N]) Close() error {
	return errors.Join(m.journal.Close(), m.lock.Unlock())
}
