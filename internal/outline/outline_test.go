package outline

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// doc makes text and blocks of lines: "## 7.2|Notice" is a heading of level 2
// with the number 7.2, "- " begins a list, "```" code, anything else a paragraph.
func doc(lines ...string) (string, []extract.Block) {
	var b strings.Builder
	var blocks []extract.Block
	for _, l := range lines {
		x := extract.Block{Kind: extract.Paragraph, Span: document.Span{From: b.Len(), To: b.Len() + len(l)}}
		if rest := strings.TrimLeft(l, "#"); rest != l {
			x.Kind, x.Level = extract.Heading, len(l)-len(rest)
			var ok bool
			if x.Number, x.Text, ok = strings.Cut(strings.TrimSpace(rest), "|"); !ok {
				x.Number, x.Text = "", x.Number
			}
		} else if strings.HasPrefix(l, "- ") {
			x.Kind = extract.List
		} else if strings.HasPrefix(l, "```") {
			x.Kind = extract.Code
		}
		blocks = append(blocks, x)
		b.WriteString(l + "\n\n")
	}
	return b.String(), blocks
}

// tree shows sections by level, number and heading, indented by their depth.
func tree(s []document.Section) string {
	var b strings.Builder
	for _, x := range s {
		depth := 0
		for p := x.Parent; p >= 0; p = s[p].Parent {
			depth++
		}
		fmt.Fprintf(&b, "%s%d %s\n", strings.Repeat(" ", depth), x.Level, strings.TrimSpace(x.Number+" "+x.Heading))
	}
	return b.String()
}

func TestNesting(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"no headings", []string{"Text."}, "0 T\n"},
		{"by level", []string{"# A", "## B", "### C", "## D", "# E"}, "0 T\n 1 A\n  2 B\n   3 C\n  2 D\n 1 E\n"},
		{"skipped level", []string{"# A", "### C", "## B", "#### D"}, "0 T\n 1 A\n  3 C\n  2 B\n   4 D\n"},
		{"begins deep", []string{"### C", "## B", "# A"}, "0 T\n 3 C\n 2 B\n 1 A\n"},
		{"flat but numbered", []string{"## 1|A", "## 1.1|B", "## 1.1.1|C", "## 1.2|D", "## 2|E", "## 10|F", "## 10.1|G"},
			"0 T\n 2 1 A\n  3 1.1 B\n   4 1.1.1 C\n  3 1.2 D\n 2 2 E\n 2 10 F\n  3 10.1 G\n"},
		{"10 is not in 1", []string{"# 1|A", "# 10|B", "# 1.1|C"}, "0 T\n 1 1 A\n 1 10 B\n 1 1.1 C\n"},
		{"nine levels", []string{"# 5|a", "## 5.9|b", "### 5.9.2|c", "#### 5.9.2.1|d", "##### 5.9.2.1.1|e", "###### 5.9.2.1.1.1|f", "###### 5.9.2.1.1.1.1|g", "###### 5.9.2.1.1.1.1.1|h", "###### 5.9.2.1.1.1.1.1.1|i", "###### 5.9.2.1.1.2|j"},
			"0 T\n 1 5 a\n  2 5.9 b\n   3 5.9.2 c\n    4 5.9.2.1 d\n     5 5.9.2.1.1 e\n      6 5.9.2.1.1.1 f\n       7 5.9.2.1.1.1.1 g\n        8 5.9.2.1.1.1.1.1 h\n         9 5.9.2.1.1.1.1.1.1 i\n      6 5.9.2.1.1.2 j\n"},
		{"trailing stops", []string{"## 1.|A", "## 1.1.|B", "## 2.|C"}, "0 T\n 2 1. A\n  3 1.1. B\n 2 2. C\n"},
		{"letters", []string{"## 7|A", "## (a)|B", "## (b)|C", "## 8|D"}, "0 T\n 2 7 A\n  3 (a) B\n  3 (b) C\n 2 8 D\n"},
		{"number with letters", []string{"## 7.2|A", "## 7.2(b)|B", "## 7.2(b)(iv)|C", "## 7.3|D"}, "0 T\n 2 7.2 A\n  3 7.2(b) B\n   4 7.2(b)(iv) C\n 2 7.3 D\n"},
		{"appendix", []string{"# Appendix C|Limits", "# C.1|Sizes", "# Appendix D|Rest"}, "0 T\n 1 Appendix C Limits\n  2 C.1 Sizes\n 1 Appendix D Rest\n"},
		{"unnumbered between", []string{"## 1|A", "## 1.1|B", "## Note", "## 1.2|C"}, "0 T\n 2 1 A\n  3 1.1 B\n 2 Note\n 2 1.2 C\n"},
	} {
		text, blocks := doc(c.lines...)
		if got := tree(Build("T", text, blocks)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestSpansAndPaths(t *testing.T) {
	text, blocks := doc("Before.", "# 7|Term", "Own text.", "## 7.2|Notice", "In writing.", "# End")
	s := Build("Lease", text, blocks)
	want := []struct{ span, body string }{
		{text, "Before.\n\n"},
		{"# 7|Term\n\nOwn text.\n\n## 7.2|Notice\n\nIn writing.\n\n", "# 7|Term\n\nOwn text.\n\n"},
		{"## 7.2|Notice\n\nIn writing.\n\n", "## 7.2|Notice\n\nIn writing.\n\n"},
		{"# End\n\n", "# End\n\n"},
	}
	for i, w := range want {
		if got := s[i].Span.Of(text); got != w.span {
			t.Errorf("section %d spans %q, want %q", i, got, w.span)
		}
		if got := s[i].Body.Of(text); got != w.body {
			t.Errorf("section %d has body %q, want %q", i, got, w.body)
		}
	}
	if got := s[2].Path; !reflect.DeepEqual(got, []string{"7 Term", "7.2 Notice"}) {
		t.Errorf("path %q", got)
	}
	if len(s[0].Path) != 0 || s[0].Heading != "Lease" || s[0].Parent != -1 {
		t.Errorf("section 0 is %+v", s[0])
	}
}

func TestDescriptions(t *testing.T) {
	long := strings.Repeat("word ", 60) + "end."
	text, blocks := doc("# Lease", "## Term", "- twelve **months**. Renewed.", "## Code", "```x```", "## Long", long,
		"## Parts", "### One", "### Two", "## Both", "```x```", "See [the list](a.html). More.")
	got := map[string]string{}
	for _, s := range Build("Lease", text, blocks) {
		got[s.Heading] += s.Description + "/"
	}
	for heading, want := range map[string]string{
		"Lease": "Term; Code; Long; Parts; Both/Term; Code; Long; Parts; Both/",
		"Term":  "twelve months./", "Code": "/", "Parts": "One; Two/", "Both": "See the list./",
	} {
		if got[heading] != want {
			t.Errorf("%s is described %q, want %q", heading, got[heading], want)
		}
	}
	if d := strings.TrimSuffix(got["Long"], "/"); utf8.RuneCountInString(d) > 160 || !strings.HasSuffix(d, "word…") {
		t.Errorf("long description %q", d)
	}
	text, blocks = doc("# A", strings.Repeat("é", 300))
	if d := Build("", text, blocks)[1].Description; utf8.RuneCountInString(d) != 160 || !utf8.ValidString(d) {
		t.Errorf("description %q", d)
	}
}

// check reports what is wrong with sections of text.
func check(text string, s []document.Section) error {
	at := 0
	for i, x := range s {
		switch {
		case x.Body.From != at || x.Body.To < x.Body.From:
			return fmt.Errorf("section %d: body %v does not follow %d", i, x.Body, at)
		case x.Span.From != x.Body.From || !x.Span.Contains(x.Body):
			return fmt.Errorf("section %d: span %v, body %v", i, x.Span, x.Body)
		case strings.Contains(x.Description, "\n") || utf8.RuneCountInString(x.Description) > 160:
			return fmt.Errorf("section %d: description %q", i, x.Description)
		}
		at = x.Body.To
		if i == 0 {
			continue
		}
		p := s[x.Parent]
		if x.Parent >= i || p.Level >= x.Level || !p.Span.Contains(x.Span) || len(p.Path)+1 != len(x.Path) {
			return fmt.Errorf("section %d: parent %d", i, x.Parent)
		}
	}
	if at != len(text) {
		return fmt.Errorf("bodies end at %d of %d", at, len(text))
	}
	return nil
}

func randomDoc(r *rand.Rand, n int) (string, []extract.Block) {
	lines := []string{"Text before."}
	for range n {
		var parts []string
		for range r.IntN(9) {
			parts = append(parts, fmt.Sprint(1+r.IntN(3)))
		}
		lines = append(lines, strings.Repeat("#", 1+r.IntN(6))+" "+strings.Join(parts, ".")+"|Heading")
		if r.IntN(2) == 0 {
			lines = append(lines, "Some text here. And more.")
		}
	}
	return doc(lines...)
}

func FuzzBuild(f *testing.F) {
	f.Add(uint64(1), uint64(30))
	f.Fuzz(func(t *testing.T, seed, n uint64) {
		text, blocks := randomDoc(rand.New(rand.NewPCG(seed, 0)), int(n%200))
		if err := check(text, Build("T", text, blocks)); err != nil {
			t.Fatal(err)
		}
	})
}

// A file of nothing but headings, each deeper than the one before, must not take
// quadratic time; nor must a hundred thousand equal ones.
func BenchmarkBuild(b *testing.B) {
	text, blocks := randomDoc(rand.New(rand.NewPCG(1, 1)), 50000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Build("T", text, blocks)
	}
}
