package query

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// When is what the words of a question say of the day whose rules are asked about. Whether
// they mean that, or a date that the documents speak of, is seen at the documents that are
// found: "What was the rate in 2019?" asks a dated policy what held then, and a report
// what it says of 2019.
type When struct {
	// Words are those that say it, as they stand in the question; "" where it says nothing.
	Words string
	// Without is the question without the words that only set the day.
	Without string
	// Day is the day asked about: the last one of a period. 0 where it depends on what is
	// found (see Previous).
	Day document.Day
	// Since is the first day of the period; equal to Day where a day was named.
	Since document.Day
	// Previous asks for what held before the text in force, or, with a Day, before the last
	// change up to that.
	Previous bool
	// Then is the second day of a question about a change, from Day, or with Previous from the
	// day before the text in force began, to Then; 0 else.
	Then document.Day
	// Draft asks for drafts.
	Draft bool
}

// Nouns of texts that hold for a time. Reports, minutes and invoices are none.
const holding = `(?:polic(?:y|ies)|handbooks?|manuals?|guides?|guidelines?|guidance|rules?|rulebooks?|regulations?|versions?|editions?|revisions?|pages?|terms|procedures?|tariffs?|price lists?|code of conduct|standards?|agreements?|contracts?|charters?|bylaws|richtlinien?|handbuchs?|handbuch|fassung|satzung|ordnung|regelungen?|vertrags?|vertrag)`

// Forms by which a question says a day. The group is the period; all that a pattern
// matches is taken out of the question, but for what a lead keeps.
var (
	// "as of January 2017", "in force on 31 March 2022", "back in 2018"
	asOf = lazyregexp.New(`(?i)(?:^|[\s,(])((?:(?:as of|as at|as per|effective(?: as of| on| in)?|(?:in force|valid|applicable|in effect)(?: on| in| at| as of)?|back in|stand|gültig (?:am|im|ab)|zum|per) )(` + periodText + `))\b`)
	// "the January 2017 travel guide", "under the 2019 policy"
	ofNoun = lazyregexp.New(`(?i)\b(?:the|per|our|in|under|die|der|das|dem) (` + periodText + `) (?:[\pL-]+ ){0,2}?` + holding + `\b`)
	// "the handbook of January 2017", "the benefits page at the end of 2017"
	nounOf = lazyregexp.New(`(?i)\b` + holding + ` ((?:of|from|in|at|as of|vom|von|aus) (` + periodText + `))\b`)
	// "in 2019", "at the end of 2018", where the question is in the past or the future
	at = lazyregexp.New(`(?i)(?:^|[\s,(])((?:in|during|at|on|until|up to|through|by the end of|from|starting|after|im|am|ende|bis|ab|seit) (` + periodText + `)|(?:last|next|letztes|letzten|nächstes|nächsten) (?:year|month|quarter|jahr|monat)|(?:a|one|two|three|four|five|\d{1,2}) (?:years?|months?|weeks?|days?) ago|yesterday)\b`)
	// "the example of the end of 2022"
	ofEnd  = lazyregexp.New(`(?i)\b(of ((?:the )?(?:end|beginning|start) of (?:(?:` + monthNames + `) )?` + years + `))\b`)
	past   = lazyregexp.New(`(?i)\b(?:did|was|were|had|used to|wurden?|war|waren|hatten?|galt|galten|betrug|musste|mussten|durfte|durften|konnte|konnten|kostete)\b`)
	future = lazyregexp.New(`(?i)\b(?:will|shall|going to|'ll|from|starting|wird|werden|ab)\b`)

	// "before the 2024 change", "before the change", "vor der Änderung"
	beforeChange = lazyregexp.New(`(?i)\b((?:before|prior to|until|up to|vor) (?:the|der|den|dem) (?:(?:last|latest|most recent|letzten) )?(?:(` + years + `|(?:` + monthNames + `) ` + years + `) )?(?:[\pL-]+ )?(?:change|changes|update|revision|amendment|reform|rewrite|änderung|änderungen|neufassung|anpassung))\b`)
	// "under the previous policy", "the old refund rules", "in the version before"
	previous = lazyregexp.New(`(?i)\b(?:the|our|der|die|das|dem) (previous|prior|old|former|earlier|superseded|preceding|vorherigen?|alten?|früheren?|bisherigen?) (?:[\pL-]+ ){0,2}?` + holding + `\b`)

	drafts = lazyregexp.New(`(?i)\b(?:(?:in|under|per|according to|of) (?:the|our|a) (?:[\pL-]+ ){0,2}drafts?|(?:does|do|would|will|did) (?:the|our) (?:[\pL-]+ ){0,2}drafts?|(?:the|our) draft (?:[\pL-]+ ){0,2}` + holding + `|im entwurf|laut entwurf|der entwurf)\b`)
)

// WhenOf reads what a question says of its day. today is the asker's.
func WhenOf(question string, today document.Day) When {
	question = clean(question)
	w := When{Without: question, Draft: drafts.MatchString(question)}
	if c, ok := changeOf(question, today); ok {
		c.Draft = w.Draft
		return c
	}
	if m := beforeChange.FindStringSubmatchIndex(question); m != nil {
		w.Previous = true
		w.take(question, m[2], m[3])
		if m[4] >= 0 {
			if p, ok := periodOf(question[m[4]:m[5]], today); ok {
				w.Since, w.Day = p.first, p.last
			}
		}
		return w
	}
	if m := previous.FindStringSubmatchIndex(question); m != nil {
		w.Previous = true
		w.take(question, m[2], m[3])
		return w
	}
	for _, form := range []struct {
		pattern *lazyregexp.Regexp
		taken   int // the group that is taken out
		period  int
		tense   bool
	}{{ofNoun, 1, 1, false}, {asOf, 1, 2, false}, {nounOf, 1, 2, false}, {ofEnd, 1, 2, false}, {at, 1, 2, true}} {
		for _, m := range form.pattern.FindAllStringSubmatchIndex(question, -1) {
			from, to := m[2*form.period], m[2*form.period+1]
			if from < 0 {
				from, to = m[2*form.taken], m[2*form.taken+1]
			}
			p, ok := periodOf(question[from:to], today)
			if !ok || p.holds(today) {
				continue
			}
			if tells.MatchString(question[to:]) || form.tense && !tenseFits(question, p, today) {
				continue
			}
			w.Since, w.Day = p.first, p.last
			if m[2*form.taken] == from && strings.HasPrefix(strings.ToLower(question[from:to]), "the ") {
				m[2*form.taken] += len("the ") // the noun's
			}
			if p.first > today && beginning.MatchString(question[m[2*form.taken]:m[2*form.taken+1]]) {
				w.Day = p.first // "from next month"
			}
			w.take(question, m[2*form.taken], m[2*form.taken+1])
			return w
		}
	}
	return w
}

// tells is how a text goes on behind a date in a sentence that tells the case and asks
// nothing: "She was renewed 20 days ago. Does she get anything back?" asks what holds now.
var tells = lazyregexp.New(`^[^.!?]*[.!](?:\s|$).*[?？]`)

// beginning are words that mean a period's first day.
var beginning = lazyregexp.New(`(?i)^(?:from|starting|effective|gültig ab|ab) `)

func tenseFits(question string, p period, today document.Day) bool {
	if p.last < today {
		return past.MatchString(question)
	}
	return future.MatchString(question)
}

// take takes a part out of the question, with what is left to stand alone by it.
func (w *When) take(question string, from, to int) {
	w.Words = question[from:to]
	before, after := strings.TrimRight(question[:from], " ,("), strings.TrimLeft(question[to:], " )")
	if before == "" {
		after = strings.TrimLeft(after, " ,")
	}
	if before != "" && after != "" && !strings.ContainsAny(after[:1], "?!.;:,") {
		before += " "
	}
	w.Without = before + after
	if strings.IndexFunc(w.Without, says) < 0 || topicTerms(w.Without) == 0 {
		w.Without = question
	}
}
