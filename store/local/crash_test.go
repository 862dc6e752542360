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

func generation(n int) store.Change { return storetest.Generation(n) }

func generationOf(s *Store) (int, error) { return storetest.GenerationOf(context.Background(), s) }

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

// Who may write needs no time for it: a process that stood still after it had looked at the clock does
// not say that another one writes.
func TestFreeLockIsTaken(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "quarry.db"), Options{LockWait: time.Nanosecond})
	if _, err := s.Apply(t.Context(), generation(1)); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.acquire(ctx); err != context.Canceled {
		t.Errorf("a caller who has gone: %v", err)
	}
}
