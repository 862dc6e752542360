package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that closes what lies below closes it also for a source that begins
// below.
func TestOuterSidecar(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "hr", "plans")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(root, "hr", "_meta.yaml"): "readers: [group:hr]\n",
		filepath.Join(root, "hr", "note.md"):    "# Note\n",
		filepath.Join(inner, "plan.md"):         "# Plan\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		place   string
		refused bool
	}{
		{root, false},
		{filepath.Join(root, "hr"), false},
		{filepath.Join(root, "hr", "note.md"), false}, // its own folder's sidecar applies
		{inner, true},
		{filepath.Join(inner, "plan.md"), true},
	} {
		_, err := Open(c.place, Options{})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "add that folder") {
			t.Errorf("%s: %v", c.place, err)
		}
	}
}

// The case of a sidecar's name, and a name without the document's ending, do not
// open what it closes.
func TestNearMissSidecars(t *testing.T) {
	for _, sidecar := range []string{"a.md.META.yaml", "a.md.meta.YAML", "A.md.meta.yaml", "a.meta.yaml", "_META.yaml", "_meta.YAML", "_meta.yml"} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.md": "# A\n", sidecar: "readers: [group:hr]\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.List(t.Context())
		if err != nil || len(l.Items) != 1 {
			t.Fatalf("%s: %d items, %v", sidecar, len(l.Items), err)
		}
		if _, err := l.Items[0].Read(t.Context()); err == nil {
			t.Errorf("%s was ignored and its document read", sidecar)
		}
	}
}
