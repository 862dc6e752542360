package pdf

import (
	"encoding/binary"
	"errors"
	"math"
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
	scan       scan
}

// maxGlyphs bounds the characters of one page; a page of a newspaper has 40,000.
const maxGlyphs = 400_000

var errPage = errors.New("the page cannot be read")

// readPage fetches the characters of a page in one call, the font and colour once for
// each object of text, and the drawn objects.
func (s session) readPage(index int) (page, error) {
	p := page{number: index + 1}
	loaded := s.call("FPDF_LoadPage", s.document, uint64(index))
	if loaded == 0 {
		return p, errPage
	}
	defer s.call("FPDF_ClosePage", loaded)
	text := s.call("FPDFText_LoadPage", loaded)
	if text == 0 {
		return p, errPage
	}
	defer s.call("FPDFText_ClosePage", text)
	if !s.is("FPDF_GetPageBoundingBox", loaded, s.at(0)) {
		return p, errPage
	}
	f := s.floats(4) // left, top, right, bottom
	user := box{f[0], f[3], f[2], f[1]}
	count := s.count("FPDFText_CountChars", text)
	if user.width() <= 0 || user.height() <= 0 || count > maxGlyphs {
		return p, errPage
	}
	glyphs := s.glyphs(text, count)
	turns := mainTurn(glyphs)
	toPage, frame := upright(user, turns)
	p.box = frame
	p.drawing = s.readDrawing(loaded, toPage)
	styles := s.styles(text, glyphs)
	for _, run := range splitRuns(glyphs) {
		if t := run[0].turn; t != turns {
			own, _ := upright(user, t)
			if w := wordOf(run, styles, own); w.near() {
				p.aside = append(p.aside, w)
			}
			continue
		}
		p.words = append(p.words, wordOf(run, styles, toPage))
	}
	for _, g := range glyphs {
		if g.text == "\uFFFD" {
			p.unreadable++
		}
	}
	p.hide()
	return p, s.err
}

// recordSize is that of a character in chars.wat.
const recordSize = 80

// glyphs are the characters of a page in the order of the file.
func (s session) glyphs(text uint64, count int) []glyph {
	if count == 0 {
		return nil
	}
	out := s.call("malloc", uint64(count*recordSize))
	if out == 0 {
		if s.err == nil {
			s.err = errMemory
		}
		return nil
	}
	defer s.call("free", out)
	s.call("chars", text, uint64(count), out)
	records := s.read(uint32(out), uint32(count*recordSize))
	glyphs := make([]glyph, 0, count)
	for i := range count {
		r := records[i*recordSize:]
		m := floats(r[40:], 6)
		g := glyph{
			index: i, object: binary.LittleEndian.Uint32(r[68:]),
			box:    box{doubleAt(r, 0), doubleAt(r, 16), doubleAt(r, 8), doubleAt(r, 24)},
			size:   doubleAt(r, 32),
			matrix: matrix{m[0], m[1], m[2], m[3], m[4], m[5]},
		}
		g.turn = quarter(math.Atan2(g.matrix.b, g.matrix.a))
		g.text, g.soft = normal(rune(binary.LittleEndian.Uint32(r[64:])))
		if n := len(glyphs) - 1; n >= 0 && g.swaps(glyphs[n]) {
			glyphs[n].text, g.text = g.text, glyphs[n].text
		}
		glyphs = append(glyphs, g)
	}
	return glyphs
}

// mainTurn is how most text of a page is turned.
func mainTurn(glyphs []glyph) int {
	var count [4]int
	most := 0
	for _, g := range glyphs {
		if count[g.turn]++; count[g.turn] > count[most] {
			most = g.turn
		}
	}
	return most
}

// style is what all characters of a text object have in common.
type style struct {
	font
	unpainted, white bool
}

// styles are those of the objects of text.
func (s session) styles(text uint64, glyphs []glyph) map[uint32]style {
	out := map[uint32]style{0: {}} // 0 is of what PDFium has added
	fonts := map[uint64]font{}
	for _, g := range glyphs {
		if _, ok := out[g.object]; ok {
			continue
		}
		o := uint64(g.object)
		id := s.call("FPDFTextObj_GetFont", o)
		f, ok := fonts[id]
		if !ok {
			f = s.font(text, g.index)
			fonts[id] = f
		}
		mode := int32(s.call("FPDFTextObj_GetTextRenderMode", o))
		out[g.object] = style{f, mode == modeInvisible || mode == modeClip, mode == modeFill && s.isWhite(o)}
	}
	return out
}

// Text rendering modes (ISO 32000-1, table 106).
const (
	modeFill      = 0
	modeInvisible = 3
	modeClip      = 7
)

func (s session) font(text uint64, index int) font {
	const size = 256
	n := s.count("FPDFText_GetFontInfo", text, uint64(index), s.at(4), size, s.at(0))
	b := s.read(s.scratch, 4+size)
	name := ""
	if n > 1 && n <= size {
		name = string(b[4 : 4+n-1])
	}
	f := fontOf(name, int(binary.LittleEndian.Uint32(b)))
	weight := s.count("FPDFText_GetFontWeight", text, uint64(index))
	f.bold = f.bold || weight >= 600 && weight <= 1000
	return f
}
