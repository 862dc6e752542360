package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestControlCharacters shows that no document can act on the terminal, by
// whichever way its text, name or title reaches it.
func TestControlCharacters(t *testing.T) {
	s := newSandbox(t)
	evil := "\x1b]0;owned\x07\x1b[31m\u009b31m\u202e\r\x08\x7f"
	s.write("evil/a.md", "---\ntitle: \"Fee \\e[31m\\nlist\"\nproduct: \"\\e[1m\"\n---\n# Fees "+evil+"\n\nThe handling fee"+evil+" is EUR 250 per request.\n"+strings.Repeat("\nNothing else is to be said of this matter here.\n", 40),

		"evil/front.md", "---\nauthority: \"\\e[31m\"\n---\n# X\n\nText.\n")
	if filepath.Separator == '/' {
		s.write("evil/b\x1b[31m\nc.md", "# B\n\nThe storage fee is EUR 5 per month.\n")
	}
	s.run("add", "evil", "-v")
	for _, args := range [][]string{
		{"add", "-v", "evil"}, {"docs"}, {"status"}, {"show", "a.md"}, {"show", "a.md", "--text"}, {"show", "a.md", "--passages"}, {"show", "a.md", "--outline"},
		{"search", "handling fee"}, {"search", "-v", "storage fee"}, {"ask", "-v", "What is the handling fee?" + evil[1:]}, {"ask", "What is the storage fee?"},
		{"ask", "--docs", "evil", "What is the handling fee?"}, {"ask", "Which dragon \x1b[31m eats evil fees?"}, {"show", "none\x1b[31m"}, {"bad\x1b[31m"},
		{"why", "What is the handling fee?" + evil[1:], "--expect", "a.md"}, {"why", "fee", "--expect", "none" + evil[1:]}, {"why", "fee", "--quote", "fee" + evil[1:] + "x"},
		{"why", "fee", "--expect", "a.md#none" + evil[1:]},
		{"remove", "none\x1b[31m"}, {"add", "none\x1b[31m"}, {"ask", "--bad\x1b[31m"},
	} {
		for _, args := range [][]string{args, append(append([]string{}, args...), "--json")} {
			r := s.run(args...)
			for _, text := range []string{r.out, r.err} {
				for _, c := range text {
					if c != '\n' && c != '\t' && (unicode.IsControl(c) || c == '\u202e') {
						t.Errorf("quarry %q writes %U:\n%q", args, c, text)
						break
					}
				}
			}
			if args[len(args)-1] == "--json" && r.code == 0 && !json.Valid([]byte(r.out)) {
				t.Errorf("quarry %q writes JSON that is none: %s", args, r.out)
			}
		}
	}
	// Neutralised for people, whole for programs.
	hit := first(t, "hits", s.object(0, "search", "handling fee")["hits"]).(map[string]any)
	if text := hit["text"].(string); !strings.Contains(text, "\x1b]0;owned\x07") || !strings.Contains(text, "\u202e") {
		t.Errorf("the text is %q", text)
	}
}

func TestNeutral(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"plain\ttext\nof ä 漢 🙂":  "plain\ttext\nof ä 漢 🙂",
		"a\x1b[31mb\rc":          "a\uFFFD[31mb\uFFFDc",
		"\xff\xfe\u009b\u2028":   "\uFFFD\uFFFD\uFFFD",
		"already \uFFFD is fine": "already \uFFFD is fine",
	} {
		if got := string(neutral([]byte(in))); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
	if got := oneLine("a\n b\tc\x1b"); got != "a b c\uFFFD" {
		t.Errorf("one line is %q", got)
	}
}

// TestQuestionIsData shows that no question is taken for something else.
func TestQuestionIsData(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.want(0, "add", "office")
	for _, q := range []string{"*", "AND OR NOT", `"'; DROP TABLE passage; --`, "((((", "title:x^2~", "\\", "%s%n", "�", "ﷺ", strings.Repeat("long ", 2000), "[1](x)"} {
		s.object(0, "ask", "--", q)
		s.object(0, "search", "--", q)
	}
	contains(t, s.want(2, "ask", strings.Repeat("too long ", 4000)).err, "longer than")
}
