package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// unit is what passages are joined of and never cut: a block, or a part of one
// that is too long. A large table has millions, so it is kept small.
type unit struct {
	span document.Span
	// note is shared by the parts of a block; nil if there is nothing to say.
	note   *note
	tokens int32
	// lead is the tokens of what stands between the unit before and this one:
	// 0 unless something there is no block, such as a comment.
	lead int32
	// weight is what limits look at: the tokens, or more for text of which a
	// token says little.
	weight int32
	kind   kind
	gap    gap
}

// note is what a passage needs to be understood beside its text.
type note struct {
	// context goes to the context of a passage that begins with the unit: a
	// table's caption and header, a list's lead-in.
	context string
	tokens  int // of context
	// caption of a whole table goes there unless the passage's text has it.
	caption string
}

func contextNote(context string) *note {
	if context == "" {
		return nil
	}
	return &note{context: context, tokens: count(context)}
}

// size is the tokens that n adds to the context of a passage.
func (n *note) size() int {
	if n == nil {
		return 0
	}
	return n.tokens
}

// kind is an index into kinds.
type kind uint8

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
type gap uint8

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
	case wordGap:
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
func (s *splitter) add(span document.Span, k document.Kind, g gap, n *note) {
	s.addCounted(span, k, g, n, count(span.Of(s.text)))
}

// addCounted is add for text whose tokens are known.
func (s *splitter) addCounted(span document.Span, k document.Kind, g gap, about *note, tokens int) {
	t := span.Of(s.text)
	if strings.TrimSpace(t) == "" {
		return
	}
	t = strings.TrimLeft(t, "\n")
	span.From = span.To - len(t)
	span.To = span.From + len(strings.TrimRight(t, " \t\n"))
	u := unit{span: span, note: about, kind: kindIndex(k), gap: g, tokens: int32(tokens), weight: int32(weigh(tokens, span.Len()))}
	if n := len(s.units); n > 0 {
		if between := s.text[s.units[n-1].span.To:span.From]; strings.TrimSpace(between) != "" {
			n := count(between)
			u.lead = int32(n)
			u.weight += int32(weigh(n, len(between)) - n)
		}
	}
	s.units = append(s.units, u)
}
