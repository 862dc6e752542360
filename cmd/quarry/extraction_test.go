package main

import (
	"strings"
	"testing"
)

// TestExtraction: what could not be read well is indexed, marked and explained, to those
// who may read it.
func TestExtraction(t *testing.T) {
	s := newSandbox(t)
	words := strings.Repeat("The limit for a hotel is EUR 140 per night.\n", 9)
	s.write("office/good.md", "Before.\n\n# Limits\n\n"+words+"\n<!-- ask legal -->\n",
		"office/glyphs.md", "# Limits\n\n"+words+strings.Repeat("(cid:12)", 40)+"\n",
		"office/secret.md", "---\nreaders: [group:hr]\n---\n# Pay\n\n"+words+strings.Repeat("(cid:12)", 40)+"\n",
		"office/lost.md", strings.Repeat("(cid:12)", 40)+"\n")

	add := s.want(4, "add", "office")
	contains(t, add.out, "office: 3 added", "1 failed", "failed   lost.md: 40 of its 40 characters cannot be read",
		"suspect  glyphs.md: 40 of 353 characters cannot be read.", "suspect  secret.md", "2 documents are suspect: compare what quarry show DOCUMENT --text")
	if report := s.object(4, "add", "office"); len(report["suspect"].([]any)) != 0 || report["unchanged"] != 3.0 {
		t.Errorf("a sync without changes reports %v", report)
	}

	docs := s.want(0, "docs").out
	contains(t, docs, "current, suspect")
	lacks(t, docs, "secret")
	for _, d := range s.object(0, "docs")["documents"].([]any) {
		if d := d.(map[string]any); d["suspect"] != (d["document"] == "glyphs.md") {
			t.Errorf("%v", d)
		}
	}
	contains(t, s.want(0, "show", "glyphs.md").out, "suspect; --extraction says why")
	bad := s.want(0, "show", "glyphs.md", "--extraction").out
	contains(t, bad, "unreadable   40, 11.3 % of them", "suspect      40 of 353 characters cannot be read.", "Compare what quarry show --text prints")
	good := s.want(0, "show", "good.md", "--extraction").out
	contains(t, good, "headings     1\n", "outside      2.1 % of the characters", "note ", "comments")
	lacks(t, good, "suspect", "Compare", "pages")

	e := fields(t, "extraction", s.object(0, "show", "glyphs.md", "--extraction")["extraction"],
		"pages pages_without_text characters unreadable headings outside_headings tables notes doubts")
	if e["characters"] != 353.0 || e["unreadable"] != 40.0 || len(e["doubts"].([]any)) != 1 {
		t.Errorf("%v", e)
	}

	// Who may not read it is told what a document that is not there gives.
	for _, name := range []string{"secret.md", "absent.md"} {
		if r := s.want(1, "show", name, "--extraction"); !strings.Contains(r.err, `"`+name+`": no such document`) {
			t.Errorf("%s: %s", name, r.err)
		}
	}
	contains(t, s.want(0, "show", "secret.md", "--extraction", "--as", "group:hr").out, "suspect")
	contains(t, s.want(1, "show", "lost.md", "--extraction").err, "could not be indexed: 40 of its 40 characters")
	contains(t, s.want(2, "show", "good.md", "--extraction", "--text").err, "--text and --extraction show one thing each")
}
