package extract

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// report is the report of a text file.
func report(t *testing.T, name, text string) (document.Extraction, error) {
	t.Helper()
	x, err := Extract(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Report(x)
}

const (
	words200 = "Refunds are paid within thirty days of the approval, and the card issuer may need another five days to show the amount on a statement of the customer, who is told the day on which it was sent by us.\n\n"
	sides    = "Refunds are paid within days    Seats that were added during\n" +
		"of the approval; the issuers    the old term are paid by the\n" +
		"may need another five days.     day until the new term.     \n" +
		"If the card has expired, the    Amounts below ten euros are \n" +
		"refund is made by transfer.     not billed. The credit stays\n" +
		"The customer is told when it    for twelve months, and then \n" +
		"was sent and by which bank.     it lapses without a notice. \n"
)

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		doubts           []string // how each begins
	}{
		{"prose", "a.md", words200, nil},
		{"one icon", "a.md", "\ue000 Home", nil},
		{"icons here and there", "a.md", strings.Repeat(words200, 10) + strings.Repeat("\ue000", 6), nil},
		{"a two hundredth cannot be read", "a.md", words200 + strings.Repeat("\ue000", 5), []string{"5 of 164 characters cannot be read."}},
		{"bytes that were replaced", "a.txt", strings.Repeat("Größe und Maß. ", 20) + strings.Repeat("\xff ", 5), []string{"5 of 245 characters"}},
		{"glyphs without a meaning", "a.md", words200 + strings.Repeat("(cid:77)", 6), []string{"6 of 165 characters"}},
		{"what only looks like them", "a.md", words200 + strings.Repeat("(cid:) (cid:x) (cid:1", 3), nil},
		{"UTF-8 that was read as Windows-1252", "a.md", "GrÃ¶ÃŸe und MaÃŸ: Ã¤ndern, Ã¶ffnen. Itâ€™s.", []string{"6 characters look as if UTF-8"}},
		{"Cyrillic so", "a.md", "Ð’Ð¾Ð·Ð²Ñ€Ð°Ñ‚", []string{"7 characters look"}},
		{"accents as they are", "a.md", strings.Repeat("À L'ÂGE D'OR : « São João », PÃES, Ångström, âge, château.\u00a0Ça va Â\u00a0? ", 5), nil},
		{"two columns", "a.txt", sides, []string{"1 blocks look like columns"}},
		{"a gap here and there", "a.txt", strings.ReplaceAll(sides, "    ", " ") + "and one line    with a wide gap that stands alone", nil},
		{"a table of long cells", "a.txt", strings.Repeat("Standard refund request    Paid by the Billing team in days\n", 8), nil},
		{"a table", "a.txt", "Item      Price    Unit\n" + strings.Repeat("Widget    10.00    each\n", 8), nil},
	} {
		r, err := report(t, c.file, c.text)
		same := len(r.Doubts) == len(c.doubts)
		for i := 0; same && i < len(c.doubts); i++ {
			same = strings.HasPrefix(r.Doubts[i], c.doubts[i])
		}
		if err != nil || !same || r.Suspect() != (len(c.doubts) > 0) {
			t.Errorf("%s: %q, %v, want %q", c.name, r.Doubts, err, c.doubts)
		}
	}
}

func TestReportCounts(t *testing.T) {
	r, err := report(t, "a.md", "Before it.\n\n# One\n\ntext \ue000\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Two\n\n<!-- no -->\n\nend\n")
	if err != nil || r.Headings != 2 || r.Tables != 1 || r.Outside != 9 || r.Unreadable != 1 || r.Pages != 0 || len(r.Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = report(t, "a.md", "---\ntitle: \ue000\n---\n\nA text.\n\n# One\n")
	if err != nil || r.Characters != 10 || r.Outside != 6 || r.Unreadable != 0 {
		t.Errorf("with front matter %+v, %v", r, err)
	}
	r, err = report(t, "a.txt", "Größe")
	if err != nil || r.Characters != 5 || r.Outside != 5 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReportPages: a page without text now and then is none to worry about.
func TestReportPages(t *testing.T) {
	for _, c := range []struct {
		pages int
		empty []int
		want  string
	}{
		{0, nil, ""}, {3, nil, ""}, {30, []int{2, 30}, ""}, {20, []int{2, 20}, "2 of 20 pages have no text."}, {1, []int{1}, "1 of 1 pages have no text."},
	} {
		r, err := Report(Extracted{Format: "pdf", Text: "text", Blocks: []Block{{Kind: Paragraph, Span: document.Span{From: 0, To: 4}}}, Slides: c.pages, EmptyPages: c.empty})
		if err != nil || strings.Join(r.Doubts, " ") != c.want || r.Pages != c.pages || !slices.Equal(r.EmptyPages, c.empty) {
			t.Errorf("%d pages, %v without text: %+v, %v", c.pages, c.empty, r, err)
		}
	}
}

// TestReportPagesOfText: pages whose text is empty, or that are not listed, have none.
func TestReportPagesOfText(t *testing.T) {
	x := Extracted{Format: "pdf", Text: "one\n\nfour\n", Pages: document.Pages{{Offset: 0, Page: 1}, {Offset: 4, Page: 2}, {Offset: 5, Page: 4}}}
	if r, err := Report(x); err != nil || r.Pages != 4 || !slices.Equal(r.EmptyPages, []int{2, 3}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReportFails: what is a third garbage has failed, and the error quotes nothing.
func TestReportFails(t *testing.T) {
	for _, text := range []string{strings.Repeat("ab\ue000", 10), strings.Repeat("(cid:3) ", 9) + "secret"} {
		_, err := report(t, "a.md", text)
		if err == nil || !strings.Contains(err.Error(), "cannot be read") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := report(t, "a.md", "\ue000\ue001 ok"); err != nil {
		t.Errorf("two icons fail a document: %v", err)
	}
}

// unmapped are the samples whose fonts do not say which characters some of their glyphs
// are: pdftotext leaves the same places out. They are suspect, and rightly.
var unmapped = []string{"skipped_1page.pdf", "skipped_2pages.pdf"}

// TestSamplesAreSound: of what is read right, nothing is suspect.
func TestSamplesAreSound(t *testing.T) {
	files := sampleFiles(t)
	more, err := filepath.Glob("../../../shared/sets/parser_samples/*/sources/*")
	if err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir("../../examples/handbook/docs", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			more = append(more, p)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	files = append(files, more...)
	slices.Sort(files)
	sound := 0
	for _, name := range slices.Compact(files) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		x, err := Extract(name, data)
		if err != nil {
			continue // TestSamples says which may fail
		}
		r, err := Report(x)
		if err != nil || r.Suspect() != slices.Contains(unmapped, filepath.Base(name)) {
			t.Errorf("%s: %q, %v", name, r.Doubts, err)
		}
		sound++
	}
	if sound < 100 {
		t.Errorf("only %d files were read", sound)
	}
}

func FuzzReport(f *testing.F) {
	f.Add(words200 + "(cid:1)Ã©")
	f.Add(sides)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Extract("a.txt", []byte(text))
		if err != nil {
			return
		}
		r, err := Report(x)
		if r.Unreadable > r.Characters || r.Outside > r.Characters || r.Characters > len(x.Text) || err != nil && errors.Is(err, ErrNoText) {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
