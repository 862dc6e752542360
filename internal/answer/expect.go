package answer

import (
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// expectation is what kind of thing a question asks for, read off its question
// words. A sentence that covers all words of "how many parking spaces" and names no number
// does not answer it.
type expectation struct {
	name  string
	asked *lazyregexp.Regexp
	given *lazyregexp.Regexp
}

// currency recognises an amount of money, or that there is none to pay.
const currency = `(?i)[$€£¥]|\b(?:EUR|USD|GBP|NOK|SEK|DKK|CHF|CAD|AUD|SGD|JPY|CNY|INR|PLN|dollars?|euros?|pounds?|kroner|free|no charge|not charged|without charge|at no cost|included|costs? nothing|unpaid)\b`

// calendar recognises a date, or a time counted in days and longer.
const calendar = `(?i)\b\d{4}-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:19|20)\d\d\b|\d(?:st|nd|rd|th)\b|` +
	`\b(?:january|february|march|april|may|june|july|august|september|october|november|december|` +
	`monday|tuesday|wednesday|thursday|friday|saturday|sunday|days?|weeks?|months?|years?|weekly|monthly|yearly)\b`

// expectations are tried in order; the first whose form the question has holds.
var expectations = []expectation{
	{"share",
		lazyregexp.New(`(?i)\b(?:what|which|how (?:much|high|big)).{0,40}\b(?:fees?|discounts?|penalty|penalties|share|percentage|commission|interest|surcharge)\b`),
		lazyregexp.New(`%|(?i)\b(?:per ?cent|half|third|quarter)\b|` + currency)},
	{"money",
		lazyregexp.New(`(?i)\bhow much (?:money|does|do|did|is|are|will|would|should|can)\b|\bwhat (?:does|do|did|will|would)\b.*\bcosts?\b|\bwhat (?:is|are|was|were)\b.{0,30}\b(?:price|cost|fare|salary|(?:daily|hourly|day|hour) rate)s?\b|\b(?:what|how much).{0,40}\b(?:cost|earn|get paid|have to pay)\b`),
		lazyregexp.New(currency)},
	{"number",
		lazyregexp.New(`(?i)\bhow (?:many|much|long|often|far|early|late|fast|quick|quickly|soon|high|big|large|old|tall|deep|heavy|wide|strong)\b|\b(?:what|which) (?:percentage|share|amount|number|quantity|limit|maximum|minimum|size|length|period|interval|temperature|pressure|tolerance|port|weight|speed)\b`),
		lazyregexp.New(`(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|half|quarter|double|twice|once|none|no|never|unlimited|daily|weekly|monthly|quarterly|yearly|annually|every|each|immediately|at once|forever|permanently)\b`)},
	{"date",
		lazyregexp.New(`(?i)\b(?:what|which) (?:dates?|days?|month|year|deadline)\b`),
		lazyregexp.New(calendar)},
	{"time",
		lazyregexp.New(`(?i)\b(?:by|until|till|since|from|up to)? ?when\b.*\?|^when\b|\b(?:what|which) time\b`),
		lazyregexp.New(calendar + `|(?i)\d:\d\d|\b(?:midnight|noon|morning|evening|hours?|minutes?|daily|immediately|at once|before|after|until|as soon as|once|never|always|when|whenever)\b`)},
	{"name",
		lazyregexp.New(`(?i)\bwhich (?:company|insurer|insurance company|provider|supplier|vendor|bank|airline|hotel|manufacturer|city|country)\b|\bwhat (?:is|are) the names?\b|\bwho is (?:our|the) (?:insurer|provider|supplier|vendor)\b`),
		nil},
}

// focus finds what a question asks about: what stands behind "what is the",
// "which", "how many".
var focus = lazyregexp.New(`(?i)\b(?:what(?:'s|’s| is| are| was| were)|which|how (?:many|much)|how (?:long|high|big|large) (?:is|are))\s+(.*)`)

// form is what the words of a question ask for, read off it once for all units.
type form struct {
	expected      *expectation // nil: anything
	focus         string       // the first term of what it asks about; "": it may be anything
	after, before bool         // the time that it asks about
}

func formOf(question string) form {
	f := form{focus: focusOf(question), after: after.MatchString(question), before: before.MatchString(question)}
	for i := range expectations {
		if expectations[i].asked.MatchString(question) {
			f.expected = &expectations[i]
			break
		}
	}
	return f
}

func focusOf(question string) string {
	m := focus.FindStringSubmatch(question)
	if m == nil {
		return ""
	}
	for _, w := range analyze.Words(m[1]) {
		if determiners[w.Folded] {
			continue
		}
		if analyze.IsFunctionWord(w.Folded) || analyze.IsGeneralWord(w.Folded) {
			return "" // "how much does", "which is", "what is different"
		}
		return w.Term
	}
	return ""
}

// speaksOfIt reports whether a unit, or the heading or lead-in that it stands
// under, says the first term of what the question asks about. "What is my notice
// period" is not answered by the length of the probation period, whatever the
// next sentence speaks of.
func (f form) speaksOfIt(u unit) bool { return f.focus == "" || u.own[f.focus] || u.context[f.focus] }

var determiners = map[string]bool{"the": true, "a": true, "an": true, "my": true, "our": true, "your": true, "their": true, "his": true, "her": true, "its": true, "this": true, "that": true}

// Words that place one thing in time to another.
var (
	after  = lazyregexp.New(`(?i)\b(?:after|afterwards|once|following|since|as soon as)\b`)
	before = lazyregexp.New(`(?i)\b(?:before|until|prior to|by the time|in advance|ahead)\b`)
	during = lazyregexp.New(`(?i)\b(?:during|while|throughout)\b`)
)

// sameTime reports whether a unit may speak of the time that the question asks
// about: what holds during a probation is no answer to what holds after it.
func (f form) sameTime(u unit) bool {
	switch {
	case f.after && !f.before && !after.MatchString(u.text):
		return !during.MatchString(u.text) && !before.MatchString(u.text)
	case f.before && !f.after && !before.MatchString(u.text):
		return !after.MatchString(u.text)
	}
	return true
}

// pointer recognises a sentence that only says where something is said.
var pointer = lazyregexp.New(`(?i)\bsee (?:also )?(?:the |our )?(?:section|clause|chapter|page|policy|appendix|annex|table|\S+ (?:policy|page|manual))|\b(?:not )?(?:regulated|described|explained|covered|defined|set out) (?:here|in|elsewhere)\b|\brefer to\b`)

// answeredBy reports whether a unit gives what the form of the question asks for.
func (f form) answeredBy(u unit) bool {
	switch {
	case !f.speaksOfIt(u) || !f.sameTime(u):
		return false
	case f.expected == nil:
		return true
	case f.expected.given == nil:
		return hasName(u.text)
	}
	// A row's unit may stand in its header; its figure does not.
	return f.expected.given.MatchString(u.text) || strings.ContainsAny(u.text, "0123456789") && f.expected.given.MatchString(u.header)
}

// hasName reports whether a text holds a capitalised word that does not begin a
// sentence.
func hasName(text string) bool {
	for i, word := range strings.Fields(text) {
		first := []rune(strings.Trim(word, "*_`\"'(|"))
		if i > 0 && len(first) > 1 && unicode.IsUpper(first[0]) {
			return true
		}
	}
	return false
}

// hardTerms are the terms that a sentence, or what it stands in, must hold to be about
// what the question names: numbers, identifiers, and names (words
// with a capital that do not begin the question). Names that stand in much of
// the corpus, such as the company's own, tell nothing.
func hardTerms(question string, common func(term string) bool) []string {
	words := analyze.Words(question)
	var out []string
	begins := true
	last := 0
	for _, w := range words {
		// Terms of a run without spaces overlap.
		if w.From > last && strings.ContainsAny(question[last:w.From], ".?!:\n") {
			begins = true
		}
		last = w.To
		text := question[w.From:w.To]
		digit := strings.ContainsAny(text, "0123456789")
		upper := unicode.IsUpper([]rune(text)[0]) && text != "I" && text != "A"
		allUpper := upper && strings.ToUpper(text) == text
		if (digit || allUpper || upper && !begins) && !analyze.IsFunctionWord(w.Folded) && (digit || !common(w.Term)) {
			out = append(out, w.Term)
		}
		begins = false
	}
	return out
}
