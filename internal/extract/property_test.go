package extract

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// checkBlocks asserts what every Extracted promises, whatever went in.
func checkBlocks(t *testing.T, x Extracted) {
	t.Helper()
	text := x.Text
	if strings.Contains(text, "\r") {
		t.Fatal("the text holds a carriage return")
	}
	if strings.Contains(text, "\x00") || !utf8.ValidString(text) {
		t.Fatal("the text holds a NUL or what is not UTF-8")
	}
	at := 0
	for i, b := range x.Blocks {
		wholeLines(t, text, b.Span)
		if b.Span.From < at {
			t.Fatalf("block %d begins at %d, before the end of the one before it, %d\n%q", i, b.Span.From, at, text)
		}
		at = b.Span.To
		for _, parts := range [][]document.Span{b.Items, b.Header, b.Rows} {
			from := b.Span.From
			for _, s := range parts {
				wholeLines(t, text, s)
				if s.From < from || s.To > b.Span.To {
					t.Fatalf("block %d has a part %v that overlaps or leaves it %v", i, s, b.Span)
				}
				from = s.To
			}
		}
		switch {
		case b.Kind == Heading && (b.Level < 1 || strings.TrimSpace(b.Text) == ""):
			t.Fatalf("heading %d has level %d and text %q", i, b.Level, b.Text)
		case b.Kind == List && len(b.Items) == 0:
			t.Fatalf("list %d has no items", i)
		case b.Kind == Table && len(b.Header) == 0 && len(b.Rows) == 0:
			t.Fatalf("table %d has no rows", i)
		}
	}
}

func wholeLines(t *testing.T, text string, s document.Span) {
	t.Helper()
	switch {
	case s.From < 0 || s.To > len(text) || s.From >= s.To:
		t.Fatalf("span %v is empty or outside the text of %d bytes", s, len(text))
	case s.From > 0 && text[s.From-1] != '\n', s.To < len(text) && text[s.To] != '\n', text[s.To-1] == '\n':
		t.Fatalf("span %v is not a run of whole lines: %q in %q", s, s.Of(text), text)
	}
}

// uncovered are the lines that no block holds.
func uncovered(x Extracted, from int) []string {
	var out []string
	i := 0
	for _, l := range lineSpans(x.Text, from, len(x.Text)) {
		for i < len(x.Blocks) && x.Blocks[i].Span.To < l.To {
			i++
		}
		if s := l.Of(x.Text); !blank(s) && (i == len(x.Blocks) || x.Blocks[i].Span.From > l.From) {
			out = append(out, s)
		}
	}
	return out
}

// checkCovered asserts that each line of a Markdown body is in a block, or is
// markup without words: a thematic break, a link definition, a comment, tags.
// What looks like none of these must not have been lost.
func checkCovered(t *testing.T, x Extracted) {
	t.Helper()
	_, body, _ := cutFrontMatter(x.Text)
	lost := strings.Join(uncovered(x, body), "\n")
	if lost == "" || strings.ContainsAny(lost, "<[#") { // a reading of its own would be needed
		return
	}
	for _, l := range strings.Split(lost, "\n") {
		if strings.Trim(l, "-*_ \t\v\f\u00a0") != "" && strings.IndexFunc(l, visible) >= 0 {
			t.Fatalf("the line %q of %q is in no block", l, x.Text)
		}
	}
}
