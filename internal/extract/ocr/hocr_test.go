package ocr

import (
	"fmt"
	"strings"
	"testing"
)

// TestHOCR: what tesseract says of a page, and what is not as it should be.
func TestHOCR(t *testing.T) {
	line := func(title, words string) string {
		return `<span class='ocr_line' id='line_1_1' title="` + title + `">` + words + `</span>`
	}
	word := func(title, text string) string {
		return `<span class='ocrx_word' title='` + title + `'>` + text + `</span>`
	}
	for _, c := range []struct{ name, hocr, want string }{
		{"a line", line("bbox 10 20 110 60; baseline 0 -8; x_size 40; x_descenders 8; x_ascenders 9", word("bbox 10 20 50 52; x_wconf 96", "The")+"\n"+word("bbox 60 20 110 60; x_wconf 50", "fee")),
			"base 52 size 40: The(10,20)-(50,52) 0.96, fee(60,20)-(110,60) 0.50"},
		{"letters that are marked", line("bbox 0 0 100 40; baseline 0 0; x_size 40", word("bbox 0 0 100 40; x_wconf 90", "<strong><em>R&amp;D</em></strong>")),
			"base 40 size 40: R&D(0,0)-(100,40) 0.90"},
		{"a line that slopes", line("bbox 0 0 1000 60; baseline 0.01 -20; x_size 40", word("bbox 0 0 100 40; x_wconf 90", "a")),
			"base 45 size 40: a(0,0)-(100,40) 0.90"},
		{"a caption, and a word without text", `<span class="ocr_caption" title="bbox 0 0 9 9; x_size 9">` + word("bbox 0 0 9 9; x_wconf 90", " ") + word("bbox 1 1 9 9; x_wconf 80", "b") + `</span>`,
			"base 9 size 9: b(1,1)-(9,9) 0.80"},
		{"numbers that are none", line("bbox 0 0 NaN 9; x_size 1e99", word("bbox 0 0 1e300 40; x_wconf 90", "a")+word("bbox -1 0 5 5", "b")+word("bbox 0 0 5 5; x_wconf x", "c")),
			"base 9 size 9: c(0,0)-(5,5) 0.00"},
		{"words before any line, tags that are not closed", word("bbox 0 0 5 5; x_wconf 90", "a") + `</span></div><span class='ocr_line' title="bbox 0 0 9 9"><span class='ocrx_word' title='bbox 0 0 5 5; x_wconf 90'>b`,
			"base 9 size 9: b(0,0)-(5,5) 0.90"},
		{"nothing", "", ""},
	} {
		p, _ := readHOCR([]byte(c.hocr))
		if got := said(p); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func said(p Page) string {
	var lines []string
	for _, l := range p.Lines {
		var words []string
		for _, w := range l.Words {
			words = append(words, fmt.Sprintf("%s%v %.2f", w.Text, w.Box, w.Confidence))
		}
		lines = append(lines, fmt.Sprintf("base %g size %g: %s", l.Base, l.Size, strings.Join(words, ", ")))
	}
	return strings.Join(lines, "\n")
}

// TestTurn: a page is turned as most of its words stand.
func TestTurn(t *testing.T) {
	words := func(angle string, n int) string {
		return `<span class='ocr_line' title="bbox 0 0 9 9` + angle + `">` + strings.Repeat(`<span class='ocrx_word' title='bbox 0 0 5 5; x_wconf 9'>a</span>`, n) + `</span>`
	}
	for hocr, want := range map[string]int{
		words("", 3):                               0,
		words("; textangle 90", 3):                 270,
		words("; textangle 90", 3) + words("", 4):  0,
		words("; textangle 180", 3) + words("", 2): 180,
	} {
		if _, turn := readHOCR([]byte(hocr)); turn != want {
			t.Errorf("%s is turned by %d, not %d", hocr, turn, want)
		}
	}
}

func FuzzHOCR(f *testing.F) {
	f.Add([]byte(`<span class='ocr_line' title="bbox 0 0 9 9; baseline 0 -1; x_size 9"><span class='ocrx_word' title='bbox 0 0 5 5; x_wconf 90'>b</span></span>`))
	f.Add([]byte(`<span class='ocrx_word' title='bbox 0 0 5 5'></span></span><span class='ocr_line' title="textangle 90"><span class='ocrx_word' title='bbox 0 0 5 5'>`))
	f.Add([]byte(`<span class='ocr_line' title="bbox 0 5 9 0"><span class='ocrx_word' title='bbox 0 0 5 5'>inside out</span></span>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _ := readHOCR(data)
		for _, l := range p.Lines {
			if !(l.Size >= 0 && l.Size < 1e7) {
				t.Errorf("a size of %g", l.Size)
			}
			for _, w := range l.Words {
				if w.Text == "" || w.Box.Empty() || !(w.Confidence >= 0 && w.Confidence <= 1) {
					t.Errorf("a word %+v", w)
				}
			}
		}
	})
}
