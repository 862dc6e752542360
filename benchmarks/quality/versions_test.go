package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// A question is made of what a line says beside what differs, on the day of its version,
// the same at every run; of lines that differ in a link's target alone none is made.
func TestMadeQuestions(t *testing.T) {
	list := []lineChange{
		{Page: "fees", Title: "Fees", Old: "A pass costs $9.95 for one day", New: "A pass costs $12 for one day", OldVersion: "2017-12-26", NewVersion: "2018-12-31"},
		{Page: "links", Title: "Links", Old: "Read on [here](/over-3500) about it", New: "Read on [here](/over-10000) about it", OldVersion: "2017-12-26", NewVersion: "2018-12-31"},
		{Page: "few", Title: "Few", Old: "### 1. Dialing", New: "### 2. Dialing", OldVersion: "2017-12-26", NewVersion: "2018-12-31"},
		{Page: "items", Title: "Items", Old: "3. Reply to the mail of the team", New: "2. Reply to the mail of the team", OldVersion: "2017-12-26", NewVersion: "2018-12-31"},
	}
	made := makeQuestions(slices.Clone(list))
	if len(made) != 1 || made[0].page != "fees" || made[0].text != "Fees: A pass costs for one day" || len(made[0].values) != 1 {
		t.Fatalf("made %+v", made)
	}
	q := made[0]
	if day, value := q.day.String(), q.values[0]; day != "2017-12-26" || value != "$9.95" {
		if day != "2018-12-31" || value != "$12" {
			t.Errorf("on %s the value is %s", day, value)
		}
	}
	if again := makeQuestions(slices.Clone(list)); fmt.Sprint(again) != fmt.Sprint(made) {
		t.Errorf("the second run makes %+v", again)
	}
	var p store.Located
	p.Text = "A pass costs " + strings.ToUpper(q.values[0]) + " for one day."
	if !q.answeredBy(p) {
		t.Errorf("%q is no answer to %+v", p.Text, q)
	}
	p.Text = "A pass costs $120 and $9.9 for one day."
	if q.answeredBy(p) {
		t.Errorf("%q is an answer to %+v", p.Text, q)
	}
}

// The table of dated files: with validity the right version, without it every one.
func TestVersions(t *testing.T) {
	page := func(price string) string {
		return "---\ntitle: Fees\n---\nA pass for the bicycles of the city costs " + price + " for one day with rides of thirty minutes each.\n\n" +
			"Bicycles are taken from and returned to any of the stations, which stand about five minutes apart.\n"
	}
	set := loaded(t, versionedSet, map[string]string{
		"docs/fees/2017-12-26.md": page("$9.95"), "docs/fees/2018-12-31.md": page("$12"), "docs/fees/2020-12-31.md": page("$15"),
		"changes.jsonl": `{"page":"fees","title":"Fees","old_version":"2017-12-26","new_version":"2018-12-31","old":"A pass for the bicycles costs $9.95 for one day","new":"A pass for the bicycles costs $12 for one day"}` + "\n",
		"questions.jsonl": `{"id":"a","question":"What did a pass for the bicycles cost at the end of 2018?","answer":"$12","as_of":"2018-12-31","sources":["fees/2018-12-31.md"],"passages":["costs $12 for one day"],"type":"as_of"}` + "\n" +
			`{"id":"b","question":"How did the price of a pass change between the end of 2017 and the end of 2018?","answer":"$12","sources":["fees/2017-12-26.md","fees/2018-12-31.md"],"passages":["costs $9.95","costs $12"],"type":"change"}` + "\n" +
			`{"id":"c","question":"What is the fee for zeppelins?","answer":null,"sources":[],"passages":[],"type":"none","unanswerable":true}` + "\n",
	})
	table, err := bench{say: t.Logf}.versionsBy(context.Background(), set, words)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| words | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 0 of ", "| words, by its words | 1 | 1.000 | 1.000 | 1.000 | 1.000 | 0 of ",
		"| words, without validity | 1 | ", "| words, by its words | 1 | 1.000 | ", " 0 of 1 |\n", "| words | 1 | 1.000 | 0 of ",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}
