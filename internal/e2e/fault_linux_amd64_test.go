package e2e

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

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
	{"rename", []string{"add", "docs"}, renamed, "quarry.db", "", nil},
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

// renamed is a store of the documents under other paths, one of which changes as well.
func renamed(s *sandbox) {
	s.want(0, "add", "docs")
	s.must(os.Rename(s.path("docs/one.md"), s.path("docs/first.md")))
	s.must(os.Rename(s.path("docs/two.md"), s.path("docs/second.md")))
	s.write("docs/second.md", "# Two\n\nThe deposit of TWO-2 is EUR 21.\n")
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
	t.Parallel()
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "rename" && os.Getenv("QUARRY_LONG") == "" {
				t.Skip("SKIPPED: QUARRY_LONG=1 tries faults while documents are renamed, which one change does like others")
			}
			c.run(t)
		})
	}
}

func (c faultCase) run(t *testing.T) {
	s := newSandbox(t).words()
	s.write(faultDocuments...)
	c.set(s)
	if c.add == nil {
		c.add = []string{"add", "docs"}
	}
	before := s.stores()
	old := c.states(s)

	whole, clear := s.traced(fault{}, 0, c.args...)
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
		t.Run(f.name, func(t *testing.T) {
			s.t = t
			tried := spread(whole.calls)
			met := 0
			for _, at := range tried {
				s.putStores(before)
				p, r := s.traced(f, at, c.args...)
				if p.met == 0 {
					continue // this time it made fewer
				}
				met++
				where := fmt.Sprintf("at call %d, number %d", at, p.met-1)
				if f.errno != 0 {
					c.said(s, where, p, r)
				}
				c.check(s, where, r.code, old, done)
				s.want(0, c.add...)
				if err := mustSnapshot(t, s.path("quarry.db")).same(clean); err != nil {
					t.Errorf("%s, one more add: %v", where, err)
				}
			}
			t.Logf("%d of %d calls met it", met, whole.calls)
			if met < len(tried)*9/10 {
				t.Errorf("%d calls were to meet it", len(tried))
			}
		})
	}
}

// said checks what a command that met a failing call gives, and that it clears up
// after itself unless it was the clearing up that failed.
func (c faultCase) said(s *sandbox, where string, p *tracee, r result) {
	s.t.Helper()
	if r.code != 0 && r.code != 1 {
		s.t.Errorf("%s: exit code %d, %s", where, r.code, r.err)
	}
	one(s.t, where, r)
	if left, _ := filepath.Glob(s.path("*.partial*")); len(left) > 0 && !p.metBy(syscall.SYS_UNLINK, syscall.SYS_UNLINKAT) {
		s.t.Errorf("%s: it left %v behind", where, left)
	}
}

// spread takes a few of n calls, far apart, unless every one is asked for.
func spread(n int) []int {
	want := 8
	switch {
	case os.Getenv("QUARRY_LONG") != "":
		want = n
	case testing.Short():
		want = 2
	}
	var out []int
	for i := range want {
		out = append(out, 1+(2*i+1)*n/(2*want))
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
		damage, err := standard.Inspect(s.t.Context(), s.path(name), standard.Settings{})
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
