package main

import (
	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// asOfJSON is the day that a question was answered for.
type asOfJSON struct {
	Day  string `json:"day"`
	Then string `json:"then"` // the second day of a question about a change
	Why  string `json:"why"`
	Note string `json:"note"`
}

func asOfOf(a quarry.AsOf) asOfJSON {
	return asOfJSON{a.Day.String(), a.Then.String(), a.Why, a.Note}
}

// printAsOf says for which day a question was answered, where nobody named it but the
// question, or where that is not the one it says.
func (a *app) printAsOf(o quarry.AsOf) {
	said := o.ByWords()
	switch {
	case said && o.Then != 0:
		a.printf("As of %s and of %s: %s.\n", o.Day, o.Then, o.Why)
	case said:
		a.printf("As of %s: %s.\n", o.Day, o.Why)
	}
	if o.Note != "" {
		a.printf("%s\n", oneLine(o.Note))
	}
	if said || o.Note != "" {
		a.printf("\n")
	}
}

// onDay is the scope on the day that a question was answered for, the first of two.
func onDay(scope document.Scope, o quarry.AsOf) document.Scope {
	if o.ByWords() {
		scope.AsOf = o.Day
	}
	return scope
}

// held says on which days a revision holds, behind its place: where that was inferred, and
// where another day than today was asked for. It is "" else.
func held(o quarry.AsOf, valid document.Interval, inferred string) string {
	if inferred == "" && o.Why == "today" {
		return ""
	}
	return ", " + standing(valid, inferred)
}

// standing is an interval for people, as words about a text, with what it was inferred from.
func standing(valid document.Interval, inferred string) string {
	text := days(valid)
	switch {
	case valid.From != 0 && valid.To == 0:
		text = "in force since " + valid.From.String()
	case valid.From != 0 && valid.From < valid.To:
		text = "in force " + text
	}
	if inferred != "" {
		text += ", inferred from " + inferred
	}
	return text
}
