package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// gapBefore says how block i stands to the one before it.
func (s *splitter) gapBefore(i int) gap {
	prev, cur := s.blocks[i-1], s.blocks[i]
	before, text := s.edges(i-1), s.edges(i)
	switch {
	case cur.Kind == extract.Table && s.isCaption(i-1, cur), prev.Kind == extract.Table && s.isCaption(i, prev):
		return captionGap
	case prev.Kind != extract.Table && prev.Kind != extract.Code && endsInColon(before.tail):
		return boundGap
	case cur.Kind == extract.Table && prev.Kind == extract.Paragraph && (pointsOn(before.tail) || statesUnits(before.tail)):
		return boundGap
	case prev.Kind == extract.Table && cur.Kind == extract.Paragraph && (qualifies(text.head) || isTableNote(text.head)):
		return boundGap
	case prev.Kind == extract.Table || cur.Kind == extract.Table:
		return apart
	case cur.Kind == extract.Paragraph && i+1 < len(s.blocks) && s.blocks[i+1].Kind == extract.Table && s.isCaption(i, s.blocks[i+1]):
		if pointsOn(before.tail) || statesUnits(before.tail) {
			return boundGap
		}
		return apart
	case cur.Kind == extract.List && prev.Kind == extract.Paragraph && (prev.Number != "" || pointsOn(before.tail)):
		return boundGap
	case cur.Kind == extract.Paragraph && qualifies(text.head):
		return boundGap
	case cur.Kind == extract.Paragraph && isLocal(cur.Number):
		return boundGap
	case cur.Kind == extract.Paragraph && cur.Number != "":
		if prev.Number != "" && strings.HasPrefix(cur.Number, strings.TrimRight(prev.Number, ".")+".") {
			return subGap
		}
		return clauseGap
	}
	return blockGap
}

// edges are the first and last bytes of a block, which decide how it stands to
// its neighbours.
type edges struct{ head, tail string }

const edge = 200

func (s *splitter) edges(i int) edges {
	t := s.blocks[i].Span.Of(s.text)
	return edges{head: t[:min(len(t), edge)], tail: t[max(0, len(t)-edge):]}
}

func (s *splitter) isCaption(i int, table extract.Block) bool {
	return table.Caption != "" && s.blocks[i].Kind == extract.Paragraph &&
		oneLine(strings.Trim(s.blocks[i].Span.Of(s.text), "*_ ")) == oneLine(strings.Trim(table.Caption, "*_ "))
}

func endsInColon(tail string) bool {
	tail = strings.TrimRight(tail, " \t\n*_\"')”’")
	return strings.HasSuffix(tail, ":") || strings.HasSuffix(tail, "：")
}

// pointsOn reports whether the last sentence announces what comes next.
func pointsOn(tail string) bool {
	t := strings.ToLower(lastSentence(tail))
	return strings.Contains(t, "following") || strings.Contains(t, "as follows") || strings.Contains(t, "below") ||
		strings.Contains(t, "table") || endsInColon(t)
}

func lastSentence(t string) string {
	const window = 1000
	if len(t) > window {
		t = strings.ToValidUTF8(t[len(t)-window:], "")
	}
	spans := sentence.Split(t)
	if len(spans) == 0 {
		return ""
	}
	return spans[len(spans)-1].Of(t)
}

// qualifiers begin a paragraph that limits or explains the one before it and
// misleads without it.
var qualifiers = []string{
	"however", "unless", "except", "provided that", "provided, however", "provided however",
	"this does not apply", "this shall not apply", "this rule does not apply", "the above does not apply",
	"the foregoing", "notwithstanding the foregoing", "in that case", "in this case", "in such case",
	"in such cases", "in these cases", "otherwise", "note:", "note that", "notes:", "exception", "exceptions",
	"conversely", "nevertheless", "nonetheless", "but ", "if so", "if not",
}

// qualifies reports whether a paragraph begins with a qualifier.
func qualifies(head string) bool {
	head = strings.TrimLeft(head, " \t\n*_>\"“‘(")
	for _, q := range qualifiers {
		if len(head) < len(q) || !strings.EqualFold(head[:len(q)], q) {
			continue
		}
		last := q[len(q)-1]
		next, _ := utf8.DecodeRuneInString(head[len(q):])
		if last == ':' || last == ' ' || !unicode.IsLetter(next) {
			return true
		}
	}
	return false
}

// isTableNote reports whether a paragraph after a table explains it.
func isTableNote(head string) bool {
	h := strings.ToLower(strings.TrimLeft(head, " \t\n_("))
	for _, p := range []string{"source:", "sources:", "* ", "*)", "† ", "¹", "all amounts", "all figures", "amounts in", "figures in", "values in", "n/a"} {
		if strings.HasPrefix(h, p) {
			return true
		}
	}
	return false
}

// isLocal reports whether a number counts sub-items: "(a)", "(iv)", "b)".
func isLocal(number string) bool {
	return strings.HasPrefix(number, "(") ||
		len(number) >= 2 && strings.HasSuffix(number, ")") && number[0] >= 'a' && number[0] <= 'z'
}
