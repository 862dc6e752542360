package ocr

import (
	"fmt"
	"image"
	"io"
)

// pgm reads an image as a portable graymap (Netpbm's P5), the form of grey pixels that
// needs no encoding.
type pgm struct {
	page *image.Gray
	head []byte
	y    int // the next row
	row  []byte
	said bool
}

func (p *pgm) Read(b []byte) (int, error) {
	if !p.said {
		p.head = fmt.Appendf(nil, "P5\n%d %d\n255\n", p.page.Rect.Dx(), p.page.Rect.Dy())
		p.said = true
	}
	from := &p.head
	if len(p.head) == 0 {
		from = &p.row
	}
	if len(*from) == 0 {
		if p.y >= p.page.Rect.Dy() {
			return 0, io.EOF
		}
		at := p.y * p.page.Stride
		p.row = p.page.Pix[at : at+p.page.Rect.Dx()]
		p.y++
	}
	n := copy(b, *from)
	*from = (*from)[n:]
	return n, nil
}

// turned is a page turned by a number of degrees against the clock, of which it makes
// quarters.
func turned(page *image.Gray, degrees int) *image.Gray {
	w, h := page.Rect.Dx(), page.Rect.Dy()
	quarters := ((degrees+45)/90%4 + 4) % 4
	size := image.Rect(0, 0, w, h)
	if quarters%2 == 1 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewGray(size)
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch quarters {
			case 1:
				tx, ty = y, w-1-x
			case 2:
				tx, ty = w-1-x, h-1-y
			case 3:
				tx, ty = h-1-y, x
			}
			out.Pix[ty*out.Stride+tx] = page.Pix[y*page.Stride+x]
		}
	}
	return out
}
