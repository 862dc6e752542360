package query

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// TestWhen: what the words of a question say of its day, on 30 November 2026.
func TestWhen(t *testing.T) {
	today, _ := document.ParseDay("2026-11-30")
	for _, c := range []struct{ question, want string }{
		{"As of January 2017, above what amount did a purchase need a contracting officer?", "2017-01-31 | above what amount did a purchase need a contracting officer?"},
		{"As of 31 March 2022, how many days may I work from abroad?", "2022-03-31 | how many days may I work from abroad?"},
		{"How many days may I work from abroad as of 2022-03-31?", "2022-03-31 | How many days may I work from abroad?"},
		{"Which threshold did the handbook give at the end of 2018?", "2018-12-31 | Which threshold did the handbook give?"},
		{"What was the per diem in 2019?", "2019-12-31 | What was the per diem?"},
		{"In March 2025, how long did a flight have to be for premium economy?", "2025-03-31 | how long did a flight have to be for premium economy?"},
		{"What was the room number on March 3rd, 2021?", "2021-03-03 | What was the room number?"},
		{"What did a bike pass cost in the Chicago page of 2017?", "2017-12-31 | What did a bike pass cost in the Chicago page?"},
		{"By what time did the team approve, per the January 2017 travel guide?", "2017-01-31 | By what time did the team approve, per the travel guide?"},
		{"In the leave example of the end of 2022, how many hours were earned?", "2022-12-31 | In the leave example, how many hours were earned?"},
		{"How much was the invoice of 31 March 2022?", ""},
		{"How many days of leave does the 2019 leave policy give?", "2019-12-31 | How many days of leave does the leave policy give?"},
		{"How long was the notice period last year?", "2025-12-31 | How long was the notice period?"},
		{"What did the pass cost until last year?", "2025-12-31 | What did the pass cost?"},
		{"What was the rate two years ago?", "2024-11-30 | What was the rate?"},
		{"What was the rate in Q2 2024?", "2024-06-30 | What was the rate?"},
		{"How many days will I get from next month?", "2026-12-01 | How many days will I get?"},
		{"What will the per diem be from January next year?", "2027-01-01 | What will the per diem be?"},
		{"Wie hoch war der Satz Ende 2018?", "2018-12-31 | Wie hoch war der Satz?"},
		{"Wie viele Tage galten im Januar 2017?", "2017-01-31 | Wie viele Tage galten?"},

		{"What was the limit before the 2024 change?", "before the change of 2024-01-01 to 2024-12-31 | What was the limit?"},
		{"What was the limit before the last update?", "previous | What was the limit?"},
		{"How many days could I carry over under the previous leave policy?", "previous | How many days could I carry over under the leave policy?"},
		{"Wie hoch war der Satz vor der letzten Änderung?", "previous | Wie hoch war der Satz?"},

		{"How did the rate change from the end of 2022 to the end of 2023?", "2022-12-31 to 2023-12-31 | How did the rate change?"},
		{"What changed in the leave policy between 2017 and 2019?", "2017-12-31 to 2019-12-31 | What changed in the leave policy?"},
		{"What changed between January 2022 and today in the leave policy?", "2022-01-31 to 2026-11-30 | What changed in the leave policy?"},
		{"How did the rate change from 2022 to now?", "2022-12-31 to 2026-11-30 | How did the rate change?"},
		{"Was hat sich zwischen 2022 und heute geändert?", "2022-12-31 to 2026-11-30 | Was hat sich geändert?"},
		{"Which room number replaced 4400 during 2019?", "2018-12-31 to 2019-12-31 | Which room number replaced 4400?"},
		{"What has changed in the travel rules since March 2025?", "2025-03-01 to 2026-11-30 | What has changed in the travel rules?"},

		{"Since when is the daily allowance 60 euros?", "before to 2026-11-30 | is the daily allowance 60 euros?"},

		{"What does the draft of the refund policy say?", "draft"},
		{"How many days does the draft leave policy give?", "draft"},

		// Dates that are content, or say nothing of the past.
		{"How many days of leave are there in 2024?", ""},
		{"How many days of leave do I get in 2027?", ""},
		{"What is the 2019 report's revenue?", ""},
		{"Which invoice is dated 31 March 2022?", ""},
		{"What was decided in the meeting?", ""},
		{"What is the rate now?", ""},
		{"What is the current policy on travel?", ""},
		{"Why is INV-4479 disputed, and until when are we not collecting it?", ""},
		{"What was the maximum salary for FY19 according to the overtime page?", ""},
		{"How much does PO-2026-0113 cost?", ""},
		{"She was renewed 20 days ago and has used it since. Does she get anything back?", ""},
		{"Their availability was 99.2 % last month. How much credit do they get?", ""},
		{"As of March 2025 we had two offices. How many desks are there?", ""},
		{"On which floor of 230 S. Dearborn St. was the office at the end of 2022?", "2022-12-31 | On which floor of 230 S. Dearborn St. was the office?"},
		{"Who drafted the refund policy?", ""},
		{"What is the price this year?", ""},
	} {
		w := WhenOf(c.question, today)
		got := ""
		switch {
		case w.Then != 0 && w.Previous:
			got = "before to " + w.Then.String() + " | " + w.Without
		case w.Then != 0:
			got = w.Day.String() + " to " + w.Then.String() + " | " + w.Without
		case w.Previous && w.Day != 0:
			got = "before the change of " + w.Since.String() + " to " + w.Day.String() + " | " + w.Without
		case w.Previous:
			got = "previous | " + w.Without
		case w.Day != 0:
			got = w.Day.String() + " | " + w.Without
		case w.Draft:
			got = "draft"
		}
		if got != c.want {
			t.Errorf("%s\n%s\nwant\n%s", c.question, got, c.want)
		}
	}
}

// FuzzWhen: whatever a question says, what is left of it is part of it and asks something.
func FuzzWhen(f *testing.F) {
	for _, q := range []string{"As of January 2017, what?", "between 2017 and 2018 changed", "before the 2024 change", "in 2019 was", "2017-13-45 was in", "\xff in 2019 was"} {
		f.Add(q)
	}
	today, _ := document.ParseDay("2026-11-30")
	f.Fuzz(func(t *testing.T, question string) {
		w := WhenOf(question, today)
		question = clean(question)
		if strings.IndexFunc(question, says) >= 0 && strings.IndexFunc(w.Without, says) < 0 {
			t.Fatalf("%q leaves nothing", question)
		}
		if len(w.Without) > len(question)+1 || !strings.Contains(question, w.Words) {
			t.Fatalf("%q: %+v", question, w)
		}
		if w.Then != 0 && w.Then <= w.Day {
			t.Fatalf("%q is about a change from %v to %v", question, w.Day, w.Then)
		}
	})
}
