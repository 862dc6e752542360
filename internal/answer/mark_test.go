package answer

import (
	"regexp"
	"strings"
	"testing"
)

// What a document writes in brackets is no citation, whatever the brackets and
// digits look like.
func TestMarksOfADocument(t *testing.T) {
	for in, want := range map[string]string{
		"The fee is 5 EUR [5].":              "The fee is 5 EUR (5).",
		"The fee [２] is due.":                "The fee (２) is due.",
		"The fee [5, 6] is due.":             "The fee (5, 6) is due.",
		"The fee ［１］ is due.":                "The fee (１) is due.",
		"The fee 【1】 is due.":                "The fee (1) is due.",
		"The fee 〔3〕 is due.":                "The fee (3) is due.",
		"The fee ⟦4⟧ is due.":                "The fee (4) is due.",
		"The fee [1–3] is due.":              "The fee (1–3) is due.",
		"The fee [1; 2 and 4] is due.":       "The fee (1; 2 and 4) is due.",
		"The fee [ 7 ] is due.":              "The fee ( 7 ) is due.",
		"The fee [\u200b8\u200d] is due.":    "The fee (\u200b8\u200d) is due.",
		"The fee \\[9\\] is due.":            "The fee (9) is due.",
		"The fee [٣] is due.":                "The fee (٣) is due.",
		"The fee [²] is due.":                "The fee (²) is due.",
		"The fee [1][2] is due.":             "The fee (1)(2) is due.",
		"The fee `x[1]` is due.":             "The fee `x(1)` is due.",
		"The fee [[5]](https://x) is due.":   "The fee [(5)](https://x) is due.",
		"The [fee] of [A1] in [10 EUR] [x].": "The [fee] of [A1] in [10 EUR] [x].",
	} {
		if got := clean(in); strings.ReplaceAll(got, "`", "") != strings.ReplaceAll(want, "`", "") {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

// Nor do two sentences that stand together make one.
func TestMarkOfTwoUnits(t *testing.T) {
	c := composer{quoted: [][]unit{{{text: "The fee is in ["}, {text: "2] of the list."}}, {{text: "a [1]"}, {text: "［", begins: true}, {text: "2］", begins: true}}}}
	text := c.text()
	if got := regexp.MustCompile(`[\[［]\s*\d+\s*[\]］]`).FindAllString(text, -1); len(got) != 2 || got[0] != "[1]" || got[1] != "[2]" || !strings.HasSuffix(text, " [2]") {
		t.Errorf("the marks are %q in:\n%s", got, text)
	}
}
