package sentence

import "strings"

// lineKind says how a line of Markdown takes part in sentences.
type lineKind byte

const (
	running lineKind = iota // goes on from the line before
	blank
	item    // begins a sentence, and the next line may go on
	whole   // is a sentence: a table row, a heading, a line of code
	trailer // belongs to the line above: a rule under a header
)

// lineReader tells the kinds of lines in order; it knows whether it is in a code
// fence.
type lineReader struct{ fence string }

func (l *lineReader) read(line string) lineKind {
	t := strings.TrimSpace(line)
	if t == "" {
		return blank
	}
	if l.fence != "" {
		if strings.HasPrefix(t, l.fence) {
			l.fence = ""
		}
		return whole
	}
	switch {
	case strings.HasPrefix(t, "```"):
		l.fence = "```"
		return whole
	case strings.HasPrefix(t, "~~~"):
		l.fence = "~~~"
		return whole
	case strings.Trim(t, "|-: \t") == "" && strings.Contains(t, "-") && strings.Contains(t, "|"),
		len(t) >= 2 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == ""):
		return trailer
	case t[0] == '|':
		return whole
	case atxHeading(t):
		return whole
	case itemMark(t):
		return item
	}
	return running
}

func atxHeading(t string) bool {
	rest := strings.TrimLeft(t, "#")
	n := len(t) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// itemMark reports whether a line begins with a bullet, "12.", "3)", "a)" or
// "(iv)" and a space.
func itemMark(t string) bool {
	mark, rest, ok := strings.Cut(t, " ")
	if !ok || rest == "" {
		return false
	}
	switch mark {
	case "-", "*", "+", "•", "–", "·", "◦", "▪":
		return true
	}
	open := strings.HasPrefix(mark, "(")
	body := strings.TrimPrefix(mark, "(")
	if n := len(body); n < 2 || n > 6 || body[n-1] != ')' && (open || body[n-1] != '.') {
		return false
	}
	dot := body[len(body)-1] == '.'
	body = body[:len(body)-1]
	if strings.Trim(body, "0123456789") == "" {
		// A wrapped line may begin with the last word of a sentence, "in\n2024.".
		return !dot || len(body) <= 3
	}
	return !dot && (len(body) == 1 || strings.Trim(body, "ivxlcIVXLC") == "")
}
