package evidence

import (
	"strings"
	"testing"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/store"
)

// What is one text, written in two ways, and what is two.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ one, other string }{
		{"The fee is 5 %.", "The  FEE is\n5 %."},
		{"A ferry leaves every 20 minutes.", "A **ferry** leaves _every_ 20 minutes."},
		{"It’s “safe” – as of 2024–2026…", `It's "safe" - as of 2024-2026...`},
		{"The office\u00a0is con\u00adfirmed", "The of\ufb01ce is confirmed"},
		{"* apples\n* pears", "- apples\n- pears"},
		{"• apples\n• pears", "apples\npears"},
		{"> * apples\n> * pears", "- apples\n- pears"},
		{`see \[note\] \*`, "see [note] *"},
		{"run `make` first", "run make first"},
		{"*never* again", "never again"},
	} {
		if a, b := plain(c.one), plain(c.other); a != b {
			t.Errorf("%q is not %q: %q, %q", c.one, c.other, a, b)
		}
	}
	for _, c := range []struct{ one, other string }{
		{"The fee is 5 %.", "The fee is 7 %."},
		{"The fee is 1.5 %.", "The fee is 15 %."},
		{"The fee is 5 %.", "The fee is 5."},
		{"The fee is EUR 5.", "The fee is USD 5."},
		{"It starts on 1 May 2026.", "It starts on 1 June 2026."},
		{"Ann Berg approves it.", "Ann Borg approves it."},
		{"Refunds are possible.", "Refunds are not possible."},
		{"Refunds are possible.", "Refunds are impossible."},
		{"No, refunds are possible.", "No refunds are possible."},
		{"It may be returned.", "It must be returned."},
		{"Before the renewal.", "After the renewal."},
		{"The balance is (5).", "The balance is 5."},
		{"At - 5 °C it stops.", "At 5 °C it stops."},
		{"- 5 °C", "5 °C"},
		{"> 5 °C", "5 °C"},
		{"- 5 °C", "+ 5 °C"},
		{"-5", "+5"},
		{"-5 °C", "5 °C"},
		{"It is 5* more.", "It is 5 more."},
		{"10² m", "102 m"},
		{"see 2*3", "see 23"},
		{"< 5", "> 5"},
		{"we're here", "were here"},
		{"Is it allowed?", "Is it allowed."},
		{"1. apples", "2. apples"},
		{"snake_case", "snakecase"},
	} {
		if a, b := plain(c.one), plain(c.other); a == b {
			t.Errorf("%q is taken for %q", c.one, c.other)
		}
	}
}

// Whatever the text, another digit, letter or symbol in it makes another.
func FuzzPlain(f *testing.F) {
	f.Add("- The **fee** is 5 % (not 7).", uint(9))
	f.Add("1.5", uint(0))
	f.Fuzz(func(t *testing.T, text string, at uint) {
		if text != strings.ToValidUTF8(text, "") {
			return
		}
		runes := []rune(text)
		if len(runes) == 0 {
			return
		}
		i := int(at % uint(len(runes)))
		r := runes[i]
		if !unicode.IsDigit(r) && !(r >= 'a' && r <= 'z') {
			return
		}
		changed := append(append(append([]rune{}, runes[:i]...), 'Ω'), runes[i+1:]...)
		if plain(text) == plain(string(changed)) {
			t.Errorf("%q is taken for %q", text, string(changed))
		}
	})
}

func said(path, heading, text string) retrieve.Candidate {
	return retrieve.Candidate{Located: store.Located{Document: document.ID{Source: "s", Path: path}, Heading: []string{"Top", heading}, Revision: "r-" + path,
		Passage: document.Passage{ID: document.PassageID(path), Text: text, Span: document.Span{From: 10, To: 10 + len(text)}}}}
}

// One text is given once, with all its places; what says something else stays apart.
func TestDistinct(t *testing.T) {
	list := []retrieve.Candidate{
		said("a.md", "Fees", "The fee is **5 %**."), said("a.pdf", "Fees", "The fee is 5 %."), said("b.md", "Fees", "The fee is 6 %."),
		said("c.md", "Other", "The fee is 5 %."), said("a.md", "Fees", "The fee is 5 %."), said("d.docx", "FEES", "the fee is 5 %."),
	}
	var told []string
	for _, s := range Distinct(list) {
		line := s.Document.Path
		for _, l := range s.Also {
			line += " " + l.Document.Path
			if l.Of != s.Span || l.Revision != "r-"+l.Document.Path || l.Span.Len() == 0 {
				t.Errorf("%s stands at %+v", s.Document.Path, l)
			}
		}
		told = append(told, line)
	}
	if got, want := strings.Join(told, ", "), "a.md a.pdf a.md d.docx, b.md, c.md"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
