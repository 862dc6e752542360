package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

var at = time.Date(2026, 3, 5, 23, 59, 58, 120_000_000, time.UTC)

func record(question string) quarry.AuditRecord {
	day, _ := document.ParseDay("2026-01-01")
	return quarry.AuditRecord{At: at, Call: "ask", Via: "quarry ask", Given: []string{"user:anna"},
		Scope: document.Scope{Tenant: "acme", Principals: []string{"user:anna", "group:hr"}, AsOf: day, Administrator: true,
			Where: map[string][]string{"region": {"emea"}}, Drafts: true, Sources: []string{"docs"}},
		About: question, Expected: "a.md#Fees", Quote: "the fee", Reader: []string{"group:legal"},
		Shown: []quarry.ShownRevision{{Document: document.ID{Source: "docs", Path: "a.md"}, Revision: "abc", Cited: true},
			{Document: document.ID{Source: "docs", Path: "b.md"}}}}
}

func logged(t *testing.T, o Options, records ...quarry.AuditRecord) string {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "audit")
	}
	l := New(o)
	for _, r := range records {
		if err := l.Record(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(o.Dir, "audit-2026-03-05.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLine(t *testing.T) {
	const want = `{"time":"2026-03-05T23:59:58.12Z","call":"ask","via":"quarry ask","tenant":"acme","principals":["user:anna"],"groups":["group:hr"],` +
		`"administrator":true,"as_of":"2026-01-01","where":{"region":["emea"]},"drafts":true,"sources":["docs"],"about":"What\nis it?",` +
		`"expected":"a.md#Fees","quote":"the fee","reader":["group:legal"],"shown":[{"source":"docs","document":"a.md","revision":"abc","cited":true},` +
		`{"source":"docs","document":"b.md"}]}` + "\n"
	if have := logged(t, Options{Sync: true}, record("What\nis it?")); have != want {
		t.Errorf("the line is\n%s, not\n%s", have, want)
	}
	least := logged(t, Options{}, quarry.AuditRecord{At: at, Call: "documents", Failed: true})
	if want := `{"time":"2026-03-05T23:59:58.12Z","call":"documents","tenant":"","failed":true,"shown":[]}` + "\n"; least != want {
		t.Errorf("the least line is %s, not %s", least, want)
	}
}

func TestRedaction(t *testing.T) {
	words := []string{"salary of Eve", "a.md#Fees", "the fee"}
	people := []string{"user:anna", "group:hr", "group:legal"}
	for _, c := range []struct {
		questions, principals string
	}{{Kept, Kept}, {"", ""}, {Hash, Kept}, {Kept, Hash}, {None, Hash}, {Hash, None}, {None, None}} {
		have := logged(t, Options{Questions: c.questions, Principals: c.principals}, record("salary of Eve"))
		check := func(how string, texts []string) {
			for _, text := range texts {
				if kept := how == Kept || how == ""; strings.Contains(have, text) != kept {
					t.Errorf("questions %q, principals %q: %q in %s", c.questions, c.principals, text, have)
				}
			}
		}
		check(c.questions, words)
		check(c.principals, people)
		if hashed := strings.Contains(have, "hmac:"); hashed != (c.questions == Hash || c.principals == Hash) {
			t.Errorf("%+v: %s", c, have)
		}
		if !strings.Contains(have, `"document":"a.md"`) || !strings.Contains(have, `"administrator":true`) {
			t.Errorf("what was shown, and to whom as what, is redacted: %s", have)
		}
	}
}

// Equal questions have equal hashes in one log, whichever process writes, and others in
// another log.
func TestHashes(t *testing.T) {
	about := func(dir, question string) string {
		var e entry
		lines := strings.Split(strings.TrimSpace(logged(t, Options{Dir: dir, Questions: Hash}, record(question))), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil {
			t.Fatal(err)
		}
		return e.About
	}
	one, two := t.TempDir(), t.TempDir()
	first := about(one, "a")
	if about(one, "a") != first || about(one, "b") == first || about(two, "a") == first {
		t.Error("hashes do not tell questions apart as they should")
	}
	if info, err := os.Stat(filepath.Join(one, ".key")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info, err)
	}
	if err := os.WriteFile(filepath.Join(one, ".key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(Options{Dir: one, Questions: Hash}).Check(); err == nil || !strings.Contains(err.Error(), "is no key") {
		t.Errorf("a damaged key: %v", err)
	}
}

func TestRetention(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"audit-2026-02-26.jsonl", "audit-2026-02-27.jsonl", "audit-2026-03-04.jsonl", "audit-2025-01-01.jsonl", "audit-2020-13-01.jsonl",
		"notes.txt", "audit-2019-01-01.jsonl.bak", "my-audit-2019-01-01.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	logged(t, Options{Dir: dir, Days: 6}, record("q"))
	entries, _ := os.ReadDir(dir)
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if want := ".lock audit-2019-01-01.jsonl.bak audit-2020-13-01.jsonl audit-2026-02-27.jsonl audit-2026-03-04.jsonl audit-2026-03-05.jsonl my-audit-2019-01-01.jsonl notes.txt"; strings.Join(have, " ") != want {
		t.Errorf("what is kept: %s, not %s", have, want)
	}
}

// What a killed process left of a line spoils no other.
func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	logged(t, Options{Dir: dir}, record("one"))
	name := filepath.Join(dir, "audit-2026-03-05.jsonl")
	data, _ := os.ReadFile(name)
	if err := os.WriteFile(name, append(data, data[:40]...), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(logged(t, Options{Dir: dir}, record("two")), "\n")
	if len(lines) != 4 || !json.Valid([]byte(lines[0])) || !json.Valid([]byte(lines[2])) || !strings.Contains(lines[2], "two") {
		t.Errorf("%q", lines)
	}
}

func TestBounds(t *testing.T) {
	r := record("q")
	r.About, r.Quote = strings.Repeat("ä", maxText), strings.Repeat("q", maxText) // the one is longer by half
	r.Shown = make([]quarry.ShownRevision, maxShown+5)
	r.Scope.Principals = append(r.Given, make([]string, maxPrincipals+2)...)
	for i := range r.Scope.Principals[1:] {
		r.Scope.Principals[i+1] = fmt.Sprint("group:", i)
	}
	var e entry
	if err := json.Unmarshal([]byte(logged(t, Options{}, r)), &e); err != nil {
		t.Fatal(err)
	}
	if len(e.Shown) != maxShown || e.MoreShown != 5 || len(e.Groups) != maxPrincipals || e.MoreGroups != 2 {
		t.Errorf("%d shown and %d more, %d groups and %d more", len(e.Shown), e.MoreShown, len(e.Groups), e.MoreGroups)
	}
	if e.About != strings.Repeat("ä", maxText/2)+"…" || e.Quote != r.Quote {
		t.Errorf("a question is kept in %d bytes, a quote in %d", len(e.About), len(e.Quote))
	}
}

func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := New(Options{Dir: filepath.Join(file, "audit")})
	for _, err := range []error{l.Check(), l.Record(t.Context(), record("q"))} {
		if err == nil || !strings.Contains(err.Error(), "audit.folder") {
			t.Errorf("%v", err)
		}
	}
}

// Several processes and goroutines append at once: every line is whole, and none is lost.
func TestProcesses(t *testing.T) {
	const each, goroutines = 40, 4
	write := func(dir, who string) error {
		l := New(Options{Dir: dir, Questions: Hash, Principals: Kept})
		var group sync.WaitGroup
		errs := make(chan error, goroutines)
		for g := range goroutines {
			group.Go(func() {
				for i := range each {
					r := record("q")
					r.Via = fmt.Sprint(who, " ", g, " ", i)
					if err := l.Record(t.Context(), r); err != nil {
						errs <- err
						return
					}
				}
			})
		}
		group.Wait()
		close(errs)
		return <-errs
	}
	if dir := os.Getenv("QUARRY_AUDIT_CHILD"); dir != "" {
		if err := write(dir, fmt.Sprint(os.Getpid())); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			child := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
			child.Env = append(os.Environ(), "QUARRY_AUDIT_CHILD="+dir)
			if out, err := child.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	if err := write(dir, "here"); err != nil {
		t.Error(err)
	}
	group.Wait()
	data, err := os.ReadFile(filepath.Join(dir, "audit-2026-03-05.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	seen, hashes := map[string]bool{}, map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || seen[e.Via] {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		seen[e.Via], hashes[e.About] = true, true
	}
	if len(seen) != 3*each*goroutines || len(hashes) != 1 {
		t.Errorf("%d lines of %d, %d hashes of one question", len(seen), 3*each*goroutines, len(hashes))
	}
}
