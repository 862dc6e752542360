package ocr

import (
	"bytes"
	"image"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// readHOCR reads what tesseract says of a page: an HTML page whose elements say in their
// titles where they stand (hOCR 1.2). turn is by how many degrees against the clock the
// page has to be turned for most of its text to stand upright. What is not as it
// should be is left out.
func readHOCR(data []byte) (p Page, turn int) {
	z := html.NewTokenizer(bytes.NewReader(data))
	r := hocrReader{turns: map[int]int{}}
	for {
		switch z.Next() {
		case html.ErrorToken:
			r.endWord()
			// An angle says how far the text is turned against the clock.
			return Page{Lines: r.lines}, (360 - r.turn()) % 360
		case html.StartTagToken:
			r.depth++
			r.start(z.Token())
		case html.EndTagToken:
			if r.at > 0 && r.depth == r.at {
				r.endWord()
			}
			r.depth = max(0, r.depth-1) // what closes nothing
		case html.TextToken:
			if r.at > 0 {
				r.word.Text += strings.TrimSpace(z.Token().Data)
			}
		}
	}
}

type hocrReader struct {
	lines []Line
	angle int         // of the line
	turns map[int]int // words by the angle of their line
	depth int         // of elements
	at    int         // the depth of the word that is open, 0 if none is
	word  Word
}

func (r *hocrReader) start(tag html.Token) {
	title := properties(attribute(tag, "title"))
	switch attribute(tag, "class") {
	case "ocr_line", "ocr_textfloat", "ocr_header", "ocr_caption":
		r.endWord()
		r.angle, _ = strconv.Atoi(title.word("textangle"))
		r.lines = append(r.lines, lineOf(title))
	case "ocrx_word":
		r.endWord()
		if box, ok := title.box(); ok && len(r.lines) > 0 {
			r.at, r.word = r.depth, Word{Box: box, Confidence: min(max(title.numbers("x_wconf", 1)[0]/100, 0), 1)}
		}
	}
}

// endWord puts the word that is open, if it has text, into its line.
func (r *hocrReader) endWord() {
	if r.at > 0 && r.word.Text != "" {
		l := &r.lines[len(r.lines)-1]
		l.Words = append(l.Words, r.word)
		r.turns[r.angle]++
	}
	r.at = 0
}

// turn is the angle that most words have.
func (r *hocrReader) turn() int {
	turn, most := 0, 0
	for angle, n := range r.turns {
		if n > most || n == most && angle < turn {
			turn, most = angle, n
		}
	}
	return turn
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func lineOf(title properties) Line {
	box, _ := title.box()
	l := Line{Base: float64(box.Max.Y), Size: title.numbers("x_size", 1)[0]}
	// A base line is said by its slope and where it begins above the lower left corner.
	b := title.numbers("baseline", 2)
	l.Base += b[1] + b[0]*float64(box.Dx())/2
	if l.Size <= 0 || l.Size > 2*float64(box.Dy()) {
		l.Size = max(0, float64(box.Dy())) // a box may be inside out
	}
	return l
}

// properties are those of a title: names with their values, by semicolons.
type properties string

func (p properties) word(name string) string {
	for part := range strings.SplitSeq(string(p), ";") {
		if values, ok := strings.CutPrefix(strings.TrimSpace(part), name+" "); ok {
			return strings.TrimSpace(values)
		}
	}
	return ""
}

// numbers are the first n of a property, 0 for what is not there.
func (p properties) numbers(name string, n int) []float64 {
	out := make([]float64, n)
	for i, s := range strings.Fields(p.word(name)) {
		if i == n {
			break
		}
		if v, err := strconv.ParseFloat(s, 64); err == nil && v > -1e6 && v < 1e6 {
			out[i] = v
		}
	}
	return out
}

func (p properties) box() (image.Rectangle, bool) {
	n := p.numbers("bbox", 4)
	r := image.Rectangle{Min: image.Pt(int(n[0]), int(n[1])), Max: image.Pt(int(n[2]), int(n[3]))}
	return r, r.Min.X >= 0 && r.Min.Y >= 0 && r.Dx() > 0 && r.Dy() > 0
}
