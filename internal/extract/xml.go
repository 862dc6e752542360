package extract

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const (
	maxXMLDepth    = 200
	maxXMLElements = 1 << 20
)

// extractXML reads JATS as the article it is, and of other XML the text of its
// elements, whose names are the path of headings.
func extractXML(text string) (Extracted, error) {
	root, err := parseXML(text)
	if err != nil {
		return Extracted{}, err
	}
	if isJATS(root) {
		return extractJATS(root)
	}
	value := valueOf(root)
	if value.scalar() { // one element with text
		value = jsonValue{kind: '{', keys: []string{root.Data}, items: []jsonValue{value}}
	}
	w := &jsonWriter{}
	w.value(value, 1)
	x := fromMarkdown(formatXML, w.b.String())
	x.Title = jsonLabel(value, "title", "name")
	return x, nil
}

// parseXML gives the root element, names without their prefix. No entity is
// expanded but those of HTML and nothing is fetched: the decoder knows no others.
func parseXML(text string) (*html.Node, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is decoded
	document := &html.Node{Type: html.DocumentNode}
	at, depth, elements := document, 0, 0
	for {
		token, err := d.RawToken()
		switch {
		case err == io.EOF:
			if root := document.FirstChild; root != nil {
				return root, nil
			}
			return nil, errors.New("the XML holds no element")
		case err != nil:
			line, _ := d.InputPos()
			return nil, fmt.Errorf("the XML cannot be read from line %d on", line)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return nil, fmt.Errorf("the XML nests its elements too deeply to be read (more than %d levels)", maxXMLDepth)
			}
			if elements++; elements > maxXMLElements {
				return nil, fmt.Errorf("the XML holds more than %d elements: split it", maxXMLElements)
			}
			n := &html.Node{Type: html.ElementNode, Data: t.Name.Local}
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					n.Attr = append(n.Attr, html.Attribute{Key: a.Name.Local, Val: a.Value})
				}
			}
			if at == document && document.FirstChild != nil {
				return nil, errors.New("the XML has several roots")
			}
			at.AppendChild(n)
			at = n
		case xml.EndElement:
			// An end closes the element of its name and what was left open in it;
			// one that closes nothing is passed over.
			for n := at; n != document; n = n.Parent {
				if n.Data == t.Name.Local {
					for ; at != n; at = at.Parent {
						depth--
					}
					at = n.Parent
					depth--
					break
				}
			}
		case xml.CharData:
			if at != document && len(t) > 0 {
				at.AppendChild(&html.Node{Type: html.TextNode, Data: withoutControls(string(t))})
			}
		}
	}
}

// valueOf makes of an element what a JSON object would say: attributes and elements
// as members, those of one name as an array, and text, also with elements
// within, as a string.
func valueOf(n *html.Node) jsonValue {
	elements, text := 0, false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		elements += bit(c.Type == html.ElementNode)
		text = text || c.Type == html.TextNode && !blank(c.Data)
	}
	if text || elements == 0 {
		s := jsonValue{kind: '"', text: plainOf(textOf(n))}
		if len(n.Attr) == 0 || blank(s.text) && elements == 0 && len(n.Attr) == 0 {
			return s
		}
		v := attributesOf(n)
		v.keys, v.items = append(v.keys, "text"), append(v.items, s)
		return v
	}
	v := attributesOf(n)
	at := map[string]int{}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		m := valueOf(c)
		i, again := at[c.Data]
		switch {
		case !again:
			at[c.Data] = len(v.items)
			v.keys, v.items = append(v.keys, c.Data), append(v.items, jsonValue{kind: '[', items: []jsonValue{m}})
		default:
			v.items[i].items = append(v.items[i].items, m)
		}
	}
	for i, m := range v.items {
		if m.kind == '[' && len(m.items) == 1 {
			v.items[i] = m.items[0]
		}
	}
	return v
}

func attributesOf(n *html.Node) jsonValue {
	v := jsonValue{kind: '{'}
	for _, a := range n.Attr {
		v.keys, v.items = append(v.keys, a.Key), append(v.items, jsonValue{kind: '"', text: withoutControls(a.Val)})
	}
	return v
}

// markedUp is text that is HTML, as feeds carry it in their elements.
var markedUp = lazyregexp.New(`</(?:p|a|div|li|b|i|em|strong|span)>|<br ?/?>`)

func plainOf(s string) string {
	if markedUp.MatchString(s) {
		if x, err := extractHTML("<body>" + s); err == nil {
			return strings.TrimSpace(x.Text)
		}
	}
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l) // its indentation is that of the elements
	}
	return strings.Join(lines, "\n")
}
