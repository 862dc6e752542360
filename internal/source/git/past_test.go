package git

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told writes a listing with its past, a line for each original.
func told(t *testing.T, s *Repository) []string {
	t.Helper()
	l, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, day := range l.Past {
		for _, it := range day.Items {
			o, err := it.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%s %s was %s, %d sidecars", day.Since.Format("2006-01-02"), it.Path, o.Bytes, len(o.Sidecars)))
		}
	}
	for _, it := range l.Items {
		o, err := it.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s is %s, %d sidecars", it.Since.Format("2006-01-02"), it.Path, o.Bytes, len(o.Sidecars)))
	}
	return out
}

// TestPast is what files were, commit by commit: what they are now with their sidecars of
// now, nothing of files that are no more, and days that never go back.
func TestPast(t *testing.T) {
	u := newUpstream(t)
	for _, c := range []struct {
		day   string
		files map[string]string
	}{
		{"2024-01-01", map[string]string{"a.md": "A1", "b.md": "B1", "gone.md": "G"}},
		{"2024-02-01", map[string]string{"a.md": "A2"}},
		{"2024-03-01", map[string]string{"a.md": "A1", "b.md": ""}},
		{"2024-02-15", map[string]string{"b.md": "B2", "a.md": strings.Repeat("x", 1001)}}, // the clock was wrong
		{"2024-05-01", map[string]string{"gone.md": "", "a.md": "A3", "_meta.yaml": "readers: [user:ann]"}},
	} {
		u.day = c.day
		u.write(c.files)
	}
	s := u.open("")
	s.options.Commits = 100
	want := []string{
		"2024-01-01 a.md was A1, 1 sidecars", "2024-01-01 b.md was B1, 1 sidecars",
		"2024-02-01 a.md was A2, 1 sidecars", "2024-03-01 a.md was A1, 1 sidecars",
		"2024-05-01 a.md is A3, 1 sidecars", "2024-03-01 b.md is B2, 1 sidecars",
	}
	if have := told(t, s); !slices.Equal(have, want) {
		t.Errorf("it tells\n%s\nnot\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	s = u.open("")
	s.options.Commits = 3
	if have, want := told(t, s), []string{want[3], want[4], want[5]}; !slices.Equal(have, want) {
		t.Errorf("of three commits it tells\n%s\nnot\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}
