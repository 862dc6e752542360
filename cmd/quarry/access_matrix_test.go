package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/standard"
)

// guardedStore is a store of the access matrix in a folder of its own, with what its commands
// are configured by. The commands run in this process: there are some thousands.
type guardedStore struct{ dir string }

func newGuarded(t *testing.T, start time.Time, asker string) guardedStore {
	t.Helper()
	s := guardedStore{t.TempDir()}
	files := map[string]string{"groups.yaml": testkit.AccessGroups, "quarry.yaml": "embedding: {model: none}\naccess: {groups: groups.yaml}\n", "questions.jsonl": matrixQuestions()}
	for path, content := range testkit.AccessFiles(asker) {
		files["docs/"+path] = content
	}
	for path, content := range files {
		name := filepath.Join(s.dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings := config.Defaults()
	settings.Embedding = config.NoModel
	settings.Quarry.Clock = func() time.Time { return start }
	corpus, err := standard.Open(t.Context(), filepath.Join(s.dir, "quarry.db"), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	if _, err := corpus.Sync(t.Context(), "docs", filepath.Join(s.dir, "docs"), quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	return s
}

// matrixQuestions is a question set on all documents.
func matrixQuestions() string {
	var b bytes.Buffer
	for i, d := range testkit.AccessDocuments {
		if d.Asked != "" {
			fmt.Fprintf(&b, `{"id":"q%d","question":%q,"sources":[%q]}`+"\n", i, d.Asked, d.Path)
		}
	}
	return b.String()
}

// differ are what two runs may differ in: times, the folder, and, of a kept run, when it
// was made and the fingerprint of the store, which is its operator's.
var differ = regexp.MustCompile(`"(ms|seconds|mean|p95)": [0-9.e+-]+|"documents": [0-9]+,\n *"hash": "[^"]*"|"(at|file)": "[^"]*"| *[0-9.]+ m?s\b|20[0-9-]+T[0-9:.Z]+`)

func (s guardedStore) run(t *testing.T, line []string) (string, string) {
	var out, errs bytes.Buffer
	args := slices.Concat(line[:1], []string{"--store", filepath.Join(s.dir, "quarry.db"), "--config", filepath.Join(s.dir, "quarry.yaml")}, line[1:])
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR/", s.dir+"/")
	}
	code := run(t.Context(), args, &out, &errs)
	all := fmt.Sprintf("exit code %d\n%s\n%s", code, out.String(), errs.String())
	if slices.Contains(line, "--json") && code == 0 && !json.Valid(out.Bytes()) {
		t.Errorf("quarry %q: no JSON: %s", line, out.String())
	}
	return all, differ.ReplaceAllString(strings.ReplaceAll(all, s.dir, "DIR"), "")
}

// linesOf are the command lines of the matrix for one asker: every command that takes a
// scope, in text and JSON, and every flag of show. Of the documents each line is run for
// all with QUARRY_LONG, and else for those whose turn it is.
func linesOf(asker testkit.Asker, turn int) [][]string {
	var who []string
	if asker.Tenant != "" {
		who = append(who, "--tenant", asker.Tenant)
	}
	for _, p := range asker.As {
		who = append(who, "--as", p)
	}
	// A reader is told what he may read, which another may be denied; so it is the asker.
	reader := append(slices.Clone(asker.As), "user:none")[0]
	var lines [][]string
	add := func(line ...string) {
		for _, form := range [][]string{nil, {"--json", "-v"}} {
			lines = append(lines, slices.Concat(line, who, form))
		}
	}
	add("docs")
	add("docs", "--drafts")
	add("search", "the of hotel limit budget fee EUR", "-k", "100")
	add("search", "the of hotel limit budget fee EUR", "-k", "100", "--drafts")
	add("search", "the hotel limmit of the bonnus")
	add("search", `"the bonus budget of RULE-2"`)
	add("ask", "What is the hotel limit, and who says what the bonus budget is?")
	add("eval", "DIR/questions.jsonl")
	add("eval", "DIR/questions.jsonl", "--gold", "--answers", "yes")
	add("eval", "init", "--out", "DIR/made.jsonl")
	shows := []string{"", "--outline", "--passages", "--text", "--extraction", "--references", "--definitions"}
	for i, d := range testkit.AccessDocuments {
		mine := func(n int) bool { return os.Getenv("QUARRY_LONG") != "" || (i+turn)%4 == n%4 }
		for n, flag := range shows {
			if mine(n) {
				add(slices.DeleteFunc([]string{"show", d.Path, flag}, func(s string) bool { return s == "" })...)
			}
		}
		if mine(3) {
			add("history", d.Path)
			add("show", d.Path, "--revision", "current")
			add("diff", "docs:"+d.Path, "current", "current")
		}
		if d.Asked != "" && mine(0) {
			add("ask", d.Asked)
			add("search", d.Asked)
		}
		question, _, _ := strings.Cut(d.Asked+"Who broke it?", "?")
		if mine(1) {
			add("why", question+"?", "--expect", d.Path)
			add("why", question+"?", "--expect", "docs:"+d.Path+"#1 Hotels", "--reader", reader)
		}
		if _, text, ok := strings.Cut(strings.TrimSpace(d.Content), "\n\n"); ok && mine(2) {
			add("why", question+"?", "--quote", text)
		}
	}
	return lines
}

// TestAccessMatrix: whoever asks, by whatever command, gets of what he may not read nothing
// that he would not get if it were not there, byte for byte.
func TestAccessMatrix(t *testing.T) {
	start := time.Now().AddDate(0, 0, -30)
	for turn, asker := range testkit.AccessAskers {
		t.Run(asker.Name, func(t *testing.T) {
			with, without := newGuarded(t, start, ""), newGuarded(t, start, asker.Name)
			found := map[string]bool{}
			lines := linesOf(asker, turn)
			for _, line := range lines {
				var raw, have, want string
				for {
					day := time.Now().UTC().Day()
					raw, have = with.run(t, line)
					_, want = without.run(t, line)
					if day == time.Now().UTC().Day() { // which traces name
						break
					}
				}
				if have != want {
					t.Errorf("quarry %q tells a store with hidden documents from one without them:\n%s\n---\n%s", line, have, want)
				}
				for _, d := range testkit.AccessDocuments {
					if d.Secret == "" || !strings.Contains(raw, d.Secret) || strings.Contains(strings.Join(line, " "), d.Secret) {
						continue
					}
					found[d.Path] = true
					if !d.SeenBy(asker.Name) {
						t.Errorf("quarry %q shows %s:\n%s", line, d.Path, raw)
					}
				}
			}
			for _, d := range testkit.AccessDocuments {
				if d.SeenBy(asker.Name) && !found[d.Path] {
					t.Errorf("%s may be seen and is found by nothing", d.Path)
				}
			}
			sameMade(t, with, without)
			t.Logf("%d command lines", len(lines))
		})
	}
}

// TestMatrixIsWhole: every command that takes a scope is in the matrix, and every part
// that show shows.
func TestMatrixIsWhole(t *testing.T) {
	has := map[string]bool{}
	for turn := range 4 {
		for _, line := range linesOf(testkit.AccessAskers[0], turn) {
			has[line[0]] = true
			for _, word := range line[1:] {
				has[line[0]+" "+word] = true
			}
		}
	}
	var check func(c *cobra.Command, name string)
	check = func(c *cobra.Command, name string) {
		if c.Flags().Lookup("as") != nil && !has[name] {
			t.Errorf("quarry %s takes a scope and is not in the matrix", name)
		}
		for _, inner := range c.Commands() {
			check(inner, strings.TrimSpace(name+" "+inner.Name()))
		}
	}
	check((&app{}).root(), "")
	for _, part := range showParts {
		if !has["show --"+part.name] {
			t.Errorf("quarry show --%s is not in the matrix", part.name)
		}
	}
}

// sameMade compares what eval init wrote.
func sameMade(t *testing.T, with, without guardedStore) {
	t.Helper()
	var made [2]string
	for i, s := range []guardedStore{with, without} {
		data, _ := os.ReadFile(filepath.Join(s.dir, "made.jsonl"))
		made[i] = string(data)
	}
	if made[0] != made[1] {
		t.Errorf("eval init makes\n%s, not\n%s", made[0], made[1])
	}
}

// An unreadable document and one that never was are told apart by the name alone, in the
// same store.
func TestUnreadableIsAbsent(t *testing.T) {
	s := newGuarded(t, time.Now().AddDate(0, 0, -30), "")
	for _, asker := range testkit.AccessAskers {
		var who []string
		if asker.Tenant != "" {
			who = append(who, "--tenant", asker.Tenant)
		}
		for _, p := range asker.As {
			who = append(who, "--as", p)
		}
		for _, d := range testkit.AccessDocuments {
			if d.SeenBy(asker.Name) {
				continue
			}
			absent := "n" + d.Path[1:]
			for _, line := range [][]string{{"show", d.Path}, {"show", "docs:" + d.Path, "--json", "--text"}, {"why", "What is the limit?", "--expect", d.Path}} {
				line = append(line, who...)
				_, have := s.run(t, line)
				for i := range line {
					line[i] = strings.ReplaceAll(line[i], d.Path, absent)
				}
				_, want := s.run(t, line)
				if strings.ReplaceAll(have, d.Path, absent) != want {
					t.Errorf("%q:\n%s\n---\n%s", line, have, want)
				}
			}
		}
	}
}
