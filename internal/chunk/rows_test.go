package chunk

import (
	"slices"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	for _, c := range []struct{ name, context, text, want string }{
		{"a grid with its header", "Support > Hours",
			"Hours by edition:\n\n| Edition | Channels | Hours |\n|---|:---:|---|\n| Starter | web form | 09:00–17:00 |\n| Team | chat | – |\n",
			"Support > Hours\nEdition: Starter; Channels: web form; Hours: 09:00–17:00\n\nSupport > Hours\nEdition: Team; Channels: chat"},
		{"a later part has its header in the context", "Log\nTable: orders\n| No | Customer |",
			"| 1 | Polder Wind |\n| 2 | Tessera Rail |", "Log\nNo: 1; Customer: Polder Wind\n\nLog\nNo: 2; Customer: Tessera Rail"},
		{"a header of two rows", "Log\n| | 2025 | |\n| Plan | low | high |",
			"| A | 1 | 2 |\n| B | 3 | 4 |", "Log\nPlan: A; 2025 low: 1; high: 2\n\nLog\nPlan: B; 2025 low: 3; high: 4"},
		{"a table of plain text", "", "No | Customer | EUR\n---+----------+----\n1 | Polder Wind | 5\n2 | Tessera Rail | 7",
			"No: 1; Customer: Polder Wind; EUR: 5\n\nNo: 2; Customer: Tessera Rail; EUR: 7"},
		{"without a header", "P", "| 1 | a |\n| 2 | b |", "P\n1; a\n\nP\n2; b"},
		{"one row is the passage", "P", "| A | B |\n|---|---|\n| 1 | a |", ""},
		{"rows with one cell say nothing", "P", "| A | B |\n|---|---|\n| 1 | |\n| 2 | - |", ""},
		{"a bar within a cell, and an empty one at the front", "P", "| A \\| B | C | D |\n|-|-|-|\n| a \\| b | 3 | 4 |\n||30 Nm|x|",
			"P\nA | B: a | b; C: 3; D: 4\n\nP\nC: 30 Nm; D: x"},
		{"dashes for values are no rule", "P", "| A | B |\n|---|---|\n| 1 | a |\n| - | - |\n| 2 | b |", "P\nA: 1; B: a\n\nP\nA: 2; B: b"},
		{"two tables", "P", "| A | B |\n|---|---|\n| 1 | a |\n\n| C | D |\n|---|---|\n| 2 | b |", "P\nA: 1; B: a\n\nP\nC: 2; D: b"},
		{"no table", "P", "Choose a | b, or nothing.\n\n- one\n- two --- three", ""},
		{"nothing", "", "", ""},
		{"bars alone", "", "|\n||\n| |\n", ""},
	} {
		if got := strings.Join(Rows(c.context, c.text), "\n\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	many := Rows("", strings.Repeat("| a | b |\n", 1000))
	if len(many) != maxRows || slices.Contains(many, "") {
		t.Errorf("%d rows, want %d", len(many), maxRows)
	}
}
