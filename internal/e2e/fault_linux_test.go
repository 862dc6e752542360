package e2e

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

// faultCalls are the system calls by which something comes to the disk, or gets
// another name there.
var faultCalls = []string{"pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "renameat", "renameat2", "unlink", "unlinkat"}

// faults are what becomes of the n-th of them: the disk is full from there on, or it
// fails once, or the process is killed before it.
var faults = []struct{ name, inject string }{
	{"full", "error=ENOSPC:when=%d+"},
	{"failing", "error=EIO:when=%d"},
	{"killed", "signal=KILL:when=%d"},
}

// faultCase is a command, what stands in the folder before it, and what it changes.
type faultCase struct {
	name string
	args []string
	// set makes the folder as it is before; it is called once and kept.
	set func(s *sandbox)
	// changes is the store whose state is the old or the new one after; the other, if
	// there is one, stays as it was.
	changes, keeps string
	add            []string // the add that brings all to one state, for {"add", "docs"}
}

var faultCases = []faultCase{
	{"add", []string{"add", "docs"}, func(*sandbox) {}, "quarry.db", "", nil},
	{"change", []string{"add", "docs"}, earlier, "quarry.db", "", nil},
	{"remove", []string{"remove", "one.md"}, current, "quarry.db", "", nil},
	{"backup", []string{"backup", "backup.db"}, backedUp, "backup.db", "quarry.db", nil},
	{"restore", []string{"restore", "backup.db"}, backedUp, "quarry.db", "backup.db", nil},
	{"migrate", []string{"add", "docs", "--name", "more"}, formerFormat, "quarry.db", "", []string{"add", "docs", "--name", "more"}},
	{"repair", []string{"doctor", "--repair"}, func(s *sandbox) { current(s); s.damageIndex() }, "quarry.db", "", nil},
}

var faultDocuments = []string{
	"docs/one.md", "# One\n\nThe deposit of ONE-1 is EUR 10.\n\n## Terms\n\nIt is returned after a year.\n",
	"docs/two.md", "# Two\n\nThe deposit of TWO-2 is EUR 20.\n",
	"docs/three.txt", "The canteen opens at 11:30.\n",
}

func current(s *sandbox) { s.want(0, "add", "docs") }

// earlier is a store of the documents as they were before.
func earlier(s *sandbox) {
	s.write("docs/one.md", "# One\n\nThe deposit of ONE-1 is EUR 9.\n", "docs/gone.md", "# Gone\n\nThis rule is gone.\n")
	s.must(os.Remove(s.path("docs/three.txt")))
	s.want(0, "add", "docs")
	s.must(os.Remove(s.path("docs/gone.md")))
	s.write(faultDocuments...)
}

// backedUp is a store with a backup of an earlier state.
func backedUp(s *sandbox) {
	earlier(s)
	s.want(0, "backup", "backup.db")
	s.want(0, "add", "docs")
}

// formerFormat is a store that an older version wrote.
func formerFormat(s *sandbox) {
	packed, err := os.Open("../../store/local/testdata/format3.db.gz")
	s.must(err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	s.must(err)
	data, err := io.ReadAll(unpacked)
	s.must(err)
	s.must(os.WriteFile(s.path("quarry.db"), data, 0o644))
}

// damageIndex flips a byte near the end of what the index says of a term.
func (s *sandbox) damageIndex() {
	data, err := os.ReadFile(s.path("quarry.db"))
	s.must(err)
	at := bytes.LastIndex(data, []byte("canteen"))
	if at < 0 || bytes.Count(data, []byte("canteen")) < 2 {
		s.t.Fatal("the index holds no term to damage")
	}
	data[at] ^= 1
	s.must(os.WriteFile(s.path("quarry.db"), data, 0o644))
}

// TestFaults runs the real command with a fault at each of its writes, syncs,
// truncations, renames and removals: afterwards each store is in its old state or the new
// one, of whole documents, the doctor finds nothing wrong, and one more add brings
// it to what an add gives that nothing disturbs.
func TestFaults(t *testing.T) {
	if out, err := exec.Command("strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO:when=1", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: faults at system calls need strace and the right to trace: %v %s", err, out)
	}
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

func (c faultCase) run(t *testing.T) {
	s := newSandbox(t).words()
	s.env = append(s.env, "GOMAXPROCS=1") // calls are counted by thread
	s.write(faultDocuments...)
	c.set(s)
	if c.add == nil {
		c.add = []string{"add", "docs"}
	}
	before := s.stores()
	old := c.states(s)

	log, clear := s.traced(nil, c.args...)
	calls := strings.Count(log, "\n")
	if clear.code != 0 {
		t.Fatalf("without a fault: exit code %d, %s", clear.code, clear.err)
	}
	done := c.states(s)
	if c.name != "repair" && fmt.Sprint(old) == fmt.Sprint(done) {
		t.Fatal("the command changes nothing")
	}
	s.want(0, c.add...)
	clean := mustSnapshot(t, s.path("quarry.db"))

	for _, f := range faults {
		var points [][2]string
		for _, call := range faultCalls {
			for n := range strings.Count(log, call+"(") {
				points = append(points, [2]string{call, fmt.Sprintf("inject="+call+":"+f.inject, n+1)})
			}
		}
		all := len(points)
		points = spread(points)
		hit := map[int]bool{}
		for _, p := range points {
			s.putStores(before)
			options := []string{"-e", p[1]}
			if f.name != "killed" { // strace sends no signal from a filter in the kernel
				options = append(options, "--seccomp-bpf")
			}
			log, r := s.traced(options, c.args...)
			at := faultAt(log)
			if at == 0 {
				continue // the thread made fewer calls
			}
			hit[at] = true
			where := fmt.Sprintf("%s at call %d (%s)", f.name, at, p[1])
			if f.name != "killed" {
				if r.code != 0 && r.code != 1 {
					t.Errorf("%s: exit code %d, %s", where, r.code, r.err)
				}
				if p[0] != "write" { // or standard error fails too
					one(t, where, r)
				}
			}
			c.check(s, where, r.code, old, done)
			if f.name != "killed" && !strings.HasPrefix(p[0], "unlink") {
				if left, _ := filepath.Glob(s.path("*.partial*")); len(left) > 0 {
					t.Errorf("%s: it left %v behind", where, left)
				}
			}
			s.want(0, c.add...)
			if err := mustSnapshot(t, s.path("quarry.db")).same(clean); err != nil {
				t.Errorf("%s, one more add: %v", where, err)
			}
		}
		t.Logf("%s: %d of %d points tried, which met %d of about %d calls", f.name, len(points), all, len(hit), calls)
		if len(hit) == 0 {
			t.Errorf("%s: no call was met", f.name)
		}
	}
}

// spread takes a few points of all, far apart, unless every one is asked for.
func spread[T any](points []T) []T {
	want := 8
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		return points
	case testing.Short():
		want = 2
	}
	var out []T
	for i := range want {
		out = append(out, points[(2*i+1)*len(points)/(2*want)])
	}
	return out
}

// states is what the stores hold.
func (c faultCase) states(s *sandbox) map[string]snapshot {
	s.t.Helper()
	out := map[string]snapshot{}
	for _, name := range []string{c.changes, c.keeps} {
		if name == "" {
			continue
		}
		have, err := snapshotOf(s.t.Context(), s.path(name))
		if errors.Is(err, standard.ErrNoStore) {
			have.found = make([][]quarry.Candidate, len(snapshotQuestions))
		} else if err != nil {
			s.t.Fatal(err)
		}
		out[name] = have
	}
	return out
}

func (c faultCase) check(s *sandbox, where string, code int, old, done map[string]snapshot) {
	s.t.Helper()
	for name, have := range c.states(s) {
		wasOld, isNew := have.same(old[name]), have.same(done[name])
		switch {
		case name == c.keeps && wasOld != nil:
			s.t.Errorf("%s: %s has changed: %v", where, name, wasOld)
		case wasOld != nil && isNew != nil:
			s.t.Errorf("%s: %s is in neither state: %v; %v", where, name, wasOld, isNew)
		case code == 0 && isNew != nil:
			s.t.Errorf("%s: it is said to be done, and %s is not: %v", where, name, isNew)
		}
		damage, err := standard.Inspect(s.t.Context(), s.path(name))
		if errors.Is(err, standard.ErrNoStore) {
			continue
		}
		if err != nil || len(damage) > 0 && (c.name != "repair" || code == 0) {
			s.t.Errorf("%s: the doctor finds in %s %v, %v", where, name, damage, err)
		}
		if slices.ContainsFunc(damage, func(d store.Damage) bool { return d.Lost }) {
			s.t.Errorf("%s: lost: %v", where, damage)
		}
	}
}

// traced runs the command under strace and returns its calls, one a line, and what
// it gave; the exit code is -1 where it was killed.
func (s *sandbox) traced(options []string, args ...string) (log string, r result) {
	s.t.Helper()
	file := filepath.Join(filepath.Dir(s.dir), "calls")
	line := append([]string{"-f", "-q", "-o", file, "-e", "signal=KILL", "-e", "trace=" + strings.Join(faultCalls, ",")}, options...)
	cmd := exec.CommandContext(s.t.Context(), "strace", append(append(line, binary), args...)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	s.must(err)
	var calls strings.Builder
	for call := range strings.Lines(string(data)) {
		if strings.Contains(call, "(") || strings.Contains(call, "+++ killed") {
			calls.WriteString(call)
		}
	}
	return calls.String(), result{code: cmd.ProcessState.ExitCode(), err: errs.String()}
}

// faultAt is the number of the call that met the fault, 0 for none.
func faultAt(log string) int {
	n := 0
	for call := range strings.Lines(log) {
		if strings.Contains(call, "+++ killed") {
			return n
		}
		if n++; strings.Contains(call, "(INJECTED)") {
			return n
		}
	}
	return 0
}

// stores are the files of stores in the folder, by name.
func (s *sandbox) stores() map[string][]byte {
	s.t.Helper()
	out := map[string][]byte{}
	for _, pattern := range []string{"quarry.db*", "backup.db*"} {
		files, err := filepath.Glob(s.path(pattern))
		s.must(err)
		for _, f := range files {
			data, err := os.ReadFile(f)
			s.must(err)
			out[f] = data
		}
	}
	return out
}

func (s *sandbox) putStores(files map[string][]byte) {
	s.t.Helper()
	for f := range s.stores() {
		s.must(os.Remove(f))
	}
	for f, data := range files {
		s.must(os.WriteFile(f, data, 0o644))
	}
}
