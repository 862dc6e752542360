package quarry_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// cycled is a corpus in a file that documents are added to, changed in and removed from,
// over and over.
type cycled struct {
	*quarry.Corpus
	store *local.Store
	path  string
	now   time.Time
	place *shelf
}

func newCycled(t *testing.T, now time.Time, place *shelf) *cycled {
	t.Helper()
	c := &cycled{path: filepath.Join(t.TempDir(), "q.db"), now: now, place: place}
	clock := func() time.Time { return c.now }
	var err error
	if c.store, err = local.Open(t.Context(), c.path, local.Options{Clock: clock}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.store.Close() })
	if c.Corpus, err = quarry.Open(quarry.Options{Store: c.store, Embedder: &hashed{}, Clock: clock}); err != nil {
		t.Fatal(err)
	}
	return c
}

// size is that of the file and its log, in bytes, and of the heap.
func (c *cycled) size(t *testing.T) (file, heap int64) {
	t.Helper()
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(c.path + end); err == nil {
			file += info.Size()
		}
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return file, int64(m.HeapAlloc)
}

// found is what questions find: documents, texts and scores.
func (c *cycled) found(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, q := range []string{"colour of the lamp", "rule 7 about the sofa", "Who sits behind the green door?", "the lamp of house 3", "PX-1004", "blue"} {
		r, err := c.Search(t.Context(), q, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Candidates {
			out = append(out, fmt.Sprintf("%s: %d %s %q %.9f %.9f %.9f", q, x.Rank, x.Document, x.Text, x.Score, x.Keyword.Score, x.Vector.Score))
		}
	}
	list, err := c.Documents(t.Context(), document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s %s: %d passages, %d vectors", d.Document, d.Revision, d.Passages, d.Vectors))
	}
	return out
}

// TestCycles adds, changes and removes documents, in each cycle one of each, again and again,
// the same paths and the same texts among them: the file and the heap do not grow with the
// cycles, and what is found is what a new store finds that was only ever given the last state.
// QUARRY_LONG=1 runs ten thousand cycles.
func TestCycles(t *testing.T) {
	cycles := 60
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		cycles = 10_000
	case testing.Short():
		cycles = 30
	}
	rnd := rand.New(rand.NewPCG(7, 9))
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }
	text := func() string {
		return fmt.Sprintf("# House %d\n\nThe lamp of house %d is %s.\n\n## Rules\n\nRule %d: the sofa PX-%d is %s.\n\nBehind the %s door sits %s.\n",
			rnd.IntN(9), rnd.IntN(9), pick("red", "green", "blue"), rnd.IntN(12), 1000+rnd.IntN(9), pick("red", "green", "blue"), pick("red", "green", "blue"), pick("Ann", "Bo", "Cy"))
	}
	const names = 40
	name := func(i int) string { return fmt.Sprintf("d%02d.md", i) }
	place := &shelf{texts: map[string]string{}}
	for i := range names / 2 {
		place.texts[name(i)] = text()
	}
	c := newCycled(t, time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), place)
	syncShelf(t, c.Corpus, place, true)

	some := func(there bool) string { // one that is there, or that is not
		for {
			n := name(rnd.IntN(names))
			if _, is := place.texts[n]; is == there {
				return n
			}
		}
	}
	const again = "# House 3\n\nThe lamp of house 3 comes and goes.\n"
	var files, heaps []int64
	for cycle := range cycles {
		c.now = c.now.Add(time.Hour)
		delete(place.texts, some(true))
		place.texts[some(false)] = text()
		place.texts[some(true)] = text()
		if place.texts["again.md"] == "" {
			place.texts["again.md"] = again
		} else {
			delete(place.texts, "again.md")
		}
		syncShelf(t, c.Corpus, place, true)
		if cycle%max(1, cycles/10) == cycles/20 {
			c.found(t) // a reader keeps the index in memory
			file, heap := c.size(t)
			files, heaps = append(files, file), append(heaps, heap)
		}
	}
	t.Logf("file, KiB: %d; heap, KiB: %d", kib(files), kib(heaps))
	settled := len(files) / 2
	for what, sizes := range map[string][]int64{"file": files, "heap": heaps} {
		if last := sizes[len(sizes)-1]; last > 3*sizes[settled]/2+1<<20 {
			t.Errorf("the %s grows with the cycles: %d", what, kib(sizes))
		}
	}
	fresh := newCycled(t, c.now, place)
	syncShelf(t, fresh.Corpus, place, true)
	got, want := c.found(t), fresh.found(t)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("after %d cycles %d lines, of a new store %d; line %d:\n%s\n%s", cycles, len(got), len(want), i, at(got, i), at(want, i))
		}
	}
	if err := c.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

func kib(sizes []int64) []int64 {
	var out []int64
	for _, n := range sizes {
		out = append(out, n>>10)
	}
	return out
}
