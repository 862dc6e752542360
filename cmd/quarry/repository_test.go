package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestRepository adds a repository and keeps up with it.
func TestRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: reading repositories: it needs git")
	}
	s := newSandbox(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir, cmd.Env = filepath.Join(s.dir, "rules"), s.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	commit := func() { t.Helper(); git("add", "--all"); git("commit", "--quiet", "--message=x") }
	// A sidecar above the store is none of the repository's.
	s.write("quarry.yaml", "embedding:\n  model: none\n", "_meta.yaml", "readers: [user:ann]\n",
		"rules/fee.md", "# Fee\n\nThe fee is 5 EUR.\n", "rules/closed/pay.md", "# Pay\n\nThe pay is 7 EUR.\n", "rules/closed/_meta.yaml", "readers: [user:ann]\n")
	git("init", "--quiet")
	commit()
	at := "git+file://" + filepath.ToSlash(filepath.Join(s.dir, "rules"))
	contains(t, s.want(0, "add", at).out, "rules: 2 added")
	contains(t, s.want(0, "ask", "What is the fee?").out, "The fee is 5 EUR.", "fee.md")
	if out := s.want(0, "search", "pay").out; out == s.want(0, "search", "--as", "user:ann", "pay").out {
		t.Errorf("what a sidecar of the repository closes is open: %s", out)
	}

	s.write("rules/fee.md", "# Fee\n\nThe fee is 6 EUR.\n")
	contains(t, s.want(0, "sync").out, "rules: 0 added, 0 changed, 0 removed, 2 unchanged") // it is not committed
	commit()
	contains(t, s.want(0, "sync").out, "rules: 0 added, 1 changed, 0 removed, 1 unchanged")
	if err := os.RemoveAll(filepath.Join(s.dir, "rules")); err != nil {
		t.Fatal(err)
	}
	contains(t, s.want(1, "sync").err, "rules: repository "+at)
	contains(t, s.want(0, "ask", "What is the fee?").out, "The fee is 6 EUR.")
}

// TestRepositoryPast asks about a day before the repository was added.
func TestRepositoryPast(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: reading repositories: it needs git")
	}
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding:\n  model: none\nsources:\n  git: {commits: 50}\n")
	for i, day := range []string{"2024-01-01", "2025-01-01", "2026-01-01"} {
		s.write("rules/fee.md", fmt.Sprintf("# Fee\n\nThe fee is %d EUR.\n", 5+i))
		for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=x"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Env = filepath.Join(s.dir, "rules"), append(s.env, "GIT_COMMITTER_DATE="+day+"T12:00:00Z")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v, %s", args, err, out)
			}
		}
	}
	contains(t, s.want(0, "add", "git+file://"+filepath.ToSlash(filepath.Join(s.dir, "rules"))).out, "rules: 1 added")
	for day, fee := range map[string]string{"2024-06-01": "5 EUR", "2025-06-01": "6 EUR", "2026-01-01": "7 EUR"} {
		contains(t, s.want(0, "ask", "--as-of", day, "What is the fee?").out, "The fee is "+fee, "inferred from Git history")
	}
	contains(t, s.want(0, "ask", "What was the fee at the end of 2025?").out, "As of 2025-12-31", "The fee is 6 EUR", "in force 2025-01-01 to 2025-12-31, inferred from Git history")
	contains(t, s.want(0, "ask", "What was the fee at the end of 2020?").out, "do not say what was in force then", "Not found")
	contains(t, s.want(0, "docs").out, "from 2026-01-01, inferred")
	contains(t, s.want(0, "sync").out, "rules: 0 added, 0 changed, 0 removed, 1 unchanged")
}
