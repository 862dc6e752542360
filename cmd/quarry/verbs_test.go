package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLifecycle(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)

	r := s.want(0, "add", "office")
	contains(t, r.out, "office: 8 added, 0 changed, 0 removed, 0 unchanged, 0 failed, 1 skipped", "picture.png")
	contains(t, s.want(0, "add", "office").out, "office: 0 added, 0 changed, 0 removed, 8 unchanged")

	contains(t, s.want(0, "docs").out, "policies/travel.md", "Travel Policy", "notes.txt")
	contains(t, s.want(0, "status").out, "quarry.db: 8 documents of 1 source, 0 failed", "office", "folder", "SYNCED", ":", " UTC")

	show := s.want(0, "show", "policies/travel.md").out
	contains(t, show, "Travel Policy", "authority", "5", "3.1 Hotels", "3.2 Trains", "office:policies/travel.md")
	contains(t, s.want(0, "show", "office:policies/travel.md", "--outline").out, "Hotels")
	passages := s.want(0, "show", "policies/travel.md", "--passages").out
	contains(t, passages, "paragraph", "EUR 140", "bytes")
	contains(t, s.want(0, "show", "policies/travel.md", "--text").out, "# Travel Policy\n\n## 3.1 Hotels\n")

	search := s.want(0, "search", "hotel limit").out
	contains(t, search, "1. Travel Policy › 3.1 Hotels (policies/travel.md, line 9)", "    The hotel limit is EUR 140 per night.")

	ask := s.want(0, "ask", "What is the hotel limit per night?").out
	contains(t, ask, "The hotel limit is EUR 140 per night. [1]\n", "\n[1] Travel Policy › 3.1 Hotels (policies/travel.md, line 9)\n    The hotel limit is EUR 140 per night.\n")
	contains(t, s.want(0, "ask", "what", "is", "the", "hotel", "limit").out, "EUR 140")

	// Abstention is a result.
	none := s.want(0, "ask", "Who repairs the zeppelin?")
	contains(t, none.out, "do not answer this", "Not found: Who repairs the zeppelin?")

	// Changed, gone, new.
	s.write("office/policies/parking.md", "# Parking\n\nA parking permit costs EUR 45 per month.\n", "office/new.md", "# New\n\nThe new printer stands on the second floor.\n")
	if err := os.Remove(filepath.Join(s.dir, "office", "notes.txt")); err != nil {
		t.Fatal(err)
	}
	r = s.want(0, "add", "-v", "office")
	contains(t, r.out, "office: 1 added, 1 changed, 1 removed, 6 unchanged", "added    new.md", "changed  policies/parking.md", "removed  notes.txt")
	contains(t, s.want(0, "ask", "What does a parking permit cost?").out, "EUR 45")
	lacks(t, s.want(0, "docs").out, "notes.txt")

	contains(t, s.want(0, "remove", "new.md").out, "removed the document office:new.md")
	lacks(t, s.want(0, "docs").out, "new.md")
	contains(t, s.want(1, "remove", "new.md").err, "no such document")
	contains(t, s.want(0, "remove", "pay/bonus.md").out, "removed") // nobody asks as hr here
	contains(t, s.want(0, "remove", "office").out, "removed the source office")
	contains(t, s.want(0, "docs").out, "no documents")
	contains(t, s.want(1, "remove", "office").err, "no such source")
}

// Places of documents of two sources are all named with the source.
func TestPlacesOfTwoSources(t *testing.T) {
	s := newSandbox(t)
	s.write("a/x.md", "# X\n\nThe red lamp means stop.\n", "a/w.md", "# W\n\nThe grey lamp means nothing.\n", "b/y.md", "# Y\n\nThe green lamp means go.\n")
	s.want(0, "add", "a", "b")
	out := s.want(0, "search", "lamp").out
	contains(t, out, "(a:x.md, line 3)", "(a:w.md, line 3)", "(b:y.md, line 3)")
	contains(t, s.want(0, "ask", "What does the red lamp mean?").out, "(x.md, line 3)")
	contains(t, s.want(0, "search", "--docs", "b", "lamp").out, "(y.md, line 3)")
}

// docs tells how to see more where it lists nothing, the same whatever there is.
func TestDocsOfNothing(t *testing.T) {
	s := newSandbox(t)
	s.write("d/draft.md", "---\nstatus: draft\n---\n# D\n\nThe fee is 6 EUR.\n", "e/closed.md", "---\nreaders: [group:hr]\n---\n# C\n\nThe fee is 8 EUR.\n")
	s.want(0, "add", "d", "--store", "draft.db")
	s.want(0, "add", "e", "--store", "closed.db")
	draft, closed := s.want(0, "docs", "--store", "draft.db").out, s.want(0, "docs", "--store", "closed.db").out
	contains(t, draft, "no documents are seen; --drafts sees drafts too", "--as-of")
	if draft != closed {
		t.Errorf("a draft and a closed document are told apart:\n%s%s", draft, closed)
	}
}

func TestSourceNames(t *testing.T) {
	s := newSandbox(t)
	s.write("a/docs/x.md", "# X\n\nThe red lamp means stop.\n", "b/docs/x.md", "# X\n\nThe green lamp means go.\n", "we:ird/x.md", "# W\n\nThe blue lamp means wait.\n")
	s.want(0, "add", "a/docs")
	contains(t, s.want(1, "add", "b/docs").err, `the source name "docs" belongs to`, "--name")
	s.want(0, "add", "b/docs", "--name", "second")
	contains(t, s.want(0, "add", "b/docs").out, "second: 0 added") // known by its place
	contains(t, s.want(1, "show", "x.md").err, "docs:x.md", "second:x.md")
	contains(t, s.want(0, "show", "second:x.md", "--text").out, "green")
	contains(t, s.want(1, "remove", "x.md").err, "several sources")
	contains(t, s.want(0, "add", "we:ird").out, "we-ird: 1 added")
	contains(t, s.want(1, "add", "a/docs/x.md", "--name", "a:b").err, "--name")

	r := s.object(0, "add", "a/docs", "b/docs")
	if reports, _ := r["reports"].([]any); len(reports) != 2 {
		t.Errorf("two paths gave %v", r)
	}
	contains(t, s.want(0, "add", "a/docs/x.md").out, "x.md: 1 added")
	contains(t, s.want(0, "remove", "docs:x.md").out, "removed the document docs:x.md")
	contains(t, s.want(1, "remove", "x.md").err, "is a source and also a document") // of second
	contains(t, s.want(0, "remove", "second").out, "removed the source second")
	contains(t, s.want(1, "remove", "x.md").err, "give x.md: for the source or we-ird:x.md for the document")
	contains(t, s.want(0, "remove", "x.md:").out, "removed the source x.md")
}

func TestStorePlace(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.want(0, "add", "office", "--store", "flag.db")
	s.env = append(s.env, "QUARRY_STORE=env.db")
	s.want(0, "add", "office")
	s.write("quarry.yaml", "store: config.db\n", "conf/other.yaml", "store: deep.db\n")
	s.want(0, "docs") // the environment wins over the file
	s.env = s.env[:len(s.env)-1]
	s.want(0, "add", "office")
	s.want(0, "add", "office", "--config", "conf/other.yaml")
	for _, name := range []string{"flag.db", "env.db", "config.db", "conf/deep.db"} {
		if _, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "quarry.db")); err == nil {
		t.Error("quarry.db was made although another store was named")
	}
	s.write("quarry.yaml", "chunk:\n  maks: 300\n")
	contains(t, s.want(1, "docs").err, "quarry: quarry.yaml:2: unknown key chunk.maks, the nearest known is chunk.max\n")
	contains(t, s.want(0, "config").out, "max: 512")
}

// TestNothingElseIsWritten lists all files after reading and asking.
func TestNothingElseIsWritten(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	for _, args := range [][]string{{"docs"}, {"status"}, {"ask", "x"}, {"search", "x"}, {"show", "x"}, {"remove", "x"}} {
		contains(t, s.want(1, args...).err, "there is no store yet", "quarry add DIR")
	}
	s.want(1, "add", "nothing-there")
	for _, args := range [][]string{{"--help"}, {"version"}, {"config"}, {"completion", "bash"}, {"ask", "--help"}} {
		s.want(0, args...)
	}
	s.want(0, "ask", "--docs", "office", "What is the hotel limit?")
	var files []string
	err := filepath.WalkDir(s.top, func(name string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.top, name)
		if rel = filepath.ToSlash(rel); err == nil && !d.IsDir() && !strings.HasPrefix(rel, "work/office/") {
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f, "cache/quarry/") && !strings.HasPrefix(f, "home/Library/Caches/quarry/") {
			t.Errorf("%s was written", f)
		}
	}
	if len(files) == 0 {
		t.Error("the cache folder holds no store")
	}
}

func TestCompletionAndHelp(t *testing.T) {
	s := newSandbox(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		out := s.want(0, "completion", shell).out
		if len(out) < 1000 || strings.Contains(out, "\uFFFD") {
			t.Errorf("completion for %s: %d bytes", shell, len(out))
		}
	}
	contains(t, s.want(0, "__complete", "s").out, "search", "show", "status")
	for _, verb := range []string{"", "add", "remove", "docs", "show", "history", "diff", "search", "ask", "eval", "status", "doctor", "backup", "restore", "copy", "config", "version"} {
		args := []string{"--help"}
		if verb != "" {
			args = []string{verb, "--help"}
		}
		contains(t, s.want(0, args...).out, "Examples:", "quarry "+verb, "--store", "--config", "--json", "-v, --verbose")
	}
	contains(t, s.want(0).out, "Usage:")
	contains(t, s.want(0, "version").out, "quarry ")
	contains(t, s.want(0, "--version").out, "quarry ")
}
