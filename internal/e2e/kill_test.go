//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

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
}

// TestKill ends an add with SIGKILL again and again: of a folder into no store,
// and of its next generation into a store of the one before. Whatever the moment,
// the store opens, its documents are whole, of the one generation or the other,
// and one more add brings it to what one add gives that nobody disturbs.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := 100
	if testing.Short() {
		kills = 10
	}
	killing(t, newSandbox(t).words(), kills)
}

// TestKillEmbedding does so with the embedding model, whose batches come after the text.
func TestKillEmbedding(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out the embedding model")
	}
	killing(t, newSandbox(t), 12)
}

func killing(t *testing.T, s *sandbox, kills int) {
	t.Helper()
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
				// The machine has become faster than when the run was measured.
				if d := time.Duration(float64(time.Since(start)) / left); d < took[g] {
					took[g] = max(d, 10*time.Millisecond)
				}
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
		s.want(0, "add", "many")
		if err := mustSnapshot(t, path).same(clean[g]); err != nil {
			t.Fatalf("round %d, one more add: %v", round, err)
		}
	}
	t.Logf("%d kills in runs of %v and %v: %d left nothing of it, %d a part, %d all; %d runs ended first",
		killed, took[1].Round(time.Millisecond), took[2].Round(time.Millisecond), none, part, all, late)
	if part == 0 && kills >= 100 {
		t.Error("no kill met a run half way: the moments are badly spread")
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
