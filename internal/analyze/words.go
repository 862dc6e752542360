// Package analyze turns text into what a store indexes: terms with field,
// frequency and position, and identifiers kept whole and in parts. Documents
// and questions go through the same functions, so that a question ranks the
// same on every store.
//
// Words are analysed as those of the language that the text is in (see Languages):
// folded, stemmed with Snowball (snowballstem.org), German compounds with their parts beside
// them. The languages of a document are declared or detected; a question is
// analysed as each of those that the passages have.
package analyze

import (
	"unicode"
	"unicode/utf8"
)

// Version is part of a revision's pipeline: a change of what these functions
// return for some text must change it, so that the next sync indexes again.
const Version = "2"

// maxWord bounds a term, in bytes: a longer run without a space (a base64
// block, a minified file) is cut, so that no text can make an index of one
// giant term.
const maxWord = 64

// Word is a term and where it stands.
type Word struct {
	Term     string // folded and stemmed
	Folded   string // folded only
	From, To int    // byte offsets into the text
	// Part is set where the term is a part of the word before it, which stands at
	// the same place: it helps to find the word and is none of its own.
	Part bool
}

// Words cuts text into terms, Latin ones taken for English: runs of letters,
// digits and marks, folded and stemmed. Numbers keep inner points; thousands
// separators are dropped, so that "3,500" and "3500" are one term. A run of a
// script without spaces gives overlapping bigrams (one term if it is a single
// letter), and Latin glued to it stands on its own.
func Words(text string) []Word { return byDefault.Words(text) }

// Words is Words in these languages.
func (ls Languages) Words(text string) []Word {
	return appendWords(make([]Word, 0, len(text)/6), text, &stemmer{languages: ls})
}

// Reader gives the words of several texts, as Words does, and remembers what it stemmed:
// texts about one matter share most of their words. It is not for use by several
// goroutines at once.
type Reader struct{ stems stemmer }

// NewReader gives a Reader that remembers nothing yet. It reads texts in the languages of the
// default, of each script in the last one given instead.
func NewReader(languages ...Language) *Reader {
	ls := byDefault
	for _, l := range languages {
		ls = ls.with(l)
	}
	return &Reader{stemmer{languages: ls, memory: map[string]stemmed{}}}
}

// Words is as the function.
func (r *Reader) Words(text string) []Word {
	return appendWords(make([]Word, 0, len(text)/6), text, &r.stems)
}

func appendWords(words []Word, text string, s *stemmer) []Word {
	for i := 0; i < len(text); {
		r, size := decode(text, i)
		switch {
		case isSpaceless(r):
			end := spacelessEnd(text, i)
			words = appendSpaceless(words, text, i, end)
			i = end
		case isWordRune(r):
			end := wordEnd(text, i)
			words = s.append(words, text, i, end)
			i = end
		default:
			i += size
		}
	}
	return words
}

// wordEnd is the end of the word that begins at i. A point or comma between
// digits belongs to it, and so does an apostrophe between letters; fold takes the
// latter out again, as it does what is not seen.
func wordEnd(text string, i int) int {
	var last rune
	for i < len(text) {
		r, size := decode(text, i)
		if isWordRune(r) && !isSpaceless(r) {
			last = r
			i += size
			continue
		}
		if i+size < len(text) && joins(last, r, text[i+size:]) {
			last = r
			i += size
			continue
		}
		break
	}
	return i
}

// joins is whether r, between the letter or digit before it and the text after it,
// is within a word.
func joins(last, r rune, after string) bool {
	next, _ := decode(after, 0)
	switch r {
	case '.', ',':
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	case '\'', '’':
		return unicode.IsLetter(last) && unicode.IsLetter(next) && !isSpaceless(next)
	case '"', geresh, gershayim:
		return unicode.Is(unicode.Hebrew, last) && unicode.Is(unicode.Hebrew, next)
	}
	return r >= utf8.RuneSelf && isInvisible(r) && isWordRune(next) && !isSpaceless(next)
}

func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
