package local

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// Readers do not wait for a writer: while one stands in the middle of a change that
// it has written, others in this process and in another read to the end.
func TestReadersDoNotWait(t *testing.T) {
	path := filled(t)
	s, other := open(t, path, Options{}), open(t, path, Options{Existing: true})
	errUndone := errors.New("undone")
	err := s.write(t.Context(), "standing still", func(c *conn) error {
		if _, err := c.exec(t.Context(), "DELETE FROM document"); err != nil {
			return err
		}
		for _, reader := range []*Store{s, other} {
			if n, err := generationOf(reader); n != 1 || err != nil {
				t.Errorf("a reader in this process sees generation %d, %v", n, err)
			}
		}
		_, lines := spawn(t, "read", path)
		next(t, lines, 1) // it has opened a view
		return errUndone
	})
	if !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
	if n, err := generationOf(s); n != 1 || err != nil {
		t.Errorf("a change that was undone leaves generation %d, %v", n, err)
	}
}

// Views of several readers, of one Store and of two, are each of one commit while
// another process writes one after the other, and stay what they were.
func TestReadersBesideWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	stores := []*Store{open(t, path, Options{}), open(t, path, Options{})}
	cmd, lines := spawn(t, "apply", path)
	next(t, lines, 2)
	reads := 40
	if testing.Short() {
		reads = 8
	}
	var group sync.WaitGroup
	for i := range 6 {
		s := stores[i%len(stores)]
		group.Go(func() {
			last := 0
			for range reads {
				n, err := readTwice(s)
				if err != nil || n < last {
					t.Errorf("generation %d after %d, %v", n, last, err)
					return
				}
				last = n
			}
		})
	}
	group.Go(func() { // the writer goes on while they read
		for range 40 {
			lines.Scan()
		}
	})
	group.Wait()
	cmd.Process.Kill()
}

// readTwice opens a view, reads what is there, lets others go on, and reads again.
func readTwice(s *Store) (int, error) {
	ctx := context.Background()
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		return 0, err
	}
	defer v.Close()
	before, err := v.Documents(ctx)
	if err != nil {
		return 0, err
	}
	n, err := generationOf(s) // of a later view
	if err != nil {
		return 0, err
	}
	after, err := v.Documents(ctx)
	if err != nil {
		return 0, err
	}
	for i := range before {
		if len(after) != len(before) || after[i] != before[i] {
			return 0, errors.New("a view has changed")
		}
	}
	return n, nil
}
