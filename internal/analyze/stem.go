package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// stemmer folds and stems words in one set of languages. It reuses the environment
// of the generated Snowball code, and remembers words, where it has a memory: most
// of a document's come again.
type stemmer struct {
	languages Languages
	env       *snowballstem.Env
	memory    map[string]stemmed
}

type stemmed struct {
	term, folded string
	parts        []string // of a compound, stemmed
}

// maxRemembered bounds a stemmer's memory, in words; it is emptied when it is full.
const maxRemembered = 1 << 14

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
			for _, part := range w.parts {
				words = append(words, Word{Term: part, Folded: part, From: from, To: end, Part: true})
			}
		}
		from = end
	}
	return words
}

func (s *stemmer) word(raw string) stemmed {
	if w, ok := s.memory[raw]; ok {
		return w
	}
	if s.memory != nil {
		raw = strings.Clone(raw) // a memory outlives its text
	}
	w := s.analyse(raw)
	if s.memory != nil {
		if len(s.memory) >= maxRemembered {
			clear(s.memory)
		}
		s.memory[raw] = w
	}
	return w
}

func (s *stemmer) analyse(raw string) stemmed {
	script := noScript
	for _, r := range raw {
		if script = letterScript(r); script != noScript {
			break
		}
	}
	if script == noScript {
		folded := Fold(raw)
		return stemmed{term: folded, folded: folded}
	}
	language := s.languages[script]
	raw = withoutArticle(language, raw)
	folded := foldIn(language, raw)
	switch stem := known[script][language]; {
	case language == English:
		return stemmed{term: s.stem(english.Stem, folded), folded: folded}
	case language == German:
		ownStem := func(word string) string { return apart(language, word, s.stem(stem, word)) }
		w := stemmed{term: ownStem(folded), folded: folded}
		for _, part := range compoundParts(folded, ownStem) {
			if part != w.term {
				w.parts = append(w.parts, part)
			}
		}
		return w
	case stem == nil, folded == "":
		return stemmed{term: folded, folded: folded}
	default:
		// These go by accents, which are folded after them.
		term := Fold(s.run(stem, spelled(language, raw)))
		if term == "" {
			term = folded
		}
		return stemmed{term: apart(language, folded, term), folded: folded}
	}
}

// foldIn folds a word of a language.
func foldIn(language Language, raw string) string {
	folded := Fold(raw)
	if language == German {
		return germanForm(folded)
	}
	return folded
}

// apart keeps a word whose stem is a function word apart from that: Sicherheit is no
// "sich", which every text is full of.
func apart(language Language, folded, stem string) string {
	if words := functionWordsIn()[language]; words[stem] && !words[folded] {
		return stem + "~"
	}
	return stem
}

// stem stems a folded word of plain letters, and leaves others as they are.
func (s *stemmer) stem(stem func(*snowballstem.Env) bool, folded string) string {
	if len(folded) < 3 {
		return folded
	}
	for i := 0; i < len(folded); i++ {
		if folded[i] < 'a' || folded[i] > 'z' {
			return folded
		}
	}
	stemmed := s.run(stem, folded)
	if strings.HasPrefix(folded, stemmed) {
		return folded[:len(stemmed)] // the word is kept anyway
	}
	return stemmed
}

func (s *stemmer) run(stem func(*snowballstem.Env) bool, word string) string {
	if s.env == nil {
		s.env = snowballstem.NewEnv(word)
	} else {
		s.env.SetCurrent(word)
	}
	stem(s.env)
	return s.env.Current()
}

// spelled is a word as its stemmer expects it: lower case, composed, with the letters
// that it knows.
func spelled(language Language, raw string) string {
	word := norm.NFC.String(raw)
	if language == "tr" {
		return strings.ToLowerSpecial(unicode.TurkishCase, word)
	}
	word = invisible.Replace(strings.ToLower(word))
	switch language {
	case "ru":
		word = strings.ReplaceAll(word, "ё", "е")
	case "ro": // Unicode has letters of their own for what was written with a cedilla
		word = commaBelow.Replace(word)
	case "es", "pt":
		word = accented(language, word)
	}
	return word
}

var (
	invisible  = strings.NewReplacer("\u00AD", "", "\u200C", "", "\u200D", "", "\u2060", "", "’", "'")
	commaBelow = strings.NewReplacer("ș", "ş", "ț", "ţ")
)

// accented gives the commonest noun endings the accent that their stemmers look for,
// which many leave out when they type: cancelacion, cancelacao.
func accented(language Language, word string) string {
	for _, e := range endings[language] {
		if stem, ok := strings.CutSuffix(word, e[0]); ok {
			return stem + e[1]
		}
	}
	return word
}

var endings = map[Language][][2]string{
	"es": {{"cion", "ción"}, {"sion", "sión"}},
	"pt": {{"cao", "ção"}, {"coes", "ções"}, {"sao", "são"}, {"soes", "sões"}},
}

// withoutArticle cuts off what French, Italian and Catalan glue before a word and
// Turkish behind a name: l'avenant, dell'accordo, Ankara'da.
func withoutArticle(language Language, raw string) string {
	switch language {
	case "fr", "it", "ca", "tr":
	default:
		return raw
	}
	at := strings.IndexAny(raw, "'’")
	if at <= 0 {
		return raw
	}
	_, size := utf8.DecodeRuneInString(raw[at:])
	before, after := raw[:at], raw[at+size:]
	switch {
	case language == "tr":
		return before
	case after != "" && elided[strings.ToLower(before)]:
		return after
	}
	return raw
}

var elided = set("l", "d", "c", "j", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
	"un", "dell", "all", "nell", "sull", "dall", "coll", "quest", "quell", "bell")
