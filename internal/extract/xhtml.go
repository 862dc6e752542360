package extract

import (
	"io"
	"strings"

	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	xhtmlStart = lazyregexp.New(`(?i)^\s*<\?xml\b|<html[^>]+xmlns\s*=`)
	selfClosed = lazyregexp.New(`<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>`)
)

// opened gives the elements that XHTML closes where they open, <title/>, an end of
// their own: read as HTML, which has no such form, they would swallow what follows.
func opened(page string) string {
	if !xhtmlStart.MatchString(page[:min(len(page), sniffed)]) {
		return page
	}
	return selfClosed.ReplaceAllStringFunc(page, func(tag string) string {
		m := selfClosed.FindStringSubmatch(tag)
		switch atom.Lookup([]byte(strings.ToLower(m[1]))) {
		case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
			atom.Param, atom.Source, atom.Track, atom.Wbr:
			return tag
		}
		return "<" + m[1] + m[2] + "></" + m[1] + ">"
	})
}

// asDeclared reads XML in the encoding that it declares.
func asDeclared(label string, input io.Reader) (io.Reader, error) {
	return charset.NewReaderLabel(label, input)
}
