package quarry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// What users report of other systems about change, in inputs of our own. Each case names the
// tests that exclude it, here and elsewhere:
//
//	13 a deleted document's passages are found   TestDeletedIsNotFound, TestRemovedIsNowhere (cmd/quarry), storetest Remove and Remains
//	14 deleted, uploaded again, old text answers TestUploadedAgain, TestCycles
//	15 the digest leaves the content out         TestEveryChangeIsSeen
//	16 served half old, half new                 TestSearchDuringChange, storetest Concurrency, TestReaderBesideWriter (internal/e2e)
//	17 gone at its source, or a failed listing   TestDeletedIsNotFound, TestListingStops, TestRemovalsWait, TestFailedListing
//	18 a clean-up removes what was just added    TestAddedDuringSync, TestTwoWriters (internal/e2e)
//	19 adding and removing multiplies passages   TestCycles, storetest Operations, TestSpaceIsUsedAgain (store/local)
//	20 another model                             storetest Vectors
//	21 killed, and indexing for ever             TestKill, TestFaults (internal/e2e), TestInterruptedEmbedding
//	22 a service that limits                     TestEmbeddingServiceFaults, TestInterruptedEmbedding
//	23 an old store                              TestFormat2 to TestFormat5 (store/local)

// changing is a corpus whose clock a test sets, and its model counts what it embeds.
type changing struct {
	*quarry.Corpus
	now   time.Time
	model *hashed
	store *local.Store
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	return changingAt(t, filepath.Join(t.TempDir(), "q.db"))
}

func changingAt(t *testing.T, path string) *changing {
	t.Helper()
	c := &changing{now: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC), model: &hashed{}}
	clock := func() time.Time { return c.now }
	var err error
	if c.store, err = local.Open(t.Context(), path, local.Options{Clock: clock}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.store.Close() })
	if c.Corpus, err = quarry.Open(quarry.Options{Store: c.store, Embedder: c.model, Clock: clock}); err != nil {
		t.Fatal(err)
	}
	return c
}

// copied is a copy of a closed store, for tests that begin with the same one many times.
func copied(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "q.db")
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// texts are the texts of what a question finds.
func texts(t *testing.T, c *quarry.Corpus, question string, scope document.Scope) []string {
	t.Helper()
	r, err := c.Search(t.Context(), question, scope)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range r.Candidates {
		out = append(out, x.Text)
	}
	return out
}

// embedded counts the passages that fn has embedded.
func (c *changing) embedded(fn func()) int {
	before := c.model.texts
	fn()
	return c.model.texts - before
}

func TestDeletedIsNotFound(t *testing.T) {
	for _, c := range []struct {
		what   string
		remove func(t *testing.T, c *quarry.Corpus, s *shelf)
	}{
		{"gone from its source", func(t *testing.T, c *quarry.Corpus, s *shelf) { s.take(3, 4); syncShelf(t, c, s, false) }},
		{"removed by name", func(t *testing.T, c *quarry.Corpus, _ *shelf) {
			if err := c.Remove(t.Context(), document.ID{Source: "shelf", Path: "d03.md"}); err != nil {
				t.Fatal(err)
			}
		}},
		{"removed with its source", func(t *testing.T, c *quarry.Corpus, _ *shelf) {
			if err := c.RemoveSource(t.Context(), "shelf"); err != nil {
				t.Fatal(err)
			}
		}},
		{"emptied, so that it fails", func(t *testing.T, c *quarry.Corpus, s *shelf) { s.texts["d03.md"] = ""; syncShelf(t, c, s, false) }},
		{"replaced", func(t *testing.T, c *quarry.Corpus, s *shelf) {
			s.texts["d03.md"] = "# Three\n\nA sofa.\n"
			syncShelf(t, c, s, false)
		}},
	} {
		corpus, place := newChanging(t), filled(8)
		syncShelf(t, corpus.Corpus, place, false)
		const question = "lamp of room 3"
		holds := func(text string) bool { return strings.Contains(text, "room 3 ") }
		if !slices.ContainsFunc(texts(t, corpus.Corpus, question, document.Scope{}), holds) {
			t.Fatalf("%s: it is not found before", c.what)
		}
		c.remove(t, corpus.Corpus, place)
		if got := texts(t, corpus.Corpus, question, document.Scope{}); slices.ContainsFunc(got, holds) {
			t.Errorf("%s: it is still found: %q", c.what, got)
		}
		if asked, err := corpus.Ask(t.Context(), "What colour is the lamp of room 3?", document.Scope{}); err != nil || strings.Contains(asked.Answer.Text, "room 3 ") {
			t.Errorf("%s: it still answers %q, %v", c.what, asked.Answer.Text, err)
		}
	}
}

// A path that comes back is what it is now, and nothing of what it was: no text, and no day.
func TestUploadedAgain(t *testing.T) {
	for _, again := range []string{"# Number 3\n\nThe sofa of room 3 is blue.\n", "# Number 3\n\nThe lamp of room 3 is green.\n", "# Number 3\n\nThe lamp of room 3 is red.\n"} {
		c, place := newChanging(t), filled(8)
		syncShelf(t, c.Corpus, place, false)
		place.take(3, 4)
		c.now = c.now.AddDate(0, 0, 10)
		syncShelf(t, c.Corpus, place, false)
		place.texts["d03.md"] = again
		c.now = c.now.AddDate(0, 0, 10)
		if r := syncShelf(t, c.Corpus, place, false); !slices.Equal(r.Added, []string{"d03.md"}) {
			t.Errorf("the report is %+v", r)
		}
		want := strings.TrimSpace(strings.SplitN(again, "\n", 3)[2])
		var of []string
		for _, text := range texts(t, c.Corpus, "lamp sofa of room 3", document.Scope{}) {
			if strings.Contains(text, "room 3 ") {
				of = append(of, text)
			}
		}
		if !slices.Equal(of, []string{want}) {
			t.Errorf("of room 3 are found %q, want %q alone", of, want)
		}
		early := document.Scope{AsOf: document.DayOf(c.now.AddDate(0, 0, -20))}
		if got := strings.Join(texts(t, c.Corpus, "room 3", early), "\n"); strings.Contains(got, "room 3 ") {
			t.Errorf("what was deleted is found as of then: %q", got)
		}
	}
}

// Whatever of a document changes, a sync sees it, whatever its time and size say.
func TestEveryChangeIsSeen(t *testing.T) {
	c := newChanging(t)
	root, write := folder(t, map[string]string{"a.md": "# A\n\nThe fee is 5 EUR.\n\nIt is due now.\n"})
	synced(t, c.Corpus, root)
	for _, s := range []struct {
		what, name, text string
		embeds           int // passages whose text or context is new
	}{
		{"a digit", "a.md", "# A\n\nThe fee is 7 EUR.\n\nIt is due now.\n", 1},
		{"back again", "a.md", "# A\n\nThe fee is 5 EUR.\n\nIt is due now.\n", 0}, // its history has the vector
		{"the end of lines", "a.md", "# A\r\n\r\nThe fee is 5 EUR.\r\n\r\nIt is due now.\r\n", 0},
		{"front matter", "a.md", "---\nauthority: 5\n---\n# A\n\nThe fee is 5 EUR.\n\nIt is due now.\n", 0},
		{"a sidecar", "a.md.meta.yaml", "readers: [user:ann]\n", 0},
		{"what the sidecar says", "a.md.meta.yaml", "readers: [user:bob]\n", 0},
		{"a folder's sidecar", "_meta.yaml", "category: rules\n", 0},
		{"the title", "a.md", "---\nauthority: 5\n---\n# B\n\nThe fee is 5 EUR.\n\nIt is due now.\n", 1},
	} {
		var r quarry.Report
		n := c.embedded(func() { write(s.name, s.text); r = synced(t, c.Corpus, root) })
		if !slices.Equal(r.Changed, []string{"a.md"}) || n != s.embeds {
			t.Errorf("%s: %+v, %d passages embedded, want %d", s.what, r, n, s.embeds)
		}
		if n := c.embedded(func() { r = synced(t, c.Corpus, root) }); r.Unchanged != 1 || n != 0 {
			t.Errorf("after %s, unchanged: %+v, %d passages embedded", s.what, r, n)
		}
	}
}

// One changed paragraph of many embeds one passage, and so does one that is put in or taken
// out; what stands around it keeps its vectors.
func TestOneParagraphEmbedsOnePassage(t *testing.T) {
	c := newChanging(t)
	paragraph := func(i int, fee int) string {
		return fmt.Sprintf("## %d Part\n\nRule %d says that the fee is %d EUR and that it is due on day %d of the month.\n", i, i, fee, i)
	}
	document := func(edit func(i int) string) string {
		text := "# Rules\n\n"
		for i := range 40 {
			text += edit(i) + "\n"
		}
		return text
	}
	plain := func(i int) string { return paragraph(i, 5) }
	root, write := folder(t, map[string]string{"rules.md": document(plain)})
	if n := c.embedded(func() { synced(t, c.Corpus, root) }); n != 40 {
		t.Fatalf("%d passages, not 40", n)
	}
	for _, s := range []struct {
		what string
		edit func(i int) string
		want int
	}{
		{"changed", func(i int) string {
			if i == 17 {
				return paragraph(i, 7)
			}
			return paragraph(i, 5)
		}, 1},
		{"put in", func(i int) string {
			if i == 20 {
				return paragraph(99, 1) + "\n" + paragraph(i, 5)
			}
			return paragraph(i, 5)
		}, 1},
		{"taken out", func(i int) string {
			if i == 0 {
				return ""
			}
			return paragraph(i, 5)
		}, 0},
	} {
		if n := c.embedded(func() { write("rules.md", document(s.edit)); synced(t, c.Corpus, root) }); n != s.want {
			t.Errorf("%s: %d passages are embedded, want %d", s.what, n, s.want)
		}
	}
}
