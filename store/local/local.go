// Package local is the store in one SQLite file, without any other service:
// Catalog and Index of the store contract, exact profile.
//
// The file is the truth (see schema.sql). Every change writes, in its own
// transaction, a segment of the index over the documents that it touched; segments
// are merged as they get many, the large ones beside the changes. Views run on an index in memory that the first of a
// process loads from those segments, and that every later one brings up to its own
// commit, whichever process wrote it, by loading the segments that are new. So it is
// with the codes of vectors. Outlines, texts and the vectors themselves are read from
// the file. A process that only writes never loads the index.
//
// One process writes at a time, held apart by an advisory lock on a file beside
// the store; readers wait for nobody. A removed document's text, terms and
// vectors are overwritten with zeros in the file, also in the index; its write-ahead log, which may
// still hold them, is emptied with the change, or once nobody reads what was before it.
package local

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/seed-d3156d19/quarry/store"
)

// Options of a local store.
type Options struct {
	// BM25 are the parameters of the keyword and outline lanes; the zero value
	// means store.DefaultBM25.
	BM25 store.BM25
	// Clock tells what day today is and when leases end; nil means time.Now.
	Clock func() time.Time
	// LockWait is how long a write waits for another writer before it gives
	// store.ErrBusy; 0 means 10 s.
	LockWait time.Duration
	// Existing is for those who only read: where there is no store, none is made
	// and Open gives store.ErrNoStore.
	Existing bool
	// remains reads what is left of a file that is refused as it stands.
	remains bool
	// merges are those of merger, where a test sets them.
	merges struct {
		inline, part int
		patience     int64
		step         func() error
	}
}

// Store implements store.Store. Its methods may be called concurrently.
type Store struct {
	path   string
	bm25   store.BM25
	clock  func() time.Time
	wait   time.Duration
	read   *sql.DB
	index  *index
	closed atomic.Bool
	file   os.FileInfo // that was opened; see inPlace
	exists bool        // Options.Existing
	// remains is Options.remains: the file's end may be missing.
	remains bool
	frozen  bool // the file is read as it stands; see surroundings
	// embedded is what MissingVectors knows from the last time.
	embedded progress

	merges merger

	// logged is whether the log may hold what a change took out of the store.
	logged  atomic.Bool
	writing chan struct{} // holds one token: the right to write within this process
	lock    *flock.Flock  // and among processes
	log     os.FileInfo   // of the writer; who may write reads and sets it
	mu      sync.Mutex    // guards what follows
	writer  *conn         // opened by the first write
	writeDB *sql.DB
	idle    []*conn // that read, with their statements prepared
}

var _ store.Store = (*Store)(nil)

// Open opens the store in the file at path and creates it where there is none. An
// empty file is none: it is what a process leaves that was killed at the begin of
// making one. Opening an existing store, reading it and closing it changes no byte of it.
//
// Errors are one sentence that says what to do; errors.Is tells store.ErrNewer
// (written by a newer version), store.ErrDamaged (not a store, cut short, or
// broken inside) and, with Options.Existing, store.ErrNoStore apart.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	if opts.BM25 == (store.BM25{}) {
		opts.BM25 = store.DefaultBM25
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.LockWait == 0 {
		opts.LockWait = 10 * time.Second
	}
	path, err := follow(path)
	if err != nil {
		return nil, err
	}
	s := &Store{
		path:    path,
		bm25:    opts.BM25,
		clock:   opts.Clock,
		wait:    opts.LockWait,
		exists:  opts.Existing,
		remains: opts.remains,
		index:   newIndex(),
		writing: make(chan struct{}, 1),
		lock:    flock.New(path + ".lock"),
	}
	s.merges.inline, s.merges.part = cmp.Or(opts.merges.inline, inlineMerge), cmp.Or(opts.merges.part, partSize)
	s.merges.patience, s.merges.step = cmp.Or(opts.merges.patience, abandoned), opts.merges.step
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the store. Views that are still open keep working until they are
// closed; everything else gives store.ErrClosed.
func (s *Store) Close() error {
	s.Settle(context.Background()) // what is merged too late, the next change begins anew
	if s.closed.Swap(true) {
		return nil
	}
	s.writing <- struct{}{} // a write under way ends first
	defer func() { <-s.writing }()
	var err error
	s.dropWriter()
	s.dropIdle()
	if s.read != nil {
		err = s.read.Close()
	}
	s.lock.Close()
	if err != nil {
		return s.wrap("closing", err)
	}
	return nil
}

func (s *Store) alive() error {
	if s.closed.Load() {
		return fmt.Errorf("%s: %w", s.path, store.ErrClosed)
	}
	return nil
}
