package analyze

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Refunds after the renewal", "refund after the renew"},
		{"the customer's contracts", "the custom contract"},
		{"the customer’s", "the custom"},
		{"café Ärger Straße STRASSE", "cafe arger strass strass"},
		{"3,500 and 3.5 and 3500.", "3500 and 3.5 and 3500"},
		{"v2.3.1, e.g. INV-4471", "v2.3.1 e g inv 4471"},
		{"", ""},
		{"  --- ||| ", ""},
		{"契約の更新", "契約 約の の更 更新"},
		{"猫", "猫"},
		{"使用API接口", "使用 api 接口"},
		{"ﬁle 5²", "file 5"},
		{"\xff\xfeabc\xc3", "abc"},
		{"don't can't O'Brien", "dont cant obrien"},
	} {
		var got []string
		for _, w := range Words(c.text) {
			got = append(got, w.Term)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.text, strings.Join(got, " "), c.want)
		}
	}
}

func TestWordsOffsets(t *testing.T) {
	text := "Die Straße — 3,500 Stück, 契約更新 and it's"
	last := 0
	for _, w := range Words(text) {
		if w.From < 0 || w.To > len(text) || w.From >= w.To || w.From < last-3 {
			t.Errorf("%+v lies outside the text or before its neighbour", w)
		}
		if Fold(text[w.From:w.To]) != w.Folded {
			t.Errorf("%q folds to %q, not %q", text[w.From:w.To], Fold(text[w.From:w.To]), w.Folded)
		}
		last = w.From
	}
}

func TestLongRunIsCut(t *testing.T) {
	words := Words(strings.Repeat("ab", 500_000))
	if len(words) == 0 {
		t.Fatal("a megabyte without a space gave no term")
	}
	for _, w := range words {
		if len(w.Term) > maxWord {
			t.Fatalf("a term of %d bytes", len(w.Term))
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ text, whole string }{
		{"Invoice INV-4471 was paid", "inv4471"},
		{"see inv-4471.", "inv4471"},
		{"what does DEC-0054 say?", "dec0054"},
		{`"DEC-0054"`, "dec0054"},
		{"policy RF-204, RF-198", "rf204 rf198"},
		{"error E1021 (not E1012)", "e1021 e1012"},
		{"HH-DB-017", "hhdb017"},
		{"tool HS-CAL-220/4", "hscal2204"},
		{"order PO-2026-0113", "po20260113"},
		{"release v2.3.1 and 2.3.0", "2.3.1 2.3.0"},
		{"host 10.20.4.17", "10.20.4.17"},
		{"write to ops@halden.example now", "ops@halden.example"},
		{"set wal_keep in halden.conf", "walkeep halden.conf"},
		{"run with --dry-run", "--dry-run"},
		{"issue #4471", ""},
		{"subject to clause 7.2", "§7.2"},
		{"Section 4(b)(iv) applies", "§4(b)(iv)"},
		{"see Appendix C", "§c"},
		{"§ 12 and § 3.1", "§12 §3.1"},
		{"on 2026-01-01 or 01/02/2026", ""},
		{"within 14 days, 30-day, 24/7, 3.5 kg, 10kg, 5th, 09:30", ""},
		{"two-thirds and/or up-to-date", ""},
		{"e.g. this, i.e. that", ""},
		{"The end.Next sentence", ""},
	} {
		var got []string
		for _, f := range Identifiers(c.text) {
			if !f.Part {
				got = append(got, f.Value)
			}
		}
		if strings.Join(got, " ") != c.whole {
			t.Errorf("Identifiers(%q) = %q, want %q", c.text, strings.Join(got, " "), c.whole)
		}
	}
}

func TestSpellingsOfOneIdentifierMeet(t *testing.T) {
	for _, spellings := range [][]string{
		{"DEC-0054", "dec-0054", "DEC_0054", "DEC 0054", "#DEC-0054:", "(DEC-0054)", "`DEC-0054`", "DEC0054", "DEC/0054"},
		{"clause 7.2", "Clause 7.2.", "section 7.2", "§ 7.2", "§7.2", "Article 7.2"},
		{"v2.3.1", "2.3.1", "V2.3.1"},
		{"clause 2.3(c)", "2.3(c)", "§2.3(c)", "Section 2.3(c)"},
	} {
		for _, s := range spellings {
			if q := ForQuestion("What about " + s + " then?"); len(q.Whole) != 1 || q.Whole[0] != ForQuestion(spellings[0]).Whole[0] {
				t.Errorf("%q gives %q, %q gives %q", s, q.Whole, spellings[0], ForQuestion(spellings[0]).Whole)
			}
		}
	}
}

func TestParts(t *testing.T) {
	q := ForQuestion("the invoice 4471 of 2026")
	if !slices.ContainsFunc(q.Identifiers, func(t store.QueryTerm) bool { return t.Term == "4471" && t.Weight < 1 }) {
		t.Errorf("the number of an identifier is no part: %v", q.Identifiers)
	}
	if slices.ContainsFunc(q.Identifiers, func(t store.QueryTerm) bool { return t.Term == "2026" }) {
		t.Errorf("a year is taken for a part: %v", q.Identifiers)
	}
}

func TestClauseNumbers(t *testing.T) {
	for _, c := range []struct{ section, text, want string }{
		{"", "7.2 Either party may\n(a) give notice;\n(b) where\n(i) the fee is due; or\n(ii) not.\n(c) end.", "7.2 7.2(a) 7.2(b) 7.2(b)(i) 7.2(b)(ii) 7.2(c)"},
		{"4", "(a) one\n(b)(iv) two", "4(a) 4(b) 4(b)(iv)"},
		{"4", "- (a) one\n- (b) two", "4(a) 4(b)"},
		{"", "(a) one", ""},
		{"3.1", "Costs 3.5 euro a day", ""},
		{"", "**12.4** Notices are", "12.4"},
		{"9", "(h) eight\n(i) nine\n(j) ten", "9(h) 9(i) 9(j)"},
	} {
		if got := strings.Join(clauseNumbers(c.section, c.text), " "); got != c.want {
			t.Errorf("clauseNumbers(%q, %q) = %q, want %q", c.section, c.text, got, c.want)
		}
	}
}

func TestPassageFields(t *testing.T) {
	sections := []document.Section{
		{Parent: -1, Heading: "Contract"},
		{Parent: 0, Level: 1, Heading: "Termination", Number: "7", Path: []string{"7 Termination"}},
		{Parent: 1, Level: 2, Heading: "Notice", Number: "7.2", Path: []string{"7 Termination", "7.2 Notice"}},
	}
	p := document.Passage{Section: 2, Context: "Contract > 7 Termination > 7.2 Notice\nTable 1: Periods in days", Text: "Sixty days, see E1021.\nE1022 ends it."}
	b := newBuilder()
	b.languages = byDefault
	got := b.passage("Contract", sections, p)
	weights := map[string]float32{}
	for _, id := range got.Identifiers {
		weights[id.Value] = id.Weight
	}
	if !(weights["§7.2"] == weightOwn && weights["§7"] == weightAncestor && weights["e1021"] == weightMention && weights["e1022"] == weightLead) {
		t.Errorf("weights are %v", weights)
	}
	var terms []string
	for _, p := range got.Postings {
		terms = append(terms, string('0'+rune(p.Field))+p.Term)
	}
	if !slices.Contains(terms, "0contract") || !slices.Contains(terms, "1notic") || !slices.Contains(terms, "2period") || slices.Contains(terms, "2notic") {
		t.Errorf("terms are in the wrong fields: %v", terms)
	}
	if !slices.IsSorted(terms) {
		t.Errorf("postings are not sorted: %v", terms)
	}
}

func TestLeads(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{"E1021 means", true}, {"| E1021 | x |", true}, {"- **E1021**: x", true}, {"4. E1021 was", true}, {"> `E1021`", true},
		{"see E1021", false}, {"| x | E1021 |", false}, {"12345 E1021", false},
	} {
		at := strings.Index(c.line, "E1021")
		if got := leads("before\n"+c.line, len("before\n")+at); got != c.want {
			t.Errorf("leads(%q) = %v", c.line, got)
		}
	}
}

func TestQuestionOfFunctionWordsKeepsThem(t *testing.T) {
	if q := ForQuestion("what is it?"); len(q.Terms) != 3 {
		t.Errorf("terms %v", q.Terms)
	}
	if q := ForQuestion("Can the customer request a refund?"); len(q.Terms) != 3 {
		t.Errorf("terms %v", q.Terms)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"INV-4471 § 7.2(b)(iv)", "契約の更新 API", "\xff\xfe", "don't 3,500 ﬁ ß", "--dry-run a_b.c/d",
		"Kündigungsfristverlängerungsantrag", "l'avenant d’", "ｶﾞｽ がー゛", "เงินประกัน่า", "צה״ל חוֹזֶה", "عـقـد ٣٠", "İstanbul'da", "E1021が\u00ad", "각ᄀ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range append(markedLanguages, English) {
			length := 0
			for i, w := range byDefault.with(l).Words(text) {
				if w.Term == "" || w.From < 0 || w.To > len(text) || w.From >= w.To || w.Part && i == 0 {
					t.Fatalf("%+v of %q in %s", w, text, l)
				}
				if !w.Part {
					length++
				}
			}
			if length > len(text) {
				t.Fatalf("%q has %d words in %s", text, length, l)
			}
		}
		if once := Fold(text); Fold(once) != once {
			t.Fatalf("%q folds to %q and that to %q", text, once, Fold(once))
		}
		for _, i := range QuestionIdentifiers(text) {
			if i.Value == "" || i.From < 0 || i.To > len(text) || i.From >= i.To {
				t.Fatalf("%+v of %q", i, text)
			}
		}
		ForQuestion(text, markedLanguages...)
		// As the terms of a section, which need no passage that is cut from the text.
		r := revision("de", text)
		r.Document = document.ID{Source: "docs", Path: "a"}
		change := store.Change{Put: []store.Revision{Revision(r)}}
		change.Put[0].Passages, change.Put[0].Text = nil, ""
		change.Put[0].Outline, change.Put[0].Terms = change.Put[0].Terms, nil
		if err := change.Validate(); err != nil && utf8.ValidString(text) {
			t.Fatalf("the terms of %q break the contract: %v", text, err)
		}
	})
}

// BenchmarkRevision analyses a document of many passages, as a sync does, in the languages
// that differ most in cost.
func BenchmarkRevision(b *testing.B) {
	for _, c := range []struct{ name, sentence string }{
		{"english", "After a renewal has taken effect under clause 7.2, invoice INV-4471 of 3,500 NOK is due within 14 days. "},
		{"german", "Nach der Verlängerung gemäß Ziffer 7.2 ist die Rechnung INV-4471 über 3.500 Kronen mit einer Zahlungsfrist von 14 Tagen fällig. "},
		{"russian", "После продления по пункту 7.2 счёт INV-4471 на сумму 3500 крон должен быть оплачен в течение 14 дней. "},
		{"japanese", "第7.2条による更新の後、請求書INV-4471の3500クローネは14日以内に支払われなければならない。"},
	} {
		b.Run(c.name, func(b *testing.B) {
			texts := slices.Repeat([]string{strings.Repeat(c.sentence, 8)}, 50)
			r := revision("", texts...)
			b.SetBytes(int64(len(r.Text)))
			for b.Loop() {
				Revision(r)
			}
		})
	}
}

// A Reader remembers words and gives the same.
func TestReader(t *testing.T) {
	r := NewReader()
	for _, text := range []string{"Running fees, FEES and the fee's 3,500", "", "running Fees", "東京都 café", strings.Repeat("fees ", 3)} {
		for range 2 {
			if got, want := r.Words(text), Words(text); !slices.Equal(got, want) {
				t.Errorf("%q gives %v, not %v", text, got, want)
			}
		}
	}
}
