package quarry_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// reading recognises one line in every image.
type reading struct{ name, text string }

func (r reading) Name() string { return r.name }

func (r reading) Recognise(_ context.Context, page *image.Gray, _ int) (quarry.RecognisedPage, error) {
	if r.text == "" {
		return quarry.RecognisedPage{}, quarry.ErrNoRecogniser
	}
	l := quarry.RecognisedLine{Base: 100, Size: 30}
	for i, w := range strings.Fields(r.text) {
		l.Words = append(l.Words, quarry.RecognisedWord{Text: w, Box: image.Rect(100*i, 70, 100*i+90, 100), Confidence: 0.9})
	}
	return quarry.RecognisedPage{Width: page.Rect.Dx(), Height: page.Rect.Dy(), Lines: []quarry.RecognisedLine{l}}, nil
}

// scannedPDF is a page that is an image of one pixel.
func scannedPDF() string {
	content := "q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"
	return "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n" +
		"3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 150 210] /Resources << >> /Contents 4 0 R >> endobj\n" +
		"4 0 obj << /Length 55 >> stream\n" + content + "\nendstream endobj\ntrailer << /Root 1 0 R >>\n"
}

// TestRecogniser: where a recogniser comes, goes or changes, what is in images is read
// again, and nothing else is.
func TestRecogniser(t *testing.T) {
	var notice bytes.Buffer
	png.Encode(&notice, image.NewGray(image.Rect(0, 0, 800, 1200)))
	dir := t.TempDir()
	for name, text := range map[string]string{"scan.pdf": scannedPDF(), "notice.png": notice.String(), "lamp.md": "# Lamp\n\nThe lamp is red.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "q.db")
	none := standard.Settings{Embedding: "none"}
	none.OCR.Use = "none"
	for _, step := range []struct {
		name       string
		by         quarry.Recogniser
		pagesOnly  bool
		added      int
		changed    int
		unchanged  int
		failed     int
		skipped    int
		ends       bool   // with an error
		scan, file string // what stands in them
	}{
		{name: "nobody reads", added: 1, failed: 1, skipped: 1},
		{name: "still nobody", unchanged: 1, failed: 1, skipped: 1},
		{name: "a recogniser", by: reading{"one", "The lift is closed."}, added: 1, changed: 1, unchanged: 1, scan: "The lift is closed.", file: "The lift is closed."},
		{name: "the same", by: reading{"one", "Something else."}, unchanged: 3, scan: "The lift is closed.", file: "The lift is closed."},
		{name: "another", by: reading{"two", "The lift is open."}, changed: 2, unchanged: 1, scan: "The lift is open.", file: "The lift is open."},
		{name: "one that cannot read now", by: reading{name: "three"}, ends: true, unchanged: 1, scan: "The lift is open.", file: "The lift is open."},
		{name: "it can again", by: reading{"three", "The lift is new."}, changed: 2, unchanged: 1, scan: "The lift is new.", file: "The lift is new."},
		{name: "pages only", by: reading{"three", "The lift is new."}, pagesOnly: true, unchanged: 2, skipped: 1, scan: "The lift is new."},
	} {
		s := none
		s.Quarry.Recogniser, s.Quarry.PagesOnly, s.Quarry.Workers = step.by, step.pagesOnly, 1
		c, err := standard.Open(t.Context(), path, s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Sync(t.Context(), "docs", dir, quarry.Progress{})
		if (err != nil) != step.ends {
			t.Fatalf("%s: %v", step.name, err)
		}
		if len(r.Added) != step.added || len(r.Changed) != step.changed || r.Unchanged != step.unchanged || len(r.Failed) != step.failed || len(r.Skipped) != step.skipped {
			t.Errorf("%s: %+v", step.name, r)
		}
		for name, want := range map[string]string{"scan.pdf": step.scan, "notice.png": step.file} {
			d, err := c.Document(t.Context(), document.ID{Source: "docs", Path: name}, document.Scope{})
			if got := strings.TrimSpace(d.Text); got != want || (err == nil) != (want != "") {
				t.Errorf("%s: %s holds %q, %v", step.name, name, got, err)
			}
		}
		c.Close()
	}
}
