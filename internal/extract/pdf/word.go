package pdf

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// word is a run of characters without a space.
type word struct {
	text string
	box
	base float64 // where its letters stand, as box has it
	size float64 // of the font on the page, in points
	style
	soft   bool // ends with a hyphen that stands only because the line ends
	raised bool // set smaller than its line, and higher or lower
	above  bool // higher
}

// place turns a word from the coordinates of the file to those of a page. own is the
// matrix of its text.
func (w *word) place(own, to matrix) {
	m := own.then(to)
	w.box = to.box(w.box)
	// The size of a font is scaled by the matrix of its text (ISO 32000-1, 9.4.4).
	if scale := math.Hypot(own.c, own.d); scale > 0 {
		w.size *= scale
	}
	if !(w.size > 0 && w.size <= 1000) { // nor a number at all
		w.size = w.height()
	}
	w.base = m.f
	// A matrix does not hold what a text is raised by, nor where a form stands.
	if !(w.base >= w.top-0.5*w.size && w.base <= w.bottom+0.5*w.size) {
		w.base = w.bottom
	}
}

// font is what the name and flags of a font tell.
type font struct {
	name                string
	bold, italic, fixed bool
}

// Flags of a font descriptor (ISO 32000-1, table 123).
const (
	flagFixed  = 1 << 0
	flagItalic = 1 << 6
	flagBold   = 1 << 18
)

func fontOf(name string, flags int) font {
	name = strings.ToLower(name)
	if _, rest, ok := strings.Cut(name, "+"); ok {
		name = rest
	}
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	return font{
		name:   name,
		bold:   flags&flagBold != 0 || has("bold", "black", "heavy", "-bd", "cmbx", "cmssbx", "demi"),
		italic: flags&flagItalic != 0 || has("italic", "oblique", "cmti"),
		fixed:  flags&flagFixed != 0 || has("courier", "mono", "consol", "cmtt", "menlo"),
	}
}

// bullets are what symbol fonts draw at places of their own, as what they look like.
var bullets = map[rune]string{'\uf0b7': "•", '\uf0a7': "▪", '\uf0a8': "▫", '\uf0d8': "➢", '\uf0fc': "✓", '\uf06e': "■", '\uf06c': "●", '\uf0e8': "➔", '\uf02d': "–"}

// normal is a character as canonical text has it, "" for none and " " for
// any space. soft says that it is a hyphen that the end of a line may have made.
func normal(r rune) (text string, soft bool) {
	switch {
	case r == 0x02 || r == '\uFFFE' || r == '\u00AD': // as PDFium marks them, and the soft hyphen
		return "-", true
	case r == '-' || r == '\u2010' || r == '\u2011':
		return "-", true
	case r == 0 || r == '\uFFFD':
		return "\uFFFD", false
	case unicode.IsSpace(r) || unicode.IsControl(r):
		return " ", false
	case bullets[r] != "":
		return bullets[r], false
	case unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cs, r) || r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF:
		return "\uFFFD", false
	case unicode.Is(unicode.Cf, r) && r != '\u200C' && r != '\u200D':
		return "", false
	case r >= 0xFB00 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC: // forms of presentation: ff, fi, Arabic letters by place
		return norm.NFKC.String(string(r)), false
	}
	return string(r), false
}
