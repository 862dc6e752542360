package extract

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/extract/pdf"
)

// IsImage is whether an original is an image by its name, or without a name by its content.
func IsImage(name string, data []byte) bool {
	ext := extension(name)
	return formatOf[ext] == formatImage || ext == "" && ocr.Sniff(data)
}

// extractImage reads an image as the pages of a document. ok is false for what is none by
// its name, nor, without a name, by its content.
func extractImage(ctx context.Context, name string, data []byte, by ocr.Recogniser) (x Extracted, ok bool, err error) {
	switch {
	case !IsImage(name, data):
		return Extracted{}, false, nil
	case by == nil:
		return Extracted{}, true, fmt.Errorf("%w: an image, whose text is recognised where tesseract is installed", ErrUnsupported)
	case !ocr.Sniff(data):
		return Extracted{}, true, fmt.Errorf("%w: its content is none of PNG, JPEG and TIFF", ErrUnsupported)
	}
	page, err := pdf.ReadImages(ctx, ocr.Pages(data), by)
	if err == nil {
		x, err = renderPage(formatImage, page)
	}
	if errors.Is(err, ocr.ErrSmall) {
		return Extracted{}, true, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	x.Scanned = true
	return x, true, ofRecogniser(err)
}
