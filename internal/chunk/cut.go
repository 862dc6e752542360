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
func (s *splitter) cutText(span document.Span, k document.Kind, about *note) {
	text := span.Of(s.text)
	limit := s.room - s.options.OverlapTokens - about.size()
	for _, sen := range sentence.Split(text) {
		sen.From += span.From
		sen.To += span.From
		s.addWithin(sen, k, sentenceGap, about, limit)
	}
}

// addWithin adds a unit, cut between words if it is over limit.
func (s *splitter) addWithin(span document.Span, k document.Kind, g gap, about *note, limit int) {
	for span.Len() > 0 {
		rest := span.Of(s.text)
		n := len(rest)
		if n > limit*bytesPerToken {
			n = runeStart(rest, limit*bytesPerToken)
		}
		n = wordpiece.Cut(rest[:n], limit)
		s.add(document.Span{From: span.From, To: span.From + n}, k, g, about)
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
	about := contextNote(leadIn)
	for i, p := range parts(b.Span, b.Items) {
		n := about
		if i == 0 {
			n = nil // the lead-in is text of the first part
		}
		if s.fits(p, n) {
			s.add(p, document.List, itemGap, n)
			continue
		}
		at := len(s.units)
		s.cutText(p, document.List, about)
		if at < len(s.units) {
			s.units[at].gap, s.units[at].note = itemGap, n
		}
	}
}

func (s *splitter) fits(p document.Span, about *note) bool {
	t := p.Of(s.text)
	return weigh(count(t), len(t)) <= s.room-about.size()
}

// cutTable cuts at rows. The first part holds caption and header as text, the
// others have them as context.
func (s *splitter) cutTable(b extract.Block, lines []string) {
	header, body := s.headerRows(b)
	for _, h := range header {
		lines = append(lines, oneLine(h.Of(s.text)))
	}
	about := contextNote(contextLines(s.options.MaxTokens/contextShare, lines...))
	rows := parts(b.Span, body)
	// A header alone says nothing: it stays with the first row.
	if len(rows) > 1 && len(body) > 0 && rows[0].To == body[0].From {
		if both := (document.Span{From: rows[0].From, To: rows[1].To}); s.fits(both, nil) {
			rows = rows[1:]
			rows[0] = both
		}
	}
	for i, p := range rows {
		n := about
		if i == 0 {
			n = nil
		}
		if s.fits(p, about) {
			s.add(p, document.Table, itemGap, n)
		} else {
			s.cutRow(p, n, about)
		}
	}
}

// maxHeaderRows bounds how many rows under the header still count as header.
const maxHeaderRows = 3

// headerRows gives the header and body of a table. Rows at its head whose first
// cell is empty go on with the header: years under "December 31", the line that
// says "in thousands".
func (s *splitter) headerRows(b extract.Block) (header, body []document.Span) {
	n := 0
	for n < len(b.Rows)-1 && n < maxHeaderRows {
		cell, ok := strings.CutPrefix(strings.TrimSpace(b.Rows[n].Of(s.text)), "|")
		if !ok || !strings.HasPrefix(strings.TrimSpace(cell), "|") {
			break
		}
		n++
	}
	return append(b.Header[:len(b.Header):len(b.Header)], b.Rows[:n]...), b.Rows[n:]
}

// cutRow cuts a row that is too long between cells, then between words. Its
// first part is to carry first, the others about.
func (s *splitter) cutRow(p document.Span, first, about *note) {
	at := len(s.units)
	row := p.Of(s.text)
	for len(row) > 0 {
		n := strings.IndexByte(row[1:], '|') + 1
		if n == 0 {
			n = len(row)
		}
		from := p.To - len(row)
		s.addWithin(document.Span{From: from, To: from + n}, document.Table, itemGap, about, s.room-about.size())
		row = row[n:]
	}
	if at < len(s.units) {
		s.units[at].note = first
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
		if s.fits(part, nil) {
			s.add(part, document.Code, itemGap, nil)
		} else {
			for part.Len() > 0 {
				n := part.Len()
				if k := strings.IndexByte(part.Of(s.text), '\n'); k >= 0 {
					n = k + 1
				}
				s.addWithin(document.Span{From: part.From, To: part.From + n}, document.Code, itemGap, nil, limit)
				part.From += n
			}
		}
		from = to
	}
}
