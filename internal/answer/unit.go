package answer

import (
	"regexp"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// unit is what an answer quotes: a sentence, a list item, a table's row.
type unit struct {
	piece     int
	source    *evidence.Piece
	from      retrieve.Candidate // the passage it stands in, or the piece's best
	span      document.Span      // in the canonical text
	text      string
	header    string          // of a table's row: its header row
	own       map[string]bool // terms of the text itself, a row's header included
	near      map[string]bool // terms of the sentences around it and of a list's lead-in
	context   map[string]bool // terms of title and heading path
	begins    bool            // a paragraph begins with it
	continues bool            // it says the condition of the one before, or belongs to a list that one leads in
}

// cutUnits cuts the pieces of the evidence into units, in the order of the pieces and
// within each of the text.
func cutUnits(pieces []evidence.Piece) []unit {
	var out []unit
	for i := range pieces {
		p := &pieces[i]
		context := termSet(p.Title)
		for _, h := range p.Heading {
			// The number of a section is not a number that it speaks of.
			context = union(context, termSet(numbering.ReplaceAllString(h, "")))
		}
		extra := ""
		if _, rest, ok := strings.Cut(p.Context, "\n"); ok {
			extra = rest
		}
		spans := lines(p.Text, sentence.Split(p.Text))
		first := len(out)
		header, lead, last := tableHeader(extra), "", 0
		for _, s := range spans {
			text := s.Of(p.Text)
			if isHeading(text) || isRule(text) {
				lead = ""
				continue
			}
			if isQuestion(text) {
				lead = text
				continue
			}
			u := unit{piece: i, source: p, text: text,
				span: document.Span{From: p.Span.From + s.From, To: p.Span.From + s.To}, context: context}
			u.from = passageOf(p, u.span)
			row := isRow(text)
			switch {
			case row && strings.Contains(text, "\n"): // the header with the rule under it
				header, _, _ = strings.Cut(text, "\n")
				continue
			case row:
				u.header = header
			default:
				header = ""
			}
			u.own = termSet(text + "\n" + u.header)
			item := isItem(text)
			if item && lead != "" {
				u.context = union(context, termSet(lead))
				u.continues = true
			}
			if !item && !row {
				lead = ""
				if strings.HasSuffix(strings.TrimRight(text, "*_ "), ":") {
					lead = text
				}
			}
			u.begins = len(out) == first || strings.Contains(p.Text[last:s.From], "\n\n") && !item
			last = s.To
			if continues(text) || len(out) > first && announces(out[len(out)-1].text) && !u.begins {
				u.continues = true
			}
			out = append(out, u)
		}
		// A sentence is understood together with its neighbours.
		for at := first; at < len(out); at++ {
			near := map[string]bool{}
			for term := range out[at].near {
				near[term] = true
			}
			if out[at].header == "" {
				for _, next := range []int{at - 1, at + 1} {
					if next >= first && next < len(out) && out[next].header == "" {
						for term := range out[next].own {
							near[term] = true
						}
					}
				}
			}
			if extra != "" {
				for term := range termSet(extra) {
					near[term] = true
				}
			}
			out[at].near = near
		}
	}
	return out
}

// numbering is a heading's visible number.
var numbering = regexp.MustCompile(`^(?:\d+(?:\.\d+)*\.?|\([a-z0-9]+\)|[A-Z]\.\d+)\s+`)

// passageOf is the candidate that holds a span of the piece, or the piece's best.
func passageOf(p *evidence.Piece, s document.Span) retrieve.Candidate {
	for _, m := range p.Matched {
		if m.Span.Overlaps(s) {
			return m
		}
	}
	return p.Candidate
}

func union(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool, len(a)+len(b))
	for t := range a {
		out[t] = true
	}
	for t := range b {
		out[t] = true
	}
	return out
}

func termSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range analyze.Words(text) {
		set[w.Term] = true
	}
	return set
}

// isRow recognises a table's row, in Markdown or as text with bars between columns.
func isRow(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.HasPrefix(line, "|") || strings.Count(line, " | ") >= 2
}

// lines cuts spans of several rows, which text files have without a blank line
// between, into one for each line. A header with the rule under it stays one.
func lines(text string, spans []document.Span) []document.Span {
	out := make([]document.Span, 0, len(spans))
	for _, s := range spans {
		if t := s.Of(text); !isRow(t) || strings.HasPrefix(strings.TrimSpace(t), "|") {
			out = append(out, s)
			continue
		}
		from := s.From
		for from < s.To {
			to := s.To
			if n := strings.IndexByte(text[from:s.To], '\n'); n >= 0 {
				to = from + n
			}
			if strings.TrimSpace(text[from:to]) != "" {
				out = append(out, document.Span{From: from, To: to})
			}
			from = to + 1
		}
	}
	return out
}

func isHeading(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "#") }

// isRule recognises the line under a table's header, and a thematic break.
func isRule(text string) bool {
	t := strings.TrimSpace(text)
	return t == "" || strings.Trim(t, "|-: \t*_=") == ""
}

func isItem(text string) bool {
	t := strings.TrimSpace(text)
	if len(t) < 2 {
		return false
	}
	if (t[0] == '-' || t[0] == '*' || t[0] == '+') && t[1] == ' ' {
		return true
	}
	if t[0] == '(' {
		close := strings.IndexByte(t, ')')
		return close > 1 && close <= 5
	}
	digits := 0
	for digits < len(t) && t[digits] >= '0' && t[digits] <= '9' {
		digits++
	}
	return digits > 0 && digits < 4 && digits+1 < len(t) && (t[digits] == '.' || t[digits] == ')') && t[digits+1] == ' '
}

// isQuestion recognises a sentence that asks: it is never an answer.
func isQuestion(text string) bool {
	t := strings.TrimRight(text, " \t*_\"'”’)")
	return strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？")
}

func tableHeader(extra string) string {
	for _, line := range strings.Split(extra, "\n") {
		if isRow(line) && !isRule(line) {
			return line
		}
	}
	return ""
}
