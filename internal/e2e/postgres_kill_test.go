//go:build unix

package e2e

import (
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
)

// A copy that is killed goes on when it is called again, and in the end holds what one does
// that was not.
func TestKilledCopy(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	s := newSandbox(t).words()
	s.writeFolder("many", 80)
	s.want(0, "add", "many")
	first := checksum(t, s.want(0, "copy", "--from", "quarry.db", "--to", "whole.db"))
	address, killed := "", 0
	for wait := 150 * time.Millisecond; killed == 0; wait /= 2 { // less on a machine that is done by then
		address = server.Database(t)
		for n := range 3 {
			if s.kill(wait*time.Duration(n+1), "copy", "--from", "quarry.db", "--to", address) {
				killed++
			}
		}
	}
	if last := checksum(t, s.want(0, "copy", "--from", "quarry.db", "--to", address)); last != first {
		t.Errorf("after %d kills the checksum is %s, want %s", killed, last, first)
	}
	contains(t, "the copy", s.want(0, "status", "--store", address).out, "80 documents of 1 source, 0 failed")
	t.Logf("%d of 3 copies were killed", killed)
}
