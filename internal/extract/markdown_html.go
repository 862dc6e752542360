package extract

import (
	"fmt"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	htmlComment = lazyregexp.New(`(?s)<!--.*?-->`)
	htmlScript  = lazyregexp.New(`(?is)<(?:script|style)\b.*?</(?:script|style)\s*>`)
	htmlTag     = lazyregexp.New(`(?s)<[/!?]?[A-Za-z][^<>]*>`)
	htmlShows   = lazyregexp.New(`(?i)\b(?:alt|title|caption|summary|label)\s*=\s*["'][^"']*\pL`)
)

// html takes HTML among Markdown as a paragraph, unless nothing of it is to be
// read: a comment, a script, tags alone.
func (m *markdown) html(span document.Span) {
	s := span.Of(m.text)
	rest := htmlComment.ReplaceAllString(s, "")
	commented := len(rest) < len(s)
	shown := htmlScript.ReplaceAllString(rest, "")
	scripted := len(shown) < len(rest)
	if strings.IndexFunc(htmlTag.ReplaceAllString(shown, ""), visible) < 0 && !htmlShows.MatchString(shown) {
		if commented {
			m.comments++
		}
		if scripted {
			m.scripts++
		}
		return
	}
	m.paragraph(span)
}

func (m *markdown) notes() []string {
	var out []string
	if m.comments > 0 {
		out = append(out, fmt.Sprintf("HTML comments were left out: %d.", m.comments))
	}
	if m.scripts > 0 {
		out = append(out, fmt.Sprintf("Scripts and style sheets were left out: %d.", m.scripts))
	}
	return out
}
