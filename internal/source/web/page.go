package web

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// maxLinks is how many links of one page are followed.
const maxLinks = 5000

// page is what a web page says to a crawler.
type page struct {
	links   []string // canonical, in their order, each once
	noIndex bool     // it asks not to be indexed
}

// parsePage reads the links of a page at an address. robotsTag is the header
// X-Robots-Tag, which counts like the page's own meta element.
func parsePage(at *url.URL, data []byte, robotsTag string) page {
	var p page
	noFollow := false
	said := func(directives string) {
		for _, d := range strings.FieldsFunc(strings.ToLower(directives), func(r rune) bool { return r == ',' || r == ' ' }) {
			p.noIndex = p.noIndex || d == "noindex" || d == "none"
			noFollow = noFollow || d == "nofollow" || d == "none"
		}
	}
	said(robotsTag)
	base, based := at, false
	seen := map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(1 << 20)
	for {
		switch z.Next() {
		case html.ErrorToken:
			if noFollow {
				p.links = nil
			}
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		t := z.Token()
		switch t.DataAtom {
		case atom.Base:
			if u := resolve(at, attribute(t, "href")); u != nil && !based {
				base, based = u, true
			}
		case atom.Meta:
			if strings.EqualFold(attribute(t, "name"), "robots") {
				said(attribute(t, "content"))
			}
		case atom.A, atom.Area:
			if len(p.links) == maxLinks || attribute(t, "href") == "" || strings.Contains(strings.ToLower(attribute(t, "rel")), "nofollow") {
				continue
			}
			if u := resolve(base, attribute(t, "href")); u != nil && !seen[u.String()] {
				seen[u.String()] = true
				p.links = append(p.links, u.String())
			}
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// decoded is a text as UTF-8 where its server says in which encoding it is, with a mark
// of that, so that no guess and no declaration in the text is believed instead.
func decoded(data []byte, label string) []byte {
	enc, name := charset.Lookup(label)
	if enc == nil || name == "utf-8" && bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return data
	}
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return data
	}
	return append([]byte("\xef\xbb\xbf"), text...)
}
