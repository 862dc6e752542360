package extract

import (
	"errors"
	"testing"
)

// What looks like metadata and is not read as such is refused: it may close the
// document.
func TestHiddenMetadata(t *testing.T) {
	const body = "\n# Pay\n\nThe salary is 90000 euro.\n"
	for _, c := range []struct {
		name, doc string
		refused   bool
	}{
		{"a.md", "---\nreaders: [group:hr]\n---" + body, false}, // front matter
		{"a.md", "---\ndc:title: Foo\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "---\n$schema: x\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "---\n2fa: x\ndeny: [group:hr]\n---" + body, true},
		{"a.md", "---\n  readers: [group:hr]\n---" + body, true},
		{"a.md", "---\n\treaders: [group:hr]\n---" + body, true},
		{"a.md", "---\nreaders:[group:hr]\n---" + body, true},
		{"a.md", "\n---\nreaders: [group:hr]\n---" + body, true},
		{"a.md", " ---\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "\u200b---\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "----\nreaders: [group:hr]\n----" + body, true},
		{"a.md", "+++\nreaders = []\nreaders: [group:hr]\n+++" + body, true},
		{"a.md", "<!-- x -->\n---\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "%YAML 1.2\n---\nreaders: [group:hr]\n---" + body, true},
		{"a.md", "----\nr\u0435aders: [group:hr]\n----" + body, true},
		{"a.txt", "\n---\ntenant: other\n---" + body, true},
		{"a.html", "<p>---</p><p>readers: [group:hr]</p><p>---</p><p>The salary is 90000 euro.</p>", true},
		{"a.html", "---\nreaders: [group:hr]\n---\n<html><body><p>The salary is 90000 euro.</p></body></html>", true},
		{"a.html", "<html><body><p>---</p><p>readers: [group:hr]</p><p>---</p><p>The salary is 90000 euro.</p></body></html>", true},

		{"a.md", "---\n\nA thematic break, and text.\n", false},
		{"a.md", "# Lease\n\nTenant: Acme Ltd.\n\nStatus: signed\n", false},
		{"a.md", "# Lease\n\n---\n\nTenant: Acme Ltd.\n", false},
		{"a.txt", "Tenant: Acme Ltd.\n\nThe rent is due monthly.\n", false},
		{"a.html", "<html><body><p>Status: open</p></body></html>", false},
	} {
		if _, err := Extract(c.name, []byte(c.doc)); errors.Is(err, errHidden) != c.refused && (err == nil) == c.refused {
			t.Errorf("%s %q: %v", c.name, c.doc, err)
		}
	}
}
