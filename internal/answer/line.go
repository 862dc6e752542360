package answer

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// line is a part of a text that may become a unit.
type line struct {
	span   document.Span
	row    bool // of a table
	header bool // a row that seems to name the table's columns
	ruled  bool // and surely does: a rule stands under it
}

// lines cuts a text into sentences, items and rows. Rows that are text with bars
// between columns have no mark of their own and stand in one sentence; each is a
// line.
func lines(text string) []line {
	var out []line
	for _, s := range sentence.Split(text) {
		t := s.Of(text)
		switch {
		case isMarkdownRow(t):
			ruled := strings.Contains(t, "\n")
			out = append(out, line{span: s, row: true, header: ruled, ruled: ruled})
		case isTextTable(t):
			out = append(out, textRows(text, s)...)
		default:
			out = append(out, line{span: s})
		}
	}
	return out
}

// textRows cuts a sentence that is the rows of a text table; the first names the
// columns where a rule stands under it, or it holds words only and others figures.
func textRows(text string, s document.Span) []line {
	var out []line
	figures, ruled := false, false
	for from := s.From; from < s.To; {
		to := s.To
		if n := strings.IndexByte(text[from:s.To], '\n'); n >= 0 {
			to = from + n
		}
		if l := text[from:to]; isRule(l) {
			ruled = ruled || len(out) == 1
		} else {
			out = append(out, line{span: document.Span{From: from, To: to}, row: true})
			figures = figures || len(out) > 1 && hasFigure(l)
		}
		from = to + 1
	}
	if len(out) > 0 {
		out[0].ruled = ruled
		out[0].header = ruled || figures && !hasFigure(out[0].span.Of(text))
	}
	return out
}

func hasFigure(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isMarkdownRow(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "|") }

const bar = " | "

// isTextTable recognises rows with bars between columns: one with three columns,
// or several with as many columns each.
func isTextTable(text string) bool {
	first, rest, several := strings.Cut(text, "\n")
	bars := strings.Count(first, bar)
	if bars != 1 || !several {
		return bars > 1
	}
	for l := range strings.SplitSeq(rest, "\n") {
		if !isRule(l) && strings.Count(l, bar) != bars {
			return false
		}
	}
	return true
}

// tableHeader is the row that names the columns among the lines above a passage.
func tableHeader(above string) string {
	for l := range strings.SplitSeq(above, "\n") {
		if strings.Contains(l, bar) && !isRule(l) || isMarkdownRow(l) && !isRule(l) {
			return l
		}
	}
	return ""
}

func isHeading(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "#") }

// isRule recognises the line under a table's header, and a thematic break.
func isRule(text string) bool { return strings.Trim(text, "|-+: \t*_=") == "" }

// bullets begin a list's item, before a space.
var bullets = []string{"-", "*", "+", "•", "–", "·", "◦", "▪"}

// isItem reports whether a text begins with a bullet, "12.", "3)", "a)" or "(iv)".
func isItem(text string) bool {
	mark, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rest == "" {
		return false
	}
	for _, b := range bullets {
		if mark == b {
			return true
		}
	}
	if inner, ok := strings.CutPrefix(mark, "("); ok {
		end := strings.IndexByte(inner, ')')
		return end > 0 && end <= 4
	}
	end := len(mark) - 1
	if end < 1 || end > 3 || mark[end] != '.' && mark[end] != ')' {
		return false
	}
	return strings.Trim(mark[:end], "0123456789") == "" || mark[end] == ')' && end == 1
}

// isQuestion recognises a sentence that asks: it is never an answer.
func isQuestion(text string) bool {
	t := strings.TrimRight(text, " \t*_\"'”’)")
	return strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？")
}
