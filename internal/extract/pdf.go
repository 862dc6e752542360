package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/extract/pdf"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const formatPDF = "pdf"

// extractPDF reads a PDF, which its content tells, whatever its name says. ok is
// false for what is none by its content nor by its name.
func extractPDF(ctx context.Context, ext string, data []byte, by ocr.Recogniser) (x Extracted, ok bool, err error) {
	switch {
	case pdf.Sniff(data, ext == ".pdf"):
	case ext == ".pdf" && len(data) == 0:
		return Extracted{}, true, ErrNoText
	case ext == ".pdf":
		return Extracted{}, true, errors.New("the content is not that of a .pdf file: save it anew, or give it the ending of what it is")
	default:
		return Extracted{}, false, nil
	}
	page, scanned, err := pdf.Read(ctx, data, by)
	if err == nil {
		x, err = renderPage(formatPDF, page)
	}
	x.Scanned = scanned
	return x, true, ofRecogniser(err)
}

// ofRecogniser says that a document without text is one, and why.
func ofRecogniser(err error) error {
	if errors.Is(err, pdf.ErrImages) || errors.Is(err, pdf.ErrUnrecognised) {
		return fmt.Errorf("%w: %w", ErrNoText, err)
	}
	return err
}

// pageMark is what a reader sets behind the first letter of a page.
var pageMark = lazyregexp.New(`\x{FDD0}([\x{F0000}-\x{FFFFF}])`)

// takePages takes the marks of pages out of a text and says where each page begins:
// at its first word, or where the line of that does.
func takePages(text string) (string, document.Pages) {
	marks := pageMark.FindAllStringSubmatchIndex(text, -1)
	if marks == nil {
		return text, nil
	}
	var b strings.Builder
	var pages document.Pages
	from, line, word := 0, 0, 0 // the last two are where they begin in b
	for _, m := range marks {
		piece := text[from:m[0]]
		if n := strings.LastIndexByte(piece, '\n'); n >= 0 {
			line = b.Len() + n + 1
		}
		if n := strings.LastIndexAny(piece, " \n"); n >= 0 {
			word = b.Len() + n + 1
		}
		b.WriteString(piece)
		at := word
		if strings.Trim(b.String()[line:at], "#->|*0123456789.) ") == "" {
			at = line
		}
		from = m[1]
		r, _ := utf8.DecodeRuneInString(text[m[2]:])
		page := int(r - 0xF0000)
		if n := len(pages); n > 0 && page <= pages[n-1].Page { // of a cell that is repeated
			continue
		}
		pages = append(pages, document.PageStart{Page: page, Offset: at})
	}
	b.WriteString(text[from:])
	return b.String(), pages
}
