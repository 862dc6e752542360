package quarry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// dated is a company's folder with texts that hold for a time and others that do not.
func dated(t *testing.T) *quarry.Corpus {
	t.Helper()
	_, clock := clockAt("2026-11-30")
	c := over(t, quarry.Options{Clock: clock})
	travel := func(money int) string {
		return fmt.Sprintf("# Travel policy\n\nThe daily allowance for travel is %d euros for each whole day away.\n\nTrips are booked through the travel desk, at the latest a week before they begin.\n\nReceipts are handed in within a month after the journey.\n", money)
	}
	dir, _ := folder(t, map[string]string{
		"leave/2017-01-01.md": leave(20), "leave/2019-01-01.md": leave(22), "leave/2024-03-01.md": leave(25), "leave/2027-01-01.md": leave(30),
		"travel-2018.md":   travel(50),
		"travel-2022.md":   travel(60),
		"remote.md":        "---\neffective: 2025-05-01\n---\n# Remote work\n\nRemote work from abroad is allowed for 40 days a year.\n",
		"remote-old.md":    "---\neffective: {from: 2020-01-01, to: 2025-04-30}\nsupersedes: []\n---\n# Remote work\n\nRemote work from abroad is allowed for 15 days a year.\n",
		"parking-draft.md": "---\nstatus: draft\n---\n# Parking policy\n\nA parking place costs 90 euros a month.\n",
		"results.md":       "# Annual results\n\nThe revenue was 4 million in 2018 and 5 million in 2019.\n\nThe company had 45 employees in 2018.\n",
		"minutes.md":       "# Board meeting\n\nThe board chose the new logo in March 2021. The vote was open.\n",
		"invoices/4471.md": "# Invoice 4471\n\nThe invoice to Umbra of 31 March 2022 was 1,200 euros.\n",
	})
	synced(t, c, dir)
	return c
}

// TestQuestionsOwnDay: for which day a question is answered, what it finds there, and why.
func TestQuestionsOwnDay(t *testing.T) {
	c := dated(t)
	for _, x := range []struct {
		question, asOf string
		day, why, note string
		first          string // path of the first hit
		says           string // in its text
	}{
		{"How many days of annual leave does everybody have?", "", "2026-11-30", "today", "", "leave/2024-03-01.md", "25 days"},
		{"How many days of annual leave did everybody have in 2018?", "", "2018-12-31", "“in 2018”", "", "leave/2017-01-01.md", "20 days"},
		{"As of 31 March 2022, how many days of annual leave does everybody have?", "", "2022-03-31", "“As of 31 March 2022”", "", "leave/2019-01-01.md", "22 days"},
		{"How many days of annual leave did the handbook of 2019 give?", "", "2019-12-31", "“of 2019”", "", "leave/2019-01-01.md", "22 days"},
		{"How many days of annual leave did everybody have before the 2024 change?", "", "2024-02-29", "“before the 2024 change”", "", "leave/2019-01-01.md", "22 days"},
		{"How many days of annual leave did everybody have under the previous leave policy?", "", "2024-02-29", "“previous”", "", "leave/2019-01-01.md", "22 days"},
		{"What was the daily allowance for travel before the last change?", "", "2021-12-31", "“before the last change”", "", "travel-2018.md", "50 euros"},
		{"How many days of annual leave will everybody have from next year?", "", "2027-01-01", "“from next year”", "", "leave/2027-01-01.md", "30 days"},
		{"From January next year, how many days of annual leave will everybody have?", "", "2027-01-01", "“From January next year”", "", "leave/2027-01-01.md", "30 days"},
		{"How many days of remote work from abroad were allowed in March 2025?", "", "2025-03-31", "“in March 2025”", "", "remote-old.md", "15 days"},
		{"How many days of annual leave do people currently have?", "", "2026-11-30", "today", "", "leave/2024-03-01.md", "25 days"},

		// The caller's day counts, and a difference is said.
		{"How many days of annual leave did everybody have in 2018?", "2018-06-01", "2018-06-01", "asked for", "", "leave/2017-01-01.md", "20 days"},
		{"How many days of annual leave did everybody have in 2018?", "2020-06-01", "2020-06-01", "asked for", "and 2020-06-01 was asked for", "leave/2019-01-01.md", "22 days"},

		// What is found says nothing of days: the dates are what the text is about.
		{"What was the revenue in 2019?", "", "2026-11-30", "today", "do not say what was in force then", "results.md", "5 million"},
		{"How many employees did the company have in 2018?", "", "2026-11-30", "today", "do not say", "results.md", "45 employees"},
		{"Which logo did the board choose in March 2021?", "", "2026-11-30", "today", "do not say", "minutes.md", "logo"},
		{"How much was the invoice to Umbra of 31 March 2022?", "", "2026-11-30", "today", "", "invoices/4471.md", "1,200"},
		{"How many days of annual leave are there in 2024?", "", "2026-11-30", "today", "", "leave/2024-03-01.md", "25 days"},
		// Nothing that is found begins to hold until then.
		{"What will the daily allowance for travel be in 2035?", "", "2026-11-30", "today", "do not say", "travel-2022.md", "60 euros"},

		// Drafts only where they are asked for.
		{"How much does the draft parking policy say a parking place costs?", "", "2026-11-30", "today", "asks for drafts", "parking-draft.md", "90 euros"},
	} {
		scope := document.Scope{}
		if x.asOf != "" {
			scope.AsOf, _ = document.ParseDay(x.asOf)
		}
		r, err := c.Search(t.Context(), x.question, scope)
		if err != nil {
			t.Fatal(err)
		}
		if r.AsOf.Day.String() != x.day || !strings.Contains(r.AsOf.Why, x.why) || !strings.Contains(r.AsOf.Note, x.note) || (x.note == "") != (r.AsOf.Note == "") {
			t.Errorf("%s\nis answered for %s: %s; %s", x.question, r.AsOf.Day, r.AsOf.Why, r.AsOf.Note)
		}
		if len(r.Candidates) == 0 || r.Candidates[0].Document.Path != x.first || !strings.Contains(r.Candidates[0].Text, x.says) {
			t.Errorf("%s\nfinds %+v", x.question, r.Candidates[:min(1, len(r.Candidates))])
		}
		if x.why != "today" {
			notes := fmt.Sprint(r.Trace.Records[0].Notes)
			if !strings.Contains(notes, x.day) || x.asOf == "" && !strings.Contains(notes, x.why) {
				t.Errorf("%s\nthe trace says %s", x.question, notes)
			}
		}
	}
	r, err := c.Search(t.Context(), "How much does a parking place cost?", document.Scope{})
	if err != nil || len(r.Candidates) > 0 && r.Candidates[0].Document.Path == "parking-draft.md" {
		t.Errorf("a draft is found unasked, %v", err)
	}
}

// Words that only set the day are no terms of the search.
func TestWordsOfTheDayAreNoTerms(t *testing.T) {
	c := dated(t)
	for question, no := range map[string]string{
		"How many days of annual leave did everybody have in 2018?":            "2018",
		"As of March 2022, how many days of annual leave does everybody have?": "march",
	} {
		r, err := c.Search(t.Context(), question, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range r.Trace.Terms {
			if strings.Contains(term, no) {
				t.Errorf("%s: the terms are %q", question, r.Trace.Terms)
			}
		}
	}
	r, err := c.Search(t.Context(), "What was the revenue in 2019?", document.Scope{})
	if err != nil || !strings.Contains(fmt.Sprint(r.Trace.Terms), "2019") {
		t.Errorf("a date that is content is no term: %q, %v", r.Trace.Terms, err)
	}
}

// TestChange: a question about a change is put to both days and answered where there is
// evidence of both.
func TestChange(t *testing.T) {
	c := dated(t)
	for _, x := range []struct {
		question  string
		day, then string
		status    string
		citations string // the documents
		says      []string
	}{
		{"How did the days of annual leave for everybody change between 2018 and 2020?", "2018-12-31", "2020-12-31", "answered",
			"leave/2017-01-01.md leave/2019-01-01.md", []string{"As of 2018-12-31: ", "20 days", "As of 2020-12-31: ", "22 days"}},
		{"How many days of annual leave for everybody changed since 2020?", "2020-01-01", "2026-11-30", "answered",
			"leave/2019-01-01.md leave/2024-03-01.md", []string{"22 days", "25 days"}},
		{"How did the daily allowance for travel change from 2019 to the end of 2022?", "2019-12-31", "2022-12-31", "answered",
			"travel-2018.md travel-2022.md", []string{"50 euros", "60 euros"}},
		{"Since when is the daily allowance for travel 60 euros for each whole day away?", "2021-12-31", "2026-11-30", "partial",
			"travel-2022.md", []string{"As of 2026-11-30: ", "60 euros"}},
		{"How did the daily allowance for travel change between 2012 and 2019?", "2012-12-31", "2019-12-31", "partial",
			"travel-2018.md", []string{"50 euros"}},
		{"How did the revenue change from 2018 to 2019?", "2026-11-30", "", "", "", nil}, // of a text that is not of a day
	} {
		a, err := c.Ask(t.Context(), x.question, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if a.AsOf.Day.String() != x.day || a.AsOf.Then.String() != x.then {
			t.Errorf("%s\nis about %s and %s", x.question, a.AsOf.Day, a.AsOf.Then)
		}
		if x.then == "" {
			continue
		}
		var cited []string
		for i, q := range a.Answer.Citations {
			if len(cited) == 0 || cited[len(cited)-1] != q.Document.Path {
				cited = append(cited, q.Document.Path)
			}
			if q.N != i+1 || q.Inferred == "" || q.Valid.From == 0 {
				t.Errorf("%s\nthe citation is %+v", x.question, q)
			}
		}
		if string(a.Answer.Status) != x.status || strings.Join(cited, " ") != x.citations {
			t.Errorf("%s\nis %s, by %q: %s", x.question, a.Answer.Status, cited, a.Answer.Text)
		}
		for _, s := range x.says {
			if !strings.Contains(a.Answer.Text, s) {
				t.Errorf("%s\nis answered %q, without %q", x.question, a.Answer.Text, s)
			}
		}
		if len(a.Answer.Requirements) != 2 || !strings.HasPrefix(a.Answer.Requirements[0].Text, "As of "+x.day) || !strings.HasPrefix(a.Answer.Requirements[1].Text, "As of "+x.then) {
			t.Errorf("%s\nrequires %+v", x.question, a.Answer.Requirements)
		}
		for _, p := range a.Evidence {
			first, _ := document.ParseDay(x.day)
			then, _ := document.ParseDay(x.then)
			if !p.Valid.Holds(first) && !p.Valid.Holds(then) {
				t.Errorf("%s\nhas evidence of %v", x.question, p.Valid)
			}
		}
	}
}

// asked counts the questions that a model embeds.
type asked struct {
	*hashed
	questions int
}

func (a *asked) Question(ctx context.Context, text string) ([]float32, error) {
	a.questions++
	return a.hashed.Question(ctx, text)
}

// A question is embedded once, however often it is searched for to settle its day.
func TestQuestionIsEmbeddedOnce(t *testing.T) {
	_, clock := clockAt("2026-11-30")
	model := &asked{hashed: &hashed{}}
	c := over(t, quarry.Options{Clock: clock, Embedder: model})
	dir, _ := folder(t, map[string]string{"leave/2017-01-01.md": leave(20), "leave/2019-01-01.md": leave(22)})
	synced(t, c, dir)
	for _, question := range []string{"How many days of leave does everybody have?", "How many days of leave did everybody have in 2018?", "How did the days of leave change between 2018 and 2020?"} {
		model.questions = 0
		if _, err := c.Search(t.Context(), question, document.Scope{}); err != nil || model.questions != 1 {
			t.Errorf("%s is embedded %d times, %v", question, model.questions, err)
		}
	}
}
