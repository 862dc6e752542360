package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

func extractText(text string) (Extracted, error) {
	yaml, body, err := cutFrontMatter(text)
	if err != nil {
		return Extracted{}, err
	}
	p := &plainText{text: text}
	p.parse(body)
	return Extracted{Format: formatText, Text: text, Title: p.title, FrontMatter: yaml, Blocks: p.blocks}, nil
}

// plainText finds the structure that people give to text without markup. Where
// two readings are possible it takes the plainer: a paragraph.
type plainText struct {
	text   string
	blocks []Block
	title  string
	under  int // level of the unnumbered heading at the top, under which numbers begin
}

// maxGroup bounds the lines that are looked at together; a longer run without
// a blank line is cut.
const maxGroup = 5000

// parse goes from one run of lines between blank lines to the next. The next but
// one is known too, because a line alone is a heading only by what follows.
func (p *plainText) parse(at int) {
	first := true
	var cur, next []document.Span
	cur, at = p.group(at)
	for len(cur) > 0 {
		next, at = p.group(at)
		if first && p.mail(cur) {
			first = false
			cur = next
			continue
		}
		p.lines(cur, next, first)
		first = false
		cur = next
	}
}

// group gives the next run of non-blank lines and where to go on.
func (p *plainText) group(at int) ([]document.Span, int) {
	var out []document.Span
	for at < len(p.text) && len(out) < maxGroup {
		l := document.Span{From: at, To: lineEnd(p.text, at, len(p.text))}
		if blank(l.Of(p.text)) {
			if len(out) > 0 {
				break
			}
		} else {
			out = append(out, l)
		}
		at = l.To + 1
	}
	return out, at
}

// lines takes one group apart: a heading at its head, then what the rest is.
func (p *plainText) lines(g, next []document.Span, first bool) {
	for n := 1; n > 0; first = false {
		n = p.headingAt(g, next, first)
		if g = g[n:]; len(g) == 0 {
			return
		}
	}
	if n := p.tableAt(g); n > 0 {
		if g = g[n:]; len(g) == 0 {
			return
		}
	}
	// A table or a list may follow its introduction without a blank line, and a
	// heading may stand within.
	for i := range g {
		if i > 0 && (p.listStarts(g[i:]) || p.underlined(g[i:]) > 0) && !p.isItem(g[0]) {
			p.plain(g[:i])
			p.lines(g[i:], next, false)
			return
		}
	}
	p.plain(g)
}

// plain takes lines that hold no heading and no table.
func (p *plainText) plain(g []document.Span) {
	span := document.Span{From: g[0].From, To: g[len(g)-1].To}
	if items := p.listItems(g); len(items) > 0 {
		kind := markerKind(g[0].Of(p.text))
		if last := len(p.blocks) - 1; last >= 0 && p.blocks[last].Kind == List &&
			markerKind(p.blocks[last].Items[0].Of(p.text)) == kind && blank(p.text[p.blocks[last].Span.To:span.From]) {
			p.blocks[last].Span.To = span.To
			p.blocks[last].Items = append(p.blocks[last].Items, items...)
			return
		}
		p.blocks = append(p.blocks, Block{Kind: List, Span: span, Items: items})
		return
	}
	if p.all(g, func(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), ">") }) {
		p.blocks = append(p.blocks, Block{Kind: Quote, Span: span})
		return
	}
	if len(g) == 1 && textRuler(g[0].Of(p.text)) {
		return
	}
	s := g[0].Of(p.text)
	number := clauseNumber(s)
	if m := orderedItem.FindStringSubmatch(s); number == "" && m != nil {
		number = strings.TrimRight(m[1], ".")
	}
	p.blocks = append(p.blocks, Block{Kind: Paragraph, Span: span, Number: number})
}

func (p *plainText) all(g []document.Span, is func(string) bool) bool {
	for _, l := range g {
		if !is(l.Of(p.text)) {
			return false
		}
	}
	return true
}

var (
	mailField   = lazyregexp.New(`^(?i:(From|Von|De|To|An|Cc|Bcc|Date|Datum|Sent|Gesendet|Subject|Betreff|Reply-To|Message-ID|X-[A-Za-z-]+|Received|Return-Path|MIME-Version|Content-[A-Za-z-]+|In-Reply-To|References)):\s*(.*)$`)
	mailSubject = lazyregexp.New(`^(?i:subject|betreff):\s*(.*\S)`)
	mailFrom    = lazyregexp.New(`^(?i:from|von|de):`)
)

// mail takes the fields at the head of a mail as a paragraph of their own and
// its subject as the title.
func (p *plainText) mail(g []document.Span) bool {
	fields, from, subject := 0, false, ""
	end := 0
	for i, l := range g {
		s := l.Of(p.text)
		switch {
		case mailField.MatchString(s):
			fields++
			from = from || mailFrom.MatchString(s)
			if m := mailSubject.FindStringSubmatch(s); m != nil && subject == "" {
				subject = m[1]
			}
		case i > 0 && (s[0] == ' ' || s[0] == '\t'): // a folded field
		default:
			if fields < 2 {
				return false
			}
		}
		if !mailField.MatchString(s) && s[0] != ' ' && s[0] != '\t' {
			break
		}
		end = i + 1
	}
	if fields < 2 || !from && subject == "" {
		return false
	}
	p.blocks = append(p.blocks, Block{Kind: Paragraph, Span: document.Span{From: g[0].From, To: g[end-1].To}})
	p.title = subject
	if end < len(g) {
		p.lines(g[end:], nil, false)
	}
	return true
}
