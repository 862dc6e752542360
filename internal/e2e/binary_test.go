package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
)

// binary is the command under test, built once.
var binary string

// childWork is the environment variable that makes the test binary do one thing
// instead of running tests: "verb argument". A process is compared with a process.
const childWork = "QUARRY_E2E_CHILD"

var children = map[string]func(argument string) error{"hash": hashFolder}

func TestMain(m *testing.M) {
	if work := os.Getenv(childWork); work != "" {
		verb, argument, _ := strings.Cut(work, " ")
		if err := children[verb](argument); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
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
	build := exec.Command("go", "build", "-o", binary, "../../cmd/quarry")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building quarry: %v\n%s", err, out)
		return 1
	}
	for _, at := range []string{dir, binary} { // some tests run it as another user, whatever the umask of who runs them
		if err := os.Chmod(at, 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return postgres.Main(m)
}

// sandbox is a folder of its own to run the command in, with a home and a cache
// beside it.
type sandbox struct {
	t   *testing.T
	dir string
	env []string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	top := t.TempDir()
	s := &sandbox{t: t, dir: filepath.Join(top, "work")}
	for _, d := range []string{"work", "home", "cache"} {
		s.must(os.Mkdir(filepath.Join(top, d), 0o755))
	}
	home, cache := filepath.Join(top, "home"), filepath.Join(top, "cache")
	s.env = []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CACHE_HOME=" + cache, "LocalAppData=" + cache,
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	return s
}

// words leaves out the embedding model: for tests of what does not hang on it, which
// would embed the same again and again.
func (s *sandbox) words() *sandbox {
	s.t.Helper()
	s.write("quarry.yaml", "embedding: {model: none}\n")
	return s
}

func (s *sandbox) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// path is a file below the working folder, by its slash path.
func (s *sandbox) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// write makes files below the working folder, "path", "content", ...
func (s *sandbox) write(files ...string) {
	s.t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := s.path(files[i])
		s.must(os.MkdirAll(filepath.Dir(name), 0o755))
		s.must(os.WriteFile(name, []byte(files[i+1]), 0o644))
	}
}

// command is one call of the command that is not started yet.
func (s *sandbox) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// result is what a call of the command gave.
type result struct {
	code     int
	out, err string
	state    *os.ProcessState
}

func (s *sandbox) run(args ...string) result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	return s.end(s.command(ctx, args...))
}

// end runs a command to its end.
func (s *sandbox) end(cmd *exec.Cmd) result {
	s.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() < 0 {
		s.t.Fatalf("%q: %v\n%s", cmd.Args, err, errs.String())
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String(), cmd.ProcessState}
}

// want runs the command and fails the test unless it ends with the code.
func (s *sandbox) want(code int, args ...string) result {
	s.t.Helper()
	r := s.run(args...)
	if r.code != code {
		s.t.Fatalf("quarry %.300q: exit code %d, not %d\n%s\n%s", args, r.code, code, r.out, r.err)
	}
	return r
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s: %q is missing in:\n%.2000s", what, p, text)
		}
	}
}

func lacks(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%s: %q stands in:\n%.4000s", what, p, text)
		}
	}
}
