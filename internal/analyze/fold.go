package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form under which spellings of one word are equal, whatever its
// language: compatibility forms (NFKD), lower case, letters without the marks that
// writers leave out, ß as ss, possessive 's, apostrophes, invisible characters and
// thousands separators gone, digits of every script as ASCII.
func Fold(word string) string {
	if isPlain(word) {
		return word
	}
	decomposed := word
	if !isASCII(word) {
		decomposed = norm.NFKD.String(word)
	}
	var b strings.Builder
	b.Grow(len(decomposed))
	composed := false // marks that were kept must be joined to their letters again
	var base rune
	for i, r := range decomposed {
		switch {
		case unicode.Is(unicode.Mn, r):
			if keepsMark(base, r) {
				b.WriteRune(r)
				composed = true
			}
		case r == '\'' || r == '’':
			if rest := decomposed[i+utf8.RuneLen(r):]; rest == "s" || rest == "S" {
				return b.String()
			}
		case r == ',': // between digits only: see wordEnd
		case r == utf8.RuneError, isInvisible(r), r == tatweel, r == geresh, r == gershayim:
		case unicode.Is(unicode.Hangul, r):
			b.WriteRune(r)
			composed = true
		default:
			base = unicode.ToLower(r)
			foldLetter(&b, base)
		}
	}
	if composed {
		return norm.NFC.String(b.String())
	}
	return b.String()
}

const (
	tatweel   = 'ـ' // stretches a word, without a meaning
	geresh    = '׳' // Hebrew abbreviations and acronyms
	gershayim = '״'
)

// keepsMark tells marks that make another letter of base (й, が, the vowels of Thai
// and Indic scripts) from those that writers often leave out: accents, the
// vowel signs of Arabic and Hebrew, the stress and the two points of ё in Russian.
func keepsMark(base, mark rune) bool {
	switch {
	case unicode.Is(unicode.Cyrillic, base):
		return mark == '\u0306' || mark == '\u0308' && base != 'е'
	case unicode.In(base, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew):
		return false
	}
	return unicode.IsLetter(base)
}

// foldLetter writes the letter that stands for one in lower case.
func foldLetter(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf {
		b.WriteByte(byte(r))
		return
	}
	switch r {
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'þ':
		b.WriteString("th")
	case 'ø':
		b.WriteByte('o')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'ł':
		b.WriteByte('l')
	case 'ı':
		b.WriteByte('i')
	case 'ς': // at the end of a word
		b.WriteRune('σ')
	case 'ى', 'ی': // without points, and the Persian letter
		b.WriteRune('ي')
	case 'ک':
		b.WriteRune('ك')
	case 'ة':
		b.WriteRune('ه')
	case 'ך':
		b.WriteRune('כ')
	case 'ם':
		b.WriteRune('מ')
	case 'ן':
		b.WriteRune('נ')
	case 'ף':
		b.WriteRune('פ')
	case 'ץ':
		b.WriteRune('צ')
	default:
		if unicode.IsDigit(r) {
			r = '0' + digitValue(r)
		}
		b.WriteRune(r)
	}
}

// digitValue is the value of a decimal digit: those of a script are ten in a row
// (Unicode Standard, 4.6), the mathematical ones too.
func digitValue(r rune) rune {
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10
		}
	}
	return 0
}

// isInvisible is whether a character stands within words and is not seen: the soft
// hyphen, joiners, directions.
func isInvisible(r rune) bool {
	return r == '\u00AD' || r >= 0x200C && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
