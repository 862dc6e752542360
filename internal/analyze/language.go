package analyze

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"

	"github.com/seed-d3156d19/quarry/store"
)

// Language is one whose words are analysed in its own way, by ISO 639-1 code.
type Language string

// English is what Latin words are taken for where nothing tells otherwise.
const English Language = "en"

// script is one that several languages share, so that the words of a text do not
// say how they are analysed. All others are analysed by their letters alone.
type script int

const (
	latin script = iota
	cyrillic
	arab
	scripts
	noScript = scripts
)

// Languages says, for each script, as which language its words are analysed: a
// Russian text that quotes English has both.
type Languages [scripts]Language

// byDefault holds where nothing tells otherwise. A passage of these alone is not marked
// with its languages.
var byDefault = Languages{latin: English, cyrillic: "ru", arab: "ar"}

// with is ls but for the script of l.
func (ls Languages) with(l Language) Languages {
	ls[scriptOf[l]] = l
	return ls
}

// known lists the languages that are told apart, by script, with their Snowball
// stemmers; one without is folded only.
var known = [scripts]map[Language]func(*snowballstem.Env) bool{
	latin: {
		"ca": nil, "cs": nil, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "et": nil, "fi": finnish.Stem,
		"fr": french.Stem, "ga": irish.Stem, "hr": nil, "hu": hungarian.Stem, "id": nil, "it": italian.Stem, "lt": nil, "lv": nil,
		"nl": dutch.Stem, "no": norwegian.Stem, "pl": nil, "pt": portuguese.Stem, "ro": romanian.Stem, "sk": nil, "sl": nil,
		"sv": swedish.Stem, "tr": turkish.Stem, "vi": nil,
	},
	cyrillic: {"be": nil, "bg": nil, "ru": russian.Stem, "sr": nil, "uk": nil},
	arab:     {"ar": arabic.Stem, "fa": nil, "ur": nil},
}

// scriptOf is the script of each known language.
var scriptOf = func() map[Language]script {
	out := map[Language]script{}
	for s, languages := range known {
		for l := range languages {
			out[l] = script(s)
		}
	}
	return out
}()

// letterScript is the script of a letter, noScript for all else.
func letterScript(r rune) script {
	switch {
	case r < 0x80:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return noScript
	case !unicode.IsLetter(r):
		return noScript
	case r < 0x250 || unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Arabic, r):
		return arab
	}
	return noScript
}

// declared is the known language of a BCP 47 tag, "" for none.
func declared(tag string) Language {
	primary, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	l := Language(strings.ToLower(strings.TrimSpace(primary)))
	if l == "nb" || l == "nn" {
		l = "no"
	}
	if _, ok := scriptOf[l]; !ok {
		return ""
	}
	return l
}

// marks are the terms that say of a passage in which languages it was analysed,
// where that is not the default; no word looks like one. They let the statistics
// of a view tell which languages its passages have.
var marks = func() map[Language]string {
	out := map[Language]string{}
	for l, s := range scriptOf {
		if byDefault[s] != l {
			out[l] = "@" + string(l)
		}
	}
	return out
}()

// markedLanguages are those with a mark, in order.
var markedLanguages = slices.Sorted(maps.Keys(marks))

// Present lists the languages, besides those of the default, that the passages of a
// view's statistics have.
func Present(ctx context.Context, view interface {
	Statistics(ctx context.Context, terms []string) (store.Statistics, error)
}) ([]Language, error) {
	terms := make([]string, 0, len(marks))
	for _, l := range markedLanguages {
		terms = append(terms, marks[l])
	}
	stats, err := view.Statistics(ctx, terms)
	if err != nil {
		return nil, err
	}
	var out []Language
	for _, l := range markedLanguages {
		if stats.Frequent[marks[l]] > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}
