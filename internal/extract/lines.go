package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// lineSpans are the lines of text[from:to], each without its line feed.
func lineSpans(text string, from, to int) []document.Span {
	var out []document.Span
	for from < to {
		end := lineEnd(text, from, to)
		out = append(out, document.Span{From: from, To: end})
		from = end + 1
	}
	return out
}

// lineEnd is where the line that holds at ends: its line feed, or to.
func lineEnd(text string, at, to int) int {
	if i := strings.IndexByte(text[at:to], '\n'); i >= 0 {
		return at + i
	}
	return to
}

// lineStart is where the line that holds at begins.
func lineStart(text string, at int) int {
	return strings.LastIndexByte(text[:at], '\n') + 1
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// trimLines takes blank lines off both ends of a run of whole lines; ok is
// false when nothing remains.
func trimLines(text string, from, to int) (s document.Span, ok bool) {
	for from < to {
		end := lineEnd(text, from, to)
		if !blank(text[from:end]) {
			break
		}
		from = end + 1
	}
	if from >= to {
		return document.Span{}, false
	}
	to = from + len(strings.TrimRight(text[from:to], "\n"))
	for {
		start := lineStart(text, to)
		if start <= from || !blank(text[start:to]) {
			break
		}
		to = from + len(strings.TrimRight(text[from:start], "\n"))
	}
	return document.Span{From: from, To: to}, true
}
