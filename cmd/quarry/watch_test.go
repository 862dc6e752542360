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
	w := s.watch()
	w.says("docs: 0 added, 0 changed, 0 removed, 1 unchanged")

	var took []time.Duration
	for i := range 5 {
		began := time.Now()
		s.write("docs/a.md", fmt.Sprintf("# A\n\nThe lamp of year %d is green.\n", 2000+i))
		w.says("docs: 0 added, 1 changed, 0 removed, 0 unchanged")
		took = append(took, time.Since(began))
	}
	t.Logf("a change is indexed after %v", took)
	if quickest := slices.Min(took); quickest > time.Second { // other work on the machine slows some of them
		t.Errorf("the quickest change is indexed after %s", quickest)
	}
	contains(t, s.want(0, "search", "lamp").out, "year 2004")

	s.write("docs/new/deep/b.md", "# B\n\nThe door is blue.\n")
	w.says("docs: 1 added, 0 changed, 0 removed, 1 unchanged")
	s.write("docs/new/deep/c.md", "# C\n\nThe roof is flat.\n") // in a folder that was not there at first
	w.says("docs: 1 added, 0 changed, 0 removed, 2 unchanged")
	if err := os.Rename(filepath.Join(s.dir, "docs", "new"), filepath.Join(s.dir, "away")); err != nil {
		t.Fatal(err)
	}
	w.says("docs: 0 added, 0 changed, 2 removed, 1 unchanged")
	w.end()
}

// TestWatchMany changes one paragraph of ten thousand documents: it alone is embedded, and
// found within a second.
func TestWatchMany(t *testing.T) {
	if os.Getenv("QUARRY_LONG") == "" || runtime.GOOS == "windows" {
		t.Skip("SKIPPED: ten thousand documents are embedded with QUARRY_LONG=1 only")
	}
	const documents = 10_000
	s := newSandbox(t)
	text := func(i, fee int) string {
		return fmt.Sprintf("# Rule %d\n\n## Fee\n\nThe fee is %d EUR.\n\n## Day\n\nIt is due on day %d.\n", i, fee, i%28)
	}
	for i := range documents {
		s.write(fmt.Sprintf("docs/%02d/r%04d.md", i%100, i), text(i, 5))
	}
	add := exec.CommandContext(t.Context(), binary, "add", "docs") // it takes longer than other commands may
	add.Dir, add.Env = s.dir, s.env
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w := s.watch("--json")
	w.until("}")
	var took []time.Duration
	for i := range 5 {
		began := time.Now()
		s.write("docs/42/r0042.md", text(42, 1000+i))
		object := w.until("}")
		took = append(took, time.Since(began))
		contains(t, object, `"42/r0042.md"`, `"vectors": 1`, fmt.Sprintf(`"unchanged": %d`, documents-1))
	}
	w.end()
	t.Logf("a change among %d documents is indexed after %v", documents, took)
	if quickest := slices.Min(took); quickest > time.Second {
		t.Errorf("the quickest change is indexed after %s", quickest)
	}
	contains(t, s.want(0, "search", "-k", "1", "fee of 1004 EUR").out, "1004 EUR")
}

// watched is a running sync --watch.
type watched struct {
	t     *testing.T
	cmd   *exec.Cmd
	errs  *bytes.Buffer
	lines chan string
}

func (s *sandbox) watch(flags ...string) *watched {
	s.t.Helper()
	w := &watched{t: s.t, cmd: exec.CommandContext(s.t.Context(), binary, append([]string{"sync", "--watch"}, flags...)...), errs: &bytes.Buffer{}, lines: make(chan string)}
	w.cmd.Dir, w.cmd.Env, w.cmd.Stderr = s.dir, s.env, w.errs
	pipe, err := w.cmd.StdoutPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	go func() {
		defer close(w.lines)
		for in := bufio.NewScanner(pipe); in.Scan(); {
			w.lines <- in.Text()
		}
	}()
	return w
}

// line is what it says next.
func (w *watched) line(want string) string {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatalf("it ends and does not say %q; %s", want, w.errs.String())
		}
		return line
	case <-time.After(time.Minute):
		w.t.Fatalf("after a minute it has not said %q; %s", want, w.errs.String())
	}
	return ""
}

func (w *watched) says(want string) {
	w.t.Helper()
	if line := w.line(want); !strings.HasPrefix(line, want) {
		w.t.Fatalf("it says %q, not %q; %s", line, want, w.errs.String())
	}
}

// until gives what it says up to a line.
func (w *watched) until(last string) string {
	w.t.Helper()
	for text := ""; ; {
		line := w.line(last)
		if text += line + "\n"; line == last {
			return text
		}
	}
}

// end interrupts it, which is how it is meant to end.
func (w *watched) end() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	if line, more := <-w.lines; more {
		w.t.Errorf("in the end it says %q", line)
	}
	if err := w.cmd.Wait(); err != nil || w.errs.Len() > 0 {
		w.t.Errorf("interrupted, it ends with %v, %q", err, w.errs.String())
	}
}
