package pdf

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"golang.org/x/text/unicode/bidi"
)

// page is what stands on a page: words, and what is drawn.
type page struct {
	number int // from 1
	box    box
	words  []word
	aside  []word // turned against the rest of the page, in their own upright order
	drawing
	hidden     int  // words that a reader does not see
	recognised bool // all text is invisible: another program put it under an image
	unreadable int  // characters of which the font does not say what they are
}

// maxGlyphs bounds the characters of one page; a page of a newspaper has 40,000.
const maxGlyphs = 400_000

// readPage fetches the characters of a page and their boxes in one call, the
// font once for each word, and the drawn objects.
func (s session) readPage(index int) (page, error) {
	loaded, err := s.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: s.document, Index: index})
	if err != nil {
		return page{}, err
	}
	defer s.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	of := requests.Page{ByReference: &loaded.Page}
	bounds, err := s.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: of})
	if err != nil {
		return page{}, err
	}
	text, err := s.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: of})
	if err != nil {
		return page{}, err
	}
	defer s.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage})
	count, err := s.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return page{}, err
	}
	p := page{number: index + 1}
	user := box{float64(bounds.Rect.Left), float64(bounds.Rect.Bottom), float64(bounds.Rect.Right), float64(bounds.Rect.Top)}
	if user.width() <= 0 || user.height() <= 0 || count.Count > maxGlyphs {
		return p, errPage
	}
	chars, err := s.GetPageTextStructured(&requests.GetPageTextStructured{Page: of, Mode: requests.GetPageTextStructuredModeChars})
	if err != nil {
		return page{}, err
	}
	turns := mainTurn(chars.Chars)
	toPage, frame := upright(user, turns)
	p.box = frame
	glyphs := glyphsOf(chars.Chars, &p)
	if p.drawing, err = s.readDrawing(loaded.Page, toPage); err != nil {
		return page{}, err
	}
	for _, run := range splitRuns(glyphs) {
		w, err := s.word(text.TextPage, run)
		if err != nil {
			return page{}, err
		}
		if t := quarter(chars.Chars[run[0].index].Angle); t != turns {
			own, _ := upright(user, t)
			w.place(own)
			p.aside = append(p.aside, w)
			continue
		}
		w.place(toPage)
		p.words = append(p.words, w)
	}
	p.hide()
	return p, nil
}

// mainTurn is how most text of a page is turned.
func mainTurn(chars []*responses.GetPageTextStructuredChar) int {
	var count [4]int
	most := 0
	for _, c := range chars {
		t := quarter(c.Angle)
		if count[t]++; count[t] > count[most] {
			most = t
		}
	}
	return most
}

// glyph is a character with its box, as the file has it.
type glyph struct {
	index int
	text  string
	box   box
	turn  int
	soft  bool // a hyphen that stands only because a line ends
	space bool
}

func glyphsOf(chars []*responses.GetPageTextStructuredChar, p *page) []glyph {
	out := make([]glyph, 0, len(chars))
	for i, c := range chars {
		r, _ := utf8.DecodeRuneInString(c.Text)
		if c.Text == "" {
			r = 0
		}
		g := glyph{index: i, turn: quarter(c.Angle),
			box: box{c.PointPosition.Left, c.PointPosition.Bottom, c.PointPosition.Right, c.PointPosition.Top}}
		g.text, g.soft = normal(r)
		g.space = strings.TrimSpace(g.text) == ""
		if g.text == "\uFFFD" {
			p.unreadable++
		}
		// The letters of an Arabic ligature come in the order of the page, in one box.
		if n := len(out) - 1; n >= 0 && g.box == out[n].box && direction(g.text) == bidi.R && direction(out[n].text) == bidi.R {
			out[n].text, g.text = g.text, out[n].text
		}
		out = append(out, g)
	}
	return out
}

// splitRuns divides the characters, which come in the order of the file, where a
// space stands, or where the next one stands elsewhere than it should.
func splitRuns(glyphs []glyph) [][]glyph {
	var out [][]glyph
	from := 0
	cut := func(to int) {
		if to > from {
			out = append(out, glyphs[from:to])
		}
		from = to
	}
	for i, g := range glyphs {
		switch {
		case g.space:
			cut(i)
			from = i + 1
		case i > from && (!follows(glyphs[i-1], g) || steps(glyphs[from:i], g)):
			cut(i)
		}
	}
	cut(len(glyphs))
	return out
}

// steps is whether a digit stands higher than the run before it, as an exponent or
// the mark of a note does, or a run of such digits ends.
func steps(run []glyph, g glyph) bool {
	if g.turn != 0 || g.box.height() <= 0 {
		return false
	}
	base, tall := math.Inf(1), 0.0
	raised := true // the run is digits that stand above g
	for _, r := range run {
		digit := isDigit(r.text)
		raised = raised && digit && r.box.top > g.box.top+0.25*g.box.height() && r.box.height() < 0.85*g.box.height()
		if digit || r.text != "" && strings.ContainsAny(r.text, "abcdefhiklmnorstuvwxzABCDEFGHIKLMNOPRSTUVWXYZ)]") {
			base, tall = min(base, r.box.top), max(tall, r.box.height())
		}
	}
	if !isDigit(g.text) || tall == 0 {
		return raised && !strings.ContainsAny(g.text, "gjpqyQ,;.'’”-") && tall > 0
	}
	// In the coordinates of the file the lower edge is the smaller number.
	return raised || g.box.top-base > 0.25*tall && g.box.height() < 0.9*tall
}

// follows is whether b stands beside a on one line, whichever way it runs.
func follows(a, b glyph) bool {
	if a.turn != b.turn {
		return false
	}
	ab, bb := a.box, b.box
	if a.turn&1 == 1 { // lines stand upright
		ab, bb = box{ab.top, ab.left, ab.bottom, ab.right}, box{bb.top, bb.left, bb.bottom, bb.right}
	}
	size := max(ab.height(), bb.height(), ab.width(), bb.width(), 1)
	// Marks and quotes may not overlap with letters: half a letter is near enough.
	return ab.along(bb) > -0.5*size && ab.across(bb) > -0.7*size
}

func isDigit(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }

func (s session) word(text references.FPDF_TEXTPAGE, run []glyph) (word, error) {
	w := word{soft: run[len(run)-1].soft}
	var b strings.Builder
	for _, g := range run {
		b.WriteString(g.text)
		w.box = w.box.union(g.box)
	}
	w.text = b.String()
	at := run[0].index
	size, err := s.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: text, Index: at})
	if err != nil {
		return w, err
	}
	if m, err := s.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: text, Index: at}); err == nil {
		w.matrix = matrix{float64(m.Matrix.A), float64(m.Matrix.B), float64(m.Matrix.C), float64(m.Matrix.D), float64(m.Matrix.E), float64(m.Matrix.F)}
	} else {
		w.matrix = matrix{a: 1, d: 1, e: w.box.left, f: w.box.top}
	}
	w.size = size.FontSize
	if font, err := s.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: text, Index: at}); err == nil {
		w.font = fontOf(font.FontName, font.Flags)
	}
	if !w.font.bold {
		if weight, err := s.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: text, Index: at}); err == nil {
			w.font.bold = weight.FontWeight >= 600 && weight.FontWeight <= 1000
		}
	}
	return w, nil
}
