package quarry_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// kinds of text that ask for more memory than their size, by what they have most of.
var kinds = []struct {
	name string
	text func(bytes int) string
	// held is how many times its own size a text may take in memory while it is
	// indexed, measured and rounded up by half.
	held float64
}{
	{"words", repeated("# Words\n", func(i int) string {
		return fmt.Sprintf("w%s%s", letters(i), []string{" ", " ", " ", ".\n\n"}[i%4])
	}), 60},
	{"identifiers", repeated("# Identifiers\n", func(i int) string {
		return fmt.Sprintf("INV-%07d%s", i, []string{" ", " ", " ", "\n\n"}[i%4])
	}), 60},
	{"rows", repeated("# Table\n\n| a | b |\n|---|---|\n", func(i int) string {
		return fmt.Sprintf("| row %d | name%d |\n", i, i%97)
	}), 40},
	{"headings", repeated("# Headings\n", func(i int) string {
		return fmt.Sprintf("## Heading number %d\n\nText of section %d says something.\n\n", i, i)
	}), 90},
	{"nested headings", repeated("# Headings\n", func(i int) string {
		return fmt.Sprintf("%s Heading number %d\n\nText of section %d says something.\n\n", strings.Repeat("#", 1+i%6), i, i)
	}), 120},
}

func repeated(head string, part func(i int) string) func(bytes int) string {
	return func(bytes int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < bytes; i++ {
			b.WriteString(part(i))
		}
		return b.String()
	}
}

// letters is a number written with letters, so that it is a word.
func letters(i int) string {
	var b []byte
	for range 5 {
		b = append(b, byte('a'+i%26))
		i /= 26
	}
	return string(b)
}

// cost is what indexing a text and asking of it once takes from the heap.
type cost struct{ indexing, asking, peak float64 }

func costOf(t *testing.T, text string) cost {
	t.Helper()
	corpus := over(t, quarry.Options{Workers: 1})
	dir, _ := folder(t, map[string]string{"a.md": text})
	var before, between, after runtime.MemStats
	held := heldFrom()
	runtime.ReadMemStats(&before)
	synced(t, corpus, dir)
	peak := held()
	runtime.ReadMemStats(&between)
	if _, err := corpus.Search(t.Context(), "row heading number text section 77 name", document.Scope{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return cost{float64(between.TotalAlloc - before.TotalAlloc), float64(after.TotalAlloc - between.TotalAlloc), peak}
}

// heldFrom begins to look at what is held of the heap, and gives a function that ends it and
// says how much more it was at most than now, in bytes. It looks whenever the collector has gone
// round, which it does after every tenth of the heap, and counts what that has marked: so neither the
// speed of the machine nor what else it does says when is looked, or how much counts that nothing
// holds any more.
func heldFrom() (end func() float64) {
	percent := debug.SetGCPercent(10)
	live := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	runtime.GC() // what has a finalizer, or lies in a pool, goes at the second
	first := live()
	var highest atomic.Uint64
	var over atomic.Bool
	var round func(*[16]byte) // of an object that nothing holds, after each collection
	round = func(*[16]byte) {
		highest.Store(max(highest.Load(), live()))
		if !over.Load() {
			runtime.SetFinalizer(new([16]byte), round)
		}
	}
	round(nil)
	return func() float64 {
		over.Store(true)
		debug.SetGCPercent(percent)
		return float64(highest.Load()) - float64(first)
	}
}

// Whatever a text is made of, its cost grows with its size and not faster, and no
// more than a known multiple of it is held at one time.
func TestCostOfLargeTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out the large texts")
	}
	const small, factor = 128 << 10, 4
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			a, b := costOf(t, k.text(small)), costOf(t, k.text(factor*small))
			t.Logf("of %d KiB, indexing allocates %.1f MB, asking %.1f MB, %.1f MB are held; of %d times that %.1f, %.1f and %.1f MB",
				small>>10, a.indexing/1e6, a.asking/1e6, a.peak/1e6, factor, b.indexing/1e6, b.asking/1e6, b.peak/1e6)
			for what, got := range map[string][2]float64{"indexing": {a.indexing, b.indexing}, "asking": {a.asking, b.asking}} {
				if got[1] > 1.4*factor*got[0]+4e6 {
					t.Errorf("%s allocates %.2f times as much for a text of %d times the size", what, got[1]/got[0], factor)
				}
			}
			if limit := k.held * factor * small; b.peak > limit {
				t.Errorf("%.0f times its size is held, more than %.0f", b.peak/(factor*small), k.held)
			}
			// A search reads the document it finds once, not once for each passage.
			if limit := 60.0*factor*small + 8e6; b.asking > limit {
				t.Errorf("a search allocates %.0f times the size of the text", b.asking/(factor*small))
			}
		})
	}
}
