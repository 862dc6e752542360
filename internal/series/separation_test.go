package series

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

const versionSet = "../../../shared/sets/handbook_versions/docs"

// TestSeparation infers all pages of a public handbook, whose dated files are versions.
func TestSeparation(t *testing.T) {
	pages, err := os.ReadDir(versionSet)
	if err != nil {
		t.Skipf("SKIPPED: %s is not there", versionSet)
	}
	for _, page := range pages {
		files, err := os.ReadDir(filepath.Join(versionSet, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var members []Member
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(versionSet, page.Name(), f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			members = append(members, NewMember(page.Name()+"/"+f.Name(), titleOf(text), text))
		}
		got := Infer(members)
		if len(members) < 2 {
			if len(got) > 0 {
				t.Errorf("%s: one file is a series", page.Name())
			}
			continue
		}
		if len(got) != len(members) {
			t.Errorf("%s: %d of %d files are a series", page.Name(), len(got), len(members))
			continue
		}
		for i, m := range members {
			from, _ := document.ParseDay(strings.TrimSuffix(filepath.Base(m.Path), ".md"))
			want := document.Interval{From: from}
			if i+1 < len(members) {
				want.To, _ = document.ParseDay(strings.TrimSuffix(filepath.Base(members[i+1].Path), ".md"))
			}
			if got[m.Path] != want {
				t.Errorf("%s holds %v, not %v", m.Path, got[m.Path], want)
			}
		}
	}
}

// titleOf is the title in a page's front matter.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "title:"); ok {
			return strings.Trim(strings.TrimSpace(title), `"'`)
		}
	}
	return ""
}
