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

var factory = storetest.Factory{
	Open: func(t *testing.T, clock func() time.Time) store.Store {
		return open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{Clock: clock})
	},
	Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
		return open(t, s.(*Store).path, Options{Clock: clock})
	},
	// What a killed process leaves is the file and its log as they are, unfinished.
	Crash: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
		path := filepath.Join(t.TempDir(), "quarry.db")
		for _, end := range []string{"", walSuffix} {
			data, err := os.ReadFile(s.(*Store).path + end)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = os.WriteFile(path+end, data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		return open(t, path, Options{Clock: clock})
	},
}

func TestContract(t *testing.T) { storetest.Run(t, factory) }

// FuzzOperations carries out random operations of whatever seed.
func FuzzOperations(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(12))
	f.Fuzz(func(t *testing.T, seed uint64, variation, steps uint8) {
		v := storetest.Variations[int(variation)%len(storetest.Variations)]
		storetest.Operations(t, factory, v, seed, int(steps%64))
	})
}
