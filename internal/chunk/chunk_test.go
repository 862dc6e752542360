package chunk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// show gives passages as their kinds and texts, "¦" between them.
func show(passages []document.Passage) string {
	var out []string
	for _, p := range passages {
		out = append(out, string(p.Kind)+": "+p.Text)
	}
	return strings.Join(out, " ¦ ")
}

// What belongs together stays together although it is over TargetTokens; what
// does not is cut.
func TestBelonging(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"two paragraphs", "One two three four five six.\n\nFive six seven eight nine ten.", "paragraph: One two three four five six. ¦ paragraph: Five six seven eight nine ten."},
		{"lead-in by colon", "It ends if any of these holds:\n\n- no fee\n- no notice\n- no goods", "list: It ends if any of these holds:\n\n- no fee\n- no notice\n- no goods"},
		{"lead-in by words", "It ends in the following cases.\n\n- no fee\n- no notice\n- no goods", "list: It ends in the following cases.\n\n- no fee\n- no notice\n- no goods"},
		{"list without lead-in", "The term is twelve months.\n\n- no fee at all\n- no notice", "paragraph: The term is twelve months. ¦ list: - no fee at all\n- no notice"},
		{"however", "Fees are repaid in full.\n\nHowever, not after thirty days.", "paragraph: Fees are repaid in full.\n\nHowever, not after thirty days."},
		{"unless after a list", "- fees are repaid\n- goods are returned\n\nUnless agreed otherwise.", "list: - fees are repaid\n- goods are returned\n\nUnless agreed otherwise."},
		{"provided that", "Fees are repaid in full.\n\nprovided that notice was given", "paragraph: Fees are repaid in full.\n\nprovided that notice was given"},
		{"emphasised note", "Fees are repaid in full.\n\n**Note:** not in Norway at all.", "paragraph: Fees are repaid in full.\n\n**Note:** not in Norway at all."},
		{"no qualifier", "Fees are repaid in full.\n\nExceptional cases go to the board.", "paragraph: Fees are repaid in full. ¦ paragraph: Exceptional cases go to the board."},
		{"clauses", "7.1 The fee is due in May.\n\n7.2 The term is twelve months.", "clause: 7.1 The fee is due in May. ¦ clause: 7.2 The term is twelve months."},
		{"sub-items", "7.1 The term ends on notice\n\n(a) by the customer or\n\n(b) by the supplier.\n\n7.2 The rest holds.", "clause: 7.1 The term ends on notice\n\n(a) by the customer or\n\n(b) by the supplier. ¦ clause: 7.2 The rest holds."},
		{"clause and list", "7.1 The term ends on notice\n\n- by the customer or\n- by the supplier.", "clause: 7.1 The term ends on notice\n\n- by the customer or\n- by the supplier."},
		{"table with caption", "Text of its own here.\n\nTable 3: Limits in MB\n\n| plan | limit |\n|---|---|\n| Pro | 5 |\n\nNote: gross.\n\nMore text follows.",
			"paragraph: Text of its own here. ¦ table: Table 3: Limits in MB\n\n| plan | limit |\n|---|---|\n| Pro | 5 |\n\nNote: gross. ¦ paragraph: More text follows."},
		{"table with lead-in", "The table below shows limits (in millions).\n\n| plan | limit |\n|---|---|\n| Pro | 5 |", "table: The table below shows limits (in millions).\n\n| plan | limit |\n|---|---|\n| Pro | 5 |"},
		{"code with lead-in", "Then run this:\n\n```\nmake all\nmake install\nmake check\n```", "code: Then run this:\n\n```\nmake all\nmake install\nmake check\n```"},
	} {
		if got := show(split(c.text, Options{TargetTokens: 12})); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSmallNeighboursAreJoined(t *testing.T) {
	text := "# A\n\nOne.\n\nTwo.\n\n- three\n\nFour.\n\n# B\n\nFive."
	if got, want := show(split(text, Options{})), "paragraph: One.\n\nTwo.\n\n- three\n\nFour. ¦ paragraph: Five."; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestHeadings(t *testing.T) {
	text := "# Manual\n\n## 5 Limits\n\n### 5.9.2 Sizes\n\nFive MB.\n\n## Empty\n\n## Last"
	var got []string
	for _, p := range split(text, Options{}) {
		got = append(got, fmt.Sprintf("[%s] %s", p.Context, p.Text))
	}
	want := "[Manual > 5 Limits > 5.9.2 Sizes] Five MB. ¦ [Manual > Empty] ## Empty ¦ [Manual > Last] ## Last"
	if s := strings.Join(got, " ¦ "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	// A title that the path does not begin with comes before it.
	if got := split("# Limits\n\nFive MB.", Options{})[0].Context; got != "Manual > Limits" {
		t.Errorf("context %q", got)
	}
	if got := split("Five MB.", Options{})[0].Context; got != "Manual" {
		t.Errorf("context %q", got)
	}
}

// Each part of a table that is cut carries caption, units and header.
func TestLongTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("Amounts in EUR million.\n\nTable 3: Limits of plans\n\n| plan | limit |\n|---|---|\n")
	for i := range 200 {
		fmt.Fprintf(&b, "| plan %d | %d |\n", i, i*7)
	}
	got := split(b.String(), Options{})
	if len(got) < 5 {
		t.Fatalf("%d passages", len(got))
	}
	if !strings.HasPrefix(got[0].Text, "Amounts in EUR million.\n\nTable 3: Limits of plans\n\n| plan | limit |\n|---|---|\n| plan 0 |") {
		t.Errorf("first part begins %.80q", got[0].Text)
	}
	for i, p := range got {
		if p.Kind != document.Table {
			t.Errorf("part %d is of kind %s", i, p.Kind)
		}
		if want := "Manual\nTable 3: Limits of plans\nAmounts in EUR million.\n| plan | limit |"; i > 0 && p.Context != want {
			t.Errorf("part %d has context %q, want %q", i, p.Context, want)
		}
		if i > 0 && !strings.HasPrefix(p.Text, "| plan ") {
			t.Errorf("part %d begins %.40q", i, p.Text)
		}
	}
}

// Rows under the header with an empty first cell belong to it.
func TestHeaderOfSeveralRows(t *testing.T) {
	text := "|  | December 31 |  |\n|---|---|---|\n|  | 2019 | 2018 |\n|  | in thousands |  |\n" + strings.Repeat("| Sales | 73,260 | 57,768 |\n", 60)
	want := "Manual\n| | December 31 | |\n| | 2019 | 2018 |\n| | in thousands | |"
	for i, p := range split(text, Options{}) {
		if i > 0 && p.Context != want {
			t.Errorf("part %d has context %q, want %q", i, p.Context, want)
		}
	}
}

func TestRowLongerThanMax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := "| a | b |\n|---|---|\n| " + prose(r, 300) + " | " + prose(r, 400) + " |\n| c | d |"
	got := split(text, Options{MaxTokens: 256})
	for i, p := range got {
		if i > 0 && p.Context != "Manual\n| a | b |" {
			t.Errorf("part %d has context %q", i, p.Context)
		}
	}
	if len(got) < 4 {
		t.Errorf("%d passages", len(got))
	}
}

// The parts of a list that is cut carry the sentence that leads in.
func TestLongList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := "General words. Excluded are:\n\n"
	for range 60 {
		text += "- " + prose(r, 20) + "\n"
	}
	got := split(text, Options{})
	if !strings.HasPrefix(got[0].Text, "General words. Excluded are:\n\n- ") {
		t.Errorf("first part begins %.60q", got[0].Text)
	}
	for i, p := range got[1:] {
		if p.Context != "Manual\nExcluded are:" || !strings.HasPrefix(p.Text, "- ") {
			t.Errorf("part %d: [%s] %.30q", i+1, p.Context, p.Text)
		}
	}
}

func TestOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := prose(r, 2000)
	for _, overlap := range []int{-1, 20, 64} {
		got := split(text, Options{OverlapTokens: overlap})
		repeated := 0
		for i := 1; i < len(got); i++ {
			n := got[i-1].Span.To - got[i].Span.From
			if n <= 0 {
				continue
			}
			repeated++
			over := text[got[i].Span.From:got[i-1].Span.To]
			if k := count(over); k > overlap {
				t.Errorf("overlap of %d tokens, %d allowed", k, overlap)
			}
			if at := got[i].Span.From; at > 0 && text[at-2:at] != ". " {
				t.Errorf("overlap begins within a sentence: %.40q", over)
			}
		}
		if (repeated > len(got)/2) != (overlap > 0) {
			t.Errorf("overlap %d: %d of %d passages repeat text", overlap, repeated, len(got))
		}
	}
}

func TestHugeHeadingPath(t *testing.T) {
	text := "# First " + strings.Repeat("long ", 300) + "\n\n## Middle " + strings.Repeat("long ", 300) + "\n\n### The last\n\nText."
	p := split(text, Options{})[len(split(text, Options{}))-1]
	if p.Text != "Text." || !strings.HasSuffix(p.Context, " > … > The last") || !strings.HasPrefix(p.Context, "Manual > ") || count(p.Context) > 128 {
		t.Errorf("[%s] %s", p.Context, p.Text)
	}
}

func TestIDs(t *testing.T) {
	text := "# A\n\nSame.\n\n# B\n\nSame.\n\n# A\n\nSame."
	got := split(text, Options{})
	if got[0].ID == got[1].ID || got[0].ID == got[2].ID {
		t.Error("equal passages share an id")
	}
	if got[0].Key != got[2].Key || got[0].Key == got[1].Key {
		t.Error("a key is of context and text, and of nothing else")
	}
	moved := split("Text before.\n\n"+text, Options{})
	if moved[1].ID != got[0].ID || moved[1].Key != got[0].Key {
		t.Error("text that moved has another id")
	}
	// The ids are kept in stores: this one must never change.
	if want := document.PassageID("70cfa95e84062f9f2ee0036feffd0909"); got[0].ID != want {
		t.Errorf("id %s, want %s", got[0].ID, want)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{MaxTokens: 10}, {MaxTokens: 1 << 30}, {TargetTokens: 600}, {TargetTokens: -1}, {OverlapTokens: 200}, {OverlapTokens: -2}} {
		if o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
	if got := (Options{}).String(); got != "max=512 target=200 overlap=64" {
		t.Errorf("defaults are %s", got)
	}
	if err := (Options{MaxTokens: 64}).Validate(); err != nil {
		t.Error(err)
	}
}
