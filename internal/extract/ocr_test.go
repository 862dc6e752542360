package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// reader recognises in every page the same lines, with one confidence, or fails.
type reader struct {
	lines      []string
	confidence float64
	err        error
	asked      int
	dpi        int
	page       *image.Gray
}

func (r *reader) Name() string { return "reader 1 eng" }

func (r *reader) Recognise(ctx context.Context, page *image.Gray, dpi int) (ocr.Page, error) {
	r.asked, r.dpi, r.page = r.asked+1, dpi, page
	if r.err != nil {
		return ocr.Page{}, r.err
	}
	p := ocr.Page{Width: page.Rect.Dx(), Height: page.Rect.Dy()}
	for i, l := range r.lines {
		line := ocr.Line{Base: float64(400 + 60*i), Size: 46}
		if rest, ok := strings.CutPrefix(l, "# "); ok {
			line.Size, l = 80, rest
		}
		x := 300
		for _, w := range strings.Fields(l) {
			wide := int(line.Size) * len(w) / 2
			line.Words = append(line.Words, ocr.Word{Text: w, Confidence: r.confidence, Box: image.Rect(x, int(line.Base-line.Size), x+wide, int(line.Base))})
			x += wide + 20
		}
		p.Lines = append(p.Lines, line)
	}
	return p, nil
}

// picture draws an image over a share of the page (ISO 32000-1, 8.9.7).
func (f *pdfFile) picture(share float64) {
	f.raw(fmt.Sprintf("q %g 0 0 %g 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q", pdfWidth, share*pdfHeight))
}

// TestScans: what becomes of a page that is an image, by what a recogniser says of it.
func TestScans(t *testing.T) {
	lines := []string{"# Terms of payment", "The buyer pays within thirty days of the date of the", "invoice, which the supplier sends with the goods."}
	sure := &reader{lines: lines, confidence: 0.95}
	const recognised = "# Terms of payment\n\nThe buyer pays within thirty days of the date of the invoice, which the supplier sends with the goods.\n"
	scanned := func(f *pdfFile) { f.picture(1) }
	between := func(f *pdfFile) {
		f.filler(70, 100, 450, 2)
		f.addPage()
		f.picture(1)
		f.addPage()
		f.filler(70, 100, 450, 1)
		f.addPage()
		f.picture(0.4)
	}
	goods := func(n int) string {
		return strings.TrimSpace(strings.Repeat("Goods are held at the risk of the buyer from the day of delivery on and not before. ", n)) + "\n"
	}
	for _, c := range []struct {
		name  string
		draw  func(*pdfFile)
		by    *reader
		text  string
		err   error
		notes string // that one of the notes or doubts says
		empty []int
		asked int
	}{
		{name: "a page", draw: scanned, by: sure, text: recognised, notes: "recognised in their image by reader 1 eng, with the confidence said: 1 (95 %).", asked: 1},
		{name: "a page, and nobody to read it", draw: scanned, err: ErrNoText},
		{name: "pages among others", draw: between, by: sure, text: goods(2) + "\n" + recognised + "\n" + goods(1) + "\n" + recognised, notes: ": 2 (95 %), 4 (95 %).", asked: 2},
		{name: "pages among others, and nobody to read them", draw: between, text: goods(2) + "\n" + goods(1), notes: "Pages without text were not read: 2, 4.", empty: []int{2, 4}},
		{name: "a page among others that is not trusted", draw: func(f *pdfFile) { f.picture(1); f.addPage(); f.filler(70, 100, 450, 2) }, by: &reader{lines: lines, confidence: 0.4}, text: goods(2),
			notes: "so they were not read: 1 (40 %).", empty: []int{1}, asked: 1},
		{name: "a stamp on a page", draw: func(f *pdfFile) { f.picture(1); f.text(70, 30, 8, helvetica, "Received 4 May 2026") }, by: sure, text: recognised, notes: "1 (95 %)", asked: 1},
		{name: "a stamp on a page, and nobody to read it", draw: func(f *pdfFile) { f.picture(1); f.text(70, 30, 8, helvetica, "Received 4 May 2026") }, text: "Received 4 May 2026\n", notes: "may be text in an image"},
		{name: "a title on a picture", draw: func(f *pdfFile) { f.picture(1); f.set(70, 300, 20, helvetica, "Annual report of the year 2026") }, by: &reader{lines: []string{"Annual report"}, confidence: 0.9},
			text: "Annual report of the year 2026\n", asked: 1},
		{name: "a text with a picture", draw: func(f *pdfFile) { f.filler(70, 100, 450, 2); f.picture(0.3) }, by: sure, text: goods(2)},
		{name: "letters without a meaning", draw: func(f *pdfFile) {
			for y := range 8 {
				f.text(70, 100+float64(20*y), 10, nameless, strings.Repeat("abc def ", 6))
			}
		}, by: sure, text: recognised, notes: "1 (95 %)", asked: 1},
	} {
		f := &pdfFile{}
		f.addPage()
		c.draw(f)
		var by ocr.Recogniser
		if c.by != nil {
			c.by.asked = 0
			by = c.by
		}
		x, err := ExtractScans(t.Context(), "scan.pdf", f.bytes(), by)
		if !errors.Is(err, c.err) || c.err == nil && err != nil || x.Text != c.text {
			t.Errorf("%s: %v\n got %q\nwant %q", c.name, err, x.Text, c.text)
		}
		if c.by != nil && c.by.asked != c.asked {
			t.Errorf("%s: %d pages were recognised, not %d", c.name, c.by.asked, c.asked)
		}
		r, _ := Report(x)
		if said := strings.Join(append(slices.Clone(r.Notes), r.Doubts...), " "); !strings.Contains(said, c.notes) {
			t.Errorf("%s: the report says %s", c.name, said)
		}
		if err == nil && !slices.Equal(r.EmptyPages, c.empty) {
			t.Errorf("%s: pages %v of %d are without text", c.name, r.EmptyPages, r.Pages)
		}
	}
}

// TestScanDrawn: the image that is recognised is that of the page, at 300 dots an inch.
func TestScanDrawn(t *testing.T) {
	f := &pdfFile{}
	f.addPage()
	f.picture(0.5)
	by := &reader{lines: []string{"words"}, confidence: 1}
	if _, err := ExtractScans(t.Context(), "a.pdf", f.bytes(), by); err != nil {
		t.Fatal(err)
	}
	if r := by.page.Rect; by.dpi != 300 || r.Dx() != 2479 || r.Dy() != 3508 {
		t.Errorf("%v at %d dpi", r, by.dpi)
	}
	if top, below := by.page.GrayAt(1000, 1000).Y, by.page.GrayAt(1000, 3000).Y; top != 255 || below != 'x' {
		t.Errorf("the page is %d above and %d below", top, below)
	}
}

// TestImages: a file that is an image is a document of a page.
func TestImages(t *testing.T) {
	var page, icon bytes.Buffer
	png.Encode(&page, image.NewGray(image.Rect(0, 0, 800, 1200)))
	png.Encode(&icon, image.NewGray(image.Rect(0, 0, 64, 64)))
	sure := &reader{lines: []string{"# Notice", "The lift is closed."}, confidence: 0.9}
	for _, c := range []struct {
		name    string
		data    []byte
		by      ocr.Recogniser
		text    string
		err     error
		scanned bool
	}{
		{"notice.png", page.Bytes(), sure, "# Notice\n\nThe lift is closed.\n", nil, true},
		{"notice", page.Bytes(), sure, "# Notice\n\nThe lift is closed.\n", nil, true},
		{"notice.jpg", page.Bytes(), sure, "# Notice\n\nThe lift is closed.\n", nil, true},
		{"photo.png", page.Bytes(), &reader{}, "", ErrNoText, true},
		{"arabic.png", page.Bytes(), &reader{lines: []string{"hd Sle 3"}, confidence: 0.4}, "", ErrNoText, true},
		{"blurred.png", page.Bytes(), &reader{lines: []string{"The lift is closed."}, confidence: 0.7}, "The lift is closed.\n", nil, true},
		{"slow.png", page.Bytes(), &reader{err: fmt.Errorf("%w: it took too long", ocr.ErrPage)}, "", ErrNoText, true},
		{"given up.png", page.Bytes(), &reader{err: context.Canceled}, "", context.Canceled, true},
		{"notice.png", page.Bytes(), nil, "", ErrUnsupported, false},
		{"icon.png", icon.Bytes(), sure, "", ErrUnsupported, false},
		{"notice.png", page.Bytes()[:200], sure, "", ocr.ErrImage, true},
		{"later.png", page.Bytes(), &reader{err: ocr.ErrMissing}, "", ocr.ErrMissing, true},
	} {
		x, err := ExtractScans(t.Context(), c.name, c.data, c.by)
		if !errors.Is(err, c.err) || c.err == nil && err != nil || x.Text != c.text || x.Scanned != c.scanned {
			t.Errorf("%s: %v, scanned %v\n got %q\nwant %q", c.name, err, x.Scanned, x.Text, c.text)
		}
		if err == nil && (x.Format != "image" || len(x.Pages) != 1) {
			t.Errorf("%s: a document of format %s with %d pages", c.name, x.Format, len(x.Pages))
		}
		if r, _ := Report(x); err == nil && r.Suspect() != (c.name == "blurred.png") {
			t.Errorf("%s: the report doubts %v", c.name, r.Doubts)
		}
	}
	if _, err := ExtractScans(t.Context(), "a.png", []byte("text"), sure); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a text under the name of an image: %v", err)
	}
}

// TestRecognisedPage: a scanned page, read by tesseract itself, has headings and paragraphs.
func TestRecognisedPage(t *testing.T) {
	by, err := ocr.Find(nil)
	if err == nil {
		err = by.Check()
	}
	if err != nil {
		t.Skipf("SKIPPED: a scanned page is read by tesseract, which cannot be used: %v", err)
	}
	page := testkit.PageImage(t, 2480, 1600, "# 1 Delivery", "The supplier delivers within ten working days of the order, and", "leaves goods that weigh more than 35 kg at the kerb unless", "clause 7.2 has another rule.", "", "# 2 Payment", "The buyer pays within thirty days of the date of the invoice, which", "the supplier sends with the goods.")
	var data bytes.Buffer
	if err := png.Encode(&data, page); err != nil {
		t.Fatal(err)
	}
	x, err := ExtractScans(t.Context(), "terms.png", data.Bytes(), by)
	const want = "# 1 Delivery\n\nThe supplier delivers within ten working days of the order, and leaves goods that weigh more than 35 kg at the kerb unless clause 7.2 has another rule.\n\n" +
		"# 2 Payment\n\nThe buyer pays within thirty days of the date of the invoice, which the supplier sends with the goods.\n"
	if err != nil || x.Text != want {
		t.Errorf("%v\n got %q\nwant %q", err, x.Text, want)
	}
}
