package answer

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/evidence"
)

// describe writes units one a line: "> " where one belongs to the unit before or to a lead-in, a
// row's header before "=>", line ends as "/".
func describe(units []unit) string {
	var out []string
	for _, u := range units {
		s := strings.ReplaceAll(u.text, "\n", "/")
		if u.header != "" {
			s = u.header + " => " + s
		}
		if u.continues {
			s = "> " + s
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ name, above, text, want string }{
		{"sentences", "", "Fees are due at once. They are not refunded.\n\nA receipt is sent.",
			"Fees are due at once.\nThey are not refunded.\nA receipt is sent."},
		{"headings and rules are none", "", "## Fees\n\nFees are due.\n\n---\n\nA receipt is sent.",
			"Fees are due.\nA receipt is sent."},
		{"a question is none", "", "**What is due?** Fees are due.\n\n¿Y qué? 何ですか？ They are paid.",
			"Fees are due.\nThey are paid."},
		{"a condition belongs to what it qualifies", "", "Fees are due. Unless waived, they are paid.",
			"Fees are due.\n> Unless waived, they are paid."},
		{"so does what is announced", "", "Fees are due. There is one exception. Students pay nothing.",
			"Fees are due.\n> There is one exception.\n> Students pay nothing."},
		{"but not over a paragraph's end", "", "Fees are due. There is one exception.\n\nStudents have a card.",
			"Fees are due.\n> There is one exception.\nStudents have a card."},
		{"items belong to their lead-in", "", "Keep these:\n\n- invoices,\n- letters.\n\nBurn the rest.",
			"Keep these:\n> - invoices,\n> - letters.\nBurn the rest."},
		{"whatever their mark", "", "Keep these:\n\n• invoices\n• letters\n\nThen:\n\na) burn the rest\nb) go home\n\nLast:\n\n(i) rest\n\nOr:\n\n1. stay",
			"Keep these:\n> • invoices\n> • letters\nThen:\n> a) burn the rest\n> b) go home\nLast:\n> (i) rest\nOr:\n> 1. stay"},
		{"items without a lead-in stand alone", "", "Keep papers.\n\n- invoices\n- letters",
			"Keep papers.\n- invoices\n- letters"},
		{"a question leads in a list, unquoted", "", "What is kept?\n\n- invoices", "> - invoices"},
		{"rows of Markdown have their header", "", "| Plan | Fee |\n|---|---|\n| Solo | 5 EUR |\n| Team | 9 EUR |\n\nFees are due.",
			"| Plan | Fee | => | Solo | 5 EUR |\n| Plan | Fee | => | Team | 9 EUR |\nFees are due."},
		{"the header of a table that was cut comes from the context", "Fees in EUR\n| Plan | Fee |", "| Solo | 5 |",
			"| Plan | Fee | => | Solo | 5 |"},
		{"a second table has its own header", "| Plan | Fee |", "| Solo | 5 |\n\nAnd:\n\n| Room | Seats |\n|---|---|\n| Fjord | 8 |",
			"| Plan | Fee | => | Solo | 5 |\nAnd:\n| Room | Seats | => | Fjord | 8 |"},
		{"rows of a text with bars", "Plan | Unit | Fee", "Solo | month | 5\nTeam | month | 9",
			"Plan | Unit | Fee => Solo | month | 5\nPlan | Unit | Fee => Team | month | 9"},
		{"with their header among them", "", "Plan | Unit | Fee\nSolo | month | 5\nTeam | month | 9",
			"Plan | Unit | Fee => Solo | month | 5\nPlan | Unit | Fee => Team | month | 9"},
		{"with a header that the context repeats", "Year | 2024 | 2025", "Year | 2024 | 2025\nSolo | 5 | 6",
			"Year | 2024 | 2025 => Solo | 5 | 6"},
		{"of two columns", "", "Plan | Fee\nSolo | 5\nTeam | 9", "Plan | Fee => Solo | 5\nPlan | Fee => Team | 9"},
		{"with a rule below the header", "", "Code | Unit | Fee 2\n-----+------+----\nSolo | month | 5",
			"Code | Unit | Fee 2 => Solo | month | 5"},
		{"rows of words only have no header", "", "Solo | one | no\nTeam | ten | yes", "Solo | one | no\nTeam | ten | yes"},
		{"a bar in a sentence makes no table", "", "Press A | B to stop.\nThen wait.", "Press A | B to stop.\nThen wait."},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := doc{path: "a.md", heading: "Fees", above: c.above, text: c.text}
			units := cutUnits([]evidence.Piece{d.piece(1, 1)})
			if got := describe(units); got != c.want {
				t.Errorf("units\n%s\nwant\n%s", got, c.want)
			}
			for _, u := range units {
				if u.span.Of(d.canonical()) != u.text {
					t.Errorf("%q is not the text of its span %v", u.text, u.span)
				}
			}
		})
	}
}

// What a unit is understood by, beyond its own words.
func TestSurroundings(t *testing.T) {
	d := doc{path: "a.md", title: "Travel policy", heading: "4.2 Trains", above: "Fares in kroner", text: "First class is allowed.\n\nThese count:\n\n- night trains\n\n| Route | Fare |\n|---|---|\n| Oslo | 99 |"}
	units := cutUnits([]evidence.Piece{d.piece(1, 1)})
	if len(units) != 4 {
		t.Fatalf("units\n%s", describe(units))
	}
	for _, c := range []struct {
		at   int
		in   map[string]bool
		name string
		has  string
		not  string
	}{
		{0, units[0].context, "context", "travel policy trains", "4.2"},
		{0, units[0].near, "near", "count kroner", "Oslo"},
		{2, units[2].context, "context", "trains count", "class"},
		{3, units[3].own, "own", "Oslo route fare 99", "trains"},
		{3, units[3].near, "near", "kroner", "night"},
	} {
		for term := range termSet(c.has) {
			if !c.in[term] {
				t.Errorf("unit %q: %q is not in its %s terms %v", units[c.at].text, term, c.name, c.in)
			}
		}
		for term := range termSet(c.not) {
			if c.in[term] {
				t.Errorf("unit %q: %q is in its %s terms", units[c.at].text, term, c.name)
			}
		}
	}
}

// Markup stays in the quote and out of the answer's text.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ header, text, want string }{
		{"", "- **Late** fees are `5 %`,\n  see [the list](fees.md).", "Late fees are 5 %, see the list."},
		{"", "• Late fees", "Late fees"},
		{"", "> 3. A __note__ ![icon](i.png)", "3. A note icon"},
		{"", "The fee is 5 %.[3]", "The fee is 5 %.(3)"},
		{"", "Set MAX__SIZE to 2**10 and `__init__` to 1.", "Set MAX__SIZE to 2**10 and __init__ to 1."},
		{"", "这是**重点**内容。", "这是重点内容。"},
		{"", "An odd ` stays harmless: **5**", "An odd stays harmless: 5"},
		{"| Plan | Fee |", "| **Solo** | 5 EUR |", "Plan: Solo; Fee: 5 EUR"},
		{"| Plan | Fee |", "| Solo | | extra |", "Plan: Solo; extra"},
		{"| Key | Value |", `| a \| b | 1 |`, "Key: a | b; Value: 1"},
		{"Plan | Unit | Fee", "Solo | month | 5", "Plan: Solo; Unit: month; Fee: 5"},
		{"", "| Solo | 5 |", "Solo; 5"},
	} {
		u := unit{text: c.text, header: c.header, row: strings.Contains(c.text, "|")}
		if got := plain(u); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}
