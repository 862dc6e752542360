package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// partsOfMail tells apart what a message says, the signature below its line of
// two dashes (RFC 3676, section 4.3), and what is quoted below it or under a line
// that says so. What is answered line by line stays with the text.
func partsOfMail(body string) (text, signature, history string) {
	lines := strings.Split(body, "\n")
	n := len(lines)
	sign := n
	for i, l := range lines {
		if strings.TrimRight(l, " ") == "--" {
			sign = i
			break
		}
	}
	quote, end := originalMessage(lines), n
	if q := quotedTail(lines[:sign]); q < min(quote, sign) { // the signature stands below what is quoted
		quote, end = q, sign
	} else if q := quotedTail(lines); q < quote {
		quote = q
	}
	join := func(from, to int) string { return strings.Trim(strings.Join(lines[from:max(from, to)], "\n"), "\n") }
	text = join(0, min(sign, quote))
	switch {
	case blank(text):
		return strings.Trim(body, "\n"), "", ""
	case sign < quote:
		return text, join(sign+1, quote), join(quote, n)
	}
	return text, join(min(end+1, n), n), join(quote, end)
}

var (
	originalLine = lazyregexp.New(`(?i)^\s*-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oprindelig meddelelse)\s*-{2,}\s*$`)
	underscores  = lazyregexp.New(`^_{10,}\s*$`)
	wroteLine    = lazyregexp.New(`(?i)\b(?:wrote|schrieb|a écrit|escribió|ha scritto|skrev|schreef)\b[^:]{0,80}:\s*$`)
)

// originalMessage is the line under which a program puts the message that is
// answered, the number of lines if there is none.
func originalMessage(lines []string) int {
	for i, l := range lines {
		if originalLine.MatchString(l) || underscores.MatchString(l) && i+1 < len(lines) && mailFrom.MatchString(strings.TrimSpace(lines[i+1])) {
			return i
		}
	}
	return len(lines)
}

// quotedTail is the line from which on everything is quoted, with the one that says
// whom; the number of lines if the last is not quoted.
func quotedTail(lines []string) int {
	last, quoted := len(lines)-1, false
	for ; last >= 0; last-- {
		if strings.HasPrefix(lines[last], ">") {
			quoted = true
		} else if !blank(lines[last]) {
			break
		}
	}
	switch {
	case !quoted:
		return len(lines)
	case last < 0 || !wroteLine.MatchString(lines[last]):
		return last + 1
	case last > 0 && !blank(lines[last-1]) && len(lines[last]) < 60: // the line was folded
		return last - 1
	}
	return last
}
