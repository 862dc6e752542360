package e2e

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestLight: a command that needs nothing starts at once, although the model is in
// the binary, and the binary is no larger than people download without thinking.
func TestLight(t *testing.T) {
	const most = 30 * time.Millisecond
	s := newSandbox(t)
	least := time.Hour
	for runs := 0; runs < 10 || least > most && runs < 100; runs++ { // the least: other work on the machine only adds
		r := s.want(0, "--help")
		contains(t, "the help", r.out, "Available Commands")
		least = min(least, r.state.UserTime()+r.state.SystemTime())
	}
	if least > most {
		t.Errorf("quarry --help takes %v of CPU time, want at most %v", least, most)
	}
	if testing.Short() {
		t.Skipf("SKIPPED: -short does not build the stripped binary; quarry --help takes %v of CPU time", least)
	}
	const largest = 60_000_000
	stripped := s.path("stripped")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", stripped, "../../cmd/quarry")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building quarry: %v\n%s", err, out)
	}
	info, err := os.Stat(stripped)
	s.must(err)
	if info.Size() > largest {
		t.Errorf("the stripped binary has %d bytes, want at most %d", info.Size(), largest)
	}
	t.Logf("quarry --help takes %v of CPU time; the stripped binary has %.1f MB", least, float64(info.Size())/1e6)
}
