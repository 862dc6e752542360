package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// Whatever byte of the file is flipped, the store is refused, or the check finds
// damage, or nothing that the store keeps has changed.
func TestFlippedByte(t *testing.T) {
	ctx := context.Background()
	path := varied(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := contentOf(path)
	if err != nil {
		t.Fatal(err)
	}
	perPage, everyRepair := 4, 4
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		perPage, everyRepair = 200, 1
	case testing.Short():
		perPage, everyRepair = 1, 16
	}
	const page = 4096
	rnd := rand.New(rand.NewPCG(3, 9))
	refused, found, harmless, reads, repairs, beyond := 0, 0, 0, 0, 0, 0
	named := map[string]int{}
	try := func(at int, bits byte) {
		t.Helper()
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= bits
		for _, end := range []string{"-wal", "-shm"} {
			os.Remove(path + end)
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		where := fmt.Sprintf("byte %d of page %d (of %d) flipped by %#x", at%page, at/page+1, len(whole)/page, bits)
		s, err := Open(ctx, path, Options{})
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNewer) {
				t.Errorf("%s: opening gives %v", where, err)
			}
			refused++
			return
		}
		damage, err := s.Inspect(ctx)
		s.Close()
		switch {
		case errors.Is(err, store.ErrDamaged):
			refused++
		case err != nil:
			t.Errorf("%s: the check gives %v", where, err)
		case len(damage) > 0:
			found++
			for _, d := range damage {
				named[d.What]++
			}
			if onlyIndex(damage) {
				reads++
				if err := searched(path); err != nil {
					t.Errorf("%s, %v: reading it gives %v", where, damage, err)
				}
			}
			if found%everyRepair != 0 {
				return
			}
			repairs++
			err := repaired(path)
			if errors.Is(err, errBeyond) {
				beyond++
			} else if err != nil {
				t.Errorf("%s, %v: %v", where, damage, err)
			}
		default:
			if got, err := contentOf(path); err != nil || got != want {
				t.Errorf("%s: nothing was found and the content is another, %v", where, err)
			}
			harmless++
		}
	}
	for at := range 100 { // the header
		try(at, 0xff)
	}
	for from := 0; from < len(whole); from += page {
		var used []int // most of a small store's pages is zero
		for at := from; at < from+page; at++ {
			if whole[at] != 0 {
				used = append(used, at)
			}
		}
		for n := range perPage {
			at := from + rnd.IntN(page)
			if n%8 != 7 && len(used) > 0 {
				at = used[rnd.IntN(len(used))]
			}
			try(at, 1<<rnd.IntN(8))
		}
	}
	t.Logf("%d pages, %d flips: %d refused, %d found, %d changed nothing that is kept; %d read without their index; %d repairs, %d found nothing to go by",
		len(whole)/page, refused+found+harmless, refused, found, harmless, reads, repairs, beyond)
	t.Logf("%v", named)
	for _, what := range []string{"document docs:plain", "document docs:long", "the index", "vectors of model m"} {
		if named[what] == 0 && !testing.Short() {
			t.Errorf("no flip damaged %s", what)
		}
	}
}

// onlyIndex is whether nothing but the index in the file is damaged.
func onlyIndex(damage []store.Damage) bool {
	for _, d := range damage {
		switch d.What {
		case "the index", "table segment", "pages of table segment", "table part", "pages of table part":
		default:
			return false
		}
	}
	return true
}

// searched searches a store whose index in the file is damaged: it is made anew from
// the record, in memory.
func searched(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{Existing: true})
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := s.View(ctx, document.Scope{AsOf: document.DayOf(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC))})
	if err != nil {
		return err
	}
	defer v.Close()
	hits, err := v.Keyword(ctx, []store.QueryTerm{{Term: "w-2", Weight: 1}}, 10)
	if err == nil && len(hits.Hits) != 1 {
		err = fmt.Errorf("%d hits", len(hits.Hits))
	}
	return err
}

// errBeyond is where a repair finds nothing to go by and leaves the store as it is.
var errBeyond = errors.New("beyond repair")

// repaired repairs a store and reports where it is not sound then, or lacks a
// document that was not said to be lost.
func repaired(path string) error {
	ctx := context.Background()
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	damage, err := Repair(ctx, path, Options{})
	if errors.Is(err, store.ErrDamaged) {
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			return fmt.Errorf("a repair that failed changed the store: %v", err)
		}
		return errBeyond
	}
	if err != nil {
		return fmt.Errorf("repairing it: %w", err)
	}
	s, err := Open(ctx, path, Options{Existing: true})
	if err != nil {
		return fmt.Errorf("after the repair: %w", err)
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		return fmt.Errorf("after the repair: %w", err)
	}
	lost := map[string]bool{}
	for _, d := range damage {
		if d.Lost && d.Document == (document.ID{}) && d.What != "table source" {
			return nil // which ones cannot be told
		}
		lost[d.Document.Path] = true
		if d.Lost && !slices.Contains(variedDocuments, d.Document.String()) && d.Document != (document.ID{}) {
			return nil // its name was damaged
		}
	}
	states, err := s.States(ctx, "docs")
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, st := range states {
		have[st.Path] = true
	}
	for _, id := range variedDocuments {
		name := strings.TrimPrefix(id, "docs:")
		if have[name] == lost[name] {
			return fmt.Errorf("document %s is there: %v; it was said to be lost: %v", name, have[name], lost[name])
		}
	}
	return nil
}
