package pdf

import (
	"image"
	"math"
	"time"
)

const (
	// renderDPI is what text of usual size is recognised best at. A page smaller than A5 is
	// drawn as large as that, up to mostDPI, for its text is often smaller too; what is
	// drawn larger than it was scanned is read slower and not better.
	renderDPI, mostDPI = 300, 600
	leastSide          = 620 // points of the long side: somewhat more than A5's
	// maxPixels bounds the image of a page: larger ones, of drawings, are drawn coarser.
	maxPixels = 20_000_000
	// renderTime bounds how long a page is drawn.
	renderTime = 30 * time.Second
)

// Format of a bitmap, and flags (public/fpdfview.h).
const (
	bitmapGray    = 1
	withNotes     = 0x01 // stamps and notes are drawn as well
	asGray        = 0x08
	white         = 0xFFFFFFFF
	pointsPerInch = 72
)

// drawn is the image of a page, and how many of its pixels are an inch. The document is
// opened for it anew, so that the module can be had by others while the image is read.
func drawn(data []byte, number int) (out *image.Gray, dpi int, err error) {
	err = shared.open(data, renderTime, func(s session) error {
		page := s.call("FPDF_LoadPage", s.document, uint64(number-1))
		if page == 0 {
			return errPage
		}
		defer s.call("FPDF_ClosePage", page)
		if !s.is("FPDF_GetPageSizeByIndexF", s.document, uint64(number-1), s.at(0)) {
			return errPage
		}
		f := s.floats(2)
		w, h := f[0], f[1]
		if !(w > 0 && h > 0 && w < 20_000 && h < 20_000) {
			return errPage
		}
		fine := min(mostDPI, renderDPI*max(1, leastSide/max(w, h)))
		dpi = int(min(fine, pointsPerInch*math.Sqrt(maxPixels/(w*h))))
		width, height := int(w*float64(dpi)/pointsPerInch), int(h*float64(dpi)/pointsPerInch)
		if width < 1 || height < 1 || width*height > maxPixels {
			return errPage
		}
		pixels := s.call("malloc", uint64(width*height))
		if pixels == 0 {
			return errPage
		}
		defer s.call("free", pixels)
		bitmap := s.call("FPDFBitmap_CreateEx", uint64(width), uint64(height), bitmapGray, pixels, uint64(width))
		if bitmap == 0 {
			return errPage
		}
		defer s.call("FPDFBitmap_Destroy", bitmap)
		s.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(width), uint64(height), white)
		s.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(width), uint64(height), 0, withNotes|asGray)
		out = image.NewGray(image.Rect(0, 0, width, height))
		copy(out.Pix, s.read(uint32(pixels), uint32(width*height)))
		return s.err
	})
	return out, dpi, err
}
