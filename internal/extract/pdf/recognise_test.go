package pdf

import (
	"context"
	"image"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
)

// counting recognises nothing and counts the pages.
type counting struct{ pages int }

func (*counting) Name() string { return "counting" }

func (c *counting) Recognise(context.Context, *image.Gray, int) (ocr.Page, error) {
	c.pages++
	return ocr.Page{}, nil
}

// TestManyScans: no more pages than are allowed are recognised, and the report says which
// were left.
func TestManyScans(t *testing.T) {
	f := file{}
	for i := range maxRecognised + 2 {
		f.pages = append(f.pages, page{number: i + 1, box: box{right: 100, bottom: 100}, drawing: drawing{images: 1}})
	}
	f.pages[0].images, f.pages[0].words = 0, []word{{text: "words", box: box{10, 10, 50, 20}, size: 10, base: 20}}
	by := &counting{}
	blank := image.NewGray(image.Rect(0, 0, 1, 1))
	if err := f.recognise(t.Context(), by, func(int) (*image.Gray, int, error) { return blank, 300, nil }); err != nil {
		t.Fatal(err)
	}
	got, err := f.write()
	if err != nil || by.pages != maxRecognised {
		t.Fatalf("%d pages were recognised: %v", by.pages, err)
	}
	if said := strings.Join(got.Notes(), " "); !strings.Contains(said, "No more than 1000 pages of a document are recognised, so these were not read: 1002.") {
		t.Error(said)
	}
	given, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.recognise(given, by, nil); err != context.Canceled {
		t.Errorf("given up: %v", err)
	}
}
