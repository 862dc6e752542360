package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

var errBook = errors.New("the book cannot be opened: its list of chapters is missing or damaged")

const (
	// maxUnpacked bounds what the chapters of a book unpack to: 32 MB of pages are
	// some thirty novels.
	maxUnpacked = 32 << 20
	maxChapters = 10_000
)

// extractEPUB reads the chapters of a book in the order of its spine (EPUB 3.3, W3C,
// sections 4.2.6 and 5.7), each as the page it is. The table of contents is left out:
// its words are those of the headings.
func extractEPUB(data []byte) (Extracted, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Extracted{}, errBook
	}
	a := &archive{files: map[string]*zip.File{}, left: maxUnpacked}
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	book, dir, err := readPackage(a)
	if err != nil {
		return Extracted{}, err
	}
	chapters := book.chapters(dir)
	if a.size(chapters) > maxUnpacked {
		return Extracted{}, errUnpacked
	}
	w := &made{}
	var notes []string
	unread := 0
	for _, href := range chapters {
		page, err := a.read(href)
		if errors.Is(err, errUnpacked) {
			return Extracted{}, err
		}
		d, decodeErr := decode(page, true)
		if err != nil || decodeErr != nil {
			unread++
			continue
		}
		x, err := extractHTML(d.text)
		switch {
		case errors.Is(err, ErrNoText): // a cover, a plate
		case err != nil:
			unread++
		default:
			w.markdown(x.Text, 0)
			for _, n := range x.Notes {
				if !slices.Contains(notes, n) {
					notes = append(notes, n)
				}
			}
		}
	}
	if unread > 0 {
		notes = append(notes, fmt.Sprintf("Chapters that could not be read were left out: %d.", unread))
	}
	if w.b.Len() == 0 && unread > 0 {
		return Extracted{}, errors.New("no chapter of the book can be read: it may be encrypted")
	}
	x := Extracted{Format: formatEPUB, Text: w.b.String(), Title: w.title, Blocks: w.blocks, Notes: notes}
	if t := oneLine(withoutControls(book.Title)); t != "" {
		x.Title = t
	}
	return x, nil
}

// archive reads files of a ZIP file whose sizes it does not believe.
type archive struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

var errUnpacked = errors.New("it unpacks to more than it may: it is no document, or too large a one")

// size is what files say that they unpack to.
func (a *archive) size(names []string) uint64 {
	var sum uint64
	for _, n := range names {
		if f := a.files[n]; f != nil {
			sum += min(f.UncompressedSize64, maxUnpacked+1)
		}
	}
	return sum
}

func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, errBook
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, a.left+1))
	if a.left -= int64(len(data)); a.left < 0 {
		return nil, errUnpacked
	}
	return data, err
}

// bookPackage is the package document of a book.
type bookPackage struct {
	Title string `xml:"metadata>title"`
	Items []struct {
		ID         string `xml:"id,attr"`
		Href       string `xml:"href,attr"`
		MediaType  string `xml:"media-type,attr"`
		Properties string `xml:"properties,attr"`
	} `xml:"manifest>item"`
	Spine []struct {
		ID string `xml:"idref,attr"`
	} `xml:"spine>itemref"`
	Guide []struct {
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	} `xml:"guide>reference"`
}

func readPackage(a *archive) (*bookPackage, string, error) {
	var container struct {
		Roots []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	if err := a.xml("META-INF/container.xml", &container); err != nil || len(container.Roots) == 0 {
		return nil, "", orBook(err)
	}
	book := &bookPackage{}
	if err := a.xml(container.Roots[0].Path, book); err != nil {
		return nil, "", orBook(err)
	}
	if len(book.Spine) > maxChapters {
		return nil, "", fmt.Errorf("the book has more than %d chapters", maxChapters)
	}
	return book, path.Dir(container.Roots[0].Path), nil
}

func orBook(err error) error {
	if errors.Is(err, errUnpacked) {
		return err
	}
	return errBook
}

func (a *archive) xml(name string, into any) error {
	data, err := a.read(name)
	if err != nil {
		return err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = asDeclared
	return d.Decode(into)
}

// chapters are the names of the pages in the order of reading, each once.
func (b *bookPackage) chapters(dir string) []string {
	toc := map[string]bool{}
	for _, g := range b.Guide {
		if g.Type == "toc" {
			toc[within(dir, g.Href)] = true
		}
	}
	hrefs := map[string]string{}
	for _, it := range b.Items {
		name := within(dir, it.Href)
		page := it.MediaType == "application/xhtml+xml" || it.MediaType == "text/html"
		if page && !toc[name] && !slices.Contains(strings.Fields(it.Properties), "nav") {
			hrefs[it.ID] = name
		}
	}
	var out []string
	for _, s := range b.Spine {
		if name := hrefs[s.ID]; name != "" {
			out = append(out, name)
			delete(hrefs, s.ID)
		}
	}
	return out
}

// within is the name in the archive of what a document in dir refers to.
func within(dir, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if u, err := url.PathUnescape(href); err == nil {
		href = u
	}
	return path.Join(dir, href)
}
