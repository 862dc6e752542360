package git

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct{ root, want, bad string }{
		{root: "git+https://example.org/rules.git", want: "git+https://example.org/rules.git"},
		{root: "git+https://example.org/rules.git#v1.2", want: "git+https://example.org/rules.git#v1.2"},
		{root: "git+https://example.org/rules.git#HEAD", want: "git+https://example.org/rules.git"},
		{root: "git+ssh://git@example.org:2222/a/b#feature/x", want: "git+ssh://git@example.org:2222/a/b#feature/x"},
		{root: "git+file:///srv/rules.git#0123abc", want: "git+file:///srv/rules.git#0123abc"},
		{root: "https://example.org/rules.git", bad: "no address of a repository"},
		{root: "git+ext::sh -c touch% /tmp/x", bad: `its kind is "ext"`},
		{root: "git+ext://sh", bad: `its kind is "ext"`},
		{root: "git+http://example.org/x", bad: `its kind is "http"`},
		{root: "git+git://example.org/x", bad: `its kind is "git"`},
		{root: "git+file://host/x", bad: "no folder of this machine"},
		{root: "git+file:x", bad: "no folder of this machine"},
		{root: "git+https://me:secret@example.org/x", bad: "user or password"},
		{root: "git+https://token@example.org/x", bad: "user or password"},
		{root: "git+ssh://-oProxyCommand=x/y", bad: "looks like an option"},
		{root: "git+ssh://-oProxyCommand=x@h/y", bad: "looks like an option"},
		{root: "git+https:///x", bad: "names no host"},
		{root: "git+https://example.org/x?a=b", bad: "parameters"},
		{root: "git+https://example.org/x#--upload-pack=touch", bad: "no ref"},
		{root: "git+https://example.org/x#a..b", bad: "no ref"},
		{root: "git+https://example.org/x#main:refs/heads/x", bad: "no ref"},
		{root: "git+https://example.org/x#HEAD^{/x}", bad: "no ref"},
		{root: "git+https://example.org/x#a b", bad: "no ref"},
		{root: "git+https://example.org/x#@", bad: "no ref"},
		{root: "git+https://example.org/x#a//b", bad: "no ref"},
	} {
		s, err := Open(c.root, Options{})
		switch {
		case c.bad != "":
			if err == nil || !strings.Contains(err.Error(), c.bad) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v, not %q", c.root, err, c.bad)
			}
		case err != nil || s.Root() != c.want:
			t.Errorf("%s: %v", c.root, err)
		}
	}
}

// upstream is a repository that a test writes.
type upstream struct {
	t   *testing.T
	dir string
	day string // of commits
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: reading repositories: it needs git")
	}
	u := &upstream{t, filepath.Join(t.TempDir(), "rules"), "2024-01-01"}
	if err := os.Mkdir(u.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	u.git("init", "--quiet", "--initial-branch=main")
	return u
}

func (u *upstream) git(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = u.dir
	cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+u.day+"T12:00:00Z", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		u.t.Fatalf("git %q: %v, %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes files, "" takes one away, and commits.
func (u *upstream) write(files map[string]string) {
	u.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) { // a file comes before what a folder of its name holds
		path := filepath.Join(u.dir, filepath.FromSlash(name))
		err := os.RemoveAll(path)
		if err == nil && files[name] != "" {
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, []byte(files[name]), 0o644)
			}
		}
		if err != nil {
			u.t.Fatal(err)
		}
	}
	u.git("add", "--all")
	u.git("commit", "--quiet", "--message=x")
}

func (u *upstream) open(ref string) *Repository {
	u.t.Helper()
	s, err := Open("git+file://"+u.dir+ref, Options{Dir: u.t.TempDir(), MaxBytes: 1000, Commits: 1, Timeout: time.Minute})
	if err != nil {
		u.t.Fatal(err)
	}
	return s
}

// holds lists and compares what reading gives.
func holds(t *testing.T, s *Repository, want map[string]string) source.Listing {
	t.Helper()
	l, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, it := range l.Items {
		o, err := it.Read(t.Context())
		have[it.Path] = string(o.Bytes)
		for _, m := range o.Sidecars {
			have[it.Path] += " with " + m.Name
		}
		if err != nil {
			have[it.Path] = "error: " + err.Error()
		}
	}
	if len(have) != len(want) {
		t.Errorf("it holds %q", have)
	}
	for path, text := range want {
		if have[path] != text {
			t.Errorf("%s is %q, not %q", path, have[path], text)
		}
	}
	return l
}

func TestRepository(t *testing.T) {
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A", "deep/er/b.md": "B", "deep/_meta.yaml": "readers: [user:ann]\n", "huge.md": strings.Repeat("x", 1001), ".github/c.md": "C"})
	u.git("tag", "v1")
	s := u.open("")
	first := map[string]string{"a.md": "A", "deep/er/b.md": "B with deep/_meta.yaml",
		"huge.md": "error: 1001 bytes is more than the limit of 1000: raise limits.document_bytes to index it: too large"}
	holds(t, s, first)
	holds(t, s, first)

	u.write(map[string]string{"a.md": "", "a.md/now/a/folder.md": "F", "deep/er/b.md": "B2", "huge.md": "small", "deep/_meta.yaml": ""})
	l := holds(t, s, map[string]string{"a.md/now/a/folder.md": "F", "deep/er/b.md": "B2", "huge.md": "small"})
	if !l.Complete {
		t.Error("it is not called complete")
	}
	holds(t, u.open("#v1"), first)
	holds(t, u.open("#main"), map[string]string{"a.md/now/a/folder.md": "F", "deep/er/b.md": "B2", "huge.md": "small"})
	holds(t, u.open("#"+u.git("rev-parse", "v1")), first)

	// Another history in its place is followed.
	u.git("checkout", "--quiet", "--orphan", "other")
	u.git("rm", "-rfq", ".")
	u.write(map[string]string{"c.md": "C"})
	u.git("branch", "--force", "main", "other")
	holds(t, s, map[string]string{"c.md": "C"})

	// A copy that was damaged is written anew.
	if err := os.WriteFile(filepath.Join(s.options.Dir, "data", "c.md"), []byte("X"), 0o600); err != nil {
		t.Fatal(err)
	}
	holds(t, s, map[string]string{"c.md": "C"})
}

// What cannot be fetched is an error, so that nothing is removed.
func TestNotFetched(t *testing.T) {
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A"})
	if _, err := u.open("#nowhere").List(t.Context()); err == nil || !strings.Contains(err.Error(), "couldn't find remote ref nowhere") {
		t.Errorf("a ref that is not there: %v", err)
	}
	s := u.open("")
	if err := os.RemoveAll(u.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context()); err == nil || strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("a repository that is not there: %v", err)
	}
}

// What a tree may hold that is no file of ours, put there without git's own checks.
func TestHostileTree(t *testing.T) {
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A"})
	blob := u.git("rev-parse", "HEAD:a.md")
	commit := u.git("rev-parse", "HEAD")
	for _, entry := range []string{"120000," + blob + ",link.md", "160000," + commit + ",sub"} {
		u.git("update-index", "--add", "--cacheinfo", entry)
	}
	u.git("commit", "--quiet", "--message=x")
	l := holds(t, u.open(""), map[string]string{"a.md": "A"})
	for _, want := range []source.Skipped{{Path: "link.md", Reason: "a symbolic link, not followed"}, {Path: "sub", Reason: "a submodule, not followed"}} {
		found := false
		for _, s := range l.Skipped {
			found = found || s == want
		}
		if !found {
			t.Errorf("the report lacks %v: %v", want, l.Skipped)
		}
	}
	// A sidecar that is a link may close what it is for.
	u.git("update-index", "--add", "--cacheinfo", "120000,"+blob+",deep/_meta.yaml")
	u.git("commit", "--quiet", "--message=x")
	if _, err := u.open("").List(t.Context()); err == nil || !strings.Contains(err.Error(), "the sidecar deep/_meta.yaml is not read") {
		t.Errorf("a sidecar that is a link: %v", err)
	}

	// Names that lead outside: git refuses to take them over.
	for _, name := range []string{"..", ".git"} {
		u := newUpstream(t)
		u.write(map[string]string{"a.md": "A"})
		cmd := exec.Command("git", "mktree")
		cmd.Dir, cmd.Stdin = u.dir, strings.NewReader(fmt.Sprintf("040000 tree %s\t%s\n", u.git("rev-parse", "HEAD^{tree}"), name))
		tree, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		u.git("update-ref", "refs/heads/main", u.git("commit-tree", "-m", "x", string(bytes.TrimSpace(tree))))
		s := u.open("")
		if l, err := s.List(t.Context()); err == nil {
			t.Errorf("a folder %s: %v", name, l.Items)
		}
		if _, err := os.Stat(filepath.Join(s.options.Dir, "a.md")); err == nil {
			t.Errorf("a folder %s is written outside", name)
		}
	}
}

// Nothing that a repository, its user's configuration or the environment names is run.
func TestNothingIsRun(t *testing.T) {
	u := newUpstream(t)
	u.write(map[string]string{"a.md": "A", ".gitattributes": "* filter=x\n"})
	home := t.TempDir()
	ran := filepath.Join(home, "ran")
	script := filepath.Join(home, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >> "+ran+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := "[core]\n\tfsmonitor = " + script + "\n\thooksPath = " + home + "\n\tsshCommand = " + script + "\n\tpager = " + script +
		"\n[uploadpack]\n\tpackObjectsHook = " + script + "\n[filter \"x\"]\n\tsmudge = " + script + "\n[credential]\n\thelper = " + script +
		"\n[url \"ext::" + script + "\"]\n\tinsteadOf = file://\n[alias]\n\tfetch = !" + script + "\n"
	for _, hook := range []string{"reference-transaction", "post-checkout", "pre-auto-gc"} {
		for _, dir := range []string{home, filepath.Join(u.dir, ".git", "hooks")} {
			if err := errors.Join(os.MkdirAll(dir, 0o755), os.Link(script, filepath.Join(dir, hook))); err != nil {
				t.Fatal(err)
			}
		}
	}
	own, err := os.ReadFile(filepath.Join(u.dir, ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	remote := strings.ReplaceAll(config, "insteadOf", "pushInsteadOf")
	if err := errors.Join(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644),
		os.WriteFile(filepath.Join(u.dir, ".git", "config"), append(own, remote...), 0o644)); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_SSH_COMMAND": script, "GIT_SSH": script, "GIT_ASKPASS": script, "SSH_ASKPASS": script,
		"GIT_PROXY_COMMAND": script, "GIT_EXTERNAL_DIFF": script, "GIT_EXEC_PATH": home, "GIT_TEMPLATE_DIR": home, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": home} {
		t.Setenv(name, value)
	}
	holds(t, u.open(""), map[string]string{"a.md": "A"})
	if log, err := os.ReadFile(ran); err == nil {
		t.Errorf("it was run: %s", log)
	}
}

// No repository is fetched from an address that is not public, and none by a redirect.
func TestPrivateAddress(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: reading repositories: it needs git")
	}
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"git+https://127.0.0.1:" + port + "/x.git", "git+https://localhost:" + port + "/x.git", "git+ssh://localhost:" + port + "/x.git", "git+https://[::1]:" + port + "/x.git"} {
		s, err := Open(root, Options{Dir: t.TempDir(), MaxBytes: 1000, Commits: 1, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.List(t.Context()); !errors.Is(err, remote.ErrPrivate) {
			t.Errorf("%s: %v", root, err)
		}
	}
	if reached {
		t.Error("the server was reached")
	}
}
