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

	year := 2000
	withinASecond(t, func() {
		year++
		s.place("docs/a.md", fmt.Sprintf("# A\n\nThe lamp of year %d is green.\n", year))
		w.says("docs: 0 added, 1 changed, 0 removed, 0 unchanged")
	})
	contains(t, s.want(0, "search", "lamp").out, fmt.Sprintf("year %d", year))

	s.place("docs/new/deep/b.md", "# B\n\nThe door is blue.\n")
	w.says("docs: 1 added, 0 changed, 0 removed, 1 unchanged")
	s.place("docs/new/deep/c.md", "# C\n\nThe roof is flat.\n") // in a folder that was not there at first
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
	fee := 1000
	withinASecond(t, func() {
		fee++
		s.place("docs/42/r0042.md", text(42, fee))
		contains(t, w.until("}"), `"42/r0042.md"`, `"vectors": 1`, fmt.Sprintf(`"unchanged": %d`, documents-1))
	})
	w.end()
	contains(t, s.want(0, "search", "-k", "1", fmt.Sprintf("fee of %d EUR", fee)).out, fmt.Sprintf("%d EUR", fee))
}

// withinASecond makes a change and waits until it is indexed, five times, and more often until it
// has once taken no longer than a second: other work on the machine only adds.
func withinASecond(t *testing.T, change func()) {
	t.Helper()
	var took []time.Duration
	for len(took) < 5 || slices.Min(took) > time.Second && len(took) < 30 {
		began := time.Now()
		change()
		took = append(took, time.Since(began))
	}
	t.Logf("a change is indexed after %v", took)
	if quickest := slices.Min(took); quickest > time.Second {
		t.Errorf("the quickest change is indexed after %s", quickest)
	}
}

// place puts a file below the working folder at once: of one that is written where it is watched, on
// a busy machine a sync may read the first half.
func (s *sandbox) place(name, content string) {
	s.t.Helper()
	s.write("placed", content)
	to := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(s.dir, "placed"), to); err != nil {
		s.t.Fatal(err)
	}
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
