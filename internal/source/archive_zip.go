package source

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// errDocument tells a ZIP that is a document, as those of office programs are.
var errDocument = errors.New("it is a document")

// scanZip reads the directory of a ZIP (APPNOTE.TXT 6.3, section 4.3). Members of more
// than most bytes are not unpacked and take nothing of what may be.
func scanZip(r io.ReaderAt, size, most int64, left *allowance) ([]*member, error) {
	limited := &directory{r: r, left: maxDirectory}
	z, err := zip.NewReader(limited, size)
	switch {
	case errors.Is(err, errMembers), OfMachine(err):
		return nil, err
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // paths are looked at here
		return nil, errDamaged
	}
	limited.left = -1
	if isDocument(z.File) {
		return nil, errDocument
	}
	out := make([]*member, 0, len(z.File))
	for _, f := range z.File {
		m := &member{path: zipName(f), size: int64(f.UncompressedSize64), packed: int64(f.CompressedSize64),
			mode: f.Mode(), deflated: f.Method == zip.Deflate, checksum: &f.CRC32}
		if m.mode.IsDir() {
			m.size = 0
		}
		unpacked := m.size
		if unpacked > most {
			unpacked = 0
		}
		if err := left.member(unpacked); err != nil {
			return nil, err
		}
		switch {
		case f.Flags&1 != 0:
			m.fault = errLocked
		case f.Method != zip.Deflate && f.Method != zip.Store:
			m.fault = errMethod
		case m.size < 0 || m.packed < 0:
			m.fault = errDamaged
		default:
			if m.offset, err = f.DataOffset(); OfMachine(err) {
				return nil, err
			} else if err != nil {
				m.fault = errDamaged
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// isDocument is whether a ZIP declares itself one document: Office Open XML (ECMA-376
// part 2, section 10.1.2), OpenDocument and EPUB (whose first file is the type).
func isDocument(files []*zip.File) bool {
	for i, f := range files {
		if f.Name == "[Content_Types].xml" || i == 0 && f.Name == "mimetype" {
			return true
		}
	}
	return false
}

// zipName is a name as UTF-8. What is not marked as such and cannot be is in the code
// page of the PC (APPNOTE.TXT, appendix D).
func zipName(f *zip.File) string {
	if utf8.ValidString(f.Name) {
		return f.Name
	}
	name, err := charmap.CodePage437.NewDecoder().String(f.Name)
	if err != nil {
		return f.Name
	}
	return name
}

// directory reads what the directory of an archive may take; the number of members that
// the archive states is not believed.
type directory struct {
	r    io.ReaderAt
	left int64 // negative: no limit
}

func (d *directory) ReadAt(b []byte, at int64) (int, error) {
	if d.left >= 0 {
		if d.left -= int64(len(b)); d.left < 0 {
			return 0, errMembers
		}
	}
	return d.r.ReadAt(b, at)
}

// inflate unpacks what is deflated.
func inflate(r io.Reader) io.Reader { return flate.NewReader(r) }

var _ fs.DirEntry = (*member)(nil)
