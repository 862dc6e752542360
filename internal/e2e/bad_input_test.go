package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// What the store holds before anything goes wrong, and what has to be there still.
const (
	keptFile = "kept/kept.md"
	keptText = "# Kept\n\nThe deposit of KEEP-1 is EUR 90.\n"
)

// withKept is a sandbox whose quarry.db holds one document.
func withKept(t *testing.T) *sandbox {
	t.Helper()
	s := newSandbox(t)
	s.write(keptFile, keptText)
	s.want(0, "add", "kept")
	return s
}

// keeps checks that a store still holds that document, and finds it.
func (s *sandbox) keeps(storePath string) {
	s.t.Helper()
	if r := s.run("show", "kept:kept.md", "--text", "--store", storePath); r.code != 0 || r.out != keptText {
		s.t.Errorf("what was in the store is lost: exit code %d, %q, %s", r.code, r.out, r.err)
	}
	if r := s.run("ask", "What is the deposit of KEEP-1?", "--store", storePath); r.code != 0 || !strings.Contains(r.out, "EUR 90") {
		s.t.Errorf("what was in the store is not found: exit code %d, %q, %s", r.code, r.out, r.err)
	}
}

// one checks that a run that did not do all it was asked to says one sentence on
// standard error, and one that did says nothing there.
func one(t *testing.T, what string, r result) {
	t.Helper()
	if r.code == 0 {
		if r.err != "" {
			t.Errorf("%s: it is done, and it says %q", what, r.err)
		}
		return
	}
	if !strings.HasPrefix(r.err, "quarry: ") || strings.Count(r.err, "\n") != 1 || !strings.HasSuffix(r.err, "\n") || len(r.err) > 600 {
		t.Errorf("%s: not one sentence: %.2000q", what, r.err)
	}
	lacks(t, what, r.err, "goroutine", "panic", "Usage:", "%!", "sqlite", "SQLITE")
}

type badInput struct {
	name string
	make func(*sandbox) []string // the arguments of the call
	code int
	err  []string // said on standard error, what to do among it
	out  []string // said in the report
	lost []string // in no result
}

func args(list ...string) func(*sandbox) []string {
	return func(*sandbox) []string { return list }
}

// files gives a call that adds a folder of files.
func files(list ...string) func(*sandbox) []string {
	return func(s *sandbox) []string {
		s.write(list...)
		return []string{"add", "bad"}
	}
}

const good = "# Good\n\nThe parking fee is EUR 30.\n"

var badInputs = []badInput{
	{name: "an empty folder", code: 1, err: []string{"holds no documents", "give a folder with"}, make: func(s *sandbox) []string {
		s.must(os.Mkdir(s.path("bad"), 0o755))
		return []string{"add", "bad"}
	}},
	{name: "a folder that is not there", make: args("add", "nowhere"), code: 1, err: []string{"nowhere cannot be read", "give a folder or a file that is there"}},
	{name: "a folder of other formats", make: files("bad/a.png", "\x89PNG", "bad/b.mp3", "ID3"), code: 1, err: []string{"give a folder with"}, out: []string{"a.png: "}},
	{name: "a binary file named .md", make: files("bad/b.md", "\x7fELF\x00\x01\x02\xff\x00\x00"), code: 1,
		err: []string{"no document could be indexed", "correct them"}, out: []string{"b.md: the content is binary"}},
	{name: "a binary file among good ones", make: files("bad/b.md", "\x7fELF\x00\x01\x02\xff\x00\x00", "bad/good.md", good), code: 4,
		err: []string{"1 document could not be indexed, the rest is done", "correct"}, out: []string{"1 added", "b.md: the content is binary"}},
	{name: "a damaged archive among good ones", make: files("bad/b.zip", "PK\x03\x04", "bad/good.md", good), code: 4,
		err: []string{"1 document could not be indexed, the rest is done"}, out: []string{"1 added", "b.zip: the archive is damaged here: make it anew"}},
	{name: "what a server answered instead", make: files("bad/b.csv", "404: Not Found\n", "bad/good.md", good), code: 4,
		err: []string{"correct"}, out: []string{"1 added", "b.csv: it is what a server answers when a download fails"}, lost: []string{"404: Not Found"}},
	{name: "an empty file", make: files("bad/e.md", "", "bad/good.md", good), code: 4, err: []string{"correct"}, out: []string{"e.md: the document holds no text"}},
	{name: "a text of 50 MB", code: 4, err: []string{"1 document could not be indexed"}, out: []string{"1 added", "big.txt: ", "raise limits.document_bytes"},
		make: func(s *sandbox) []string {
			s.write("bad/good.md", good, "bad/big.txt", strings.Repeat("All work and no play makes a text of fifty million bytes.\n", 50_000_000/58))
			return []string{"add", "bad"}
		}},
	{name: "front matter that is no YAML", make: files("bad/f.md", "---\nreaders: [group:hr\n---\n# F\n\nThe bonus is EUR 7777.\n", "bad/good.md", good), code: 4,
		err: []string{"correct what failed"}, out: []string{"f.md: front matter: line 2"}, lost: []string{"7777"}},
	{name: "front matter of a wrong type", make: files("bad/f.md", "---\nreaders: {group: hr}\n---\n# F\n\nThe bonus is EUR 7777.\n", "bad/good.md", good), code: 4,
		err: []string{"correct what failed"}, out: []string{"f.md: ", "readers"}, lost: []string{"7777"}},
	{name: "front matter without an end", make: files("bad/f.md", "---\nreaders: [group:hr]\n# F\n\nThe bonus is EUR 7777.\n", "bad/good.md", good), code: 4,
		err: []string{"correct what failed"}, out: []string{"f.md: "}, lost: []string{"7777"}},
	{name: "an unknown flag", make: args("search", "--lmit", "3", "deposit"), code: 2, err: []string{"unknown flag --lmit, the nearest known is --limit"}},
	{name: "an unknown verb", make: args("serach", "deposit"), code: 2, err: []string{"the nearest known is search"}},
	{name: "no question", make: args("ask"), code: 2, err: []string{"needs a QUESTION"}},
	{name: "a date that is none", make: args("ask", "--as-of", "next tuesday", "deposit"), code: 2, err: []string{`"next tuesday" is not a date`, "write YYYY-MM-DD"}},
	{name: "a day that no month has", make: args("docs", "--as-of", "2026-02-30"), code: 2, err: []string{"write YYYY-MM-DD"}},
	{name: "a question of 1 MB", make: func(*sandbox) []string { // in words: a system bounds one argument
		return append([]string{"ask"}, strings.Fields(strings.Repeat(strings.Repeat("deposit", 9_000)+" ", 16))...)
	}, code: 2, err: []string{"the question is longer than", "ask something shorter"}},
	{name: "a question that is not UTF-8", make: args("ask", "What is the deposit of \xff\xfe KEEP-1?"), code: 0, out: []string{"EUR 90"}},
	{name: "a store that is a folder", code: 1, err: []string{"kept is a folder", "name a file in it"}, make: args("docs", "--store", "kept")},
	{name: "adding to a store that is a folder", code: 1, err: []string{"kept is a folder", "name a file in it"}, make: args("add", "kept", "--store", "kept")},
	{name: "a store in a folder that is not there", code: 1, err: []string{"does not exist", "create it"}, make: args("add", "kept", "--store", "no/q.db")},
	{name: "a store that is not there", code: 1, err: []string{"there is no store yet", "quarry add"}, make: args("search", "deposit", "--store", "none.db")},
	{name: "a file that is no store", code: 1, err: []string{"not a Quarry store", "restore it from a backup"}, make: func(s *sandbox) []string {
		s.write("notes.txt", strings.Repeat("some notes\n", 500))
		return []string{"add", "kept", "--store", "notes.txt"}
	}},
	{name: "a store of a newer version", code: 1, err: []string{"newer version", "update quarry"}, make: func(s *sandbox) []string {
		data, err := os.ReadFile(s.path("quarry.db"))
		s.must(err)
		data[63] = 99 // user_version, https://sqlite.org/fileformat.html 1.3
		s.write("newer.db", string(data))
		return []string{"add", "kept", "--store", "newer.db"}
	}},
	{name: "half a store", code: 1, err: []string{"damaged", "restore it from a backup"}, make: func(s *sandbox) []string {
		data, err := os.ReadFile(s.path("quarry.db"))
		s.must(err)
		s.write("half.db", string(data[:len(data)/2]))
		return []string{"docs", "--store", "half.db"}
	}},
	{name: "no SET", make: args("eval"), code: 2, err: []string{"needs one SET", "quarry eval examples/handbook"}},
	{name: "a SET that is not there", make: args("eval", "no-such-set"), code: 1, err: []string{"no-such-set", "give a folder"}},
	{name: "a SET that is none", make: args("eval", "kept"), code: 1, err: []string{"it needs questions.jsonl"}},
	{name: "questions with broken lines", code: 0, out: []string{"1 question", "2 problems"}, make: func(s *sandbox) []string {
		s.write("q.jsonl", `{"id":"a","question":"What is the deposit of KEEP-1?","sources":["kept.md"]}`+"\n{broken\n\n{\"id\":\"b\"}\n")
		return []string{"eval", "q.jsonl"}
	}},
	{name: "questions of broken lines only", code: 1, err: []string{"no usable question", "q.jsonl:1"}, make: func(s *sandbox) []string {
		s.write("q.jsonl", "{broken\n[]\n\x00\n")
		return []string{"eval", "q.jsonl"}
	}},
	{name: "a NUL byte in a question", code: 0, out: []string{"1 question"}, make: func(s *sandbox) []string {
		s.write("q.jsonl", `{"id":"a","question":"What is the \u0000 deposit of KEEP-1?","sources":["kept.md"]}`+"\n")
		return []string{"eval", "q.jsonl"}
	}},
}

// TestBadInput: whatever is given, one sentence says what to do, with the exit code
// of its kind, and what was in the store before is there still.
func TestBadInput(t *testing.T) {
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := withKept(t)
			line := c.make(s)
			before := filesBelow(t, s.dir)
			r := s.want(c.code, line...)
			one(t, c.name, r)
			contains(t, c.name, r.err, c.err...)
			contains(t, c.name, r.out, c.out...)
			s.keeps("quarry.db")
			for _, secret := range c.lost {
				lacks(t, c.name, s.want(0, "search", "bonus", "--json").out, secret)
			}
			// Nothing but the store is ever written, and that only when something was added,
			// and the runs that eval keeps beside it.
			for name, state := range filesBelow(t, s.dir) {
				own := filepath.Base(name) == "quarry.db" && line[0] == "add" || strings.HasPrefix(filepath.Base(name), "quarry.db-") ||
					strings.HasSuffix(name, ".lock") || line[0] == "eval" && strings.Contains(filepath.ToSlash(name), "/quarry.db.runs/")
				if !own && before[name] != state {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}

// A NUL byte cannot stand on a command line; a program can hand one over.
func TestNulInQuestion(t *testing.T) {
	s := withKept(t)
	corpus, err := standard.OpenExisting(t.Context(), s.path("quarry.db"), standard.Settings{})
	s.must(err)
	defer corpus.Close()
	for _, q := range []string{"What is the deposit\x00 of KEEP-1?", "\x00What is the deposit of KEEP-1?\x00"} {
		asked, err := corpus.Ask(t.Context(), q, document.Scope{})
		if err != nil || !strings.Contains(asked.Answer.Text, "EUR 90") {
			t.Errorf("%q: %+v, %v", q, asked.Answer, err)
		}
	}
}

// TestVanish takes files away while an add reads them: what is gone is no failure,
// and the next add brings the store to what is there.
func TestVanish(t *testing.T) {
	t.Parallel()
	s := withKept(t)
	const count = 300
	for n := range uint64(count) {
		s.write(fmt.Sprintf("bad/d%03d.md", n), generated(n, 1))
	}
	cmd := s.command(t.Context(), "add", "bad")
	done := make(chan result)
	go func() { done <- s.end(cmd) }()
	gone := 0
	for n := count - 1; n >= 0; n -= 2 {
		s.must(os.Remove(s.path(fmt.Sprintf("bad/d%03d.md", n))))
		gone++
	}
	r := <-done
	if r.code != 0 || r.err != "" {
		t.Errorf("files went away: exit code %d, %s%s", r.code, r.out, r.err)
	}
	contains(t, "files went away", r.out, " 0 failed")
	s.want(0, "add", "bad")
	contains(t, "the next add", s.want(0, "status").out, fmt.Sprintf("%d documents of 2 sources, 0 failed", count-gone+1))
	s.keeps("quarry.db")
}
