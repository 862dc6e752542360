// Package office holds what the readers of office formats share: the archive an
// office document is, its XML within limits, and the page that a reader makes of
// it.
package office

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// Kind is the family of formats that an original belongs to by its content.
type Kind string

// The kinds; "" is none of them.
const (
	Word         Kind = "docx"
	Sheet        Kind = "xlsx"
	Slides       Kind = "pptx"
	OpenDocument Kind = "odf"
	RichText     Kind = "rtf"
)

// Errors for what is not read, each with what to do.
var (
	// ErrLegacy is for the binary formats of before 2007.
	ErrLegacy = errors.New("the binary formats .doc, .xls, .ppt and .xlsb: save it as .docx, .xlsx or .pptx, or set extract.tika")
	// ErrEncrypted is for what opens with a password only.
	ErrEncrypted = errors.New("the document is encrypted: save it without a password")
	// ErrDamaged is for an archive or XML that cannot be read to its end.
	ErrDamaged = errors.New("the document is damaged: open it with the program that made it and save it again")
	// ErrTooLarge is for what would take too much memory or time.
	ErrTooLarge = errors.New("the document unpacks to more than is read: divide it")
)

// compoundFile begins the container of the binary formats ([MS-CFB], 2.2).
var compoundFile = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// Sniff tells an office document from everything else by its content. An error
// is the reason why one cannot be read.
func Sniff(data []byte) (Kind, *Package, error) {
	switch {
	case bytes.HasPrefix(data, []byte(`{\rtf`)):
		return RichText, nil, nil
	case bytes.HasPrefix(data, compoundFile):
		return "", nil, sniffCompound(data)
	case !bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "", nil, nil
	}
	p, err := Open(data)
	if err != nil {
		return "", nil, err
	}
	kind, err := p.kind()
	return kind, p, err
}

// sniffCompound looks for the names of the streams that the formats keep in a
// compound file, which are UTF-16. A message (.msg) is none of them.
func sniffCompound(data []byte) error {
	holds := func(name string) bool {
		wide := make([]byte, 0, 2*len(name))
		for i := range len(name) {
			wide = append(wide, name[i], 0)
		}
		return bytes.Contains(data, wide)
	}
	switch {
	case holds("__substg1.0_"):
		return nil
	case holds("EncryptedPackage"):
		return ErrEncrypted
	case holds("WordDocument"), holds("Workbook"), holds("PowerPoint Document"), holds("Book\x00"):
		return ErrLegacy
	}
	return nil
}

// kind goes by the type that the archive declares of its main part.
func (p *Package) kind() (Kind, error) {
	if p.Has("mimetype") {
		mime, err := p.head("mimetype", 128)
		if err != nil || !strings.HasPrefix(mime, "application/vnd.oasis.opendocument.") {
			return "", err
		}
		manifest, err := p.head("META-INF/manifest.xml", 1<<20)
		if strings.Contains(manifest, "encryption-data") {
			return "", ErrEncrypted
		}
		return OpenDocument, err
	}
	if !p.Has(contentTypes) {
		return "", nil
	}
	types, err := p.head(contentTypes, 4<<20)
	switch {
	case err != nil:
		return "", err
	case strings.Contains(types, "sheet.binary.macroEnabled.main"):
		return "", ErrLegacy
	case strings.Contains(types, "wordprocessingml.document.main+xml"), strings.Contains(types, "wordprocessingml.template.main+xml"),
		strings.Contains(types, "ms-word.document.macroEnabled.main+xml"), strings.Contains(types, "ms-word.template.macroEnabledTemplate.main+xml"):
		return Word, nil
	case strings.Contains(types, "spreadsheetml.sheet.main+xml"), strings.Contains(types, "spreadsheetml.template.main+xml"),
		strings.Contains(types, "ms-excel.sheet.macroEnabled.main+xml"), strings.Contains(types, "ms-excel.template.macroEnabled.main+xml"):
		return Sheet, nil
	case strings.Contains(types, "presentationml.presentation.main+xml"), strings.Contains(types, "presentationml.slideshow.main+xml"),
		strings.Contains(types, "presentationml.template.main+xml"), strings.Contains(types, "ms-powerpoint.") && strings.Contains(types, ".macroEnabled.main+xml"):
		return Slides, nil
	}
	return "", nil
}

const contentTypes = "[Content_Types].xml"

// head is the beginning of a part, "" if there is none.
func (p *Package) head(name string, most int64) (string, error) {
	if !p.Has(name) {
		return "", nil
	}
	r, err := p.open(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most))
	return string(b), err
}
