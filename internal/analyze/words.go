// Package analyze turns text into what a store indexes: terms with field,
// frequency and position, and identifiers kept whole and in parts. Documents
// and questions go through the same functions, so that a question ranks the
// same on every store.
package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Version is part of a revision's pipeline: a change of what these functions
// return for some text must change it, so that the next sync indexes again.
const Version = "1"

// maxWord bounds a term, in bytes: a longer run without a space (a base64
// block, a minified file) is cut, so that no text can make an index of one
// giant term.
const maxWord = 64

// Word is a term and where it stands.
type Word struct {
	Term     string // folded and stemmed
	Folded   string // folded only
	From, To int    // byte offsets into the text
}

// Words cuts text into terms: runs of letters, digits and marks, folded
// (compatibility forms, case, accents) and, where Latin, stemmed as English
// with Porter2 (snowballstem.org). Numbers keep inner points; thousands
// separators are dropped, so that "3,500" and "3500" are one term. A run of
// Han, Kana or Hangul gives overlapping bigrams (one term if it is a single
// character), and Latin glued to it stands on its own.
func Words(text string) []Word {
	return appendWords(make([]Word, 0, len(text)/6), text, &stemmer{})
}

// Reader gives the words of several texts, as Words does, and remembers what it stemmed:
// texts about one matter share most of their words. It is not for use by several
// goroutines at once.
type Reader struct{ stems stemmer }

// NewReader gives a Reader that remembers nothing yet.
func NewReader() *Reader { return &Reader{stemmer{memory: map[string]stemmed{}}} }

// Words is as the function.
func (r *Reader) Words(text string) []Word {
	return appendWords(make([]Word, 0, len(text)/6), text, &r.stems)
}

func appendWords(words []Word, text string, s *stemmer) []Word {
	for i := 0; i < len(text); {
		r, size := decode(text, i)
		switch {
		case isCJK(r):
			end := i + size
			for end < len(text) {
				next, n := decode(text, end)
				if !isCJK(next) {
					break
				}
				end += n
			}
			words = appendBigrams(words, text, i, end)
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
// latter out again.
func wordEnd(text string, i int) int {
	var last rune
	for i < len(text) {
		r, size := decode(text, i)
		if isWordRune(r) && !isCJK(r) {
			last = r
			i += size
			continue
		}
		if i+size < len(text) {
			next, _ := decode(text, i+size)
			inNumber := (r == '.' || r == ',') && unicode.IsDigit(last) && unicode.IsDigit(next)
			inWord := (r == '\'' || r == '’') && unicode.IsLetter(last) && unicode.IsLetter(next) && !isCJK(next)
			if inNumber || inWord {
				last = r
				i += size
				continue
			}
		}
		break
	}
	return i
}

func appendBigrams(words []Word, text string, from, to int) []Word {
	run := text[from:to]
	if utf8.RuneCountInString(run) == 1 {
		f := Fold(run)
		return append(words, Word{Term: f, Folded: f, From: from, To: to})
	}
	for i := 0; i < len(run); {
		_, first := decode(run, i)
		if i+first >= len(run) {
			break
		}
		_, second := decode(run, i+first)
		f := Fold(run[i : i+first+second])
		words = append(words, Word{Term: f, Folded: f, From: from + i, To: from + i + first + second})
		i += first
	}
	return words
}

// stemmer folds and stems words. It reuses the environment of the generated
// Snowball code, and remembers words, where it has a memory: most of a document's
// come again.
type stemmer struct {
	env    *snowballstem.Env
	memory map[string]stemmed
}

type stemmed struct{ term, folded string }

// maxRemembered bounds a stemmer's memory, in words; it is emptied when it is full.
const maxRemembered = 1 << 13

func (s *stemmer) append(words []Word, text string, from, to int) []Word {
	for from < to {
		end := to
		if end-from > maxWord {
			end = from + maxWord
			for end > from && !utf8.RuneStart(text[end]) {
				end--
			}
		}
		if w := s.word(text[from:end]); w.folded != "" {
			words = append(words, Word{Term: w.term, Folded: w.folded, From: from, To: end})
		}
		from = end
	}
	return words
}

func (s *stemmer) word(raw string) stemmed {
	if w, ok := s.memory[raw]; ok {
		return w
	}
	w := stemmed{folded: Fold(raw)}
	if w.folded != "" {
		w.term = s.stem(w.folded)
	}
	if s.memory != nil {
		if len(s.memory) >= maxRemembered {
			clear(s.memory)
		}
		s.memory[raw] = w
	}
	return w
}

func (s *stemmer) stem(folded string) string {
	if len(folded) < 3 {
		return folded
	}
	for i := 0; i < len(folded); i++ {
		if folded[i] < 'a' || folded[i] > 'z' {
			return folded
		}
	}
	if s.env == nil {
		s.env = snowballstem.NewEnv(folded)
	} else {
		s.env.SetCurrent(folded)
	}
	english.Stem(s.env)
	stem := s.env.Current()
	if strings.HasPrefix(folded, stem) {
		return folded[:len(stem)] // the text is kept anyway
	}
	return stem
}

// Fold gives the form under which spellings of one word are equal: NFKD
// without combining marks, lower case, ß as ss, possessive 's and apostrophes
// gone, thousands separators gone.
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
	for i, r := range decomposed {
		switch {
		case unicode.Is(unicode.Mn, r):
			// A combining mark: é is e. Marks that spell vowels (Mc, in Indic
			// scripts) stay.
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		case r == '\'' || r == '’':
			if rest := decomposed[i+utf8.RuneLen(r):]; rest == "s" || rest == "S" {
				return b.String()
			}
		case r == ',':
			// Between digits only: see wordEnd.
		case r == utf8.RuneError:
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
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

func isCJK(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}
