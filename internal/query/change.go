package query

import (
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// A question about a change is recognised by a word of change and two periods, or one
// in which it happened.
var (
	changing   = lazyregexp.New(`(?i)\b(?:chang(?:e|es|ed|ing)|differ(?:s|ed|ence|ences|ent)?|mov(?:e|ed)|increas(?:e|ed)|decreas(?:e|ed)|ris(?:e|en)|rose|rais(?:e|ed)|fall(?:en)?|fell|dropp?(?:ed)?|gr(?:o|e)wn?|lower(?:ed)?|replac(?:e|ed|es)|evolv(?:e|ed)|develop(?:ed)?|adjusted|added|removed|new|compare[ds]?|comparison|geändert|änder(?:te|ten|ung|ungen)|unterschied(?:e|en)?|ersetzt|gestiegen|gesunken)\b`)
	betweenTwo = lazyregexp.New(`(?i)(?:^|[\s,(])((?:between|zwischen) (` + periodText + `) (?:and|und) (` + periodText + nowText + `))\b`)
	fromTo     = lazyregexp.New(`(?i)(?:^|[\s,(])((?:from|von) (` + periodText + `) (?:to|until|till|through|bis|auf) (` + periodText + nowText + `))\b`)
	setBeside  = lazyregexp.New(`(?i)(?:^|[\s,(])((?:in |at |of )?(` + periodText + `) (?:versus|vs\.?|compared (?:to|with)|and|gegenüber|und) (?:in |at )?(` + periodText + nowText + `))\b`)
	isNow      = lazyregexp.New(`(?i)^(?:today|now|heute|jetzt)$`)
	sinceWhen  = lazyregexp.New(`(?i)(?:^|[\s,(])(since when|seit wann)\b`)
	sinceThen  = lazyregexp.New(`(?i)(?:^|[\s,(])((?:since|seit) (` + periodText + `))\b`)
	within     = lazyregexp.New(`(?i)(?:^|[\s,(])((?:in|during|within|over|im|während) (` + periodText + `))\b`)
)

// nowText matches today as the later of two days.
const nowText = `|today|now|heute|jetzt`

// laterOf reads what periodText or nowText matched.
func laterOf(text string, today document.Day) (period, bool) {
	if p, ok := periodOf(text, today); ok {
		return p, true
	}
	return period{today, today}, isNow.MatchString(text)
}

// changeOf reads the two days of a question about a change: the ends of two periods,
// those before and at the end of one, or the end of one and today. "Since when" is about
// today and the day before the text in force began (Previous).
func changeOf(question string, today document.Day) (When, bool) {
	w := When{Without: question}
	if m := sinceWhen.FindStringSubmatchIndex(question); m != nil {
		w.Previous, w.Then = true, today
		w.take(question, m[2], m[3])
		return w, true
	}
	if !changing.MatchString(question) {
		return w, false
	}
	for _, two := range []*lazyregexp.Regexp{betweenTwo, fromTo, setBeside} {
		m := two.FindStringSubmatchIndex(question)
		if m == nil {
			continue
		}
		a, ok := periodOf(question[m[4]:m[5]], today)
		b, also := laterOf(question[m[6]:m[7]], today)
		if !ok || !also || a.last >= b.last || a.last >= today {
			continue
		}
		w.Day, w.Since, w.Then = a.last, a.first, min(b.last, max(today, b.first))
		w.take(question, m[2], m[3])
		return w, true
	}
	if m := sinceThen.FindStringSubmatchIndex(question); m != nil {
		if p, ok := periodOf(question[m[4]:m[5]], today); ok && p.first < today {
			w.Day, w.Since, w.Then = p.first, p.first, today
			w.take(question, m[2], m[3])
			return w, true
		}
	}
	if m := within.FindStringSubmatchIndex(question); m != nil {
		if p, ok := periodOf(question[m[4]:m[5]], today); ok && p.first < p.last && p.first < today {
			w.Day, w.Since, w.Then = p.first-1, p.first-1, min(p.last, today)
			w.take(question, m[2], m[3])
			return w, true
		}
	}
	return w, false
}
