package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrongUsage(t *testing.T) {
	s := newSandbox(t)
	s.write("docs/a.md", "# A\n\nThe fee is 5 EUR.\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"aks", "x"}, `unknown verb "aks", the nearest known is ask`},
		{[]string{"serch", "--docs", "x", "y"}, `unknown verb "serch", the nearest known is search`},
		{[]string{"--store", "x", "statsu"}, `unknown verb "statsu", the nearest known is status`},
		{[]string{"--stroe", "x"}, "unknown"},
		{[]string{"foo"}, `unknown verb "foo"; quarry --help lists those that there are`},
		{[]string{"sync", "docs"}, "takes no argument"},
		{[]string{"--store", "x", "blame", "-h"}, `unknown verb "blame"`},
		{[]string{"help", "embed"}, `unknown verb "embed"`},
		{[]string{"backup"}, "quarry backup needs the FILE"},
		{[]string{"restore", "a", "b"}, `"b" is one too many`},
		{[]string{"copy", "--from", "a.db"}, "quarry copy needs --from STORE and --to STORE"},
		{[]string{"copy", "--from", "a.db", "b.db"}, "takes no argument but --from STORE and --to STORE"},
		{[]string{"doctor", "x"}, "takes no argument"},
		{[]string{"ask", "--dosc", "x", "y"}, "unknown flag --dosc, the nearest known is --docs"},
		{[]string{"ask", "-z", "y"}, "unknown flag -z"},
		{[]string{"ask"}, "quarry ask needs a QUESTION"},
		{[]string{"ask", " "}, "the question is empty"},
		{[]string{"ask", "--docs", "docs", "\xff"}, "the question is empty"},
		{[]string{"search", "--docs", "docs", " \u200b\u00a0"}, "the question is empty"},
		{[]string{"search"}, "quarry search needs a QUESTION"},
		{[]string{"search", "-k", "many", "x"}, `"many" is no value for the flag --limit: give a whole number`},
		{[]string{"search", "-k", "0", "x"}, "-k is 0"},
		{[]string{"add"}, "quarry add needs the PATH"},
		{[]string{"add", ""}, "the path is empty"},
		{[]string{"add", "ftp://example.org"}, `sources of the kind "ftp" are not supported`},
		{[]string{"add", "git+ext://sh"}, `its kind is "ext"`},
		{[]string{"add", "s3://Not_a_bucket/"}, "it names no bucket"},
		{[]string{"add", "https://me:secret@example.org"}, "it holds a user or password"},
		{[]string{"add", "https://example.org/x.git"}, "write git+https://example.org/x.git"},
		{[]string{"ask", "--docs", "https://example.org", "x"}, "--docs takes a folder or a file"},
		{[]string{"add", "a", "b", "--name", "c"}, "--name names one source"},
		{[]string{"remove"}, "quarry remove needs one DOCUMENT or SOURCE"},
		{[]string{"show", "a", "b"}, `"b" is one too many`},
		{[]string{"show", "a", "--text", "--outline"}, "give one of them"},
		{[]string{"docs", "x"}, "takes no argument"},
		{[]string{"docs", "--as-of", "yesterday"}, `--as-of: "yesterday" is not a date`},
		{[]string{"docs", "--as-of", "2026-02-30"}, "is not a date"},
		{[]string{"ask", "--where", "region", "x"}, "not KEY=VALUE"},
		{[]string{"ask", "--as", "", "x"}, "--as is empty"},
		{[]string{"why"}, "quarry why needs a QUESTION"},
		{[]string{"why", "x"}, "quarry why needs --expect DOCUMENT or --quote TEXT"},
		{[]string{"why", " ", "--expect", "a.md"}, "the question is empty"},
		{[]string{"why", "x", "--expect", ""}, "--expect is empty"},
		{[]string{"why", "x", "--expect", "#"}, "--expect is empty"},
		{[]string{"why", "x", "--quote", " "}, "--quote is empty"},
		{[]string{"eval"}, "quarry eval needs one SET"},
		{[]string{"eval", "x", "--only", "some"}, "--only is \"some\""},
		{[]string{"eval", "x", "--answers", "some"}, "--answers is \"some\""},
		{[]string{"eval", "x", "--gate", "recall@5=>0.9"}, "--gate: the gate's condition \"recall@5=>0.9\" is not NAME"},
		{[]string{"eval", "x", "--gate", "recall>0.9"}, "needs a cut"},
		{[]string{"eval", "x", "--gate", "worse<=2"}, "give --baseline too"},
		{[]string{"eval", "x", "--try", "fusion"}, "is not KEY=VALUE,VALUE"},
		{[]string{"eval", "x", "--try", "fuson=rrf"}, "unknown key fuson, the nearest known is retrieval.fusion"},
		{[]string{"eval", "x", "--try", "fusion=rrf,sum"}, "retrieval.fusion is \"sum\""},
		{[]string{"eval", "x", "--try", "fusion=rrf,rrf"}, "is given twice"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--name", "n"}, "--name is for one run and --try makes several"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--baseline", "last"}, "--baseline is for one run"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--gate", "mrr>0.5"}, "--gate is for one run"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--junit", "f"}, "--junit is for one run"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--markdown", "f"}, "--markdown is for one run"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--html", "f"}, "--html is for one run"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--reader", "user:ann"}, "--reader says who is told which stage lost a passage, and --try names no stages: leave it out"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--try", "retrieval.fusion=weighted"}, "gives retrieval.fusion twice"},
		{[]string{"eval", "x", "--try", "chunk.target=many"}, "chunk.target must be a whole number above 0"},
		{[]string{"eval", "x", "--try", "workers=1,2"}, "changes nothing that is measured"},
		{[]string{"eval", "x", "--try", "evidence.tokens=1,2,3,4,5,6,7", "--try", "chunk.max=100,200,300,400,500"}, "more than 32 combinations"},
		{[]string{"eval", "x", "--try", "fusion=rrf", "--name", "n"}, "--name is for one run"},
		{[]string{"eval", "init", "x"}, "takes no argument"},
		{[]string{"docs", "--store"}, "the flag --store needs a value"},
	} {
		r := s.want(2, c.args...)
		contains(t, r.err, c.want)
		if r.out != "" || !strings.HasPrefix(r.err, "quarry: ") || strings.Count(r.err, "\n") != 1 || strings.Contains(r.err, "Usage:") {
			t.Errorf("quarry %q writes\n%s%s", c.args, r.out, r.err)
		}
	}
}

func TestFailures(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write("only/picture.png", "\x89PNG\x00", "bad/binary.md", "\x00\x01\x02\xff\xfe\x00")
	for _, d := range []string{"empty", "folder.db"} {
		if err := os.Mkdir(filepath.Join(s.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("text.db", strings.Repeat("this is no store, but a text\n", 200))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"add", "missing"}, "missing cannot be read"},
		{[]string{"add", "empty"}, "empty holds no documents"},
		{[]string{"add", "only"}, "no document that is read"},
		{[]string{"add", "bad"}, "no document could be indexed"},
		{[]string{"add", "office", "--store", "folder.db"}, "folder.db is a folder"},
		{[]string{"docs", "--store", "folder.db"}, "folder.db is a folder"},
		{[]string{"docs", "--store", "text.db"}, "text.db"},
		{[]string{"add", "office", "--store", "no/such/folder/q.db"}, "does not exist"},
		{[]string{"docs", "--store", "mysql://me:secret@host/db"}, `"mysql" is not supported`},
		{[]string{"docs", "--store", "postgres://me:secret@127.0.0.1:1/db"}, "the server cannot be reached"},
		{[]string{"docs", "--config", "nothing.yaml"}, "nothing.yaml cannot be read"},
		{[]string{"ask", "--docs", "missing", "x"}, "missing cannot be read"},
		{[]string{"ask", "--docs", "empty", "x"}, "holds no documents"},
		{[]string{"ask", "--docs", "only", "x"}, "no document that is read"},
		{[]string{"ask", "--docs", "bad", "x"}, "no document of bad could be indexed"},
		{[]string{"eval", "missing"}, "question set"},
		{[]string{"eval", "empty"}, "no question set"},
	} {
		r := s.want(1, c.args...)
		contains(t, r.err, c.want)
		lacks(t, r.err, "secret", "Usage:", "goroutine")
		if strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "quarry: ") {
			t.Errorf("quarry %q writes %q", c.args, r.err)
		}
	}
}

// A first add that fails leaves no store behind; a later one leaves it alone.
func TestNoStoreIsLeftBehind(t *testing.T) {
	s := newSandbox(t)
	s.write("docs/a.md", "# A\n\nThe fee is 5 EUR.\n")
	if err := os.Mkdir(filepath.Join(s.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "empty"}, {"ask", "--store", "quarry.db", "--docs", "empty", "x"}} {
		s.want(1, args...)
		if entries, err := os.ReadDir(s.dir); err != nil || len(entries) != 2 {
			t.Errorf("quarry %q leaves %v behind, %v", args, entries, err)
		}
	}
	contains(t, s.want(1, "docs").err, "there is no store yet")
	s.want(0, "add", "docs")
	s.want(1, "add", "empty")
	contains(t, s.want(0, "docs").out, "a.md")
}

func TestSomeFailed(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write("office/binary.md", "\x00\x01\x02\xff\xfe\x00", "office/front.md", "---\nauthority: high\n---\n# F\n\nSome text.\n")
	r := s.want(4, "add", "office")
	contains(t, r.out, "2 failed", "binary.md: ", "front.md: ", "authority")
	contains(t, r.err, "quarry: 2 documents could not be indexed, the rest is done")
	report := s.object(4, "add", "office")
	if failed, _ := report["failed"].([]any); len(failed) != 2 {
		t.Errorf("failed is %v", report["failed"])
	}
	contains(t, s.want(0, "status").out, "2 failed", "office:binary.md: the content is binary", "office:front.md: ")
	contains(t, s.want(1, "show", "binary.md").err, "could not be indexed")

	// A means to another end: a note, and on.
	r = s.want(0, "ask", "--docs", "office", "What is the hotel limit?")
	contains(t, r.out, "EUR 140")
	contains(t, r.err, "quarry: note: binary.md could not be indexed", "quarry: note: front.md could not be indexed")

	s.write("office/binary.md", "# B\n\nNow it is text.\n", "office/front.md", "# F\n\nSome text.\n")
	contains(t, s.want(0, "add", "office").out, "0 failed")
}
