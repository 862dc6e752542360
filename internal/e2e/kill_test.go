//go:build unix

package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/standard"
)

// The folder that is added and killed in: some files change between its two
// generations, some are gone and some are new.
const killFiles = 200

// killFolders writes both, as generation1 and generation2.
func killFolders(s *sandbox) {
	for n := range uint64(killFiles) {
		name := fmt.Sprintf("%d/d%03d.md", n%7, n)
		if n%5 != 1 {
			s.write("generation1/"+name, generated(n, 1))
		}
		if n%5 != 2 {
			s.write("generation2/"+name, generated(n, 1+(n+1)%2))
		}
	}
	for g := 1; g <= 2; g++ { // behind the others, read by a server
		s.write(fmt.Sprintf("generation%d/form.doc", g), fmt.Sprintf("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 %d", g))
	}
}

// TestKill ends an add with SIGKILL again and again: of a folder into no store,
// and of its next generation into a store of the one before. Whatever the moment,
// the store opens, its documents are whole, of the one generation or the other,
// and one more add brings it to what one add gives that nobody disturbs. One run of each is killed
// half way for sure: while a server keeps one of the documents waiting.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := 100
	if testing.Short() {
		kills = 10
	}
	killing(t, newSandbox(t), "embedding: {model: none}\n", kills)
}

// TestKillEmbedding does so with the embedding model, whose batches come after the text.
func TestKillEmbedding(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out the embedding model")
	}
	killing(t, newSandbox(t), "", 12)
}

func killing(t *testing.T, s *sandbox, settings string, kills int) {
	t.Helper()
	server := testkit.NewTika(t)
	s.write("quarry.yaml", fmt.Sprintf("%sextract: {tika: %q}\n", settings, server.URL))
	killFolders(s)
	path, there := s.path("quarry.db"), 0
	var clean [3]snapshot // by generation
	var took [3]time.Duration
	begin := func(g int) { // the store as it is before generation g is added
		removeStore(t, path)
		if g != there {
			if there > 0 {
				s.must(os.Rename(s.path("many"), s.path(fmt.Sprint("generation", there))))
			}
			s.must(os.Rename(s.path(fmt.Sprint("generation", g)), s.path("many")))
			there = g
		}
		if g == 2 && clean[2].documents != nil {
			copyFile(t, s.path("first.sqlite"), path)
		}
	}
	for g := 1; g <= 2; g++ {
		begin(g)
		s.want(0, "add", "many")
		clean[g] = mustSnapshot(t, path)
		if g == 1 {
			copyFile(t, path, s.path("first.sqlite"))
		}
	}
	for g := 1; g <= 2; g++ { // the time of a whole run, which the kills are spread over
		for range 2 {
			begin(g)
			start := time.Now()
			s.want(0, "add", "many")
			if d := time.Since(start); took[g] == 0 || d < took[g] {
				took[g] = d
			}
		}
		if err := mustSnapshot(t, path).same(clean[g]); err != nil {
			t.Fatalf("an add of generation %d that nobody disturbs: %v", g, err)
		}
	}

	for g := 1; g <= 2; g++ {
		begin(g)
		s.killHalfWay(server, path, clean[g])
		if have := mustSnapshot(t, path); have.same(clean[g]) == nil || have.same(clean[1]) == nil || have.wholeIn(clean[1], clean[2]) != nil {
			t.Errorf("killed half way through generation %d, it holds %d documents, %.2f of them as they are to be; %v",
				g, len(have.documents), have.share(clean[g]), have.wholeIn(clean[1], clean[2]))
		}
		s.want(0, "add", "many")
		if err := mustSnapshot(t, path).same(clean[g]); err != nil {
			t.Fatalf("killed half way through generation %d, one more add: %v", g, err)
		}
	}

	rnd := rand.New(rand.NewPCG(11, 4))
	killed, late, none, part, all := 0, 0, 0, 0, 0
	for round := 0; killed < kills; round++ {
		g := 1 + round%2
		begin(g)
		// Two to five kills of one store, the later ones of runs that go on.
		left := 1.0 // of the work
		for range 2 + rnd.IntN(4) {
			if killed == kills {
				break
			}
			moment := time.Duration((float64(killed) + rnd.Float64()) / float64(kills) * left * float64(took[g]))
			start := time.Now()
			if !s.kill(moment, "add", "many") {
				// The machine has become faster than when the run was measured. Of a small rest the start is most.
				if d := time.Duration(float64(time.Since(start)) / left); left > 0.5 && d < took[g] {
					took[g] = max(d, 10*time.Millisecond)
				}
				left = 0
				if late++; late > 3*kills {
					t.Fatalf("%d runs ended before they could be killed, of %v each", late, took[g])
				}
				break
			}
			killed++
			have, err := snapshotOf(t.Context(), path)
			if g == 1 && errors.Is(err, standard.ErrNoStore) {
				none++
				continue
			}
			if err != nil {
				t.Fatalf("killed after %v of %v, the store does not open: %v", moment, took[g], err)
			}
			if err := have.wholeIn(clean[1], clean[2]); err != nil {
				t.Fatalf("killed after %v of %v: %v", moment, took[g], err)
			}
			left = 1 - have.share(clean[g])
			switch {
			case have.same(clean[g]) == nil:
				all++
			case len(have.documents) == 0 || g == 2 && have.same(clean[1]) == nil:
				none++
			default:
				part++
			}
		}
		start := time.Now()
		s.want(0, "add", "many")
		if left > 0.5 { // the machine may have become slower, or have been so when the run was measured
			took[g] = time.Duration(float64(time.Since(start)) / left)
		}
		if err := mustSnapshot(t, path).same(clean[g]); err != nil {
			t.Fatalf("round %d, one more add: %v", round, err)
		}
	}
	t.Logf("%d kills in runs of %v and %v: %d left nothing of it, %d a part, %d all; %d runs ended first",
		killed, took[1].Round(time.Millisecond), took[2].Round(time.Millisecond), none, part, all, late)
}

// killHalfWay adds the folder, with the document that the server reads kept waiting, and kills
// the run once the store holds a part of the others as clean has them, beyond what it held before.
func (s *sandbox) killHalfWay(server *testkit.Tika, path string, clean snapshot) {
	s.t.Helper()
	part := func() float64 {
		have, err := snapshotOf(s.t.Context(), path)
		if err != nil && !errors.Is(err, standard.ErrNoStore) {
			s.t.Fatalf("reading beside an add: %v", err)
		}
		return have.share(clean)
	}
	before := part()
	server.Script(testkit.TikaAnswer{Hang: true})
	asked := len(server.Requests())
	ctx, kill := context.WithCancel(s.t.Context())
	defer kill()
	cmd := s.command(ctx, "add", "many")
	s.must(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for len(server.Requests()) == asked || part() <= before {
		select {
		case err := <-ended:
			s.t.Fatalf("an add ends although a document of it is kept waiting: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	kill()
	if <-ended; cmd.ProcessState.ExitCode() != -1 {
		s.t.Fatalf("an add that was killed half way ends with %d", cmd.ProcessState.ExitCode())
	}
}

// kill runs the command and kills it after a time; false if it ended before.
func (s *sandbox) kill(after time.Duration, args ...string) bool {
	s.t.Helper()
	cmd := s.command(s.t.Context(), args...)
	s.must(cmd.Start())
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		s.t.Fatalf("quarry %q: %v", args, err)
	}
	return err != nil
}

// share is how much of another store's documents a store has as they are there.
func (s snapshot) share(o snapshot) float64 {
	n := 0
	for path, d := range o.documents {
		if s.documents[path].Hash == d.Hash {
			n++
		}
	}
	return float64(n) / float64(len(o.documents))
}
