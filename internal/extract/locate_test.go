package extract

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lines      []string
		want       string // what of the text each is, "-" for none
	}{
		{"marks of Markdown", "# 1 Fees\n\nThe *fee* is 5 % of the price[^2].\n", []string{"1 Fees", "The fee is 5 % of", "the price^2."}, "1 Fees|The *fee* is 5 % of|the price[^2"},
		{"a word that a line divides", "The termination is known.\n", []string{"The termi-", "nation is known."}, "The termi|nation is known"},
		{"cells of a table", "| Plan | Fee |\n| --- | --- |\n| Team | 5 |\n| Home | 5 |\n", []string{"Plan", "Fee", "Team", "5", "Home", "5"}, "Plan|Fee|Team|5|Home|5"},
		{"another order", "one two\n\nthree four\n", []string{"three four", "one two"}, "three four|one two"},
		{"what is not in the text", "one two\n", []string{"Page 4", "one two", "..."}, "-|one two|-"},
		{"one of several places", "Total 5\n\nTotal 6\n\nThe end\n", []string{"The end", "Total"}, "The end|-"},
		{"the place that the others leave", "Total 5\n\nTotal 6\n", []string{"6", "Total", "Total 5"}, "6|Total|Total 5"},
		{"within a word", "Theory of 1999\n", []string{"The", "1", "of"}, "-|-|of"},
		{"letters of several bytes", "Größe: 5 м²\n", []string{"Größe:", "5 м²"}, "Größe|5 м"},
	} {
		var lines []office.Line
		for i, l := range c.lines {
			lines = append(lines, office.Line{Text: l, Page: 1, Box: [4]int{i, 0, 0, 0}})
		}
		said := make([]string, len(lines))
		for i := range said {
			said[i] = "-"
		}
		for _, l := range locate(c.text, document.Pages{{Page: 1}}, lines) {
			said[l.Box.Left] = l.Span.Of(c.text)
		}
		if got := strings.Join(said, "|"); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// TestLinesOfPDF: of the document whose truth is known nearly every line is found, where
// its letters are, and on the page that says so.
func TestLinesOfPDF(t *testing.T) {
	f := &pdfFile{}
	f.addPage()
	f.text(70, 90, 16, helvetica, "1 Delivery")
	f.filler(70, 110, 450, 2)
	f.addPage()
	f.text(100, 200, 10, helvetica, "Later payment costs interest.")
	x, err := Extract("a.pdf", f.bytes())
	if err != nil {
		t.Fatal(err)
	}
	first, last := x.Lines[0], x.Lines[len(x.Lines)-1]
	if first.Span.Of(x.Text) != "1 Delivery" || first.Page != 1 || first.Box.Left != 71 && first.Box.Left != 70 || first.Box.Top < 74 || first.Box.Bottom > 96 {
		t.Errorf("the heading is %q at %+v", first.Span.Of(x.Text), first)
	}
	if last.Span.Of(x.Text) != "Later payment costs interest" || last.Page != 2 || last.Box.Left != 100 || last.Box.Right < 225 || last.Box.Right > 240 {
		t.Errorf("the last line is %q at %+v", last.Span.Of(x.Text), last)
	}
	if x, err = Extract("truth.pdf", newTruth().pdf()); err != nil {
		t.Fatal(err)
	}
	checkLines(t, x)
	if n := coveredBy(x.Lines, x.Text); n < 0.97 {
		t.Errorf("%.3f of the letters are on a line", n)
	}
}

// checkLines: lines are in order, share nothing, and lie on the page of their text.
func checkLines(t *testing.T, x Extracted) {
	t.Helper()
	end := 0
	for _, l := range x.Lines {
		if l.Span.From < end || l.Span.To <= l.Span.From || l.Span.To > len(x.Text) {
			t.Fatalf("a line at %v behind %d", l.Span, end)
		}
		if end = l.Span.To; x.Pages.At(l.Span.From) != l.Page {
			t.Errorf("%q is on page %d, not %d", l.Span.Of(x.Text), x.Pages.At(l.Span.From), l.Page)
		}
	}
}

// coveredBy is the share of a text's letters and digits on lines.
func coveredBy(lines document.Lines, text string) float64 {
	on := 0
	for _, l := range lines {
		on += len(streamOf(text, l.Span.From, l.Span.To).letters)
	}
	return float64(on) / float64(max(1, len(streamOf(text, 0, len(text)).letters)))
}

// TestLocateAnything: whatever the lines are, what is found is in order, apart and of the
// same letters.
func TestLocateAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	words := []string{"a", "b", "ab", "ba", "aba", "1", "12", "é", "-", "*", "a-"}
	pick := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))] + " \n"[r.IntN(2):][:1])
		}
		return b.String()
	}
	for range 2000 {
		text := pick(12)
		var lines []office.Line
		for i := range 8 {
			lines = append(lines, office.Line{Text: pick(1 + r.IntN(3)), Page: 1, Box: [4]int{i}})
		}
		end := 0
		for _, l := range locate(text, document.Pages{{Page: 1}}, lines) {
			own, given := streamOf(text, l.Span.From, l.Span.To).letters, lines[l.Box.Left].Text
			if l.Span.From < end || own != streamOf(given, 0, len(given)).letters {
				t.Fatalf("%q of %q is said to be %q", l.Span.Of(text), text, given)
			}
			end = l.Span.To
		}
	}
}
