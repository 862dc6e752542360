package quarry_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/directory"
	"github.com/seed-d3156d19/quarry/store/local"
)

// TestAccessChange: whatever takes a reader away, it holds for the next question, also for
// one that was asked before and for who has the store open since before, and nothing is
// embedded again.
func TestAccessChange(t *testing.T) {
	const text = "# Bonus\n\nThe bonus of the board is EUR 90001.\n"
	const open = "---\nreaders: [group:hr]\n---\n" + text
	for _, c := range []struct {
		name   string
		before map[string]string // files, beside pay/bonus.md
		bonus  string
		after  map[string]string
		mode   os.FileMode // of pay/ afterwards; 0: as it was
	}{
		{name: "front matter", bonus: open, after: map[string]string{"pay/bonus.md": "---\nreaders: [group:board]\n---\n" + text}},
		{name: "readers of nobody", bonus: open, after: map[string]string{"pay/bonus.md": "---\nreaders: []\n---\n" + text}},
		{name: "a denial", bonus: open, after: map[string]string{"pay/bonus.md": "---\nreaders: [group:hr]\ndeny: [user:anna]\n---\n" + text}},
		{name: "a tenant", bonus: open, after: map[string]string{"pay/bonus.md": "---\ntenant: acme\nreaders: [group:hr]\n---\n" + text}},
		{name: "a sidecar", bonus: text, after: map[string]string{"pay/bonus.md.meta.yaml": "readers: [group:board]\n"}},
		{name: "a sidecar of the folder", bonus: text, before: map[string]string{"pay/_meta.yaml": "readers: [group:hr]\n"}, after: map[string]string{"pay/_meta.yaml": "readers: [group:board]\n"}},
		{name: "a sidecar of the folder above", bonus: text, after: map[string]string{"_meta.yaml": "deny: [user:anna]\n"}},
		{name: "a broken sidecar", bonus: text, after: map[string]string{"pay/_meta.yaml": "readers: [group:hr\n"}},
		{name: "a misnamed sidecar", bonus: text, after: map[string]string{"pay/_meta.yml": "readers: [group:hr]\n"}},
		{name: "a sidecar that is a link", bonus: text, after: map[string]string{"pay/_meta.yaml": "-> ../elsewhere"}},
		{name: "the permissions of the folder", bonus: text, mode: 0o700},
		{name: "the group", bonus: open, after: map[string]string{"../groups.yaml": "groups: {'group:hr': [user:eve]}\n"}},
		{name: "the group's group", bonus: open, after: map[string]string{"../groups.yaml": "groups: {'group:hr': ['group:payroll'], 'group:payroll': []}\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.mode != 0 && runtime.GOOS != "linux" {
				t.Skip("SKIPPED: permissions are mapped on Linux only")
			}
			top := t.TempDir()
			passable(t, top)
			write := func(files map[string]string) {
				t.Helper()
				for name, content := range files {
					at := filepath.Join(top, "docs", filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
						t.Fatal(err)
					}
					if to, link := strings.CutPrefix(content, "-> "); link {
						if err := os.Symlink(to, at); err != nil {
							t.Skipf("SKIPPED: a sidecar that is a link: no link can be made here: %v", err)
						}
						continue
					}
					if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
						t.Fatal(err)
					}
					readable(t, top, at)
				}
			}
			write(map[string]string{"pay/bonus.md": c.bonus, "canteen.md": "# Canteen\n\nThe canteen opens at noon.\n",
				"../groups.yaml": "groups: {'group:hr': ['group:payroll'], 'group:payroll': [user:anna]}\n"})
			write(c.before)
			model := &hashed{}
			var corpora []*quarry.Corpus
			for range 2 {
				s, err := local.Open(t.Context(), filepath.Join(top, "q.db"), local.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				corpus, err := quarry.Open(quarry.Options{Store: s, Embedder: model, Permissions: quarry.POSIX, Directory: directory.New(filepath.Join(top, "groups.yaml"))})
				if runtime.GOOS != "linux" {
					corpus, err = quarry.Open(quarry.Options{Store: s, Embedder: model, Directory: directory.New(filepath.Join(top, "groups.yaml"))})
				}
				if err != nil {
					t.Fatal(err)
				}
				corpora = append(corpora, corpus)
			}
			anna := document.Scope{Principals: []string{"user:anna"}}
			seen := func(corpus *quarry.Corpus) string {
				t.Helper()
				asked, err := corpus.Ask(t.Context(), "What is the bonus of the board?", anna)
				if err != nil {
					t.Fatal(err)
				}
				list, err := corpus.Documents(t.Context(), anna)
				if err != nil {
					t.Fatal(err)
				}
				_, err = corpus.Document(t.Context(), document.ID{Source: "docs", Path: "pay/bonus.md"}, anna)
				return fmt.Sprintf("%v, %d documents, %v", strings.Contains(fmt.Sprintf("%+v", asked), "90001"), len(list), err == nil)
			}
			synced(t, corpora[0], filepath.Join(top, "docs"))
			for range 2 {
				for _, corpus := range corpora {
					if have := seen(corpus); have != "true, 2 documents, true" {
						t.Fatalf("before: %s", have)
					}
				}
			}
			embedded := model.texts
			write(c.after)
			if c.mode != 0 {
				if err := os.Chmod(filepath.Join(top, "docs", "pay"), c.mode); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := corpora[0].Sync(t.Context(), "docs", filepath.Join(top, "docs"), quarry.Progress{}); err != nil {
				t.Fatal(err)
			}
			for _, corpus := range corpora {
				if have := seen(corpus); !strings.HasPrefix(have, "false, ") || !strings.HasSuffix(have, ", false") || strings.Contains(have, "2 documents") {
					t.Errorf("after: %s", have)
				}
			}
			if model.texts != embedded {
				t.Errorf("%d passages were embedded again", model.texts-embedded)
			}
		})
	}
}

// passable lets others pass through the temporary folder of a test and the one that it
// lies in, which is the test's too. Permissions count up to the root, so those above must
// let them through already.
func passable(t *testing.T, dir string) {
	t.Helper()
	for _, own := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(own, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for at := dir; at != filepath.Dir(at) && runtime.GOOS == "linux"; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Skipf("SKIPPED: %s, in which temporary files lie, does not let everyone through", at)
		}
	}
}

// readable lets everyone read a file below a folder, whatever the umask of who runs the test.
func readable(t *testing.T, top, file string) {
	t.Helper()
	err := os.Chmod(file, 0o644)
	for at := filepath.Dir(file); err == nil && at != top; at = filepath.Dir(at) {
		err = os.Chmod(at, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A document that metadata and permissions admit nobody in common to is closed, and the
// operator is told; its permissions are no way around metadata.
func TestPermissionsAndMetadata(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: permissions are mapped on Linux only")
	}
	top := t.TempDir()
	passable(t, top)
	for name, file := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"open.md":   {"# Open\n\nOpen to all.\n", 0o644},
		"mine.md":   {"# Mine\n\nThe owner's alone.\n", 0o600},
		"lifted.md": {"---\nreaders: [group:staff]\n---\n# Lifted\n\nMetadata names others.\n", 0o600},
		"closed.md": {"---\nreaders: [group:staff]\n---\n# Closed\n\nMetadata closes.\n", 0o644},
	} {
		at := filepath.Join(top, name)
		if err := os.WriteFile(at, []byte(file.text), file.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at, file.mode); err != nil { // whatever the umask of who runs the test
			t.Fatal(err)
		}
	}
	c := over(t, quarry.Options{Permissions: quarry.POSIX})
	report, err := c.Sync(t.Context(), "docs", top, quarry.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Failed) != 1 || report.Failed[0].Document != "lifted.md" || !strings.Contains(report.Failed[0].Error, "name readers that both admit") {
		t.Errorf("failed: %+v", report.Failed)
	}
	for principals, want := range map[string]string{"": "open.md", "group:staff": "closed.md open.md", "group:other": "open.md"} {
		list, err := c.Documents(t.Context(), document.Scope{Principals: strings.Fields(principals)})
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, d := range list {
			have = append(have, d.Document.Path)
		}
		if strings.Join(have, " ") != want {
			t.Errorf("as %q: %s, not %s", principals, have, want)
		}
	}
	all, err := c.Documents(t.Context(), document.Scope{Administrator: true})
	if err != nil || len(all) != 3 {
		t.Errorf("an administrator sees %+v, %v", all, err)
	}
	if again, err := c.Sync(t.Context(), "docs", top, quarry.Progress{}); err != nil || again.Unchanged != 3 {
		t.Errorf("again: %+v, %v", again, err)
	}
}
