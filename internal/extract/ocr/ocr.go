// Package ocr has the text of images of pages recognised by tesseract, a program of its
// own that is used where it is installed (optical character recognition). Nothing goes
// over a network.
//
// Images are decoded here, in Go, within limits, and the program is given plain grey
// pixels: what a hostile file does to libraries of images cannot happen to it.
package ocr

import (
	"context"
	"errors"
	"image"
	"unicode/utf8"
)

// Recogniser reads images of pages. A user may plug one in.
type Recogniser interface {
	// Name says which program, of which version and for which languages. Where it
	// changes, what it has read is read again.
	Name() string
	// Recognise reads one page. dpi is how many pixels of it are an inch of paper. What
	// the image is to blame for is ErrPage; ErrMissing says that nothing can be read
	// now, which ends a sync; any other error is the context's. It may be called concurrently.
	Recognise(ctx context.Context, page *image.Gray, dpi int) (Page, error)
}

var (
	// ErrPage is wrapped by the error for a page that cannot be read.
	ErrPage = errors.New("its text cannot be recognised")
	// ErrMissing is wrapped by the error of a program that cannot be started.
	ErrMissing = errors.New("the program that recognises text cannot be started")
)

// Page is what was recognised. Places are pixels from the upper left corner of the page
// when its text stands upright: one that was scanned lying on its side is turned.
type Page struct {
	Width, Height int
	Lines         []Line
}

// Line is one of a column or cell.
type Line struct {
	Base  float64 // where its letters stand
	Size  float64 // from the top of the highest letters to the bottom of the lowest
	Words []Word  // in reading order
}

// Word is a run of letters without a space.
type Word struct {
	Text       string
	Box        image.Rectangle
	Confidence float64 // from 0 to 1, as the program sees it
}

// Confidence is that of the letters of a page on average, from 0 to 1; 0 of none.
func (p Page) Confidence() float64 {
	sum, letters := 0.0, 0
	for _, l := range p.Lines {
		for _, w := range l.Words {
			n := utf8.RuneCountInString(w.Text)
			sum += w.Confidence * float64(n)
			letters += n
		}
	}
	return sum / float64(max(letters, 1))
}
