package sentence

import (
	"strings"
	"testing"
	"unicode"
)

// In a case, "¦" stands where a sentence ends and the next begins; white space
// around it is part of the text.
var cases = []struct{ name, text string }{
	{"plain", "Notice is given in writing. ¦It takes effect on receipt."},
	{"one", "No stop at the end"},
	{"question, exclamation", "Who pays? ¦The customer! ¦Always."},
	{"several stops", "Really?! ¦Yes..."},
	{"decimals", "The rate is 3.5 percent. ¦It was 2.75 before."},
	{"number then stop", "It rose to 3.5. ¦The limit is 4."},
	{"year", "It was signed in 1990. ¦The term began in 1991."},
	{"version", "Use v2.14.1 or later. ¦Older ones fail."},
	{"file and host", "See config.yaml on docs.halden.example for more. ¦Then restart."},
	{"no space", "Call foo.Bar and then baz.Quux."},
	{"e.g.", "Costs, e.g. Travel and meals, are repaid. ¦Others are not."},
	{"i.e.", "The owner, i.e. The Company, decides."},
	{"etc. within", "Pens, paper etc. are free."},
	{"etc. at the end", "Pens, paper, etc. ¦The rest is charged."},
	{"No.", "See Form No. 5 and Nos. 7 and 8. ¦Sign it."},
	{"no as a word", "The answer is no. ¦We decline."},
	{"Fig. and Sec.", "As Fig. 3 and Sec. 4.2 show, Art. IV holds. ¦See p. 12, para. b."},
	{"fig at the end", "Nothing is shown in the fig. ¦The text says more."},
	{"titles", "Dr. Berg met Prof. Lund and Mrs. Dahl. ¦They agreed."},
	{"initials", "J. K. Rowling and George W. Bush met. ¦They talked."},
	{"letter at the end", "This is plan B. ¦The first failed."},
	{"Inc. within", "Acme Inc. Limited and Foo Ltd. are parties."},
	{"Inc. at the end", "The seller is Acme Inc. ¦The buyer is Foo Ltd. ¦They agree."},
	{"U.S.", "The U.S. Congress met. ¦It is in the U.S. ¦The rest is not."},
	{"a.m.", "Open from 8 a.m. to 5 p.m. on weekdays. ¦Closed at 5 p.m. ¦We reopen at 8."},
	{"months", "From Jan. 5 to Feb. 7. ¦Then in Mar. ¦Nothing."},
	{"et al.", "Smith et al. (2019) and Jones et al. found it. ¦Others did not."},
	{"vs.", "In Roe vs. Wade the court held it."},
	{"ellipsis within", "He waited ... and left. ¦She waited… ¦Then she left."},
	{"ellipsis small", "Well… maybe not."},
	{"quotes", "He said \"Stop.\" ¦Then he left."},
	{"curly quotes", "“It is done.” ¦“Good.”"},
	{"quoted question", "\"Why?\" he asked. ¦Nobody knew."},
	{"brackets", "It ended. ¦(See Fig. 3.) ¦Then it began."},
	{"bracket after a stop", "Fees rise (see clause 4.) ¦Taxes do not."},
	{"reference mark", "It is known.[12] ¦Others doubt it.[3][4] ¦End."},
	{"emphasis", "**Do not do this.** ¦It fails. ¦_Really._ ¦Yes."},
	{"link", "See [the guide](https://a.example/x.html). ¦Then go."},
	{"small letters", "we checked the connector. ¦it was down. ¦Then it came up."},
	{"unlisted abbreviation", "The incl. tax and the adm. fee are due."},
	{"wrapped line", "The term is twelve\nmonths. ¦It is\nrenewed."},
	{"paragraphs", "One without stop\n\n¦Two without stop"},
	{"bullets", "Bring:\n¦- a badge\n¦- two forms. ¦Both signed\n  by hand\n¦- a pen"},
	{"numbered items", "Steps:\n¦1. Open it. ¦Wait.\n¦2. Close it.\n¦10) Leave."},
	{"lettered items", "It ends if\n¦(a) notice is given; or\n¦(b) the fee is unpaid;\n¦(iv) both."},
	{"wrapped year", "It was signed in\n2024. ¦It ended."},
	{"table", "| plan | limit |\n|---|---|\n¦| Basic | 5 MB. Hard. |\n¦| Pro | 50 MB |"},
	{"heading", "# 7.2 Notice. Form\n¦Notice is in writing."},
	{"setext heading", "Title here\n=====\n¦Text."},
	{"fence", "Run:\n¦```\n¦x = 1. y\n¦# no heading\n¦```\n¦Then stop."},
	{"quote block", "> It is said. ¦It is so.\n¦> And more."},
	{"chinese", "合同已签署。¦双方同意！¦你呢？¦好"},
	{"japanese quote", "「行きます。」¦彼は言った。"},
	{"hindi", "यह नियम है। ¦वह नहीं।"},
	{"arabic", "ما هذا؟ ¦هذا نظام."},
	{"german", "Das gilt z. B. für Reisen, d. h. für alle. ¦Am 3. Oktober 2024 endet es. ¦Nr. 5 gilt bzw. entfällt."},
	{"french", "M. Dupont a signé. ¦Art. 5 s'applique."},
	{"spanish", "¿Quién paga? ¦¡Nadie! ¦El cliente."},
	{"clause number first", "7.2 Notice is in writing. ¦7.3 It is dated."},
	{"stop alone", ". ¦. ¦Then"},
	{"white space", "  One.  ¦ Two.\t\n"},
	{"nbsp", "One.\u00a0¦Two."},
	{"currency", "It costs $5.00. ¦€7 is more. ¦5 % is due."},
	{"semicolons", "One; two; three: four."},
}

func TestSplit(t *testing.T) {
	for _, c := range cases {
		text := strings.ReplaceAll(c.text, "¦", "")
		var want []string
		for s := range strings.SplitSeq(c.text, "¦") {
			want = append(want, strings.TrimSpace(s))
		}
		var got []string
		for _, s := range Split(text) {
			got = append(got, s.Of(text))
		}
		if strings.Join(got, "¦") != strings.Join(want, "¦") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, want)
		}
	}
}

// check reports whether the sentences of text are ordered, trimmed and complete.
func check(t *testing.T, text string) {
	t.Helper()
	at := 0
	for _, s := range Split(text) {
		if s.From < at || s.From >= s.To || s.To > len(text) {
			t.Fatalf("%q: span %v after %d", text, s, at)
		}
		if strings.TrimSpace(text[at:s.From]) != "" {
			t.Fatalf("%q: %q is left out", text, text[at:s.From])
		}
		if x := s.Of(text); strings.TrimSpace(x) != x {
			t.Fatalf("%q: %q has white space around it", text, x)
		}
		at = s.To
	}
	if strings.TrimFunc(text[at:], unicode.IsSpace) != "" {
		t.Fatalf("%q: %q is left out", text, text[at:])
	}
}

func FuzzSplit(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Add("a\xff.\xc3 B.\x80")
	f.Fuzz(check)
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("The Supplier shall, e.g. within 3.5 days of receipt, refund Mr. Berg. It does so in full, incl. tax.\nSee No. 5. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Split(text)
	}
}
