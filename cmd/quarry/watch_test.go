package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWatch changes files under a running sync, and finds what they say.
func TestWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: a signal cannot be sent to one process on Windows")
	}
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding:\n  model: none\n", "docs/a.md", "# A\n\nThe lamp is red.\n")
	s.want(0, "add", "docs")
	cmd := exec.CommandContext(t.Context(), binary, "sync", "--watch")
	cmd.Dir, cmd.Env = s.dir, s.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(pipe); in.Scan(); {
			lines <- in.Text()
		}
	}()
	says := func(want string) {
		t.Helper()
		select {
		case line, ok := <-lines:
			if !ok || !strings.HasPrefix(line, want) {
				t.Fatalf("it says %q, not %q; %s", line, want, errs.String())
			}
		case <-time.After(time.Minute):
			t.Fatalf("after a minute it has not said %q; %s", want, errs.String())
		}
	}
	says("docs: 0 added, 0 changed, 0 removed, 1 unchanged")

	var took []time.Duration
	for i := range 5 {
		began := time.Now()
		s.write("docs/a.md", fmt.Sprintf("# A\n\nThe lamp of year %d is green.\n", 2000+i))
		says("docs: 0 added, 1 changed, 0 removed, 0 unchanged")
		took = append(took, time.Since(began))
	}
	t.Logf("a change is indexed after %v", took)
	if quickest := slices.Min(took); quickest > time.Second { // other work on the machine slows some of them
		t.Errorf("the quickest change is indexed after %s", quickest)
	}
	contains(t, s.want(0, "search", "lamp").out, "year 2004")

	s.write("docs/new/deep/b.md", "# B\n\nThe door is blue.\n")
	says("docs: 1 added, 0 changed, 0 removed, 1 unchanged")
	s.write("docs/new/deep/c.md", "# C\n\nThe roof is flat.\n") // in a folder that was not there at first
	says("docs: 1 added, 0 changed, 0 removed, 2 unchanged")
	if err := os.Rename(filepath.Join(s.dir, "docs", "new"), filepath.Join(s.dir, "away")); err != nil {
		t.Fatal(err)
	}
	says("docs: 0 added, 0 changed, 2 removed, 1 unchanged")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if line, more := <-lines; more {
		t.Errorf("in the end it says %q", line)
	}
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("interrupted, it ends with %v, %q", err, errs.String())
	}
}
