package ocr

import (
	"errors"
	"image"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// program is the tesseract of this machine.
func program(t *testing.T) *Tesseract {
	t.Helper()
	p, err := Find(nil)
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		t.Skipf("SKIPPED: text of an image is recognised by tesseract, which cannot be used: %v", err)
	}
	return p
}

// TestTesseract: the program itself reads a page, lying on its side as well.
func TestTesseract(t *testing.T) {
	by := program(t)
	text := []string{"# Terms of delivery", "The supplier delivers within ten working days of the", "order. Goods that weigh more than 35 kg are left at",
		"the kerb unless clause 7.2 says otherwise. The fee is", "12.75 EUR for each pallet, and it is refunded where", "the delivery is late."}
	page := testkit.PageImage(t, 1700, 1000, text...)
	for name, given := range map[string]*image.Gray{"upright": page, "on its side": turned(page, 270)} {
		p, err := by.Recognise(t.Context(), given, 300)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, l := range p.Lines {
			for _, w := range l.Words {
				words = append(words, w.Text)
			}
		}
		if got, want := strings.Join(words, " "), strings.TrimPrefix(strings.Join(text, " "), "# "); got != want || p.Confidence() < 0.8 {
			t.Errorf("%s, confidence %.2f:\n got %s\nwant %s", name, p.Confidence(), got, want)
		}
		if p.Width != 1700 || p.Height != 1000 {
			t.Errorf("%s: %d by %d", name, p.Width, p.Height)
		}
		first := p.Lines[0]
		if at := first.Words[0].Box.Min; at.X < 140 || at.X > 170 || at.Y < 170 || at.Y > 260 || first.Size < 1.2*p.Lines[1].Size {
			t.Errorf("%s: the title stands at %v, of size %.0f beside %.0f", name, at, first.Size, p.Lines[1].Size)
		}
	}
	if !strings.HasPrefix(by.Name(), "tesseract ") {
		t.Errorf("its name is %q", by.Name())
	}
	lacks, err := Find([]string{"xxx"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lacks.Recognise(t.Context(), page, 300); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "tesseract-ocr-xxx") {
		t.Errorf("a language that is not there: %v", err)
	}
}

func TestLanguages(t *testing.T) {
	for _, l := range []string{"", "../eng", "-eng", "eng+deu", "eng deu", "a/b/c", "eng;"} {
		if _, err := Find([]string{l}); err == nil || errors.Is(err, ErrNone) {
			t.Errorf("%q: %v", l, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find([]string{"eng", "script/Latin"}); !errors.Is(err, ErrNone) {
		t.Errorf("without the program: %v", err)
	}
}
