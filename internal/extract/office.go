package extract

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/seed-d3156d19/quarry/internal/extract/docx"
	"github.com/seed-d3156d19/quarry/internal/extract/odf"
	"github.com/seed-d3156d19/quarry/internal/extract/office"
	"github.com/seed-d3156d19/quarry/internal/extract/pptx"
	"github.com/seed-d3156d19/quarry/internal/extract/rtf"
	"github.com/seed-d3156d19/quarry/internal/extract/xlsx"
)

// extractOffice reads an office document, which its content tells, whatever its
// name says. ok is false for what is none by its content nor by its name.
func extractOffice(ext string, data []byte) (x Extracted, ok bool, err error) {
	kind, pack, err := office.Sniff(data)
	var page *office.Page
	switch {
	case errors.Is(err, office.ErrLegacy):
		return Extracted{}, true, fmt.Errorf("%w: %w", ErrUnsupported, err)
	case err != nil && (officeFormats[ext] || errors.Is(err, office.ErrEncrypted)):
		return Extracted{}, true, err
	case kind == office.Word:
		page, err = docx.Read(pack)
	case kind == office.Sheet:
		page, err = xlsx.Read(pack)
	case kind == office.OpenDocument:
		page, err = odf.Read(pack)
	case kind == office.RichText:
		page, err = rtf.Read(data)
	case kind == office.Slides:
		page, err = pptx.Read(pack)
	case officeFormats[ext]:
		return Extracted{}, true, fmt.Errorf("the content is not that of a %s file: save it anew, or give it the ending of what it is", ext)
	default:
		return Extracted{}, false, nil
	}
	if err != nil {
		return Extracted{}, true, err
	}
	x, err = renderPage(string(kind), page)
	return x, true, err
}

// renderPage makes canonical text and blocks of a document as they are made of
// a web page.
func renderPage(format string, page *office.Page) (Extracted, error) {
	r := &renderer{}
	clean(page.Body)
	text, pages := takePages(r.page(page.Body, nil))
	if strings.IndexFunc(text, visible) < 0 {
		return Extracted{}, ErrNoText
	}
	m := newMarkdown(text)
	m.parse(0)
	x := Extracted{Format: format, Text: text, Title: withoutControls(strings.ToValidUTF8(page.Title, "\uFFFD")), Blocks: m.blocks, Pages: pages, Notes: append(page.Notes(), r.notes()...), Doubts: page.Doubts(),
		Links: r.links, Slides: page.Slides, EmptyPages: page.EmptySlides}
	x.Lines = locate(text, pages, page.Lines)
	switch {
	case hidesMetadata(text):
		return Extracted{}, errHidden
	case len(x.Blocks) == 0:
		return Extracted{}, ErrNoText
	case x.Title == "":
		x.Title = m.title
	}
	return x, nil
}

// clean leaves in a tree what canonical text may hold: no parser of web pages made it,
// and a format may have any byte in its text.
func clean(n *html.Node) {
	if n.Type == html.TextNode {
		n.Data = withoutControls(strings.ToValidUTF8(n.Data, "\uFFFD"))
	}
	for i := range n.Attr {
		n.Attr[i].Val = withoutControls(strings.ToValidUTF8(n.Attr[i].Val, "\uFFFD"))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		clean(c)
	}
}
