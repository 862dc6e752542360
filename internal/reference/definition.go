package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// verbs stand between a term and its meaning, by the word that they are found by: what
// stands before that, and after.
var verbs = []struct {
	word          string
	before, after string
	bare          bool // a term of capital words needs no quotes or bold type
}{
	{"means", "", "", true}, {"mean", "shall ", "", true}, {"meaning", "has the ", "", true}, {"meaning", "have the ", "", true},
	{"defined", "is ", " as", true}, {"defined", "are ", " as", true}, {"refers", "", " to", false},
	{"bedeutet", "", "", false}, {"bezeichnet", "", "", false}, {"désigne", "", "", false}, {"significa", "", "", false},
}

// verb takes the definition whose verb has its word at i.
func (f *finder) verb(b extract.Block, i int) {
	t := f.text[:b.Span.To]
	for _, v := range verbs {
		if t[i] != v.word[0] || !strings.HasPrefix(t[i:], v.word) {
			continue
		}
		after := i + len(v.word)
		if after < len(t) && isWordByte(t[after]) || !strings.HasPrefix(t[after:], v.after) || !strings.HasSuffix(t[b.Span.From:i], v.before) {
			continue
		}
		verb := i - len(v.before) - 1
		if v.word == "meaning" && strings.HasSuffix(t[b.Span.From:verb+1], " shall ") {
			verb -= len(" shall")
		}
		f.means(b, verb, after+len(v.after), v.bare)
		return
	}
}

// means takes the definition whose verb stands at [verb, after), behind a space.
func (f *finder) means(b extract.Block, verb, after int, bare bool) {
	t := f.text
	if verb < b.Span.From {
		return
	}
	if !f.glossary && strings.HasPrefix(t[after:b.Span.To], " that ") {
		return // "Blue means that ..." tells a consequence
	}
	term, ok := f.marked(b.Span, verb)
	if !ok && bare {
		term, ok = f.capitalTerm(b.Span, verb)
		next, _, _ := wordAt(t[:b.Span.To], after)
		ok = ok && !pronouns[strings.ToLower(next)] // "Using Git means you need no ..."
	}
	if ok {
		f.define(document.OfTerm, term, f.meaning(b.Span, after))
	}
}

// meaning is what follows from after on, to the end of the item or paragraph.
func (f *finder) meaning(block document.Span, after int) document.Span {
	if block.To > after+maxMeaning {
		block.To = after + maxMeaning
		for !utf8.RuneStart(f.text[block.To]) {
			block.To--
		}
	}
	end := block.To
	if n := strings.IndexByte(f.text[after:block.To], '\n'); n >= 0 {
		end = f.itemEnd(block, after+n)
	}
	for after < end && strings.IndexByte(" :,\n", f.text[after]) >= 0 {
		after++
	}
	return document.Span{From: after, To: end}
}

func (f *finder) define(kind document.DefinitionKind, term, meaning document.Span) {
	if term.Len() == 0 || meaning.Len() <= 0 || !isWord(firstRune(meaning.Of(f.text))) {
		return
	}
	f.found.Definitions = append(f.found.Definitions, document.Definition{Kind: kind, Term: plainTerm(term.Of(f.text)), Section: f.section,
		Span: document.Span{From: min(term.From, meaning.From), To: max(term.To, meaning.To)}, Meaning: meaning})
}

// isWord is whether a meaning may begin with a rune: not with the stop of a sentence
// that only speaks of a word.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("(\"“„«‘'*_`[$€£§<", r)
}

func plainTerm(s string) string {
	return strings.Join(strings.Fields(strings.Trim(strings.ReplaceAll(s, "**", ""), "*_`\"“”„‟«»‘’' ")), " ")
}

// quotes pair the marks that stand around a term, closing to opening.
var quotes = []struct{ open, closing string }{
	{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}, {"**", "**"}, {"__", "__"}, {"*", "*"}, {"_", "_"},
}

const maxTerm = 80 // bytes

// marked is the term in quotes or bold type that ends at end; what stands between in
// brackets is passed over.
func (f *finder) marked(block document.Span, end int) (term document.Span, ok bool) {
	t := f.text
	if end > block.From && t[end-1] == ')' {
		open := strings.LastIndexByte(t[max(block.From, end-maxTerm):end], '(')
		if open < 0 {
			return term, false
		}
		end = max(block.From, end-maxTerm) + open
		for end > block.From && t[end-1] == ' ' {
			end--
		}
	}
	for _, q := range quotes {
		if !strings.HasSuffix(t[block.From:end], q.closing) {
			continue
		}
		to := end - len(q.closing)
		least := max(block.From, to-maxTerm)
		open := strings.LastIndex(t[least:to], q.open)
		if open < 0 {
			continue
		}
		term = document.Span{From: least + open + len(q.open), To: to}
		return term, isTerm(term.Of(t))
	}
	return term, false
}

// isTerm is whether words may be a term: some, with a letter, and no sentence.
func isTerm(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0 && !strings.ContainsAny(s, "\n|:;?!") && !strings.Contains(s, ". ") && len(strings.Fields(s)) <= 8
}

// capitalTerm is the term of capital words, two and more or one in a glossary, that
// begins a line or item and ends at end.
func (f *finder) capitalTerm(block document.Span, end int) (term document.Span, ok bool) {
	t := f.text
	from := max(block.From, end-2*maxTerm)
	if n := strings.LastIndexByte(t[from:end], '\n'); n >= 0 {
		from += n + 1
	} else if from > block.From {
		return term, false
	}
	from += len(itemStart.FindString(t[from:end]))
	if strings.HasPrefix(t[from:end], "The ") {
		from += len("The ")
	}
	words := strings.Fields(t[from:end])
	if len(words) == 0 || len(words) > 6 || end-from > maxTerm || len(words) < 2 && !f.glossary || pronouns[strings.ToLower(words[0])] {
		return term, false
	}
	for i, w := range words {
		if !unicode.IsUpper(firstRune(w)) && (i == 0 || !joiningWords[w]) || strings.ContainsAny(w, ",.;:()") {
			return term, false
		}
	}
	return document.Span{From: from, To: end}, true
}

var (
	itemStart = lazyregexp.New(`^[ \t>]*(?:(?:[-*+•]|\(?[A-Za-z0-9]{1,4}[.)]|\d+(?:\.\d+)+\.?)[ \t]+)*`)
	pronouns  = set("i this that it which what these those he she they we you there here none")
)

// leadIn is what stands between a bracket and the term that it defines.
var leadIn = lazyregexp.New(`^\((?:(?:the|a|an|each|collectively|together|hereinafter|hereafter|herein|jointly|individually|referred to as|called|as|being|or|and|in this [a-z]+)\b,?\s*)*["“«„]`)

// inParentheses takes what a bracket at i names: '(the "Customer")', '("Halden")'.
func (f *finder) inParentheses(span document.Span, i int) {
	t := f.text[:min(span.To, i+2*maxTerm)]
	lead := leadIn.FindString(t[i:])
	if lead == "" || i == span.From {
		return
	}
	at := i + len(lead)
	end := strings.IndexAny(t[at:], "\"”»“")
	if end < 0 {
		return
	}
	term := document.Span{From: at, To: at + end}
	_, size := utf8.DecodeRuneInString(t[term.To:])
	rest := t[term.To+size:]
	named := strings.ContainsAny(lead, "aehr") // by more than quotes
	if !strings.HasPrefix(rest, ")") && !(named && strings.HasPrefix(rest, " or ")) || !capitalWords(term.Of(t)) {
		return
	}
	from := f.sentenceStart(span, i)
	to := i
	for to > from && t[to-1] == ' ' {
		to--
	}
	if !named && !unicode.IsUpper(firstRune(lastWord(t[from:to]))) {
		return // a quotation, not a name for what stands before it
	}
	f.define(document.OfTerm, term, document.Span{From: from, To: to})
}

// capitalWords is whether each word begins large, but for the small ones within.
func capitalWords(s string) bool {
	words := strings.Fields(s)
	for i, w := range words {
		if !unicode.IsUpper(firstRune(w)) && (i == 0 || !joiningWords[w]) {
			return false
		}
	}
	return len(words) > 0 && len(words) <= 6
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// sentenceStart is where the sentence or line that holds i begins, at most some lines
// before it.
func (f *finder) sentenceStart(span document.Span, i int) int {
	least := max(span.From, i-400)
	s := f.text[least:i]
	at := 0
	for _, stop := range []string{". ", "; ", "\n\n", "| "} {
		if n := strings.LastIndex(s, stop); n >= 0 {
			at = max(at, n+len(stop))
		}
	}
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return least + at
}
