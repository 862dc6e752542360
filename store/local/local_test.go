package local

import (
	"context"
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

func TestContract(t *testing.T) {
	storetest.Run(t, storetest.Factory{
		Open: func(t *testing.T, clock func() time.Time) store.Store {
			return open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{Clock: clock})
		},
		Reopen: func(t *testing.T, s store.Store, clock func() time.Time) store.Store {
			if err := s.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
			return open(t, s.(*Store).path, Options{Clock: clock})
		},
	})
}
