package grid

import (
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	for row, want := range map[string]string{
		"| a | b |":        "a·b",
		"a | b":            "a·b",
		"||30 Nm|x|":       "·30 Nm·x",
		`| a \| b | 3 |`:   `a \| b·3`,
		`| a | b \|`:       `a·b \|`,
		"|  |":             "",
		"":                 "",
		"  | x |  | y |  ": "x··y",
	} {
		if got := strings.Join(Cells(row), "·"); got != want {
			t.Errorf("%q has the cells %q, want %q", row, got, want)
		}
	}
	if got := Unescaped(`a \| b`); got != "a | b" {
		t.Errorf("unescaped: %q", got)
	}
}

func TestDelimiter(t *testing.T) {
	for line, want := range map[string]int{
		"| --- | :-: |": 2, "|-|-|": 2, "---|---": 2, "|---|": 1,
		"---": 0, "| - | a |": 0, "| : | - |": 0, "|  |": 0, "": 0,
	} {
		if got := Delimiter(line); got != want {
			t.Errorf("%q is the delimiter of %d cells, want %d", line, got, want)
		}
	}
}
