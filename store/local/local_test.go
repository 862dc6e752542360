package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

func open(t *testing.T, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// factory makes stores with the given options.
func factory(opts Options) storetest.Factory {
	at := func(t *testing.T, path string, clock func() time.Time) store.Store {
		opts.Clock = clock
		return open(t, path, opts)
	}
	return storetest.Factory{
		Open: func(t *testing.T, clock func() time.Time) store.Store {
			return at(t, filepath.Join(t.TempDir(), "quarry.db"), clock)
		},
		Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			if err := s.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
			return at(t, s.(*Store).path, clock)
		},
		Crash: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			path := filepath.Join(t.TempDir(), "quarry.db")
			s.(*Store).writing <- struct{}{} // between the steps of a merge
			copyStore(t, s.(*Store).path, path)
			<-s.(*Store).writing
			s.Close()
			return at(t, path, clock)
		},
	}
}

// copyStore copies what a process that is killed leaves: the file and its log as they
// are, unfinished.
func copyStore(t *testing.T, from, to string) {
	t.Helper()
	for _, end := range []string{"", walSuffix} {
		data, err := os.ReadFile(from + end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+end, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestContract(t *testing.T) { storetest.Run(t, factory(Options{})) }

// beside has every merge made beside the changes, in small steps.
func beside() (opts Options) {
	opts.merges.inline, opts.merges.part, opts.merges.patience = 1, 500, 1
	return opts
}

func TestContractMergingBeside(t *testing.T) { storetest.Run(t, factory(beside())) }

// FuzzOperations carries out random operations of whatever seed.
func FuzzOperations(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(12), false)
	f.Fuzz(func(t *testing.T, seed uint64, variation, steps uint8, merging bool) {
		v, opts := storetest.Variations[int(variation)%len(storetest.Variations)], Options{}
		if merging {
			opts = beside()
		}
		storetest.Operations(t, factory(opts), v, seed, int(steps%64))
	})
}
