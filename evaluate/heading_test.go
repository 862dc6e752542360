package evaluate

import "testing"

func TestHeadingsMatch(t *testing.T) {
	for _, c := range []struct {
		want, have string
		match      bool
	}{
		{"Sick leave", "## *Sick*  Leave:", true},
		{"Sick leave", "Sick [leave](/leave) {#sick}", true},
		{"What's new?", "What’s new", true},
		{"max_tokens", "`max_tokens`", true},
		{"Sick leave", "Sick leave in Berlin", false},
		{"Scope", "7.2 Scope", true},
		{"7.2 Scope", "Scope", true},
		{"7.2 Scope", "7.2. Scope", true},
		{"7.2 Scope", "8.2 Scope", false},
		{"7.2", "7.2 Scope", true},
		{"7.2", "7.20 Scope", false},
		{"Choose the model", "1. Choose the model", true},
		{"(b)(iv) Notice", "Notice", true},
		{"Section 3: Terms", "3. Terms", true},
		{"Appendix A: Forms", "Forms", true},
		{"Appendix A: Forms", "Appendix B: Forms", false},
		{"§ 4 Notice", "Notice", true},
		{"Results 2019", "Results 2020", false},
		{"2019 results", "2020 results", false},
		{"Articles for sale", "For sale", false},
		{"C#", "C", false},
		{"Überblick", "ÜBERBLICK", true},
	} {
		if got := parseHeading(c.want).matches(parseHeading(c.have)); got != c.match {
			t.Errorf("%q matches %q: %v, want %v", c.want, c.have, got, c.match)
		}
	}
}
