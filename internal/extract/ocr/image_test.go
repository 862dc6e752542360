package ocr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"testing"
	"testing/iotest"

	"golang.org/x/image/tiff"
)

// sheet is white with one black corner, and transparent in another.
func sheet(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{255, 255, 255, 255}
			switch {
			case x < w/2 && y < h/2:
				c = color.NRGBA{0, 0, 0, 255}
			case x >= w/2 && y >= h/2:
				c = color.NRGBA{0, 0, 0, 0}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func TestPages(t *testing.T) {
	var asPNG, asJPEG, asTIFF bytes.Buffer
	png.Encode(&asPNG, sheet(600, 300))
	jpeg.Encode(&asJPEG, sheet(600, 300), nil)
	tiff.Encode(&asTIFF, sheet(600, 300), nil)
	for name, data := range map[string][]byte{"png": asPNG.Bytes(), "jpeg": asJPEG.Bytes(), "tiff": asTIFF.Bytes()} {
		if !Sniff(data) {
			t.Errorf("%s is not known", name)
		}
		n := 0
		for p, err := range Pages(data) {
			if n++; err != nil || p.Rect != image.Rect(0, 0, 600, 300) || p.GrayAt(10, 10).Y > 10 || p.GrayAt(590, 10).Y < 245 || name != "jpeg" && p.GrayAt(590, 290).Y != 255 {
				t.Errorf("%s: %v, %v", name, p.Rect, err)
			}
		}
		if n != 1 {
			t.Errorf("%s has %d pages", name, n)
		}
	}
}

// twoPages is a TIFF of two pages of one image: the second directory repeats the first.
func twoPages(data []byte, next func(second uint32) uint32) []byte {
	order := binary.LittleEndian
	at := order.Uint32(data[4:])
	n := uint32(order.Uint16(data[at:]))
	size := 2 + 12*n + 4
	second := uint32(len(data))
	out := append(bytes.Clone(data), data[at:at+size]...)
	order.PutUint32(out[at+size-4:], second)
	order.PutUint32(out[second+size-4:], next(second))
	return out
}

// TestPagesOfTIFF: a file may hold several, whose list may be a ring or end nowhere.
func TestPagesOfTIFF(t *testing.T) {
	var one bytes.Buffer
	tiff.Encode(&one, sheet(600, 300), nil)
	for name, next := range map[string]func(uint32) uint32{
		"end":  func(uint32) uint32 { return 0 },
		"ring": func(second uint32) uint32 { return second },
	} {
		n := 0
		for _, err := range Pages(twoPages(one.Bytes(), next)) {
			if n++; err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 2 {
			t.Errorf("%s: %d pages", name, n)
		}
	}
	var errs []error
	for _, err := range Pages(twoPages(one.Bytes(), func(uint32) uint32 { return 1 << 31 })) {
		errs = append(errs, err)
	}
	if len(errs) != 3 || !errors.Is(errs[2], ErrImage) {
		t.Errorf("behind the end: %v", errs)
	}
}

// huge is the beginning of a PNG that says it is a hundred thousand pixels wide and high.
func huge() []byte {
	var b bytes.Buffer
	png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1)))
	out := b.Bytes()
	binary.BigEndian.PutUint32(out[16:], 100_000)
	binary.BigEndian.PutUint32(out[20:], 100_000)
	head := out[12:29]
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(head))
	return out
}

func TestRefusedImages(t *testing.T) {
	var small, cut bytes.Buffer
	png.Encode(&small, sheet(300, 300))
	png.Encode(&cut, sheet(600, 300))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"an icon":              {small.Bytes(), ErrSmall},
		"ten thousand million": {huge(), ErrLarge},
		"cut":                  {cut.Bytes()[:cut.Len()/2], ErrImage},
		"a name alone":         {[]byte("\x89PNG\r\n\x1a\n"), ErrImage},
		"an empty TIFF":        {[]byte("II*\x00\x08\x00\x00\x00"), ErrImage},
		"a TIFF of nothing":    {[]byte("MM\x00*\x00\x00\x00\x00"), nil},
	} {
		for _, err := range Pages(c.data) {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestTurned: four quarters are a whole turn, and a quarter against the clock brings the
// right edge to the top.
func TestTurned(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(page.Pix, []byte{1, 2, 3, 4, 5, 6})
	if got := turned(page, 90); !bytes.Equal(got.Pix, []byte{3, 6, 2, 5, 1, 4}) || got.Rect.Dx() != 2 {
		t.Errorf("a quarter: %v", got.Pix)
	}
	if got := turned(page, 180); !bytes.Equal(got.Pix, []byte{6, 5, 4, 3, 2, 1}) {
		t.Errorf("a half: %v", got.Pix)
	}
	if got := turned(turned(page, 270), 90); !bytes.Equal(got.Pix, page.Pix) {
		t.Errorf("there and back: %v", got.Pix)
	}
}

func TestGraymap(t *testing.T) {
	whole := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(whole.Pix, []byte{1, 2, 3, 4, 5, 6})
	got, err := io.ReadAll(iotest.OneByteReader(&pgm{page: whole}))
	if err != nil || string(got) != "P5\n3 2\n255\n\x01\x02\x03\x04\x05\x06" {
		t.Errorf("%q, %v", got, err)
	}
}
