package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// unit is what passages are joined of and never cut: a block, or a part of one
// that is too long.
type unit struct {
	span   document.Span
	tokens int
	// lead is the tokens of what stands between the unit before and this one:
	// 0 unless something there is no block, such as a comment.
	lead int
	// weight is what limits look at: the tokens, or more for text of which a
	// token says little.
	weight int
	kind   kind
	gap    gap
	// context is what a passage that begins with this unit needs to be
	// understood: a table's header, a list's lead-in.
	context string
	extra   int // tokens of context
	// caption of a table.
	caption string
}

// kind is an index into kinds.
type kind int

var kinds = [...]document.Kind{document.Clause, document.Table, document.List, document.Code, document.Paragraph}

const (
	clauseKind kind = iota
	tableKind
	listKind
	codeKind
	paragraphKind
)

func kindIndex(k document.Kind) kind {
	for i, x := range kinds {
		if x == k {
			return kind(i)
		}
	}
	return paragraphKind
}

// gap says how a unit stands to the one before it. The higher, the sooner is
// the text cut there.
type gap int

const (
	// captionGap: a table and its caption.
	captionGap gap = iota
	// boundGap: they belong together up to MaxTokens.
	boundGap
	// wordGap is within a sentence and always a cut, as the sentence was too
	// long.
	wordGap
	// sentenceGap is between sentences of a block that was cut.
	sentenceGap
	// itemGap is between items, rows or parts of code of a block that was cut.
	itemGap
	// subGap is before a clause below the one before it.
	subGap
	// blockGap is between blocks.
	blockGap
	// clauseGap is before a clause.
	clauseGap
	// apart is always a cut: around tables.
	apart
)

// limit is up to what weight units are left together across the gap.
func (g gap) limit(target, room int) int {
	switch g {
	case captionGap, boundGap:
		return room
	case wordGap, apart:
		return 0
	}
	return target
}

// bytesPerToken bounds the length of a passage where tokens do not: a line of
// base64 is a single token, however long. Prose has about 4.5 bytes a token and
// a padded table up to 20.
const bytesPerToken = 32

func count(text string) int {
	if text == "" {
		return 0
	}
	return wordpiece.Count(text)
}

func weigh(tokens, bytes int) int { return max(tokens, bytes/bytesPerToken) }

// add appends a unit, without the line ends around it; white space alone is none.
func (s *splitter) add(span document.Span, k document.Kind, g gap, context string) {
	s.addCounted(span, k, g, context, count(span.Of(s.text)))
}

// addCounted is add for text whose tokens are known.
func (s *splitter) addCounted(span document.Span, k document.Kind, g gap, context string, tokens int) {
	t := span.Of(s.text)
	if strings.TrimSpace(t) == "" {
		return
	}
	t = strings.TrimLeft(t, "\n")
	span.From = span.To - len(t)
	span.To = span.From + len(strings.TrimRight(t, " \t\n"))
	u := unit{span: span, kind: kindIndex(k), gap: g, context: context, extra: count(context), tokens: tokens}
	u.weight = weigh(u.tokens, span.Len())
	if n := len(s.units); n > 0 {
		if between := s.text[s.units[n-1].span.To:span.From]; strings.TrimSpace(between) != "" {
			u.lead = count(between)
		}
	}
	s.units = append(s.units, u)
}
