package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// binary is the command under test, built once.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "quarry")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "quarry")
		if runtime.GOOS == "windows" {
			binary += ".exe"
		}
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building quarry: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// sandbox is a folder of its own to run the command in, with a home and a cache
// beside it. Nothing else may be written.
type sandbox struct {
	t   *testing.T
	top string
	dir string
	env []string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	top := t.TempDir()
	s := &sandbox{t: t, top: top, dir: filepath.Join(top, "work")}
	for _, d := range []string{"work", "home", "cache"} {
		if err := os.Mkdir(filepath.Join(top, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home, cache := filepath.Join(top, "home"), filepath.Join(top, "cache")
	s.env = []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CACHE_HOME=" + cache, "LocalAppData=" + cache, "PATH=" + os.Getenv("PATH"),
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	return s
}

// write makes files below the working folder, "path", "content", ...
func (s *sandbox) write(files ...string) {
	s.t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(s.dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

type outcomeOf struct {
	code     int
	out, err string
}

func (s *sandbox) run(args ...string) outcomeOf {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		s.t.Fatalf("quarry %q: %v", args, err)
	}
	if n := strings.Count(errs.String(), "quarry: "); exit != nil && n == 0 {
		s.t.Errorf("quarry %q failed without a sentence", args)
	}
	return outcomeOf{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// want runs the command and fails the test unless it ends with the code.
func (s *sandbox) want(code int, args ...string) outcomeOf {
	s.t.Helper()
	r := s.run(args...)
	if r.code != code {
		s.t.Fatalf("quarry %q: exit code %d, not %d\n%s\n%s", args, r.code, code, r.out, r.err)
	}
	return r
}

// object runs the command with --json and decodes its one object.
func (s *sandbox) object(code int, args ...string) map[string]any {
	s.t.Helper()
	r := s.want(code, append([]string{args[0], "--json"}, args[1:]...)...)
	dec := json.NewDecoder(strings.NewReader(r.out))
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		s.t.Fatalf("quarry %q: %v in %s", args, err, r.out)
	}
	if dec.More() {
		s.t.Fatalf("quarry %q wrote more than one object", args)
	}
	return v
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q stands in:\n%s", p, text)
		}
	}
}

// The documents that most tests ask.
var office = []string{
	"office/policies/travel.md", "---\ntitle: Travel Policy\nauthority: 5\n---\n# Travel Policy\n\n## 3.1 Hotels\n\nThe hotel limit is EUR 140 per night.\n\n## 3.2 Trains\n\nStaff travel second class on every train.\n",
	"office/policies/parking.md", "# Parking\n\nA parking permit costs EUR 30 per month.\n",
	"office/notes.txt", "Lunch\n\nThe canteen opens at 11:30 on working days.\n",
	"office/pay/bonus.md", "---\nreaders: [group:hr]\n---\n# Bonus\n\nThe annual bonus budget is EUR 90000.\n",
	"office/old/travel-2020.md", "---\ntitle: Travel Policy 2020\neffective: {from: 2020-01-01, to: 2020-12-31}\n---\n# Travel Policy 2020\n\nThe hotel limit is EUR 95 per night.\n",
	"office/drafts/dogs.md", "---\nstatus: draft\n---\n# Dogs\n\nDogs are welcome in the garden office.\n",
	"office/regions/emea.md", "---\nregion: emea\n---\n# Holidays in EMEA\n\nThe summer holiday closure lasts two weeks.\n",
	"office/tenant/acme.md", "---\ntenant: acme\n---\n# Acme\n\nThe acme escalation number is 4711.\n",
	"office/picture.png", "\x89PNG\x00\x01",
}
