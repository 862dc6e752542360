package local

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// child is the environment variable that makes the test binary do one thing to
// the store it names instead of running tests: "verb path".
const child = "QUARRY_LOCAL_TEST_CHILD"

func TestMain(m *testing.M) {
	if work := os.Getenv(child); work != "" {
		verb, path, _ := strings.Cut(work, " ")
		if err := children[verb](path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var children = map[string]func(path string) error{"apply": applyForEver, "hold": holdLock, "read": readForEver}

// spawn starts a child; its standard output is read line by line.
func spawn(t *testing.T, verb, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+verb+" "+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}

// generation is the change that brings every document to its n-th revision.
func generation(n int) store.Change {
	c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}}
	for i := range 5 {
		text := fmt.Sprintf("# Head\ngeneration %d of %d\nconstant words %d\nlast of %d", n, i, i, n)
		r := storetest.Make(fmt.Sprintf("doc%d", i), text, func(r *store.Revision) { r.Seen = time.Unix(1_780_000_000, 0) })
		if n%3 == 2 && i == 4 {
			c.Remove = append(c.Remove, r.Document)
			continue
		}
		c.Put = append(c.Put, r)
	}
	return c
}

// applyForEver applies one generation after the other and says so after each.
func applyForEver(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	n, err := generationOf(s)
	if err != nil {
		return err
	}
	for {
		n++
		fmt.Println("begin", n)
		if _, err := s.Apply(ctx, generation(n)); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

// generationOf reads the generation of a store and checks that all of it is there
// and nothing of another; 0 for an empty store.
func generationOf(s *Store) (int, error) {
	ctx := context.Background()
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		return 0, err
	}
	defer v.Close()
	list, err := v.Documents(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	n := 0
	for _, l := range list {
		r, err := v.Document(ctx, l.Document, true)
		if err != nil {
			return 0, err
		}
		of, err := strconv.Atoi(r.Text[strings.LastIndex(r.Text, " ")+1:])
		if err != nil {
			return 0, err
		}
		if n == 0 {
			n = of
		}
		if n != of || len(r.Passages) != 3 {
			return 0, fmt.Errorf("%s is of generation %d with %d passages, others are of %d", l.Document, of, len(r.Passages), n)
		}
	}
	want := 5
	if n%3 == 2 {
		want = 4
	}
	hits, err := v.Keyword(ctx, []store.QueryTerm{{Term: "generation", Weight: 1}}, 100)
	if err != nil {
		return 0, err
	}
	if len(list) != want || hits.Matched != want {
		return 0, fmt.Errorf("generation %d has %d documents, of which %d are found; want %d", n, len(list), hits.Matched, want)
	}
	return n, nil
}

// A process that is killed at any moment leaves the old state or the new one, and
// every change that it reported as done.
func TestKill(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 10
	}
	path := filepath.Join(t.TempDir(), "quarry.db")
	rnd := rand.New(rand.NewPCG(1, 1))
	begun, done := 0, 0
	for i := range kills {
		cmd, lines := spawn(t, "apply", path)
		wait := time.Duration(rnd.IntN(50_000)) * time.Microsecond
		started := false
		for lines.Scan() {
			verb, number, _ := strings.Cut(lines.Text(), " ")
			n, _ := strconv.Atoi(number)
			if verb == "begin" {
				begun = max(begun, n)
			} else {
				done = max(done, n)
			}
			if !started {
				started = true
				time.AfterFunc(wait, func() { cmd.Process.Kill() })
			}
		}
		cmd.Wait()
		s, err := Open(context.Background(), path, Options{})
		if err != nil {
			t.Fatalf("kill %d: Open: %v", i, err)
		}
		n, err := generationOf(s)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if n < done || n > begun {
			t.Fatalf("kill %d: the store is at generation %d; done was %d, begun %d", i, n, done, begun)
		}
		if i%20 == 0 {
			if err := s.Check(context.Background()); err != nil {
				t.Fatalf("kill %d: Check: %v", i, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatalf("kill %d: Close: %v", i, err)
		}
	}
	t.Logf("%d kills over %d generations", kills, done)
}

// A reading process follows a writing one and never sees half a change.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	cmd, lines := spawn(t, "apply", path)
	last := 0
	for range 30 {
		for i := 0; i < 2 && lines.Scan(); i++ { // one generation
		}
		n, err := generationOf(s)
		if err != nil {
			t.Fatal(err)
		}
		if n < last {
			t.Fatalf("generation %d after %d", n, last)
		}
		last = n
	}
	if last < 10 {
		t.Errorf("the reader saw generation %d of 30", last)
	}
	cmd.Process.Kill()
}

// holdLock keeps the right to write until it is killed.
func holdLock(path string) error {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	if _, err := s.acquire(context.Background()); err != nil {
		return err
	}
	fmt.Println("held")
	time.Sleep(time.Minute)
	return nil
}

func TestBusy(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{LockWait: 50 * time.Millisecond})
	if _, err := s.Apply(ctx, generation(1)); err != nil {
		t.Fatal(err)
	}
	cmd, lines := spawn(t, "hold", path)
	lines.Scan()
	_, err := s.Apply(ctx, generation(2))
	refused(t, err, store.ErrBusy, fmt.Sprintf("process %d", cmd.Process.Pid), path+".lock", "wait for it to end")
	if commit, err := s.Apply(ctx, generation(1)); err != nil || commit.Changed {
		t.Errorf("a change that changes nothing waits for the lock: %v, %v", commit, err)
	}
	if n, err := generationOf(s); n != 1 || err != nil {
		t.Errorf("a reader sees %d, %v while another process writes", n, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if _, err := s.Apply(ctx, generation(2)); err != nil {
		t.Errorf("after the holder was killed: %v", err)
	}
}
