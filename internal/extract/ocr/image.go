package ocr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // the formats that scanners write
	_ "image/png"
	"strings"

	_ "golang.org/x/image/tiff"
)

const (
	// maxPixels bounds an image: a sheet of A3 at 300 dpi has 17 million pixels.
	maxPixels = 50_000_000
	// leastSide and mostSide, in pixels, tell the image of a page from an icon.
	leastSide, mostSide = 200, 600
	// maxPages bounds the pages of one file.
	maxPages = 2000
)

var (
	// ErrImage is for what cannot be decoded.
	ErrImage = errors.New("the image is damaged or of a kind that is not read: save it anew as PNG or JPEG")
	// ErrLarge is for an image that is not decoded for its size.
	ErrLarge = fmt.Errorf("the image has more than %d million pixels: save it smaller", maxPixels/1_000_000)
	// ErrSmall is for one that is no page.
	ErrSmall = fmt.Errorf("the image is smaller than %d by %d pixels, which is no page", mostSide, leastSide)
)

// Sniff tells an image of a format that is decoded by its first bytes.
func Sniff(data []byte) bool {
	for _, magic := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "II*\x00", "MM\x00*"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return false
}

// Pages are the images of a file one by one, each decoded when it is asked for: a TIFF
// may hold several. An error ends them. Nothing is drawn for what is transparent: it is
// white.
func Pages(data []byte) func(yield func(*image.Gray, error) bool) {
	return func(yield func(*image.Gray, error) bool) {
		order, several := byteOrder(data)
		if several {
			data = bytes.Clone(data)
		}
		for _, at := range directories(data) {
			if several { // its first page is now this one
				order.PutUint32(data[4:], at)
			}
			page, err := decode(data)
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

func decode(data []byte) (*image.Gray, error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil || head.Width <= 0 || head.Height <= 0:
		return nil, ErrImage
	case head.Width > maxPixels/head.Height:
		return nil, ErrLarge
	case max(head.Width, head.Height) < mostSide || min(head.Width, head.Height) < leastSide:
		return nil, ErrSmall
	}
	from, _, err := image.Decode(bytes.NewReader(data))
	if err != nil || from.Bounds().Dx() != head.Width || from.Bounds().Dy() != head.Height {
		return nil, ErrImage
	}
	out := image.NewGray(image.Rect(0, 0, head.Width, head.Height))
	draw.Draw(out, out.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, from, from.Bounds().Min, draw.Over)
	return out, nil
}

// directories are where the pages of a TIFF are described (TIFF 6.0, section 2: the
// directories of a file are a list); of any other image one that says nothing.
func directories(data []byte) []uint32 {
	order, ok := byteOrder(data)
	if !ok {
		return []uint32{0}
	}
	var out []uint32
	seen := map[uint32]bool{}
	at := order.Uint32(data[4:])
	for at != 0 && !seen[at] && len(out) < maxPages {
		seen[at] = true
		out = append(out, at)
		entries := uint64(at) + 2
		if entries > uint64(len(data)) {
			break
		}
		next := entries + 12*uint64(order.Uint16(data[at:]))
		if next+4 > uint64(len(data)) {
			break
		}
		at = order.Uint32(data[next:])
	}
	return out
}

func byteOrder(data []byte) (binary.ByteOrder, bool) {
	if len(data) < 8 || !strings.Contains("II*\x00 MM\x00*", string(data[:4])) {
		return nil, false
	}
	if data[0] == 'I' {
		return binary.LittleEndian, true
	}
	return binary.BigEndian, true
}
