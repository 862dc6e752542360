package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// contextShare: a heading path may take 1/contextShare of MaxTokens, and so may
// what else a context holds. The text is never cut short for its context.
const contextShare = 4

// headingContext is the title and heading path of a section in one line.
func (s *splitter) headingContext(section int) string {
	sec := s.sections[section]
	parts := make([]string, 0, len(sec.Path)+1)
	if t := oneLine(s.title); t != "" && !s.beginsWithTitle(section, t) {
		parts = append(parts, t)
	}
	for _, h := range sec.Path {
		if h = oneLine(h); h != "" {
			parts = append(parts, h)
		}
	}
	return shortenPath(parts, s.options.MaxTokens/contextShare)
}

// beginsWithTitle reports whether the section's level-1 heading is the title.
func (s *splitter) beginsWithTitle(section int, title string) bool {
	if len(s.sections[section].Path) == 0 {
		return false
	}
	if oneLine(s.sections[section].Path[0]) == title {
		return true
	}
	// The path carries the heading's number, the title need not.
	top := section
	for p := s.sections[top].Parent; p > 0; p = s.sections[top].Parent {
		top = p
	}
	return oneLine(s.sections[top].Heading) == title
}

const ellipsis = "…"

// shortenPath joins parts, leaving out from the middle what is over limit
// tokens: the last part matters most, then the first, then those before the last.
func shortenPath(parts []string, limit int) string {
	whole := strings.Join(parts, " > ")
	if len(parts) == 0 || count(whole) <= limit {
		return whole
	}
	if len(parts) == 1 {
		return shorten(parts[0], limit)
	}
	first := shorten(parts[0], limit/4)
	last := shorten(parts[len(parts)-1], limit/2)
	left := limit - count(first) - count(last) - 3 // two marks and the ellipsis
	middle := ""
	for i := len(parts) - 2; i > 0; i-- {
		if left -= count(parts[i]) + 1; left < 0 {
			break
		}
		middle = parts[i] + " > " + middle
	}
	return first + " > " + ellipsis + " > " + middle + last
}

// shorten cuts s to limit tokens, with an ellipsis; below four tokens nothing
// else is left.
func shorten(s string, limit int) string {
	if weigh(count(s), len(s)) <= limit {
		return s
	}
	if limit < 4 {
		return ellipsis
	}
	n := wordpiece.Cut(s, limit-1)
	n = min(n, limit*bytesPerToken)
	return strings.TrimSpace(strings.ToValidUTF8(s[:n], "")) + ellipsis
}

// contextLines joins what is not empty, a line each, within limit tokens.
func contextLines(limit int, lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		if l == "" {
			continue
		}
		if l = shorten(l, limit); l == ellipsis {
			break
		}
		limit -= count(l)
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l)
	}
	return b.String()
}

// contextOf is the context of the passage of units [lo, hi) that covers span and
// has so many tokens.
func (s *splitter) contextOf(lo, hi int, span document.Span, tokens int) string {
	extra := ""
	if n := s.units[lo].note; n != nil {
		extra = n.context
	}
	if extra == "" {
		for _, u := range s.units[lo:hi] {
			if n := u.note; n != nil && n.caption != "" && !strings.Contains(span.Of(s.text), n.caption) {
				extra = contextLines(min(s.room-tokens, s.options.MaxTokens/contextShare), oneLine(n.caption))
			}
		}
	}
	switch {
	case extra == "":
		return s.path
	case s.path == "":
		return extra
	}
	return s.path + "\n" + extra
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
