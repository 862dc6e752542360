package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHistory edits, dates, closes and renames a document, and looks at what it was.
func TestHistory(t *testing.T) {
	s := newSandbox(t)
	rules := func(front, fee string) {
		s.write("docs/rules.md", front+"# Rules\n\n## 2 Fees\n\nThe fee is "+fee+" EUR.\n\nIt is due at once.\n")
	}
	s.write("quarry.yaml", "embedding: {model: none}\n", "docs/other.md", "# Other\n\nNothing else.\n")
	rules("---\neffective: {from: 2020-01-01, to: 2023-12-31}\nversion: one\n---\n", "5")
	s.want(0, "add", "docs")
	rules("---\neffective: {from: 2024-01-01}\nversion: two\n---\n", "7")
	s.want(0, "add", "docs")

	list := s.want(0, "history", "rules.md").out
	contains(t, list, "docs:rules.md\n", "current, in force", "from 2024-01-01", "2020-01-01 to 2023-12-31", "stated", "everyone")
	if two, one := strings.Index(list, "2024-01-01"), strings.Index(list, "2020-01-01"); two > one {
		t.Errorf("the newest revision is not the first:\n%s", list)
	}
	old := s.object(0, "history", "rules.md")["revisions"].([]any)[1].(map[string]any)["revision"].(string)

	// A hit and a citation as of a day open what was in force then, and say that there is a newer one.
	note := "superseded since 2024-01-01; quarry show rules.md has what is in force"
	contains(t, s.want(0, "search", "--as-of", "2022-05-01", "fee").out, "5 EUR", note)
	contains(t, s.want(0, "ask", "--as-of", "2022-05-01", "What is the fee?").out, "5 EUR", note)
	lacks(t, s.want(0, "search", "--as-of", "2025-05-01", "fee").out, "superseded")
	hit := first(t, "hits", s.object(0, "search", "--as-of", "2022-05-01", "fee")["hits"]).(map[string]any)
	if by := fields(t, "superseded", hit["superseded"], "since by"); by["since"] != "2024-01-01" || hit["revision"] != old {
		t.Errorf("the hit is %v", hit)
	}
	for _, name := range []string{old[:8], strings.ToUpper(old[:6]), "2022-05-01", "previous"} {
		contains(t, s.want(0, "show", "rules.md", "--revision", name, "--text").out, "5 EUR")
		contains(t, s.want(0, "show", "rules.md", "--revision", name).out, "superseded   since 2024-01-01")
	}
	contains(t, s.want(0, "show", "rules.md", "--revision", "current", "--passages").out, "7 EUR")
	lacks(t, s.want(0, "show", "rules.md", "--revision", "current").out, "superseded")

	// What is not in force today says so, wherever it is opened from: it is neither absent nor superseded.
	s.write("docs/next.md", "---\neffective: {from: 2150-01-01}\n---\n# Lending\n\nThe lending period is 9 days.\n",
		"docs/idea.md", "---\nstatus: draft\n---\n# Idea\n\nLend cats.\n",
		"docs/stall-2019.md", "# Stall\n\nThe stall is open on Monday, and closed on all other days.\n",
		"docs/stall-2021.md", "# Stall\n\nThe stall is open on Monday, and closed on all other days of it.\n")
	s.want(0, "add", "docs")
	later := "not in force until 2150-01-01"
	for _, args := range [][]string{{"search", "lending period"}, {"ask", "What is the lending period?"}, {"show", "next.md"}} {
		out := s.want(0, append([]string{args[0], "--as-of", "2150-02-01"}, args[1:]...)...).out
		contains(t, out, later)
		lacks(t, out, "superseded", "no longer")
	}
	ahead := first(t, "hits", s.object(0, "search", "--as-of", "2150-02-01", "lending period")["hits"]).(map[string]any)
	if ahead["document"] != "next.md" || ahead["superseded"] != nil {
		t.Errorf("the hit is %v", ahead)
	}
	contains(t, s.want(1, "show", "next.md").err, "next.md is not in force today: quarry history next.md")
	contains(t, s.want(1, "show", "--as-of", "2140-01-01", "next.md").err, "next.md is not in force on 2140-01-01")
	contains(t, s.want(1, "show", "idea.md").err, "idea.md is a draft: --drafts")
	past := s.object(0, "history", "stall-2019.md")["revisions"].([]any)[0].(map[string]any)["revision"].(string)
	contains(t, s.want(0, "show", "stall-2019.md", "--revision", past).out, "2019-01-01 to 2020-12-31, inferred from file names")

	// What changed.
	d := s.want(0, "diff", "rules.md").out
	contains(t, d, "--- rules.md\t"+old[:12]+", 2020-01-01 to 2023-12-31\n", "version: one -> two\n", "effective from: 2020-01-01 -> 2024-01-01\n",
		"@@ -1,11 +1,11 @@ Rules › 2 Fees\n", "\n-The fee is 5 EUR.\n+The fee is 7 EUR.\n", "\n It is due at once.\n")
	contains(t, s.want(0, "diff", "rules.md", "2022-01-01", "2024-06-01", "--words").out, "~The fee is [-5-]{+7+} EUR.\n")
	contains(t, s.want(0, "diff", "rules.md", "current", "previous").out, "-The fee is 7 EUR.\n+The fee is 5 EUR.\n")
	contains(t, s.want(0, "diff", "rules.md", "current", "current").out, "The texts are the same.")

	// Another path, the same document.
	rename := func(from, to string) {
		if err := os.Rename(filepath.Join(s.dir, "docs", from), filepath.Join(s.dir, "docs", to)); err != nil {
			t.Fatal(err)
		}
	}
	rename("rules.md", "fees.md")
	contains(t, s.want(0, "add", "-v", "docs").out, "0 added, 0 changed, 0 removed, 5 unchanged, 0 failed, 0 skipped, 1 renamed", "renamed  fees.md, which was rules.md")
	contains(t, s.want(0, "history", "fees.md").out, " was rules.md until ", "from 2024-01-01", "2020-01-01 to 2023-12-31")
	contains(t, s.want(0, "diff", "fees.md").out, "-The fee is 5 EUR.\n+The fee is 7 EUR.\n")
	contains(t, s.want(0, "search", "--as-of", "2022-05-01", "fee").out, "(fees.md", "5 EUR")
	contains(t, s.want(0, "show", "fees.md").out, "formerly     rules.md, until ")
	if again := s.want(0, "add", "docs").out; strings.Contains(again, "renamed") {
		t.Errorf("the next add says %s", again)
	}

	// Wrong names.
	for _, c := range []struct{ args, says string }{
		{"history nothing.md", `"nothing.md": no such document; quarry docs lists them`},
		{"history rules.md", `"rules.md": no such document; quarry docs lists them`},
		{"diff fees.md 2019-01-01", "no such revision of fees.md: none was in force on 2019-01-01"},
		{"diff other.md", "there is none before the one in force"},
		{"show fees.md --revision 000000", "none begins with 000000"},
		{"show fees.md --revision v1", "is neither a date nor current, previous"},
	} {
		r := s.want(1, strings.Fields(c.args)...)
		contains(t, r.err, c.says)
	}
	for _, args := range []string{"show fees.md --revision current --as-of 2024-01-01", "show fees.md --revision current --extraction", "diff", "history", "diff a b c d"} {
		s.want(2, strings.Fields(args)...)
	}
}

// TestHistoryIsClosed: who may not read a document is told by every view of its past what
// a document gives that does not exist; the newest revision decides for all of them.
func TestHistoryIsClosed(t *testing.T) {
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding: {model: none}\n", "docs/open.md", "# Open\n\nAn open door.\n",
		"docs/pay.md", "---\neffective: {from: 2020-01-01, to: 2023-12-31}\n---\n# Pay\n\nEverybody earns 5 EUR.\n")
	s.want(0, "add", "docs")
	first := s.object(0, "history", "pay.md")["revisions"].([]any)[0].(map[string]any)["revision"].(string)[:12]
	s.write("docs/pay.md", "---\nreaders: [group:hr]\neffective: {from: 2024-01-01}\n---\n# Pay\n\nEverybody earns 7 EUR.\n")
	s.want(0, "add", "docs")
	for _, verb := range []string{"history DOC", "diff DOC", "diff DOC 2022-01-01 2024-06-01", "diff DOC " + first + " current", "show DOC --revision 2022-01-01 --text",
		"show DOC --revision " + first, "show DOC --revision previous", "history docs:DOC", "history DOC --as user:ann", "history DOC --tenant acme"} {
		unreadable := s.want(1, strings.Fields(strings.ReplaceAll(verb, "DOC", "pay.md"))...)
		absent := s.want(1, strings.Fields(strings.ReplaceAll(verb, "DOC", "xyz.md"))...)
		if unreadable.out != absent.out || unreadable.err != strings.ReplaceAll(absent.err, "xyz.md", "pay.md") {
			t.Errorf("%s: %q and %q", verb, unreadable.err, absent.err)
		}
	}
	contains(t, s.want(0, "history", "pay.md", "--as", "group:hr").out, "2020-01-01 to 2023-12-31", "group:hr")
	contains(t, s.want(0, "diff", "pay.md", "--as", "group:hr").out, "readers: everyone -> group:hr", "+Everybody earns 7 EUR.")
}

// TestRemovedIsNowhere removes documents in each way and looks for their words in every file
// beside the store; status proves the same.
func TestRemovedIsNowhere(t *testing.T) {
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding: {model: none}\n", "docs/keep.md", "# Keep\n\nThe lamp is red.\n")
	secret := func(name string) string {
		return "# Zyxhead\n\nThe word of " + name + " is zyxword-" + name + "-4711.\n"
	}
	for _, name := range []string{"gone", "verb", "edited"} {
		s.write("docs/"+name+".md", secret(name))
	}
	s.write("more/source.md", secret("source"))
	s.want(0, "add", "docs", "more")
	holding := func(text string) (files []string) {
		err := filepath.WalkDir(s.dir, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "quarry.db") {
				return err
			}
			data, err := os.ReadFile(name)
			if strings.Contains(strings.ToLower(string(data)), text) {
				files = append(files, d.Name())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	for _, name := range []string{"gone", "verb", "source", "edited"} {
		if files := holding("zyxword-" + name); len(files) == 0 {
			t.Fatalf("the words of %s are nowhere before", name)
		}
	}
	contains(t, s.want(1, "status", "--removed", "gone.md").err, "docs:gone.md is not removed", "quarry remove docs:gone.md")
	if err := os.Remove(filepath.Join(s.dir, "docs", "gone.md")); err != nil {
		t.Fatal(err)
	}
	s.write("docs/edited.md", "# Edited\n\nNothing.\n")
	s.want(0, "sync")
	s.want(0, "remove", "verb.md")
	s.want(0, "remove", "more")
	for name, id := range map[string]string{"gone": "gone.md", "verb": "docs:verb.md", "source": "more:source.md"} {
		if files := holding("zyxword-" + name); len(files) > 0 {
			t.Errorf("the words of %s are left in %v", name, files)
		}
		left := s.object(0, "status", "--removed", id)
		for what, n := range left {
			if number, ok := n.(float64); ok && number != 0 {
				t.Errorf("%s: %s is %v", name, what, n)
			}
		}
	}
	// An older revision is history, and history is kept.
	if files := holding("zyxword-edited"); len(files) == 0 {
		t.Error("the history of an edited document is gone")
	}
	s.want(0, "remove", "edited.md")
	if files := holding("zyx"); len(files) > 0 {
		t.Errorf("what was removed is left in %v", files)
	}
	s.want(2, "status", "--removed", "../x")
}

// TestLate: status says what a source's last sync did, and when one is late.
func TestLate(t *testing.T) {
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding: {model: none}\nsources: {freshness: 86400}\n", "docs/a.md", "# A\n\nThe lamp is red.\n", "docs/bad.md", "---\nauthority: high\n---\n# B\n\nText.\n")
	s.want(4, "add", "docs")
	contains(t, s.want(0, "status").out, "SYNCED", "LAG", "last change:\n  docs: ", "1 added, 0 changed, 0 removed, 1 failed", "bad.md: ", "(tried again when it changes)")
	if err := os.Rename(filepath.Join(s.dir, "docs"), filepath.Join(s.dir, "away")); err != nil {
		t.Fatal(err)
	}
	s.want(1, "sync")
	contains(t, s.want(0, "status").out, "it ended early: ")
	if err := os.Rename(filepath.Join(s.dir, "away"), filepath.Join(s.dir, "docs")); err != nil {
		t.Fatal(err)
	}
	s.want(4, "sync")
	lacks(t, s.want(0, "status").out, "it ended early")
}

// TestDiffAtTheEnd: a line that stands last in one revision and not in the other did not change.
func TestDiffAtTheEnd(t *testing.T) {
	s := newSandbox(t)
	const short, long = "# Fees\n\nThe fee is 5 EUR.\n", "# Fees\n\nThe fee is 5 EUR.\n\nIt is due at once.\n"
	s.write("quarry.yaml", "embedding: {model: none}\n", "docs/fees.md", short)
	s.want(0, "add", "docs")
	s.write("docs/fees.md", long)
	s.want(0, "add", "docs")
	for mark, args := range map[string][]string{"+": {"previous", "current"}, "-": {"current", "previous"}} {
		out := s.want(0, append([]string{"diff", "fees.md"}, args...)...).out
		contains(t, out, "\n The fee is 5 EUR.\n", "\n"+mark+"It is due at once.\n")
		lacks(t, out, "-The fee", "+The fee")
	}
}

// Kept runs are JSON, in which a name may be written otherwise.
func TestRunsNaming(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"fees.md", "R&D/fees <old>.md", `the "fees".md`, "Gebühren.md"} {
		data, err := json.Marshal(map[string]string{"document": name})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".json")), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, err := naming(dir, name); n != 1 || err != nil {
			t.Errorf("%d runs name %s, %v", n, name, err)
		}
	}
	if n, err := naming(filepath.Join(dir, "none"), "fees.md"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
