package claims

import (
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/analyze"
)

// word is a word of a text in the forms that rules compare.
type word struct {
	raw, folded, term string
	from, to          int
	content           bool // it names a topic: no function word, no word common in any text, no number
	clause            int  // counts clauses: words with the same one have no mark between them
}

// reading is a text taken apart, once for all rules.
type reading struct {
	text    string
	words   []word
	english bool
	facts   facts
	covered []bool // by word: it is part of a number or date
}

// maxClaim bounds what is read of one claim, in bytes: a longer one is no sentence.
const maxClaim = 8 << 10

func read(text string) reading {
	if len(text) > maxClaim {
		text = strings.ToValidUTF8(text[:maxClaim], "")
	}
	return readBy(analyze.NewReader(), text)
}

// readBy takes a text apart with a reader that remembers the words of others.
func readBy(reader *analyze.Reader, text string) reading {
	r := reading{text: text}
	last, clause, function := 0, 0, 0
	for _, w := range reader.Words(text) {
		if w.Part {
			continue
		}
		if w.From > last && breaksClause(text[last:w.From]) {
			clause++
		}
		last = max(last, w.To)
		raw := text[w.From:w.To]
		if analyze.IsFunctionWord(w.Folded) {
			function++
		}
		if clauseWords[w.Folded] {
			clause++
		}
		r.words = append(r.words, word{raw: raw, folded: w.Folded, term: w.Term, from: w.From, to: w.To, clause: clause,
			content: isContent(raw, w.Folded)})
	}
	r.english = isEnglish(function, r.words)
	r.covered = make([]bool, len(r.words))
	r.readDates()
	r.readClocks()
	r.readIdentifiers()
	r.readNumbers()
	return r
}

// isEnglish reports whether a text is not plainly in another language: names and figures
// without grammar are read as English.
func isEnglish(function int, words []word) bool {
	letters, foreign, other := 0, 0, 0
	for _, w := range words {
		if strings.ContainsFunc(w.raw, unicode.IsLetter) {
			letters++
		}
		if strings.ContainsFunc(w.raw, func(r rune) bool { return r > 0x24F && unicode.IsLetter(r) }) {
			foreign++
		}
		if otherGrammar[w.folded] {
			other++
		}
	}
	return 2*foreign <= letters && (other < 2 || other <= function)
}

// otherGrammar are frequent function words of other languages that are no words of English, nor
// frequent in names that English texts hold.
var otherGrammar = words(`der das und ist nicht ein eine zu dem im auf mit fur sich werden wird durfen darf muss nach bei
	les est une dans qui pas sur au aux sont par avec ou ce ne
	los por para es una del que con se su al como mas
	di che non il della sono nel si
	het een van niet dat zijn met voor wordt
	nao uma os um ao dos sao
	och att ar inte som av pa til ikke og det er`)

func breaksClause(gap string) bool {
	return strings.ContainsAny(gap, ",;:()!?|\n—–") || strings.Contains(gap, ". ") || strings.Contains(gap, " - ")
}

// clauseWords begin a clause that a negation before them does not reach into.
var clauseWords = map[string]bool{"but": true, "although": true, "because": true, "unless": true, "except": true, "while": true, "whereas": true, "if": true, "when": true}

func isContent(raw, folded string) bool {
	if folded == "" || analyze.IsFunctionWord(folded) || analyze.IsGeneralWord(folded) || operators[folded] {
		return false
	}
	return !strings.ContainsFunc(raw, unicode.IsDigit)
}

// operators are words that rules of their own look at.
var operators = words(`not never no none nor neither cannot nt without unless except
	must shall should may might can could required need`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// take marks words [from, to) as part of a fact.
func (r *reading) take(from, to int) {
	for i := from; i < to; i++ {
		r.covered[i] = true
	}
}

// gap is what stands between two neighbouring words.
func (r *reading) gap(at int) string {
	if at <= 0 || at >= len(r.words) {
		return ""
	}
	return r.text[r.words[at-1].to:r.words[at].from]
}

// facts are what of a text can be compared one by one.
type facts struct {
	numbers     []number
	dates       []date
	clocks      []clock
	identifiers []identifier
}
