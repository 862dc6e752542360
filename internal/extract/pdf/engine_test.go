package pdf

import (
	"errors"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// TestEngineRecovers: a document that takes too long, and one on which the module
// stops, fail alone; the next one gets another instance.
func TestEngineRecovers(t *testing.T) {
	e := &shared
	never := func(session) error { t.Error("a damaged document was opened"); return nil }
	damaged := []byte("%PDF-1.7")
	read := func(limit time.Duration) error { return e.open(damaged, limit, never) }
	if err := read(maxTime); !errors.Is(err, office.ErrDamaged) {
		t.Fatalf("%v", err)
	}
	kept := e.instance
	if err := read(time.Nanosecond); !errors.Is(err, ErrSlow) || e.instance != nil {
		t.Errorf("out of time: %v", err)
	}
	if err := read(maxTime); !errors.Is(err, office.ErrDamaged) || e.instance == kept {
		t.Errorf("behind one that was too slow: %v", err)
	}
	kept = e.instance
	e.instance.call("FPDF_GetPageCount", 0xFFFFFFF0) // no document: the module reads outside of its memory
	if e.instance.err == nil {
		t.Fatal("the module did not stop")
	}
	if err := read(maxTime); err == nil || e.instance != nil {
		t.Errorf("behind one on which the module stopped: %v", err)
	}
	if err := read(maxTime); !errors.Is(err, office.ErrDamaged) || e.instance == kept {
		t.Errorf("the next: %v", err)
	}
}
