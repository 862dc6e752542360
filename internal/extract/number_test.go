package extract

import "testing"

func TestHeadingNumbers(t *testing.T) {
	for _, tt := range []struct{ in, number, text string }{
		{"7.2 Termination", "7.2", "Termination"},
		{"7.2. Termination", "7.2", "Termination"},
		{"1.4.2.1 Deep clause", "1.4.2.1", "Deep clause"},
		{"5.9.2: With a colon", "5.9.2", "With a colon"},
		{"7.2 – With a dash", "7.2", "With a dash"},
		{"1. Scope", "1", "Scope"},
		{"1) Scope", "1", "Scope"},
		{"3 Scope", "3", "Scope"},
		{"12.", "12", "12."},
		{"A.3 Rates", "A.3", "Rates"},
		{"A. Rates", "A", "Rates"},
		{"IV. Rates", "IV", "Rates"},
		{"Appendix C", "Appendix C", "Appendix C"},
		{"Appendix C: Rates", "Appendix C", "Rates"},
		{"Annex 2 – Rates", "Annex 2", "Rates"},
		{"Section 4 Liability", "Section 4", "Liability"},
		{"ARTICLE 5 LIABILITY", "ARTICLE 5", "LIABILITY"},
		{"Article 5. Liability", "Article 5", "Liability"},
		{"Part II: Use", "Part II", "Use"},
		{"§ 12 Haftung", "§ 12", "Haftung"},
		{"§12a Haftung", "§12a", "Haftung"},
		{"Anhang B Preise", "Anhang B", "Preise"},
		{"第3条 定義", "第3条", "定義"},
		{"(b) Exceptions", "(b)", "Exceptions"},
		{"(b)(iv) Exceptions", "(b)(iv)", "Exceptions"},
		{"b) Exceptions", "b)", "Exceptions"},
		{"7.2(b) Exceptions", "7.2(b)", "Exceptions"},

		{"Termination", "", "Termination"},
		{"2026-05-06 Meeting", "", "2026-05-06 Meeting"},
		{"2026 plan", "", "2026 plan"},
		{"3 months of notice", "", "3 months of notice"},
		{"24/7 support", "", "24/7 support"},
		{"1:1 meetings", "", "1:1 meetings"},
		{"1.5x faster", "", "1.5x faster"},
		{"3rd party code", "", "3rd party code"},
		{"Section 4 of the act", "", "Section 4 of the act"},
		{"Part of the plan", "", "Part of the plan"},
		{"Section 4-2: Fees", "Section 4-2", "Fees"},
		{"Part 1-1 of the plan", "", "Part 1-1 of the plan"},
		{"Article five", "", "Article five"},
		{"(optional) settings", "", "(optional) settings"},
		{"A plan", "", "A plan"},
		{"", "", ""},
	} {
		if number, text := splitNumber(tt.in); number != tt.number || text != tt.text {
			t.Errorf("%q: got %q %q, want %q %q", tt.in, number, text, tt.number, tt.text)
		}
	}
}

func TestClauseNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"7.2 The supplier pays.":            "7.2",
		"7.2.1. The supplier pays.":         "7.2.1",
		"**7.2** The supplier pays.":        "7.2",
		"**7.2 Payment.** The supplier":     "7.2",
		"(b) any other day":                 "(b)",
		" (ii) Major, when":                 "(ii)",
		"**(b)** any other day":             "(b)",
		"(b)(iv) any other day":             "(b)(iv)",
		"A.3 The rates are these":           "A.3",
		"§ 12 Der Lieferant":                "§ 12",
		"Article 5. The parties":            "Article 5",
		"**Clause 4.1** The parties":        "Clause 4.1",
		"7.2":                               "7.2",
		"3.5 million users came":            "",
		"1.5 GB of memory":                  "",
		"12 The house":                      "",
		"(see below) the house":             "",
		"Section 4 applies":                 "",
		"7.2/3 is a fraction":               "",
		"The supplier pays under 7.2.":      "",
		"2026.05 was the month in which it": "",
	} {
		if got := clauseNumber(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
