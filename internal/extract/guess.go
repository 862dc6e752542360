package extract

import (
	"math"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// guessed is an encoding that bytes look like.
type guessed struct {
	name  string
	enc   encoding.Encoding
	score func([]byte) float64
}

// The order breaks ties.
var guesses = []guessed{
	{"GB18030", simplifiedchinese.GB18030, scoreGB18030},
	{"Shift-JIS", japanese.ShiftJIS, scoreShiftJIS},
	{"EUC-JP", japanese.EUCJP, scoreEUCJP},
	{"EUC-KR", korean.EUCKR, scoreEUCKR},
	{"Big5", traditionalchinese.Big5, scoreBig5},
	{"Windows-1252", charmap.Windows1252, scoreWindows1252},
	{"Windows-1251", charmap.Windows1251, scoreWindows1251},
	{"KOI8-R", charmap.KOI8R, scoreKOI8R},
}

// leastScore is what random bytes do not reach and a dozen characters of real
// text do.
const leastScore = 0.5

// alone is enough where every other encoding is below others: a short table of Japanese
// names has no kana.
const alone, others = 0.4, 0.2

// guess finds the encoding that makes the most ordinary text of the bytes. Each
// score is the mean plausibility of the characters outside ASCII, at most 1.
// The Asian standards put their frequent characters into rows of their own
// (GB 2312 and JIS X 0208 level 1, KS X 1001 Hangul, Big5 level 1), so the rows
// tell what a table of frequencies would.
func guess(data []byte) (guessed, bool) {
	sample := data[:min(len(data), 1<<17)]
	var best guessed
	top, next := math.Inf(-1), math.Inf(-1)
	for _, g := range guesses {
		if s := g.score(sample); s > top {
			best, top, next = g, s, top
		} else {
			next = max(next, s)
		}
	}
	return best, top > leastScore || top >= alone && next < others
}

// tally is a running mean.
type tally struct {
	sum float64
	n   int
}

func (t *tally) add(v float64) { t.sum += v; t.n++ }

func (t *tally) mean() float64 {
	if t.n == 0 {
		return 0
	}
	return t.sum / float64(t.n)
}

// pairs goes through bytes of which two make a character and reports each pair
// of which the first is not ASCII.
func pairs(b []byte, t *tally, trail func(byte) bool, weigh func(a, b byte) float64) {
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] < 0x80:
		case i+1 == len(b): // the sample may cut a character
		case trail(b[i+1]):
			t.add(weigh(b[i], b[i+1]))
			i++
		default:
			t.add(-3)
		}
	}
}

func euc(b byte) bool { return b >= 0xa1 && b <= 0xfe }

func scoreGB18030(b []byte) float64 {
	var t tally
	var han, late int
	pairs(b, &t, func(c byte) bool { return c >= 0x40 && c != 0x7f && c != 0xff || c >= 0x30 && c <= 0x39 },
		func(a, c byte) float64 {
			switch {
			case a == 0x80 || a == 0xff:
				return -3
			case a >= 0x81 && c >= 0x30 && c <= 0x39: // half of a four-byte sequence
				return -0.2
			case c < 0xa1 || a < 0xa1: // the rare characters that GBK added
				return -0.5
			case a >= 0xb0 && a <= 0xd7:
				han++
				if a > 0xc8 {
					late++
				}
				return 1
			case a >= 0xd8 && a <= 0xf7:
				han++
				late++
				return 0.2
			case a == 0xa1 || a == 0xa3:
				return 0.7
			case a == 0xa4 || a == 0xa5: // kana: more likely Japanese
				return 0.2
			}
			return 0
		})
	s := t.mean()
	// Level 1 is ordered by pinyin, a to l up to row C8; Hangul in EUC-KR lies in
	// those rows only, Chinese in all.
	if han > 0 && s > 0 {
		s *= min(1, 0.6+float64(late)/float64(han))
	}
	return s
}

func scoreEUCJP(b []byte) float64 {
	var t tally
	kana, kanji := 0, 0
	pairs(b, &t, euc, func(a, c byte) float64 {
		switch {
		case a == 0x8e:
			return 0.2
		case a < 0xa1 || a > 0xf4:
			return -3
		case a == 0xa4 && c <= 0xf3, a == 0xa5 && c <= 0xf6:
			kana++
			return 1
		case a >= 0xb0 && a <= 0xcf:
			kanji++
			return 1
		case a >= 0xd0:
			kanji++
			return 0.2
		case a == 0xa1 || a == 0xa3:
			return 0.7
		}
		return 0
	})
	return needsKana(t.mean(), kana, kanji)
}

// needsKana halves a score for text that would be Japanese without kana.
func needsKana(s float64, kana, kanji int) float64 {
	if kana*10 < kanji {
		return s / 2
	}
	return s
}

func scoreShiftJIS(b []byte) float64 {
	var t tally
	kana, kanji := 0, 0
	for i := 0; i < len(b); i++ {
		a := b[i]
		switch {
		case a < 0x80:
			continue
		case a >= 0xa1 && a <= 0xdf: // half-width katakana, one byte
			t.add(0.2)
			continue
		case i+1 == len(b):
			continue
		}
		c := b[i+1]
		i++
		switch {
		case c < 0x40 || c == 0x7f || c > 0xfc || a == 0x80 || a == 0xa0 || a > 0xfc:
			t.add(-3)
			i--
		case a == 0x82 && c >= 0x9f && c <= 0xf1, a == 0x83 && c <= 0x96:
			kana++
			t.add(1)
		case a == 0x81, a == 0x82:
			t.add(0.7)
		case a >= 0x88 && a <= 0x97 || a == 0x98 && c <= 0x72:
			kanji++
			t.add(1)
		case a >= 0x98 && a <= 0x9f || a >= 0xe0 && a <= 0xea:
			kanji++
			t.add(0.2)
		default:
			t.add(-0.5)
		}
	}
	return needsKana(t.mean(), kana, kanji)
}

func scoreEUCKR(b []byte) float64 {
	var t tally
	pairs(b, &t, func(c byte) bool { return c >= 0x41 && c != 0xff }, func(a, c byte) float64 {
		switch {
		case a >= 0xb0 && a <= 0xc8 && euc(c):
			return 1
		case a < 0x81 || a > 0xfd:
			return -3
		case !euc(c) || a < 0xa1: // the rare syllables that code page 949 added
			return -0.5
		case a == 0xa1 || a == 0xa3:
			return 0.7
		}
		return 0
	})
	return t.mean()
}

func scoreBig5(b []byte) float64 {
	var t tally
	pairs(b, &t, func(c byte) bool { return c >= 0x40 && c <= 0x7e || euc(c) }, func(a, c byte) float64 {
		switch {
		case a >= 0xa4 && a <= 0xc6:
			return 0.98 // Chinese in GB 2312 falls here too, in part
		case a >= 0xc9 && a <= 0xf9:
			return 0.1
		case a == 0xa1 || a == 0xa2:
			return 0.7
		case a == 0xa3:
			return 0
		}
		return -3
	})
	return t.mean()
}
