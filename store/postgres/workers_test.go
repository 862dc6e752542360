package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// child is the environment variable that makes the test binary a worker on the store at
// the address that it holds, instead of running tests.
const child = "QUARRY_POSTGRES_TEST_CHILD"

func TestMain(m *testing.M) {
	if address := os.Getenv(child); address != "" {
		if err := work(address, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testserver.Main(m))
}

var model = store.Model{Name: "test", Dims: 3}

const (
	lease = time.Minute
	taken = 5 // jobs at once
)

// work does jobs until there are none, says of each document when it has claimed it and
// when it has ended, and waits for a line: that the leases are over of a worker that is gone.
func work(address string, in io.Reader, out io.Writer) error {
	ctx := context.Background()
	over := time.Duration(0)
	s, err := postgres.Open(ctx, address, postgres.Options{Connections: 2, Clock: func() time.Time { return time.Now().Add(over) }})
	if err != nil {
		return err
	}
	defer s.Close()
	lines := bufio.NewScanner(in)
	for {
		jobs, err := s.Claim(ctx, store.Embed, taken, lease)
		if err != nil {
			return err
		}
		if len(jobs) == 0 {
			fmt.Fprintln(out, "idle")
			if !lines.Scan() {
				return nil
			}
			over += 2 * lease
			continue
		}
		for _, j := range jobs {
			fmt.Fprintln(out, "claimed", j.Document.Path)
		}
		for _, j := range jobs {
			if err := embed(ctx, s, j.Document); err != nil {
				return err
			}
			if err := s.Done(ctx, []store.Job{j}); err != nil {
				return err
			}
			fmt.Fprintln(out, "ended", j.Document.Path)
		}
	}
}

// embed gives the passages of a document their vectors.
func embed(ctx context.Context, s store.Store, id document.ID) error {
	return s.Whole(ctx, id.Source, []string{id.Path}, func(w store.Whole) error {
		var vectors []store.Vectors
		for _, r := range w.Revisions {
			for i, p := range r.Passages {
				vectors = append(vectors, store.Vectors{Key: p.Key, Vectors: [][]float32{{float32(i), 1, float32(len(p.Text))}}})
			}
		}
		return s.PutVectors(ctx, model, vectors)
	})
}

// worker is a process that works, with what it has said.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	idle    chan struct{}
	mu      sync.Mutex
	claimed []string
	ended   []string
	told    func(n int) // of each line, how many there were
}

func newWorker(t *testing.T, address string, told func(n int)) *worker {
	t.Helper()
	w := &worker{cmd: exec.Command(os.Args[0]), idle: make(chan struct{}, 1), told: told}
	w.cmd.Env = append(os.Environ(), child+"="+address)
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err == nil {
		w.in, err = w.cmd.StdinPipe()
	}
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.cmd.Process.Kill(); w.cmd.Wait() })
	go func() {
		lines := bufio.NewScanner(out)
		for n := 1; lines.Scan(); n++ {
			verb, path, _ := strings.Cut(lines.Text(), " ")
			w.mu.Lock()
			switch verb {
			case "claimed":
				w.claimed = append(w.claimed, path)
			case "ended":
				w.ended = append(w.ended, path)
			case "idle":
				w.idle <- struct{}{}
			}
			w.mu.Unlock()
			w.told(n)
		}
		close(w.idle)
	}()
	return w
}

// Two workers share the documents of a store; one is killed somewhere in the middle. Each
// document is done once, but for those that the dead one held, which the other does when
// the lease is over; none is lost.
func TestWorkers(t *testing.T) {
	runs, documents := 1, 100
	if os.Getenv("QUARRY_LONG") != "" {
		runs, documents = 20, 1000
	}
	server := testserver.Shared(t)
	rnd := rand.New(rand.NewPCG(5, 5))
	again := 0
	for run := range runs {
		address := server.Database(t)
		s := openAt(t, address, postgres.Options{})
		change := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}}
		for n := range documents {
			change.Put = append(change.Put, storetest.Make(fmt.Sprintf("d%04d", n), fmt.Sprintf("first words of %d\nsecond words of %d", n, n),
				func(r *store.Revision) { r.Seen = time.Unix(1_780_000_000, 0) }))
		}
		if _, err := s.Apply(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		kill, at := make(chan struct{}), 1+rnd.IntN(documents)
		dead := newWorker(t, address, func(n int) {
			if n == at {
				close(kill)
			}
		})
		other := newWorker(t, address, func(int) {})
		select {
		case <-kill:
		case <-dead.idle: // it had less to do than that
		}
		dead.cmd.Process.Kill()
		for range dead.idle {
		}
		dead.cmd.Wait()
		<-other.idle
		fmt.Fprintln(other.in, "over")
		<-other.idle
		other.in.Close()
		if err := other.cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		again += shared(t, run, dead, other, documents)
		if n, err := s.CountMissing(t.Context(), model); err != nil || n != 0 {
			t.Errorf("run %d: %d passages have no vector, %v", run, n, err)
		}
		if jobs, err := s.Claim(t.Context(), store.Embed, 10, lease); err != nil || len(jobs) > 0 {
			t.Errorf("run %d: jobs are left: %v, %v", run, jobs, err)
		}
	}
	t.Logf("%d runs over %d documents; %d of a dead worker were done by the other", runs, documents, again)
}

// shared checks how two workers shared the documents and returns how many the second did
// that the dead one had claimed.
func shared(t *testing.T, run int, dead, other *worker, documents int) (again int) {
	t.Helper()
	held := map[string]bool{} // claimed by the dead one and not said to have ended
	for _, path := range dead.claimed {
		held[path] = true
	}
	done := map[string]int{}
	for _, path := range dead.ended {
		delete(held, path)
		done[path]++
	}
	for _, path := range other.ended {
		done[path]++
		if held[path] {
			again++
		}
	}
	for path, n := range done {
		if n != 1 {
			t.Errorf("run %d: %s was done %d times", run, path, n)
		}
	}
	// Of one, the dead worker may not have come to say that it ended.
	lost := documents - len(done)
	if lost > 1 || len(held) > taken || again+lost != len(held) {
		t.Errorf("run %d: %d documents were not done; the dead worker held %v, of which the other did %d", run, lost, slices.Sorted(maps.Keys(held)), again)
	}
	claims := map[string]int{}
	for _, path := range other.claimed {
		if claims[path]++; claims[path] > 1 {
			t.Errorf("run %d: %s was claimed twice by one worker", run, path)
		}
	}
	return again
}
