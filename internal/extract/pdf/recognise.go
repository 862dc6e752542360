package pdf

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
)

const (
	// leastConfidence is that of a page below which what was recognised is not trusted:
	// pages of text have 0.8 and more, pictures and other scripts than those that are
	// looked for less than 0.6.
	leastConfidence = 0.6
	// leastSign is that of signs without a letter or digit: specks and edges of pictures
	// have less. Words are kept, as the gap would say less than a letter that is wrong.
	leastSign = 0.5
	// sizeStep is the ratio of sizes that are told apart: the height of a line varies with
	// its letters.
	sizeStep = 1.3
	// fewWords are so few that, on an image which fills a page, they are a stamp and the
	// page is scanned.
	fewWords = 20
	// mostlyUnreadable is the share of a page's characters of which its fonts do not say
	// what they are, from which its image says more.
	mostlyUnreadable = 1.0 / 3
	// maxRecognised bounds the pages of a document that are recognised, a second or two each.
	maxRecognised = 1000
)

// scan is what became of a page whose text is in its image.
type scan struct {
	wanted     bool    // it has none, or none that could be read
	read       bool    // the words of the page are those that were recognised
	confidence float64 // of what was recognised, whether or not it was taken
	failed     bool    // it could not be drawn or recognised
	left       bool    // there were too many
}

// wantsRecognition is whether a page's text is to be looked for in its image: it has none,
// what it has cannot be read, or it is a stamp on an image of the page.
func (p *page) wantsRecognition() bool {
	if p.recognised {
		return false
	}
	letters := 0
	for _, w := range p.words {
		letters += utf8.RuneCountInString(w.text)
	}
	switch words := len(p.words) + len(p.aside); {
	case words == 0:
		return p.images > 0
	case float64(p.unreadable) >= mostlyUnreadable*float64(max(letters, 1)):
		return true
	default:
		return words <= fewWords && p.images > 0 && slices.ContainsFunc(p.fills, func(b box) bool {
			return 2*b.width()*b.height() > p.box.width()*p.box.height()
		})
	}
}

// recognise has the text of pages read that have none. draw gives the image of a page by
// its number. Without a recogniser it only notes which they are. The error is
// the context's, or that of a recogniser which is not there.
func (f *file) recognise(ctx context.Context, by ocr.Recogniser, draw func(number int) (*image.Gray, int, error)) error {
	asked := 0
	for i := range f.pages {
		p := &f.pages[i]
		if !p.wantsRecognition() {
			continue
		}
		p.scan.wanted = true
		if by == nil {
			continue
		}
		f.recogniser = by.Name()
		if asked++; asked > maxRecognised {
			p.scan.left = true
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		drawn, dpi, err := draw(p.number)
		if err != nil {
			p.scan.failed = true
			continue
		}
		said, err := by.Recognise(ctx, drawn, dpi)
		if errors.Is(err, ocr.ErrPage) {
			p.scan.failed = true
			continue
		}
		if err != nil {
			return err
		}
		p.take(said, dpi)
	}
	return nil
}

// take makes what was recognised the words of a page, where it can be trusted and is
// more than the page had.
func (p *page) take(said ocr.Page, dpi int) {
	p.scan.confidence = said.Confidence()
	words := recognisedWords(said, dpi)
	if len(words) == 0 || p.scan.confidence < leastConfidence {
		return
	}
	if before := len(p.words) + len(p.aside); p.unreadable == 0 && len(words) <= before {
		p.scan.wanted = false // it had all
		return
	}
	p.scan.read = true
	p.words, p.aside, p.unreadable, p.hidden = words, nil, 0, 0
	// Lines and areas that are drawn stand where the file has them, not in the image.
	p.drawing = drawing{images: p.images}
	p.box = box{right: float64(said.Width) * pointsPerInch / float64(dpi), bottom: float64(said.Height) * pointsPerInch / float64(dpi)}
}

// recognisedWords are the words of a recognised page, in points, the sizes of lines in
// steps from that of most of the text.
func recognisedWords(said ocr.Page, dpi int) []word {
	scale := pointsPerInch / float64(dpi)
	usual := usualSize(said.Lines)
	var out []word
	for _, l := range said.Lines {
		size := usual * math.Pow(sizeStep, math.Round(math.Log(l.Size/usual)/math.Log(sizeStep)))
		if !(size > 0 && size < 1e6) {
			continue
		}
		for _, w := range l.Words {
			text, soft := normalText(w.Text)
			if text == "" || w.Confidence < leastSign && strings.IndexFunc(text, isLetterOrDigit) < 0 {
				continue
			}
			b := w.Box
			out = append(out, word{text: text, soft: soft, base: l.Base * scale, size: size * scale,
				box: box{float64(b.Min.X) * scale, float64(b.Min.Y) * scale, float64(b.Max.X) * scale, float64(b.Max.Y) * scale}})
		}
	}
	return out
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// usualSize is the median of the lines' by their letters.
func usualSize(lines []ocr.Line) float64 {
	var sizes []float64
	for _, l := range lines {
		for _, w := range l.Words {
			for range min(utf8.RuneCountInString(w.Text), 100) {
				sizes = append(sizes, l.Size)
			}
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// normalText is what was recognised as canonical text has it. soft says that it ends
// with a hyphen.
func normalText(s string) (text string, soft bool) {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "") {
		t, isSoft := normal(r)
		b.WriteString(strings.TrimSpace(t))
		soft = isSoft
	}
	return b.String(), soft && b.Len() > 1
}

// doubtful is the confidence of a page below which a person should compare it.
const doubtful = 0.8

// reportScans says of which pages the text was recognised, and of which not.
func (d *document) reportScans() {
	var read, mistrusted, failed, none, left []string
	weak := 0
	for _, p := range d.file.pages {
		number := fmt.Sprint(p.number)
		percent := fmt.Sprintf("%d (%.0f %%)", p.number, 100*p.scan.confidence)
		switch s := p.scan; {
		case !s.wanted:
		case s.read:
			if read = append(read, percent); s.confidence < doubtful {
				weak++
			}
		case s.left:
			left = append(left, number)
		case s.failed:
			failed = append(failed, number)
		case s.confidence > 0:
			mistrusted = append(mistrusted, percent)
		default:
			none = append(none, number)
		}
	}
	note := func(what string, pages []string) {
		if len(pages) > 0 {
			d.page.Note("%s: %s.", what, list(pages))
		}
	}
	note("The text of these pages was recognised in their image by "+d.file.recogniser+", with the confidence said", read)
	note("What was recognised in the image of these pages is not trusted for its confidence, so they were not read", mistrusted)
	note("The image of these pages could not be drawn or recognised, so they were not read", failed)
	note(fmt.Sprintf("No more than %d pages of a document are recognised, so these were not read", maxRecognised), left)
	note("Pages without text, in whose image none was recognised", none)
	if weak > 0 {
		d.page.Doubt("The text of %d pages was recognised with a confidence below %.0f %%.", weak, 100*doubtful)
	}
}
