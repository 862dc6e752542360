package answer

import (
	"fmt"
	"strings"
	"testing"
)

// What outranks what where documents disagree, and that it is said.
func TestSettled(t *testing.T) {
	const question = "What is the discount for schools?"
	says := func(path string, percent int, change ...func(*doc)) doc {
		d := doc{path: path, text: fmt.Sprintf("The discount for schools is %d %%.", percent)}
		for _, f := range change {
			f(&d)
		}
		return d
	}
	authority := func(n int) func(*doc) { return func(d *doc) { d.authority = n } }
	since := func(day string) func(*doc) { return func(d *doc) { d.effective = day } }
	inferred := func(d *doc) { d.inferred = "file names" }
	text := func(s string) func(*doc) { return func(d *doc) { d.text = s } }
	in := func(r string) func(*doc) { return func(d *doc) { d.attributes = map[string][]string{"region": {r}} } }
	for _, c := range []struct {
		name     string
		docs     []doc
		status   Status
		answers  string // the documents that are cited
		settled  string // "by: what is overruled", one after the other
		question string
	}{
		{name: "the policy and the mail", docs: []doc{says("mail", 20, authority(10)), says("policy", 15, authority(100))},
			status: Answered, answers: "policy", settled: "authority: mail"},
		{name: "a little more authority", docs: []doc{says("a", 20, authority(80)), says("b", 15, authority(100))},
			status: Answered, answers: "b", settled: "authority: a"},
		{name: "the mail uses more of the question's words", question: "Which discount do schools in the north get from us this year?",
			docs: []doc{says("mail", 20, authority(60), text("Schools in the north get a discount of 20 % from us this year.")),
				says("policy", 15, authority(100), text("Schools in the north get a discount of 15 %."))},
			status: Answered, answers: "policy", settled: "authority: mail"},
		{name: "equal authority", docs: []doc{says("a", 20, authority(5)), says("b", 15, authority(5))}, status: Conflicting, answers: "a b"},
		{name: "two agree and one is overruled", docs: []doc{says("a", 15, authority(100)), says("b", 15, authority(10)), says("c", 20, authority(10))},
			status: Answered, answers: "a", settled: "authority: c"},
		{name: "two of equal authority disagree, and a mail", docs: []doc{says("a", 20, authority(100)), says("b", 15, authority(100)), says("c", 25, authority(10))},
			status: Conflicting, answers: "a b", settled: "authority: c"},
		{name: "the later one, as both say", docs: []doc{says("old", 20, since("2024-01-01")), says("new", 15, since("2026-01-01"))},
			status: Answered, answers: "new", settled: "validity: old"},
		{name: "only one says since when", docs: []doc{says("a", 20), says("b", 15, since("2026-01-01"))}, status: Conflicting, answers: "a b"},
		{name: "of one the day is only inferred", docs: []doc{says("old", 20, since("2024-01-01")), says("new", 15, since("2026-01-01"), inferred)}, status: Conflicting, answers: "old new"},
		{name: "in force since the same day", docs: []doc{says("a", 20, since("2026-01-01")), says("b", 15, since("2026-01-01"))},
			status: Conflicting, answers: "a b"},
		{name: "authority before date", docs: []doc{says("old", 20, authority(100), since("2024-01-01")), says("new", 15, authority(50), since("2026-01-01"))},
			status: Answered, answers: "old", settled: "authority: new"},
		{name: "both kinds", docs: []doc{says("a", 20, authority(100), since("2024-01-01")), says("b", 15, authority(100), since("2026-01-01")), says("c", 25, authority(10))},
			status: Answered, answers: "b", settled: "authority: c, validity: a"},
		{name: "the same number is no dispute", docs: []doc{says("policy", 15, authority(100)), says("mail", 15, authority(10))},
			status: Answered, answers: "policy"},
		{name: "a rule for a region overrules nothing", docs: []doc{says("general", 15, authority(100)), says("north", 20, authority(10), in("north"))},
			status: Answered, answers: "general"},
		{name: "an exception for the case asked for modifies the rule", question: "What is the discount for schools in the north?",
			docs:   []doc{says("general", 15, authority(100)), says("north", 20, authority(100), in("north"))},
			status: Answered, answers: "north", settled: "scope: general"},
		{name: "whichever was found first", question: "What is the discount for schools in the north?",
			docs:   []doc{says("north", 20, authority(100), in("north")), says("general", 15, authority(100))},
			status: Answered, answers: "north", settled: "scope: general"},
		{name: "not one for another case", question: "What is the discount for schools in the north?",
			docs:   []doc{says("general", 15, authority(100)), says("south", 20, authority(100), in("south"))},
			status: Answered, answers: "general"},
		{name: "a mail for the case modifies no policy", question: "What is the discount for schools in the north?",
			docs:   []doc{says("general", 15, authority(100)), says("north", 20, authority(10), in("north"))},
			status: Answered, answers: "general"},
		{name: "two for the case asked for disagree", question: "What is the discount for schools in the north?",
			docs:   []doc{says("a", 15, authority(100), in("north")), says("b", 20, authority(100), in("north"))},
			status: Conflicting, answers: "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := question
			if c.question != "" {
				asked = c.question
			}
			a := ask(t, asked, c.docs...)
			var cited, settled []string
			for _, x := range a.Citations {
				cited = append(cited, x.Document.Path)
			}
			for _, x := range a.Conflicts {
				if x.SettledBy == "" {
					continue
				}
				var names []string
				for _, o := range x.Overruled {
					names = append(names, o.Document.Path)
					if !strings.Contains(x.Text, o.Title+" says “"+o.Quote+"”") || !strings.Contains(x.Text, a.Citations[x.Citations[0]-1].Title+" says “") {
						t.Errorf("the text is %q", x.Text)
					}
				}
				settled = append(settled, x.SettledBy+": "+strings.Join(names, " "))
			}
			if a.Status != c.status || strings.Join(cited, " ") != c.answers || strings.Join(settled, ", ") != c.settled {
				t.Errorf("it is %s, cites %q and settles %q; want %s, %q and %q", a.Status, cited, settled, c.status, c.answers, c.settled)
			}
		})
	}
}
