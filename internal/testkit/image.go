package testkit

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// PageImage draws lines of text on a sheet of so many pixels, as a scan of 300 dpi has
// them: letters of 11 points, of 16 in lines that begin with "# ".
func PageImage(t testing.TB, width, height int, lines ...string) *image.Gray {
	t.Helper()
	page := image.NewGray(image.Rect(0, 0, width, height))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face := func(points float64) font.Face {
		f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: points, DPI: 300})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	usual, large := face(11), face(16)
	y := 200
	for _, l := range lines {
		d := font.Drawer{Dst: page, Src: image.NewUniform(color.Black), Face: usual}
		if len(l) > 2 && l[:2] == "# " {
			d.Face, l = large, l[2:]
			y += 40
		}
		d.Dot = fixed.P(150, y)
		d.DrawString(l)
		y += 65
	}
	return page
}
