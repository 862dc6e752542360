package extract

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// Version is part of a revision's pipeline: a change of what Extract or Metadata
// make of some original must change it, so that the next sync reads it again.
const Version = "5"

var (
	// ErrUnsupported is wrapped by the error for an original of a format that is
	// not read: the document is skipped, and listed as such.
	ErrUnsupported = errors.New("this format is not read")
	// ErrNoText is wrapped by the error for an original that holds nothing to
	// read: the document has failed.
	ErrNoText = errors.New("the document holds no text")
	// ErrUnavailable is wrapped by the error of a service that reads other formats, where it
	// says nothing of the original: it is tried again at the next sync.
	ErrUnavailable = errors.New("not read yet")
	// ErrBinary is wrapped by the error for an original whose name says text and
	// whose content is something else.
	ErrBinary = errors.New("the content is binary, not text")
)

// Extract turns an original into text and blocks. The content decides first,
// then the name: a page saved as .txt is read as the page it is. Errors are one
// sentence without text of the document; ErrUnsupported tells a format that is
// not read from a document that should have been readable. It may be called
// concurrently.
//
// A span ends before the line feed of its last line.
func Extract(name string, data []byte) (Extracted, error) {
	return ExtractScans(context.Background(), name, data, nil)
}

// ExtractScans is Extract which has the text of images of pages, in a PDF or in files
// of their own, read by a recogniser; nil for none: then files of images are
// ErrUnsupported. Where the context ends, its error is given.
func ExtractScans(ctx context.Context, name string, data []byte, by ocr.Recogniser) (Extracted, error) {
	ext := extension(name)
	if x, ok, err := extractOffice(ext, data); ok {
		return x, err
	}
	if x, ok, err := extractPDF(ctx, ext, data, by); ok {
		return x, err
	}
	if x, ok, err := extractImage(ctx, name, data, by); ok {
		return x, err
	}
	format, known := formatOf[ext]
	if !known && ext != "" {
		return Extracted{}, fmt.Errorf("%w: %s", ErrUnsupported, ext)
	}
	format = sniff(format, data)
	if read := readBytes[format]; read != nil {
		x, err := read(data)
		return checked(x, string(data[:min(len(data), sniffed)]), err)
	}
	d, err := decode(data, format == formatHTML || format == formatXML)
	switch {
	case err != nil && !known:
		return Extracted{}, fmt.Errorf("%w: a file without extension that is not text", ErrUnsupported)
	case err != nil:
		return Extracted{}, err
	case strings.IndexFunc(d.text, visible) < 0:
		return Extracted{}, ErrNoText
	}
	format = told(format, ext, d.text)
	if err := failedDownload(format, d.text); err != nil {
		return Extracted{}, err
	}
	read := readText[format]
	if read == nil {
		read = extractText
	}
	x, err := read(d.text)
	x.Notes = append(d.notes, x.Notes...)
	return checked(x, d.text, err)
}

// checked refuses what was read and must not be indexed; original is how the original
// itself begins.
func checked(x Extracted, original string, err error) (Extracted, error) {
	switch {
	case err != nil:
		return Extracted{}, err
	case x.FrontMatter == nil && hidesMetadata(original, x.Text):
		return Extracted{}, errHidden
	case len(x.Blocks) == 0:
		// Who may know that it failed is said by its front matter.
		return Extracted{FrontMatter: x.FrontMatter}, ErrNoText
	}
	return x, nil
}

var extensionLike = lazyregexp.New(`^\.[A-Za-z][A-Za-z0-9]{0,9}$`)

// extension of a name, in lower case. "Minutes 2026.05" and "plan v1.2" have
// none, and neither has ".profile".
func extension(name string) string {
	base := path.Base(name)
	ext := path.Ext(base)
	if ext == base || !extensionLike.MatchString(ext) {
		return ""
	}
	return strings.ToLower(ext)
}

// visible is whether a rune leaves a mark on the page.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && r != '\uFFFD'
}
