package analyze

import (
	"unicode"
	"unicode/utf8"
)

// isSpaceless is whether r is a letter of a script that puts no space between words,
// or, as Korean does, only between words with their particles.
func isSpaceless(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return unicode.IsLetter(r) || r == '〇'
	}
	return r == 'ー'
}

// spacelessEnd is the end of the run of such letters that begins at i.
func spacelessEnd(text string, i int) int {
	for i < len(text) {
		r, size := decode(text, i)
		if !isSpaceless(r) && !attached(r) {
			break
		}
		i += size
	}
	return i
}

// attached is whether r goes with the letter before it: a mark, or a vowel that Thai
// and Lao write behind their consonant.
func attached(r rune) bool {
	switch r {
	case 'ะ', 'า', 'ำ', 'ະ', 'າ', 'ຳ', 'ﾞ', 'ﾟ':
		return true
	}
	return r >= 0x300 && unicode.IsMark(r) || isInvisible(r)
}

// leadsOn is whether r goes with the letter after it: a vowel that Thai and Lao write
// before their consonant.
func leadsOn(r rune) bool { return 'เ' <= r && r <= 'ไ' || 'ເ' <= r && r <= 'ໄ' }

// clusterEnd is the end of what cannot be told apart in a run from i on: a letter
// with all that goes with it.
func clusterEnd(text string, i, end int) int {
	r, size := decode(text, i)
	i += size
	if leadsOn(r) && i < end {
		_, size = decode(text, i)
		i += size
	}
	for i < end {
		r, size := decode(text, i)
		if !attached(r) {
			break
		}
		i += size
	}
	return i
}

// appendSpaceless appends the overlapping bigrams of a run, in clusters, and a run
// of one as it is: no dictionary is needed, and every word of two letters is found
// wherever it stands. A Chinese character alone between Kana is a word more
// often than not, and stands beside its bigrams.
func appendSpaceless(words []Word, text string, from, to int) []Word {
	add := func(from, to int, part bool) {
		if f := Fold(text[from:to]); f != "" {
			words = append(words, Word{Term: f, Folded: f, From: from, To: to, Part: part})
		}
	}
	if first := clusterEnd(text, from, to); first == to {
		add(from, to, false)
		return words
	}
	afterHan := false
	for i := from; i < to; {
		next := clusterEnd(text, i, to)
		if next < to {
			add(i, clusterEnd(text, next, to), false)
		}
		han := isHan(text[i:])
		if han && !afterHan && (next == to || !isHan(text[next:])) {
			add(i, next, true)
		}
		i, afterHan = next, han
	}
	return words
}

func isHan(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.Han, r)
}
