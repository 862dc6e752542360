package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/sentence"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// cutText cuts running text that is too long at its sentences. The first unit's
// gap is the caller's to set.
func (s *splitter) cutText(span document.Span, k document.Kind, context string) {
	text := span.Of(s.text)
	limit := s.room - s.options.OverlapTokens - count(context)
	for _, sen := range sentence.Split(text) {
		sen.From += span.From
		sen.To += span.From
		s.addWithin(sen, k, sentenceGap, context, limit)
	}
}

// addWithin adds a unit, cut between words if it is over limit.
func (s *splitter) addWithin(span document.Span, k document.Kind, g gap, context string, limit int) {
	for span.Len() > 0 {
		rest := span.Of(s.text)
		n := len(rest)
		if n > limit*bytesPerToken {
			n = runeStart(rest, limit*bytesPerToken)
		}
		n = wordpiece.Cut(rest[:n], limit)
		s.add(document.Span{From: span.From, To: span.From + n}, k, g, context)
		span.From += n
		g = wordGap
	}
}

// runeStart gives the last offset up to n at which a character begins.
func runeStart(s string, n int) int {
	for i := n; i > n-utf8.UTFMax && i > 0; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return n
}

// parts extends the spans of a block's items or rows to cover the block.
func parts(block document.Span, spans []document.Span) []document.Span {
	out := make([]document.Span, 0, len(spans)+1)
	from := block.From
	for _, p := range spans {
		if p.From > from && p.From < block.To {
			out = append(out, document.Span{From: from, To: p.From})
			from = p.From
		}
	}
	return append(out, document.Span{From: from, To: block.To})
}

func (s *splitter) cutList(b extract.Block, leadIn string) {
	first := len(s.units)
	for _, p := range parts(b.Span, b.Items) {
		context := leadIn
		if len(s.units) == first {
			context = ""
		}
		if s.fits(p, context) {
			s.add(p, document.List, itemGap, context)
			continue
		}
		at := len(s.units)
		s.cutText(p, document.List, leadIn)
		if at < len(s.units) {
			s.units[at].gap, s.units[at].context = itemGap, context
		}
	}
}

func (s *splitter) fits(p document.Span, context string) bool {
	t := p.Of(s.text)
	return weigh(count(t), len(t)) <= s.room-count(context)
}

// cutTable cuts at rows. The first part holds caption and header as text, the
// others have them as context.
func (s *splitter) cutTable(b extract.Block, lines []string) {
	for _, h := range b.Header {
		lines = append(lines, oneLine(h.Of(s.text)))
	}
	context := contextLines(s.options.MaxTokens/contextShare, lines...)
	limit := s.room - count(context)
	head := true
	for _, p := range parts(b.Span, b.Rows) {
		c := context
		if head {
			c = ""
		}
		head = head && (len(b.Rows) == 0 || p.From < b.Rows[0].From)
		if t := p.Of(s.text); weigh(count(t), len(t)) <= limit {
			s.add(p, document.Table, itemGap, c)
			continue
		}
		s.cutRow(p, c, context, limit)
	}
}

// cutRow cuts a row that is too long between cells, then between words.
func (s *splitter) cutRow(p document.Span, first, context string, limit int) {
	at := len(s.units)
	row := p.Of(s.text)
	for len(row) > 0 {
		n := strings.IndexByte(row[1:], '|') + 1
		if n == 0 {
			n = len(row)
		}
		from := p.To - len(row)
		s.addWithin(document.Span{From: from, To: from + n}, document.Table, itemGap, context, limit)
		row = row[n:]
	}
	if at < len(s.units) {
		s.units[at].context = first
	}
}

// cutCode cuts at blank lines, else at lines.
func (s *splitter) cutCode(span document.Span) {
	text := span.Of(s.text)
	limit := s.room
	for from := 0; from < len(text); {
		to := len(text)
		if n := strings.Index(text[from:], "\n\n"); n >= 0 {
			to = from + n + 2
		}
		part := document.Span{From: span.From + from, To: span.From + to}
		if s.fits(part, "") {
			s.add(part, document.Code, itemGap, "")
		} else {
			for part.Len() > 0 {
				n := part.Len()
				if k := strings.IndexByte(part.Of(s.text), '\n'); k >= 0 {
					n = k + 1
				}
				s.addWithin(document.Span{From: part.From, To: part.From + n}, document.Code, itemGap, "", limit)
				part.From += n
			}
		}
		from = to
	}
}
