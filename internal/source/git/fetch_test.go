package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestRetry has a program git whose fetches fail at first.
func TestRetry(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: a script cannot stand for git on Windows")
	}
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A"})
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says  string
		fails int
		tries int
		want  string // of the error; "" is none
	}{
		{"fatal: unable to access: Could not resolve host", 2, 3, ""},
		{"fatal: the remote end hung up unexpectedly", 9, 3, "the remote end hung up unexpectedly"},
		{"fatal: couldn't find remote ref x", 9, 1, "couldn't find remote ref x"},
		{"remote: Permission denied.", 9, 1, "Permission denied."},
	} {
		dir := t.TempDir()
		script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *' fetch '*) echo >> %[1]s/tries\nif [ $(wc -l < %[1]s/tries) -le %[2]d ]; then echo %[3]q >&2; exit 128; fi;; esac\nexec %[4]s \"$@\"\n", dir, c.fails, c.says, real)
		if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
		s := u.open("")
		clock := testkit.NewClock()
		s.options.Clock = clock
		began := clock.Now()
		_, err := s.List(t.Context())
		tries, _ := os.ReadFile(filepath.Join(dir, "tries"))
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) || len(tries) != c.tries {
			t.Errorf("%s: %v after %d tries", c.says, err, len(tries))
		}
		if waited := clock.Now().Sub(began); c.tries > 1 && waited < 700*time.Millisecond {
			t.Errorf("%s: it waited %s", c.says, waited)
		}
	}
}

// TestHelperHangs has a program git whose helper goes on when git is ended.
func TestHelperHangs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: a script cannot stand for git on Windows")
	}
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A"})
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *' fetch '*) sleep 30 & wait;; esac\nexec %s \"$@\"\n", real)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	s := u.open("")
	s.options.Clock, s.options.Timeout = testkit.NewClock(), 100*time.Millisecond
	began := time.Now()
	_, err = s.List(t.Context())
	if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "raise sources.git.timeout") || took > 20*time.Second {
		t.Errorf("after %s: %v", took, err)
	}
}

func FuzzTree(f *testing.F) {
	f.Add("100644 blob 0123 5\ta.md\x00120000 blob 4567 3\tlink\x00160000 commit 89ab -\tsub\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, out string) {
		files, err := parseTree(out)
		if err != nil {
			return
		}
		var back strings.Builder
		for _, f := range files {
			if f.size < 0 {
				t.Errorf("%s has %d bytes", f.path, f.size)
			}
			fmt.Fprintf(&back, "%s x %s %d\t%s\x00", f.mode, f.id, f.size, f.path)
		}
		again, err := parseTree(back.String())
		if err != nil || len(again) != len(files) {
			t.Errorf("%q: %v", out, err)
		}
	})
}
