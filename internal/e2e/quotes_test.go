package e2e

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// openWords opens an empty corpus that finds words and identifiers alone.
func openWords(t *testing.T, o quarry.Options) *quarry.Corpus {
	t.Helper()
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "quarry.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.Store = s
	corpus, err := quarry.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

func search(t *testing.T, corpus *quarry.Corpus, question string, scope document.Scope) quarry.Result {
	t.Helper()
	found, err := corpus.Search(t.Context(), question, scope)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// paths are the documents of the candidates in the order of their best.
func paths(found quarry.Result) []string {
	var out []string
	for _, c := range found.Candidates {
		if !slices.Contains(out, c.Document.Path) {
			out = append(out, c.Document.Path)
		}
	}
	return out
}

// notes are those of all stages.
func notes(found quarry.Result) []string {
	var out []string
	for _, r := range found.Trace.Records {
		out = append(out, r.Notes...)
	}
	return out
}

// expectations reads lines "question => what is wanted"; others are comments.
func expectations(t *testing.T, file string) iter.Seq2[string, string] {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(string(b)) {
			question, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if ok && !strings.HasPrefix(line, "#") && !yield(question, want) {
				return
			}
		}
	}
}

// ranking writes the candidates with their scores.
func ranking(found quarry.Result) string {
	var b strings.Builder
	for _, c := range found.Candidates {
		fmt.Fprintf(&b, "%s %.12f\n", c.ID, c.Score)
	}
	return b.String()
}

// TestQuotedText asks with quoted text: testdata/quotes/questions.txt says which documents
// come first and what the trace says.
func TestQuotedText(t *testing.T) {
	corpus := openWords(t, quarry.Options{})
	if _, err := corpus.Sync(t.Context(), "docs", "testdata/quotes/docs", quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for question, want := range expectations(t, "testdata/quotes/questions.txt") {
		asked++
		found := search(t, corpus, question, document.Scope{})
		want, says, _ := strings.Cut(want, "; ")
		documents := strings.Fields(want)
		if got := paths(found); !slices.Equal(got[:min(len(got), len(documents))], documents) {
			t.Errorf("%s\nfinds %v, want %v; %q", question, got, documents, notes(found))
		}
		for note := range strings.SplitSeq(says, "; ") {
			if note != "" && !slices.Contains(notes(found), note) {
				t.Errorf("%s\nthe trace says %q, not %q", question, notes(found), note)
			}
		}
	}
	if asked < 15 {
		t.Errorf("only %d questions were read", asked)
	}
	legal := document.Scope{Principals: []string{"group:legal"}}
	if found := search(t, corpus, `What is a "mutual waiver of claims"?`, legal); paths(found)[0] != "secret.md" {
		t.Errorf("who may read it finds %v", paths(found))
	}
}

// What no passage holds as it stands changes nothing: not a rank, not a score.
func TestQuotedNowhere(t *testing.T) {
	corpus := openWords(t, quarry.Options{})
	if _, err := corpus.Sync(t.Context(), "docs", "testdata/quotes/docs", quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{`%snotice of convenience%s of termination`, `the %sfee for handling%s an order`, `%sKündigung des Mieters%s`} {
		quoted, plain := search(t, corpus, fmt.Sprintf(question, `"`, `"`), document.Scope{}), search(t, corpus, fmt.Sprintf(question, "", ""), document.Scope{})
		if got, want := ranking(quoted), ranking(plain); got != want || got == "" {
			t.Errorf("%s\nranks %s, without marks %s", question, got, want)
		}
	}
}

// TestWhyQuoted: a diagnosis says how quoted text ranked.
func TestWhyQuoted(t *testing.T) {
	corpus := openWords(t, quarry.Options{Retrieval: quarry.Retrieval{Candidates: 4}})
	if _, err := corpus.Sync(t.Context(), "docs", "testdata/quotes/docs", quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][2]string{ // what the fusion's step says, and where it is lost
		"frame.md":   {"it holds quoted text as it stands, 1 of 1", "cite"},
		"minutes.md": {"it holds the words of quoted text, with a closeness of 0.167", "cite"},
		"lunch.md":   {"it does not hold quoted text", "fuse"},
	} {
		d, err := corpus.Why(t.Context(), `What does "termination for convenience" need?`, document.Scope{}, quarry.Expected{Document: path})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, s := range d.Steps {
			if s.Stage == "fuse" {
				said = s.Detail
			}
		}
		if !strings.Contains(said, want[0]) || string(d.LostAt) != want[1] ||
			strings.Contains(d.Suggestion, "without quotation marks") != (want[1] == "fuse") {
			t.Errorf("%s is lost at %s: %s; %s", path, d.LostAt, said, d.Suggestion)
		}
	}
}

// TestPhraseBeforeItsWords: of passages of the same words those that hold them as they are
// quoted come before those that hold them in another order, however many there are and
// whatever else they hold.
func TestPhraseBeforeItsWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("anchor basket copper dragon ember falcon garnet harbor island jacket kernel lantern meadow nectar orchid pepper of the for and")
	for round := range 6 {
		corpus := openWords(t, quarry.Options{})
		phrase := make([]string, 2+rnd.IntN(4))
		for i := range phrase {
			phrase[i] = words[rnd.IntN(len(words))]
		}
		quote := strings.Join(phrase, " ")
		holds := map[string]bool{}
		var uploads []quarry.Upload
		for i := range 60 {
			text := strings.Fields(strings.Repeat(quote+" ", 1+rnd.IntN(3)))
			for range rnd.IntN(20) {
				text = append(text, words[rnd.IntN(len(words))])
			}
			rnd.Shuffle(len(text), func(a, b int) { text[a], text[b] = text[b], text[a] })
			if rnd.IntN(6) == 0 {
				at := rnd.IntN(len(text) + 1)
				text = slices.Insert(text, at, phrase...)
			}
			name, said := fmt.Sprintf("d%02d.md", i), strings.Join(text, " ")
			holds[name] = strings.Contains(" "+said+" ", " "+quote+" ")
			uploads = append(uploads, quarry.Upload{Path: name, Data: []byte(said), Metadata: document.Metadata{Access: document.Public()}})
		}
		put(t, corpus, uploads)
		found := search(t, corpus, `what about "`+quote+`"?`, document.Scope{})
		first := 0
		for i, path := range paths(found) {
			if holds[path] && i != first {
				t.Fatalf("round %d: %s holds %q and stands at place %d behind one that does not: %v", round, path, quote, i+1, paths(found))
			}
			if holds[path] {
				first++
			}
		}
		for name := range holds {
			if holds[name] && !slices.Contains(paths(found), name) {
				t.Fatalf("round %d: %s holds %q and is not found", round, name, quote)
			}
		}
		for i := 1; i < len(found.Candidates); i++ {
			if found.Candidates[i].Score > found.Candidates[i-1].Score {
				t.Fatalf("round %d: the score rises at rank %d", round, i+1)
			}
		}
	}
}

func put(t *testing.T, corpus *quarry.Corpus, uploads []quarry.Upload) {
	t.Helper()
	each := func(yield func(quarry.Upload, error) bool) {
		for _, u := range uploads {
			if !yield(u, nil) {
				return
			}
		}
	}
	if _, err := corpus.Put(t.Context(), document.Source{Name: "docs", Kind: "upload"}, each, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
}
