package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/standard"
)

// writeFolder makes a folder of generated files.
func (s *sandbox) writeFolder(name string, files uint64) {
	for n := range files {
		s.write(fmt.Sprintf("%s/d%04d.md", name, n), generated(n, 1))
	}
}

// TestReaderBesideWriter reads, in this process and in others, while another
// process adds: every answer is of one commit, nothing that was seen is gone
// again, and in the end the reader that was open all the time sees all of it. One of the
// documents is read by a server that answers once the reader has seen a part of the folder
// for a while, so that some reads fall between the writer's commits however fast it is.
func TestReaderBesideWriter(t *testing.T) {
	t.Parallel()
	files := 900
	if testing.Short() {
		files = 500
	}
	const partly = 20 // reads of a part of the folder before the writer goes on
	s := withKept(t)
	goOn := make(chan struct{})
	server := testkit.NewTika(t)
	server.Script(testkit.TikaAnswer{Status: 200, Body: testkit.TikaPage("Form", "<p>The form is long.</p>"), After: goOn})
	s.write("quarry.yaml", fmt.Sprintf("extract:\n  tika: %s\n", server.URL))
	s.writeFolder("many", uint64(files-1))
	s.write(fmt.Sprintf("many/d%04d.doc", files*2/3), "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 form")
	reader, err := standard.OpenExisting(t.Context(), s.path("quarry.db"), standard.Settings{})
	s.must(err)
	defer reader.Close()

	writer := s.command(t.Context(), "add", "many")
	ended := make(chan result, 1)
	go func() { ended <- s.end(writer) }()
	last, between, reads := 1, 0, 0
	for running := true; running; reads++ {
		select {
		case r := <-ended:
			if running = false; r.code != 0 {
				t.Fatalf("the writer: exit code %d, %s", r.code, r.err)
			}
		default:
		}
		list, err := reader.Documents(t.Context(), document.Scope{})
		if err != nil {
			t.Fatalf("reading while another process writes: %v", err)
		}
		if len(list) < last {
			t.Fatalf("%d documents after %d", len(list), last)
		}
		if last = len(list); last > 1 && last < files+1 {
			if between++; between == partly {
				close(goOn)
			}
		}
		s.readWhole(reader, list[len(list)-1].Document)
		if reads%50 == 0 {
			r := s.want(0, "ask", "What is the deposit of KEEP-1?")
			contains(t, "another reader", r.out, "EUR 90")
		}
	}
	if last != files+1 {
		t.Errorf("the reader sees %d documents in the end, not %d", last, files+1)
	}
	t.Logf("%d reads beside the writer, %d of them of a part of the folder", reads, between)
	if between < partly {
		t.Errorf("the writer ended after %d reads of a part of the folder, before it was let go on", between)
	}
}

// readWhole reads a document that was just listed, and searches.
func (s *sandbox) readWhole(corpus *standard.Corpus, id document.ID) {
	s.t.Helper()
	r, err := corpus.Document(s.t.Context(), id, document.Scope{})
	s.must(err)
	for _, p := range r.Passages {
		if p.Span.Of(r.Text) != p.Text {
			s.t.Errorf("%s: a passage is of another text", id)
		}
	}
	found, err := corpus.Search(s.t.Context(), "deposit of KEEP-1 refund", document.Scope{})
	s.must(err)
	if len(found.Candidates) == 0 || len(found.Trace.Failed()) > 0 {
		s.t.Errorf("a search beside a writer gives %d passages, %v", len(found.Candidates), found.Trace.Failed())
	}
}

// TestTwoWriters adds two folders to one store at once, and one folder twice: who
// comes second waits, and all of both is there.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	const files = 150
	s := withKept(t)
	s.writeFolder("one", files)
	s.writeFolder("two", files)
	ended := make(chan result)
	lines := [][]string{{"add", "one"}, {"add", "two"}, {"add", "one"}, {"add", "kept", "--store", "new.db"}, {"add", "kept", "--store", "new.db"}}
	for _, line := range lines {
		go func() { ended <- s.end(s.command(t.Context(), line...)) }()
	}
	for range lines {
		if r := <-ended; r.code != 0 || r.err != "" {
			t.Errorf("a writer beside others: exit code %d, %s%s", r.code, r.out, r.err)
		}
	}
	contains(t, "the store", s.want(0, "status").out, fmt.Sprintf("%d documents of 3 sources, 0 failed", 2*files+1))
	contains(t, "a store made by two at once", s.want(0, "status", "--store", "new.db").out, "1 document of 1 source, 0 failed")
	s.keeps("quarry.db")
	s.keeps("new.db")
	for _, source := range []string{"one", "two"} {
		contains(t, "the next add", s.want(0, "add", source).out, fmt.Sprintf("0 added, 0 changed, 0 removed, %d unchanged", files))
	}
}

// TestHeldStore keeps the right to write for longer than a writer waits: it gives
// up and says who holds it, with nothing lost, while readers go on.
func TestHeldStore(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves this out: a writer waits for seconds before it gives up")
	}
	t.Parallel()
	s := withKept(t)
	s.write("more/more.md", good)
	lock := flock.New(s.path("quarry.db.lock"))
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatalf("the lock beside the store: %v, %v", held, err)
	}
	defer lock.Close()
	holder := fmt.Sprintf("process %d, started now", os.Getpid())
	if err := os.WriteFile(s.path("quarry.db.lock"), []byte(holder), 0o644); err != nil {
		holder = "another process" // a system may keep others from a locked file
	}
	ended := make(chan result)
	go func() { ended <- s.end(s.command(t.Context(), "add", "more")) }()
	s.keeps("quarry.db")
	r := <-ended
	if r.code != 1 {
		t.Errorf("a writer that got no turn: exit code %d, %s", r.code, r.out)
	}
	one(t, "a writer that got no turn", r)
	contains(t, "a writer that got no turn", r.err, "being written by another process", holder, filepath.Base(s.path("quarry.db.lock")), "wait for it to end and run the command again")
	s.must(lock.Unlock())
	s.want(0, "add", "more")
	contains(t, "the next writer", s.want(0, "search", "parking fee").out, "EUR 30")
	s.keeps("quarry.db")
	if strings.Contains(r.out, "1 added") {
		t.Errorf("what was not added is reported as added: %s", r.out)
	}
}
