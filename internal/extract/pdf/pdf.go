// Package pdf reads documents in Portable Document Format as pages of the web: a
// PDF says where each character stands, and the reader finds again what a person
// sees, lines, columns, paragraphs, headings, lists and tables.
//
// PDFium does the parsing, in WebAssembly, so that it needs no cgo and what a
// hostile file does stays in its memory.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const (
	// maxPages bounds the pages of a document.
	maxPages = 10_000
	// maxWords bounds the words that are held of a document, of about 250 bytes.
	maxWords = 2_000_000
)

var (
	// ErrImages is for a document all of whose pages are images, where there is nothing to
	// recognise their text with.
	ErrImages = errors.New("its pages hold images and no text: install tesseract (Debian: tesseract-ocr), so that their text is recognised, or recognise it with another program (OCR) and save it again")
	// ErrUnrecognised is for one in whose images no text was recognised that can be trusted.
	ErrUnrecognised = errors.New("its pages hold images in which no text was recognised with confidence: set extract.ocr.languages to its languages, or give a sharper copy")
)

// Sniff tells a PDF by its content. The mark may stand anywhere in the first 1024
// bytes (ISO 32000-1, annex H, implementation note 13), but a text about PDF holds
// it there as well: only the name, if it says so, is believed on that.
func Sniff(data []byte, named bool) bool {
	at := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	return at == 0 || at > 0 && named
}

// Read reads a document. Pages whose text is in an image are read by the recogniser; nil
// for none. scanned is whether there are such pages, so that what becomes of the document
// depends on the recogniser. It may be called concurrently, but documents are
// fetched one at a time.
func Read(ctx context.Context, data []byte, by ocr.Recogniser) (page *office.Page, scanned bool, err error) {
	f, err := fetch(data)
	if err != nil {
		return nil, false, err
	}
	draw := func(number int) (*image.Gray, int, error) { return drawn(data, number) }
	if err := f.recognise(ctx, by, draw); err != nil {
		return nil, true, err
	}
	page, err = f.write()
	return page, f.scanned(), err
}

// ReadImages reads images as the pages of a document.
func ReadImages(ctx context.Context, images func(yield func(*image.Gray, error) bool), by ocr.Recogniser) (*office.Page, error) {
	f := file{recogniser: by.Name()}
	for drawn, err := range images {
		if err != nil {
			return nil, err
		}
		if len(f.pages) == maxRecognised {
			return nil, office.ErrTooLarge
		}
		f.pages = append(f.pages, page{number: len(f.pages) + 1, drawing: drawing{images: 1}})
		one := file{pages: f.pages[len(f.pages)-1:]}
		draw := func(int) (*image.Gray, int, error) { return drawn, sheetDPI(drawn), nil }
		if err := one.recognise(ctx, by, draw); err != nil {
			return nil, err
		}
	}
	return f.write()
}

// sheetDPI takes an image for a sheet of A4, since few say how large they are on paper.
func sheetDPI(drawn *image.Gray) int {
	const longSide = 11.69 // inches
	return max(1, int(float64(max(drawn.Rect.Dx(), drawn.Rect.Dy()))/longSide))
}

// write makes a page of the web of what is on the pages.
func (f file) write() (*office.Page, error) {
	d, err := arrange(f, time.Now().Add(maxTime))
	if err != nil {
		return nil, err
	}
	if len(d.blocks) == 0 && f.scanned() {
		if f.recogniser == "" {
			return nil, ErrImages
		}
		return nil, ErrUnrecognised
	}
	return d.write()
}

// scanned is whether a page's text is in an image.
func (f file) scanned() bool {
	return slices.ContainsFunc(f.pages, func(p page) bool { return p.scan.wanted })
}

// file is what PDFium says of a document.
type file struct {
	pages     []page
	bookmarks []bookmark
	title     string
	unread    []int // pages that could not be read
	// recogniser is the name of what has read pages that are images, "" for none.
	recogniser string
}

// fetch takes everything that is needed out of the module.
func fetch(data []byte) (file, error) {
	var f file
	err := shared.open(data, maxTime, func(s session) error {
		count := s.count("FPDF_GetPageCount", s.document)
		if count > maxPages {
			return office.ErrTooLarge
		}
		f.bookmarks = s.bookmarks()
		f.title = s.title()
		words := 0
		for i := range count {
			p, err := s.readPage(i)
			if errors.Is(err, errPage) && s.err == nil {
				f.unread = append(f.unread, i+1)
			} else if err != nil {
				return err
			}
			if words += len(p.words); words > maxWords {
				return office.ErrTooLarge
			}
			f.pages = append(f.pages, p)
		}
		return nil
	})
	if err == nil && len(f.pages) > 0 && len(f.unread) == len(f.pages) {
		err = office.ErrDamaged
	}
	return f, err
}

// title is what the file says beside its pages.
func (s session) title() string {
	tag := s.at(maxScratch - 8)
	if !s.pdfium.Memory().Write(uint32(tag), []byte("Title\x00")) {
		return ""
	}
	n := s.count("FPDF_GetMetaText", s.document, tag, s.at(0), maxScratch-8)
	return s.utf16(n, maxScratch-8)
}

// document is what a reader sees.
type document struct {
	layout
	speller
	page   *office.Page
	blocks []block
	notes  map[noteAt]string // how a note is called in the text
	file   file
}

// arrange finds lines, columns, tables and blocks. A small file may show one page ten
// thousand times, so the time is looked at between pages.
func arrange(f file, until time.Time) (*document, error) {
	d := &document{page: office.NewPage(), layout: layoutOf(f.pages), file: f}
	rows := make([][]row, len(f.pages))
	tables := make([][]*table, len(f.pages))
	for i := range f.pages {
		if time.Now().After(until) {
			return nil, ErrSlow
		}
		tables[i] = ruled(&f.pages[i])
		rows[i] = rowsOf(f.pages[i].words)
		for k := range rows[i] {
			rows[i][k].page = i + 1
		}
	}
	d.report(f, rows, tables)
	d.speller = newSpeller(rows)
	for i := range f.pages {
		if time.Now().After(until) {
			return nil, ErrSlow
		}
		d.blocks = append(d.blocks, d.pageBlocks(&f.pages[i], rows[i], tables[i])...)
	}
	d.blocks = d.joined(d.blocks)
	d.say()
	d.findNotes()
	d.findHeadings()
	return d, nil
}

// report says what is left out and what could not be read.
func (d *document) report(f file, rows [][]row, tables [][]*table) {
	if n := withoutFurniture(f.pages, rows); n > 0 {
		d.page.Note("Page headers, footers and page numbers were left out: %d lines.", n)
	}
	var empty, stamped, seen []string
	hidden, unreadable := 0, 0
	for i, p := range f.pages {
		if hidden, unreadable = hidden+p.hidden, unreadable+p.unreadable; p.recognised {
			seen = append(seen, fmt.Sprint(i+1))
		}
		if f.recogniser != "" && p.scan.wanted { // of these more is said
			continue
		}
		if len(p.words)+len(p.aside)+len(tables[i]) == 0 && (p.images > 0 || p.box.empty()) {
			empty = append(empty, fmt.Sprint(i+1))
		} else if p.scan.wanted {
			stamped = append(stamped, fmt.Sprint(i+1))
		}
	}
	if len(empty) > 0 {
		d.page.Note("Pages without text were not read: %s.", list(empty))
	}
	if len(stamped) > 0 {
		d.page.Note("On these pages there may be text in an image, or such as cannot be read; tesseract, which is not installed, may recognise it: %s.", list(stamped))
	}
	if len(seen) > 0 {
		d.page.Note("The text of these pages was recognised in an image by another program: %s.", list(seen))
	}
	if f.recogniser != "" {
		d.reportScans()
	}
	d.page.Slides = len(f.pages)
	d.page.Count(hidden, "Words that a reader does not see were left out")
	d.page.Count(unreadable, "Characters of which the file does not say what they are")
}

// list is a list that stays short.
func list(all []string) string {
	if len(all) > 20 {
		return strings.Join(all[:20], ", ") + fmt.Sprintf(" and %d more", len(all)-20)
	}
	return strings.Join(all, ", ")
}

// pageBlocks are the blocks of a page in reading order.
func (d *document) pageBlocks(p *page, rows []row, tables []*table) []block {
	var segments []segment
	for _, r := range rows {
		segments = append(segments, r.segments...)
	}
	for _, t := range tables {
		segments = append(segments, segment{box: t.box, base: t.top + d.size, size: d.size, table: t})
	}
	var out []block
	add := func(region []segment) {
		if len(region) == 0 {
			return
		}
		d.note(region, p.number)
		blocks := d.blocksOf(region, p)
		blocks[0].starts = true
		out = append(out, blocks...)
	}
	for _, region := range ordered(segments) {
		add(region)
	}
	var aside []segment
	for _, r := range rowsOf(p.aside) {
		aside = append(aside, r.segments...)
	}
	add(aside)
	return out
}
