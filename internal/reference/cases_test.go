package reference

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// found is what Find gives for a file, with its text and sections.
func found(t testing.TB, path, text string) (extract.Extracted, []document.Section, document.Findings) {
	t.Helper()
	x, err := extract.Extract(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	sections := outline.Build(x.Title, x.Text, x.Blocks)
	return x, sections, Find(path, x, sections)
}

// describe writes one kind of findings, one a line.
func describe(kind, text string, f document.Findings) string {
	var b strings.Builder
	switch kind {
	case "labels":
		for _, l := range f.Labels {
			fmt.Fprintf(&b, "%s: %s\n", l.Name, line(l.Span.Of(text)))
		}
	case "definitions", "abbreviations":
		for _, d := range f.Definitions {
			if (d.Kind == document.OfAbbreviation) == (kind == "abbreviations") {
				fmt.Fprintf(&b, "%s = %s\n", d.Term, line(d.Meaning.Of(text)))
			}
		}
	default:
		for _, r := range f.References {
			fmt.Fprintf(&b, "%s %q", r.Kind, line(r.Span.Of(text)))
			if r.Document != "" {
				fmt.Fprintf(&b, " of %q", r.Document)
			}
			if r.Place != "" {
				fmt.Fprintf(&b, " at %q", r.Place)
			}
			if r.Tentative {
				b.WriteString(" perhaps")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestFind: testdata holds a file for each kind of findings. A case is what it shows,
// behind "=== ", a document, "----", and what is found.
func TestFind(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		kind := strings.TrimSuffix(filepath.Base(file), ".txt")
		if kind == "resolve" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var again strings.Builder
		for _, c := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			name, body, _ := strings.Cut(c, "\n")
			text, want, ok := strings.Cut("\n"+body+"\n", "\n----\n")
			if text = strings.TrimPrefix(text, "\n") + "\n"; !ok {
				t.Fatalf("%s: %s has no line ----", file, name)
			}
			x, sections, f := found(t, "docs/page.md", text)
			check(t, x.Text, sections, f)
			got := describe(kind, x.Text, f)
			if want = strings.TrimRight(want, "\n") + "\n"; want == "\n" {
				want = ""
			}
			if got != want {
				t.Errorf("%s: %s:\n%swant\n%s", kind, name, got, want)
			}
			fmt.Fprintf(&again, "=== %s\n%s----\n%s\n", name, text, got)
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(again.String(), "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// check holds what is true of all findings.
func check(t testing.TB, text string, sections []document.Section, f document.Findings) {
	t.Helper()
	last := 0
	holds := func(what string, s document.Span, section int, order bool) {
		t.Helper()
		switch {
		case s.From < 0 || s.To > len(text) || s.From >= s.To:
			t.Errorf("%s at %v of %d bytes", what, s, len(text))
		case section < 0 || section >= len(sections) || !sections[section].Span.Contains(s):
			t.Errorf("%s %q is not in section %d", what, s.Of(text), section)
		case order && s.From < last:
			t.Errorf("%s %q is out of order", what, s.Of(text))
		}
		last = s.From
	}
	for _, r := range f.References {
		holds("a reference", r.Span, r.Section, true)
		if r.Document == "" && r.Place == "" || r.Document != Name(r.Document) && r.Kind != document.ToLink {
			t.Errorf("%q refers to %q, %q", r.Span.Of(text), r.Document, r.Place)
		}
	}
	last = 0
	for _, l := range f.Labels {
		holds("a label", l.Span, l.Section, true)
		if l.Name == "" || l.Name != strings.ToLower(l.Name) {
			t.Errorf("a label is %q", l.Name)
		}
	}
	last = 0
	for _, d := range f.Definitions {
		holds("a definition", d.Span, d.Section, true)
		if !d.Span.Contains(d.Meaning) || d.Meaning.Len() == 0 || d.Term == "" || len(d.Term) > 2*maxTerm {
			t.Errorf("%q is %q, %v", d.Term, d.Span.Of(text), d.Meaning)
		}
	}
}

func FuzzFind(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, s := range []string{"§ 1", "section \xff4", "[a][", "(", "``` `", "\"A\" means", "- (a) b\n(ii) c", "Part 2, Clause 1", "É (ÉÉ) ÉÉ (É", "sections 1, 2 and", "[[a](b)](c)", "RF-1 section"} {
		f.Add(s)
	}
	for _, s := range []string{".. _a:\n\nB\n=\n\n:ref:`a` :doc:`/c`", "= A\n\n[[b]]\n== C\n\n<<b,x>> xref:d.adoc#e[f]", "\\section{A}\\label{a}\n\\cref{a,b}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{"docs/page.md", "docs/page.rst", "docs/page.adoc", "docs/page.tex"} {
			x, err := extract.Extract(path, []byte(text))
			if err != nil {
				continue
			}
			sections := outline.Build(x.Title, x.Text, x.Blocks)
			check(t, x.Text, sections, Find(path, x, sections))
		}
	})
}

// TestLongLines: a text made to cost the most takes no more than another of its size.
func TestLongLines(t *testing.T) {
	const size = 64 << 10
	for _, piece := range []string{"Section 4 ", `"Fee" means x `, "(MEL) ", "a `b ", "` `` ``` ", "[a] ", "[a]: b ", "[", "[^1] ", "Fee Fee means x ", "RF-204 ", "the refund policy ", `(the "Fee") `,
		"MEL (Mean Equal Lists) ", "(a) b\n", "[a]: b\n", `"Fee" means x` + "\n", "sections 1, 2, ", "Part 2, Clause 1 of ", "<", "Table 1: a\n\n", "# 1 A\n\n", "§ ", "<<a>> ", "[[a]]\n", ":ref:`a <b>` ", ".. _a:\n\n", `\ref{a} `, "\\label{a}\n"} {
		text := strings.Repeat(piece, size/len(piece))
		for _, path := range []string{"a.md", "a.txt", "a.rst", "a.adoc", "a.tex"} {
			x, err := extract.Extract(path, []byte(text))
			if err != nil {
				continue
			}
			sections := outline.Build("", x.Text, x.Blocks)
			if took := testkit.Took(func() { Find(path, x, sections) }); took > 5*time.Second {
				t.Errorf("%q in %s takes %v", piece, path, took)
			}
		}
	}
}

// TestPageLinks: a page's own links are references, and their words are read no further.
func TestPageLinks(t *testing.T) {
	x, sections, f := found(t, "docs/page.html", `<html><body><main><h1>A</h1><p>As Section 1 says.</p><h1>B</h1><p>See <a href="../other.html#x">section 2 of RF-204</a>, <a href="leave">the Leave Policy</a>.</p></main></body></html>`)
	check(t, x.Text, sections, f)
	want := "place \"Section 1\" at \"section 1\"\nlink \"section 2 of RF-204\" of \"/other\" at \"#x\"\nlink \"the Leave Policy\" of \"/docs/leave\"\n"
	if got := describe("links", x.Text, f); got != want || f.References[1].Section != 2 {
		t.Errorf("%s want\n%s", got, want)
	}
}

// TestAsciiDoc: its headings look like the cases of testdata, so its places are tried here.
func TestAsciiDoc(t *testing.T) {
	x, sections, f := found(t, "docs/page.adoc", "= Manual\n\nSee <<limits>>, <<#limits,the limits>>, <<_open_points>>, xref:other.adoc#rates[rates], <<other.adoc#rates,rates>>, xref:../up.adoc[up].\n\n"+
		"[[limits]]\n== Limits of use\n\nTen a day.\n\n[#points]\n== Open points\n\nNone.\n\n----\n<<code>>\n[[code]]\n----\n")
	check(t, x.Text, sections, f)
	want := `link "<<limits>>" at "#limits"
link "<<#limits,the limits>>" at "#limits"
link "<<_open_points>>" at "#open-points"
link "xref:other.adoc#rates[rates]" of "/docs/other" at "#rates"
link "<<other.adoc#rates,rates>>" of "/docs/other" at "#rates"
link "xref:../up.adoc[up]" of "/up"
`
	if got := describe("links", x.Text, f); got != want {
		t.Errorf("%s want\n%s", got, want)
	}
	if got, want := describe("labels", x.Text, f), "#limits: == Limits of use Ten a day. [#points]\n#points: == Open points None. ---- <<code>> [[code]] ----\n"; got != want {
		t.Errorf("%s want\n%s", got, want)
	}
}
