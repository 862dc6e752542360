package evidence

import (
	"strings"
	"testing"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// A passage that does not stand out goes on where one of the first three names its
// document.
func TestIntroduced(t *testing.T) {
	for _, c := range []struct {
		name, text, title string
		want              bool
	}{
		{"a name in a sentence", "The fee is set by the Refund Policy alone.", "Refund Policy", true},
		{"over the end of a line", "as the Refund\n  Policy says", "Refund Policy", true},
		{"at both ends of the text", "Refund Policy", "Refund Policy", true},
		{"between marks", "see *Refund Policy*, (Refund Policy)", "Refund Policy", true},
		{"within a longer word", "Refund Policymakers and PreRefund Policy", "Refund Policy", false},
		{"in a longer word first, then by itself", "Anna and Ann", "Anna", true},
		{"a word, not a name", "a refund policy is needed", "Refund Policy", false},
		{"a title that is none", "as the notes say", "notes", false},
		{"too short to be one", "in HR they say", "HR", false},
		{"by its number", "see RF-204 for it", "RF-204", true},
		{"in other letters", "siehe die Übergaberegel.", "Übergaberegel", true},
		{"in a script without spaces", "费用由退款政策决定", "退款政策", true},
		{"without a title", "anything", "", false},
		{"not named", "The fee is 5 %.", "Refund Policy", false},
	} {
		for _, by := range []int{1, 3, 4} {
			list := scored(0, 1)
			list[by-1].Text = c.text
			list[12].Title = c.title
			got := cut(list, Options{Passages: 8, Lead: 0.33}, &trace.Trace{})
			if goesOn := len(got) == 4 && got[3].Rank == 13; goesOn != (c.want && by <= always) {
				t.Errorf("%s, by rank %d: %d go on", c.name, by, len(got))
			}
		}
	}
}

// Of a document that is named the best passage goes on, and of one that names itself
// none for that.
func TestIntroducedOnce(t *testing.T) {
	in := func(path string) document.ID { return document.ID{Source: "s", Path: path} }
	list := scored(0, 1)
	list[0].Text = "By the Refund Policy and the Fee Table."
	for _, i := range []int{8, 12, 14} {
		list[i].Document, list[i].Title = in("policy"), "Refund Policy"
	}
	list[10].Document, list[10].Title = list[0].Document, "Fee Table"
	got := cut(list, Options{Passages: 8, Lead: 0.33}, &trace.Trace{})
	if len(got) != 4 || got[3].Rank != 9 {
		t.Errorf("%d go on, want the first three and rank 9", len(got))
	}

	// What goes on is bounded as before, and where nothing has to stand out it changes nothing.
	if got := cut(list, Options{Passages: 3, Lead: 0.33}, &trace.Trace{}); len(got) != 3 {
		t.Errorf("%d go on of 3", len(got))
	}
	if got := cut(list, Options{Passages: 5}, &trace.Trace{}); len(got) != 5 || got[4].Rank != 5 {
		t.Errorf("%d go on of 5", len(got))
	}
}

func FuzzMentions(f *testing.F) {
	for _, s := range []string{"a Name here", "Nameless Name", "名Name", "\xffName\xff", "NaNaName"} {
		f.Add(s, "Name")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if name == "" {
			return
		}
		if got, want := mentions(text, name), mentionsPlainly(text, name); got != want {
			t.Errorf("mentions(%q, %q) is %v", text, name, got)
		}
		var n introductions
		n.hear(retrieve.Candidate{})
		n.heard[0].Text = text
		var c retrieve.Candidate
		c.Document, c.Title = document.ID{Path: "other"}, name
		n.introduce(c)
	})
}

// mentionsPlainly tries every place.
func mentionsPlainly(text, name string) bool {
	joins := func(s []rune, i int) bool {
		return i >= 0 && i < len(s) && s[i] < 0x0E00 && (unicode.IsLetter(s[i]) || unicode.IsDigit(s[i]))
	}
	for i := range len(text) {
		if !strings.HasPrefix(text[i:], name) {
			continue
		}
		before, after := []rune(text[:i]), []rune(text[i+len(name):])
		if !joins(before, len(before)-1) && !joins(after, 0) {
			return true
		}
	}
	return false
}
