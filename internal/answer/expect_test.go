package answer

import (
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/evidence"
)

// soleUnit is the unit of a text that stands under a heading.
func soleUnit(t *testing.T, heading, above, text string) unit {
	t.Helper()
	units := cutUnits([]evidence.Piece{doc{path: "a.md", heading: heading, above: above, text: text}.piece(1, 1)})
	if len(units) != 1 {
		t.Fatalf("%q is %d units", text, len(units))
	}
	return units[0]
}

// The form of a question says what kind of thing its answer gives.
func TestExpectations(t *testing.T) {
	for _, c := range []struct {
		expects, question, text string
		want                    bool
	}{
		{"money", "How much does a replacement card cost?", "A replacement card costs EUR 25.", true},
		{"money", "How much does a replacement card cost?", "A replacement card costs 25 kroner.", true},
		{"money", "How much does a replacement card cost?", "The first replacement card is free.", true},
		{"money", "How much does a replacement card cost?", "A replacement card arrives in 3 days.", false},
		{"money", "What is the daily rate of a consultant?", "The daily rate of a consultant is €900.", true},
		{"money", "What is the daily rate of a consultant?", "The daily rate of a consultant is negotiated.", false},

		{"share", "What discount do schools get?", "Schools get a discount of 15 %.", true},
		{"share", "What discount do schools get?", "The discount is a third for schools.", true},
		{"share", "What discount do schools get?", "Schools must apply for the discount.", false},
		{"share", "Which fee is charged for late payment?", "The fee for late payment is EUR 40.", true},

		{"number", "How many parking spaces are there?", "There are twelve parking spaces.", true},
		{"number", "How many parking spaces are there?", "There are no parking spaces.", true},
		{"number", "How many parking spaces are there?", "Parking spaces are behind the house.", false},
		{"number", "How long is the warranty?", "The warranty lasts 24 months.", true},
		{"number", "How long is the warranty?", "The warranty covers the motor.", false},
		{"number", "How often are backups tested?", "Backups are tested quarterly.", true},
		{"number", "How often are backups tested?", "Backups are tested by operations.", false},
		{"number", "What temperature must the store have?", "The store must have a temperature of 4 degrees.", true},

		{"time", "When does the canteen close?", "The canteen closes at 14:30.", true},
		{"time", "When does the canteen close?", "The canteen closes on Friday.", true},
		{"time", "When does the canteen close?", "The canteen is closed by the caretaker.", false},
		{"time", "By when must the report be filed?", "The report must be filed within a week.", true},
		{"date", "On what date was the plant closed?", "The plant runs on x86-64.", false},
		{"date", "On what date was the plant closed?", "The plant was closed after the meeting.", false},
		{"time", "On what date was the plant opened?", "The plant was opened on 2019-05-02.", true},

		{"name", "Which insurer covers the vans?", "The insurer of the vans is Northern Mutual.", true},
		{"name", "Which insurer covers the vans?", "Insurers of vans are chosen each year.", false},
		{"name", "Who is our supplier of paper?", "Our supplier of paper is Halden Mills.", true},

		{"nothing of the kind", "Who approves a refund?", "The manager approves a refund.", true},
		{"nothing of the kind", "May I take a dog to work?", "A dog may come to work.", true},
	} {
		if got := formOf(c.question).answeredBy(soleUnit(t, "", "", c.text)); got != c.want {
			t.Errorf("%s: does %q answer %q? %v, want %v", c.expects, c.text, c.question, got, c.want)
		}
	}
}

// A row's unit may stand in the header of its column; its figure does not.
func TestExpectationOfRows(t *testing.T) {
	for _, c := range []struct {
		question, above, text string
		want                  bool
	}{
		{"How much does the Team plan cost?", "| Plan | Price in EUR |", "| Team | 90 |", true},
		{"How much does the Team plan cost?", "| Plan | Price in EUR |", "| Team | on request |", false},
		{"How much does the Team plan cost?", "| Plan | Seats |", "| Team | 90 |", false},
		{"What discount does the Team plan get?", "| Plan | Discount in % |", "| Team | 10 |", true},
	} {
		if got := formOf(c.question).answeredBy(soleUnit(t, "", c.above, c.text)); got != c.want {
			t.Errorf("does %q under %q answer %q? %v, want %v", c.text, c.above, c.question, got, c.want)
		}
	}
}

// What a question asks about must be said by the unit or what it stands under.
func TestFocus(t *testing.T) {
	for _, c := range []struct {
		question, heading, text string
		want                    bool
	}{
		{"What is my notice period?", "", "The notice period is 3 months.", true},
		{"What is my notice period?", "", "The probation period is 6 months.", false},
		{"What is my notice period?", "Notice", "It is 3 months.", true},
		{"What’s the deadline for claims?", "", "The deadline for claims is 1 May.", true},
		{"Which form do I need?", "", "Form T-4 is needed.", true},
		{"How many lockers may a team have?", "", "A team may have 4 desks.", false},
		{"What is different for trainees?", "", "Trainees get a mentor.", true}, // names no thing
		{"Who signs contracts?", "", "The director signs contracts.", true},
	} {
		if got := formOf(c.question).speaksOfIt(soleUnit(t, c.heading, "", c.text)); got != c.want {
			t.Errorf("does %q under %q speak of what %q asks about? %v, want %v", c.text, c.heading, c.question, got, c.want)
		}
	}
}

// What holds during a time is no answer to what holds after it.
func TestSameTime(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           bool
	}{
		{"What is the notice period after probation?", "After probation the notice period is 3 months.", true},
		{"What is the notice period after probation?", "The notice period is 3 months.", true},
		{"What is the notice period after probation?", "During probation the notice period is 2 weeks.", false},
		{"What is the notice period after probation?", "The notice period is 2 weeks before probation ends.", false},
		{"Can I cancel before delivery?", "Orders can be cancelled before delivery.", true},
		{"Can I cancel before delivery?", "Orders can be cancelled until they are shipped.", true},
		{"Can I cancel before delivery?", "After delivery orders cannot be cancelled.", false},
		{"Can I cancel during delivery?", "After delivery orders cannot be cancelled.", true}, // not judged
		{"What happens before and after the audit?", "After the audit a report is written.", true},
	} {
		if got := formOf(c.question).sameTime(soleUnit(t, "", "", c.text)); got != c.want {
			t.Errorf("may %q be about the time of %q? %v, want %v", c.text, c.question, got, c.want)
		}
	}
}

func TestHardTerms(t *testing.T) {
	common := func(term string) bool { return term == "halden" }
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"How many vacation days are there in Bergen?", []string{"bergen"}},
		{"What does Halden pay in Bergen?", []string{"bergen"}}, // the company's own name tells nothing
		{"Which VPN is used?", []string{"vpn"}},
		{"Who approves 3,500 EUR?", []string{"3500", "eur"}},
		{"May I work from home? The office in Oslo is cold.", []string{"oslo"}},
		{"Refunds", nil},
		{"what is the fee", nil},
	} {
		if got := hardTerms(c.question, common); !slices.Equal(got, c.want) {
			t.Errorf("%q must be answered with %q, want %q", c.question, got, c.want)
		}
	}
}

// A sentence that only says where something is said counts less.
func TestPointers(t *testing.T) {
	for text, want := range map[string]bool{
		"For fees see the travel policy.":                  true,
		"For fees see section 4.":                          true,
		"Fees are not covered here.":                       true,
		"The fees are described in the price list.":        true,
		"For fees refer to the price list.":                true,
		"The fee is 5 %.":                                  false,
		"We see fees rise every year.":                     false,
		"Damage by water is covered up to 1,000 EUR.":      false,
		"Describe the damage in the form and send it here": false,
	} {
		if got := pointer.MatchString(text); got != want {
			t.Errorf("%q points elsewhere: %v, want %v", text, got, want)
		}
	}
}

func TestContinues(t *testing.T) {
	for text, want := range map[string]bool{
		"However, students pay nothing.":             true,
		"- Unless the trip was cancelled.":           true,
		"**Exceptions:** see below.":                 true,
		"This does not apply to trainees.":           true,
		"Students pay nothing.":                      false,
		"Button 4 opens the gate.":                   false,
		"The exceptional case is decided by the CFO": false,
	} {
		if got := continues(text); got != want {
			t.Errorf("%q qualifies the sentence before: %v, want %v", text, got, want)
		}
	}
}

// Questions in scripts without spaces have terms that overlap.
func TestHardTermsOfOverlappingTerms(t *testing.T) {
	for _, question := range []string{"返金は", "返金は何日ですか", "退款政策是什么", "환불은 며칠입니까", "日本語 refund INV-4471", "a返金は"} {
		hardTerms(question, func(string) bool { return false })
	}
	d := doc{path: "a.md", text: "返金は14日以内に行われます。"}
	if a := ask(t, "返金は何日以内ですか", d); a.Status == "" {
		t.Error("no status")
	}
}
