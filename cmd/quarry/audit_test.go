package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inProcess runs a command line in this process, with the store and the configuration of
// a folder.
func inProcess(t *testing.T, dir string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	line := slices.Concat(args[:1], []string{"--store", filepath.Join(dir, "quarry.db"), "--config", filepath.Join(dir, "quarry.yaml")}, args[1:])
	code = run(t.Context(), line, &o, &e)
	return code, o.String(), e.String()
}

type auditLine struct {
	Call, Via, About, Tenant string
	Principals, Groups       []string
	Administrator, Failed    bool
	Shown                    []struct {
		Document, Revision string
		Cited              bool
	}
}

// auditOf reads the log of a folder and empties it.
func auditOf(t *testing.T, dir string) []auditLine {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "audit", "audit-*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []auditLine
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(bytes.NewReader(data))
		for dec.More() {
			var l auditLine
			if err := dec.Decode(&l); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, l)
		}
		if strings.Contains(string(data), "EUR") {
			t.Errorf("the log holds text of a document: %s", data)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

func auditedFolder(t *testing.T, audit string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"quarry.yaml":   "embedding: {model: none}\naccess: {groups: groups.yaml}\naudit: {folder: audit" + audit + "}\n",
		"groups.yaml":   "groups: {'group:hr': [user:anna]}\nadministrators: [user:root]\n",
		"docs/bonus.md": "---\nreaders: [group:hr]\n---\n# Bonus\n\nThe bonus of the board is EUR 90001.\n",
		"docs/open.md":  "# Hours\n\nThe canteen opens at noon.\n",
	} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := inProcess(t, dir, "add", filepath.Join(dir, "docs")); code != 0 {
		t.Fatal(code, out, errs)
	}
	return dir
}

func TestAuditLog(t *testing.T) {
	dir := auditedFolder(t, "")
	for _, c := range []struct{ line, want string }{
		{"ask --as user:anna What is the bonus of the board?", "quarry ask: ask of user:anna in group:hr about What is the bonus of the board?: bonus.md cited"},
		{"ask What is the bonus of the board?", "quarry ask: ask about What is the bonus of the board?: nothing"},
		{"search --as user:root -k 1 bonus", "quarry search: search of user:root, an administrator, about bonus: bonus.md"},
		{"show bonus.md", "quarry show: listed about bonus.md: failed; quarry show: resolve_any about bonus.md: failed"},
		{"show --as user:anna docs:bonus.md --text", "quarry show: listed of user:anna in group:hr about docs:bonus.md: bonus.md; quarry show: document of user:anna in group:hr about docs:bonus.md: bonus.md"},
		{"docs", "quarry docs: documents: open.md"},
		{"why --expect bonus.md What is the bonus?", "quarry why: why about What is the bonus?: nothing"},
		{"status", ""},
	} {
		line := strings.Fields(c.line)
		inProcess(t, dir, line...)
		var have []string
		for _, l := range auditOf(t, dir) {
			text := l.Via + ": " + l.Call
			if len(l.Principals) > 0 {
				text += " of " + strings.Join(l.Principals, " ")
			}
			if len(l.Groups) > 0 {
				text += " in " + strings.Join(l.Groups, " ")
			}
			if l.Administrator {
				text += ", an administrator,"
			}
			if l.About != "" {
				text += " about " + l.About
			}
			var shown []string
			for _, s := range l.Shown {
				if s.Revision == "" {
					t.Errorf("%s: the revision of %s is not said", c.line, s.Document)
				}
				if s.Cited {
					s.Document += " cited"
				}
				shown = append(shown, s.Document)
			}
			switch {
			case l.Failed:
				shown = []string{"failed"}
			case len(shown) == 0:
				shown = []string{"nothing"}
			}
			have = append(have, text+": "+strings.Join(shown, ", "))
		}
		if strings.Join(have, "; ") != c.want {
			t.Errorf("quarry %s leaves\n%s, not\n%s", c.line, strings.Join(have, "\n"), c.want)
		}
	}
}

// A log that cannot be written withholds what would be shown, or says so.
func TestAuditLogFails(t *testing.T) {
	for audit, required := range map[string]bool{"": true, ", required: false": false} {
		dir := auditedFolder(t, audit)
		if err := os.WriteFile(filepath.Join(dir, "audit"), nil, 0o600); err != nil { // where the folder would be
			t.Fatal(err)
		}
		for _, line := range []string{"ask --as user:anna What is the bonus of the board?", "search --json --as user:anna bonus", "docs --as user:anna", "show --as user:anna bonus.md"} {
			code, out, errs := inProcess(t, dir, strings.Fields(line)...)
			shown := strings.Contains(out, "90001") || strings.Contains(out, "bonus.md")
			if required && (code != 1 || shown || strings.Count(errs, "\n") != 1) || !required && (code != 0 || !shown) || !strings.Contains(errs, "audit.folder") {
				t.Errorf("required %v: quarry %s: exit code %d\n%s\n%s", required, line, code, out, errs)
			}
		}
		if code, out, errs := inProcess(t, dir, "add", filepath.Join(dir, "docs")); code != 0 {
			t.Errorf("add asks for no scope and fails: %d, %s, %s", code, out, errs)
		}
		if code, out, _ := inProcess(t, dir, "doctor"); code != 1 || !strings.Contains(out, "access") || !strings.Contains(out, "audit.folder") {
			t.Errorf("doctor: %d, %s", code, out)
		}
	}
}

// Without the file of groups nothing is answered, and what asks nobody goes on.
func TestNoGroups(t *testing.T) {
	dir := auditedFolder(t, "")
	if err := os.Remove(filepath.Join(dir, "groups.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"ask What is open?", "docs", "show open.md", "search noon"} {
		if code, out, errs := inProcess(t, dir, strings.Fields(line)...); code != 1 || out != "" || !strings.Contains(errs, "access.groups") {
			t.Errorf("quarry %s: exit code %d, %s, %s", line, code, out, errs)
		}
	}
	if code, _, errs := inProcess(t, dir, "status"); code != 0 {
		t.Errorf("status: %d, %s", code, errs)
	}
}
