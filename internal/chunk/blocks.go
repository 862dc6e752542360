package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// addBlocks makes units of the section's blocks: one each, unless a block, or
// the blocks that it belongs to, are too large.
func (s *splitter) addBlocks() {
	n := len(s.blocks)
	if n == 0 {
		return
	}
	gaps := make([]gap, n)
	gaps[0] = apart
	for i := 1; i < n; i++ {
		gaps[i] = s.gapBefore(i)
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && gaps[to] <= boundGap {
			to++
		}
		s.addGroup(from, to, gaps)
		from = to
	}
}

// addGroup makes units of blocks [from, to), which belong together.
func (s *splitter) addGroup(from, to int, gaps []gap) {
	tokens := make([]int, to-from)
	total := 0
	for i := from; i < to; i++ {
		t := s.blocks[i].Span.Of(s.text)
		tokens[i-from] = count(t)
		total += weigh(tokens[i-from], len(t))
	}
	clause := isClause(s.blocks[from])
	for i := from; i < to; i++ {
		b := s.blocks[i]
		w := weigh(tokens[i-from], b.Span.Len())
		first := len(s.units)
		whole := w <= s.room
		switch b.Kind {
		case extract.Table:
			whole = whole && w <= 2*s.options.TargetTokens
			if !whole {
				s.cutTable(b, s.tableLines(from, i))
			}
		case extract.List:
			whole = whole && (total <= s.room || len(b.Items) < 2)
			if !whole {
				s.cutList(b, s.leadIn(from, i))
			}
		case extract.Code:
			if !whole {
				s.cutCode(b.Span)
			}
		default:
			if !whole {
				s.cutText(b.Span, blockKind(b), nil)
			}
		}
		if whole {
			s.addCounted(b.Span, blockKind(b), gaps[i], nil, tokens[i-from])
		}
		if first >= len(s.units) {
			continue
		}
		s.units[first].gap = gaps[i]
		if b.Kind == extract.Table && whole && b.Caption != "" {
			s.units[first].note = &note{caption: b.Caption}
		}
		if clause {
			for j := first; j < len(s.units); j++ {
				if k := &s.units[j].kind; *k != tableKind && *k != codeKind {
					*k = clauseKind
				}
			}
		}
	}
}

func blockKind(b extract.Block) document.Kind {
	switch b.Kind {
	case extract.List:
		return document.List
	case extract.Table:
		return document.Table
	case extract.Code:
		return document.Code
	}
	return document.Paragraph
}

func isClause(b extract.Block) bool { return b.Kind == extract.Paragraph && b.Number != "" }

// leadIn is the last sentence of the paragraph that block i, in the group that
// begins with from, follows.
func (s *splitter) leadIn(from, i int) string {
	if i == from || s.blocks[i-1].Kind != extract.Paragraph {
		return ""
	}
	t := s.blocks[i-1].Span.Of(s.text)
	return contextLines(s.options.MaxTokens/contextShare, oneLine(lastSentence(t)))
}

// tableLines are the lines that explain the table, block i: caption and units.
func (s *splitter) tableLines(from, i int) []string {
	b := s.blocks[i]
	lines := []string{oneLine(b.Caption)}
	for k := max(from, i-2); k < i; k++ {
		if t := oneLine(s.blocks[k].Span.Of(s.text)); s.blocks[k].Kind == extract.Paragraph && t != lines[0] {
			if l := oneLine(lastSentence(t)); len(l) <= maxUnitsLine {
				lines = append(lines, l)
			}
		}
	}
	if i+1 < len(s.blocks) {
		if t := oneLine(s.blocks[i+1].Span.Of(s.text)); len(t) <= maxUnitsLine && statesUnits(t) && t != lines[0] {
			lines = append(lines, t)
		}
	}
	return lines
}

// maxUnitsLine is the most bytes of a line that states a table's units.
const maxUnitsLine = 300

func statesUnits(t string) bool {
	t = strings.ToLower(t)
	for _, w := range []string{"in million", "in thousand", "in billion", "in percent", "in usd", "in eur", "amounts in", "figures in", "values in", "units:", "unit:", "all amounts", "all figures"} {
		if strings.Contains(t, w) {
			return true
		}
	}
	return false
}
