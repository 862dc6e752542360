package query

import (
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// NamedIn finds the values of attributes that a question names: of those that say where
// a document applies, whole values, word for word, whatever their case. A value that is
// a common word ("us", "it", "no") counts only where the question has it in capitals. A
// question that compares is about other cases too and names none.
// values are those of documents that the asker may see.
func NamedIn(question string, values map[string][]string) map[string][]string {
	if comparing.MatchString(question) {
		return nil
	}
	plain := spaced(question)
	folded := strings.ToLower(plain)
	var out map[string][]string
	for _, key := range document.ScopeAttributes() {
		for _, v := range values[key] {
			words := spaced(v)
			if strings.TrimSpace(words) == "" || !strings.Contains(folded, strings.ToLower(words)) {
				continue
			}
			if common(words) && !strings.Contains(plain, strings.ToUpper(words)) {
				continue
			}
			if out == nil {
				out = map[string][]string{}
			}
			out[key] = append(out[key], v)
		}
	}
	return out
}

// comparing recognises a question about more cases than one.
var comparing = lazyregexp.New(`(?i)\b(?:differ(?:s|ent|ently|ences?)?|compar(?:e|ed|es|ing|ison)|between|versus|vs|both|unlike|elsewhere|everywhere)\b`)

// spaced is the words of a text with one space before, between and behind them.
func spaced(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return " " + strings.Join(words, " ") + " "
}

// common is whether a value is one word that stands in any text.
func common(words string) bool {
	word := strings.ToLower(strings.TrimSpace(words))
	return analyze.IsFunctionWord(word) || analyze.IsGeneralWord(word)
}

// Asked are the attributes that the scope asks for or the question names.
func (p Plan) Asked() map[string][]string {
	out := make(map[string][]string, len(p.Where)+len(p.Named))
	for key, values := range p.Named {
		out[key] = values
	}
	for key, values := range p.Where { // the scope is explicit
		out[key] = values
	}
	return out
}
