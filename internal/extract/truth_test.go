package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/grid"
)

// truth is a document of about twelve pages whose content is known: five levels
// of headings with automatic numbers, clauses, footnotes, and a table of two
// pages with merged headers and units. Each format writes it in its own way.
type truth struct {
	parts []truthPart
	noted int // notes of the document before these parts
}

type truthPart struct {
	kind  string // "heading", "clause", "text", "table"
	level int    // of a heading
	// number is what the reader sees; the file holds no such text.
	number string
	text   string
	note   string // the footnote that the text refers to at its end
	rows   [][]string
}

const truthTitle = "Terms of Supply"

func newTruth() truth {
	var d truth
	add := func(p truthPart) { d.parts = append(d.parts, p) }
	lorem := strings.Repeat("The supplier delivers within thirty days of the order and tells delays at once. ", 4)
	var chapter func(level int, number string)
	chapter = func(level int, number string) {
		add(truthPart{kind: "heading", level: level, number: number, text: fmt.Sprintf("Part %s of the terms", strings.ReplaceAll(number, ".", "-"))})
		p := truthPart{kind: "text", text: fmt.Sprintf("Text of %s. %s", strings.ReplaceAll(number, ".", "-"), strings.TrimSpace(lorem))}
		if level == 2 {
			p.note = "Without value added tax, see part " + strings.ReplaceAll(number, ".", "-") + "."
		}
		add(p)
		if level == 5 {
			for _, letter := range "abc" {
				add(truthPart{kind: "clause", number: fmt.Sprintf("(%c)", letter), text: fmt.Sprintf("Case %c counts as a delay.", letter)})
			}
			return
		}
		if level == 1 && number == "2" {
			add(truthPart{kind: "table", text: "Table 1: Fees in EUR thousand", rows: truthRows()})
		}
		for n := 1; n <= max(1, 3-level); n++ {
			chapter(level+1, fmt.Sprintf("%s.%d", number, n))
		}
	}
	for n := 1; n <= 5; n++ {
		chapter(1, fmt.Sprint(n))
	}
	return d
}

// truthRows are the body rows; "Region" is merged over four rows at a time.
func truthRows() [][]string {
	var rows [][]string
	for i := range 80 {
		rows = append(rows, []string{fmt.Sprintf("Region %d", i/4+1), fmt.Sprintf("Plan %d", i+1), fmt.Sprintf("%d.50", 10+i), fmt.Sprintf("%d.75", 20+i)})
	}
	return rows
}

// truthFrame stands in the header and footer of every page where a format has them,
// and must not be read.
const truthFrame = "Confidential, page 7"

// facts is the truth in the order of reading, a line for each heading, clause, text,
// note, caption, row of a header and row, in the way that a format has them.
func (d truth) facts(f truthFormat) []string {
	var out, end []string
	for _, p := range d.parts {
		if f.only != "" && p.kind != f.only {
			continue
		}
		switch p.kind {
		case "heading":
			number := p.number
			if strings.Count(number, ".") >= f.numbered {
				number = ""
			}
			out = append(out, fmt.Sprintf("heading %d №%s %s", p.level+f.below, number, p.text))
		case "clause":
			out = append(out, "clause №"+p.number+" "+p.text)
		case "text":
			out = append(out, "text "+p.text)
			if p.note != "" && f.notesLast {
				end = append(end, "text "+p.note)
			} else if p.note != "" {
				out = append(out, "text "+p.note)
			}
		case "table":
			if !f.uncaptioned {
				out = append(out, "text "+p.text, "caption "+p.text)
			}
			for _, h := range f.header {
				out = append(out, "header "+h)
			}
			for i, r := range p.rows {
				cells := slices.Clone(r)
				if f.mergedOnce && i%4 != 0 {
					cells[0] = ""
				}
				out = append(out, "row "+strings.Join(cells, "|"))
			}
		}
	}
	if f.spoken != "" {
		end = append(end, "text "+f.spoken)
	}
	return append(out, end...)
}

// truthFormat is what a format's nature makes of the truth.
type truthFormat struct {
	name  string // of the file
	write func(truth) []byte
	// The rest is what differs. A format without any has the title as a heading or
	// apart, numbers down to the fifth level, notes where they are referred to, and
	// tables whose merged cells stand in each row and whose header is one row.
	only       string   // "table": it holds nothing else
	below      int      // levels that its headings stand below the document's title
	numbered   int      // levels that have numbers
	notesLast  bool     // notes stand at the end
	header     []string // rows
	mergedOnce bool     // what is merged stands in its first row
	// uncaptioned: a table has no caption.
	uncaptioned bool
	spoken      string // speaker notes, at the end
	// plain takes the marks of a text that keeps its own from a line, cells from a row.
	plain func(string) string
	cells func(string) []string
}

var merged = []string{"Region|Plan|2026 / Q1|2026 / Q2"}

// truthFormats: numbers that a reader sees and the file does not hold are found in DOCX,
// ODT, AsciiDoc, reStructuredText and LaTeX; in the others they are typed.
var truthFormats = []truthFormat{
	{name: "terms.docx", write: truth.docx, numbered: 5, header: merged},
	{name: "terms.odt", write: truth.odt, numbered: 5, header: merged},
	{name: "terms.rtf", write: truth.rtf, numbered: 5, header: merged},
	{name: "terms.pdf", write: truth.pdf, numbered: 5, header: merged},
	{name: "terms.html", write: truth.html, below: 1, numbered: 5, header: merged, notesLast: true},
	{name: "terms.epub", write: truth.epub, numbered: 5, header: merged, notesLast: true},
	// Markdown has no merged cells; its writer repeats them.
	{name: "terms.md", write: truth.markdown, below: 1, numbered: 5, header: merged},
	{name: "terms.adoc", write: truth.asciidoc, below: 1, numbered: 5, header: merged, mergedOnce: true, plain: plainAdocTruth, cells: adocTruthCells},
	{name: "terms.rst", write: truth.rst, below: 1, numbered: 5, header: []string{"Region|Plan|2026", "||Q1|Q2"}, mergedOnce: true, plain: plainRSTTruth},
	{name: "terms.tex", write: truth.latex, numbered: 5, header: []string{"Region|Plan|2026|", "||Q1|Q2"}, mergedOnce: true, plain: plainLaTeXTruth, cells: latexTruthCells},
	{name: "terms.xlsx", write: truth.xlsx, only: "table", header: merged},
	{name: "terms.ods", write: truth.ods, only: "table", header: merged},
	// A slide has one level of headings; the table fills one.
	{name: "terms.pptx", write: truth.pptx, only: "table", header: merged, spoken: "Mention the rebate."},
	{name: "terms.odp", write: truth.odp, only: "table", header: merged},
	// CSV has neither merged cells nor a caption.
	{name: "terms.csv", write: truth.csv, only: "table", header: merged, uncaptioned: true},
}

// TestTruth: headings with their numbers, clauses, notes, cells and the order of
// reading equal the truth, in every format.
func TestTruth(t *testing.T) {
	d := newTruth()
	for _, f := range truthFormats {
		t.Run(f.name, func(t *testing.T) {
			x, err := Extract(f.name, f.write(d))
			if err != nil {
				t.Fatal(err)
			}
			checkBlocks(t, x)
			if f.only == "" && x.Title != truthTitle {
				t.Errorf("title %q", x.Title)
			}
			got, want := factsOf(x, f), d.facts(f)
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("fact %d of %d:\ngot  %.300s\nwant %.300s", i, len(want), got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d facts, want %d: %.300q", len(got), len(want), append(got, want...)[min(len(got), len(want))])
			}
		})
	}
}

// noteMark is where a note is referred to, and what begins it.
var noteMark = regexp.MustCompile(`\[\^?\d+\](?:\(#[^)]*\))?:?`)

var listMark = regexp.MustCompile(`^(?:[-*]|\d+\.) `)

// factsOf are those that were extracted.
func factsOf(x Extracted, f truthFormat) []string {
	plain, cells := f.plain, f.cells
	if plain == nil {
		plain = func(s string) string { return s }
	}
	if cells == nil {
		cells = grid.Cells
	}
	var out []string
	words := func(number, s string) {
		for _, s := range strings.Split(plain(s), "\n") {
			s = strings.TrimSpace(noteMark.ReplaceAllString(s, ""))
			switch {
			case s == "":
			case number != "":
				out = append(out, "clause №"+number+" "+strings.TrimSpace(strings.TrimPrefix(s, number)))
			default:
				out = append(out, "text "+s)
			}
		}
	}
	for _, b := range x.Blocks {
		switch b.Kind {
		case Heading:
			if b.Text != truthTitle && f.only == "" {
				out = append(out, fmt.Sprintf("heading %d №%s %s", b.Level, b.Number, b.Text))
			}
		case List:
			for _, item := range b.Items {
				s := listMark.ReplaceAllString(item.Of(x.Text), "")
				words(clauseNumber(s), s)
			}
		case Table:
			if b.Caption != "" {
				out = append(out, "caption "+b.Caption)
			}
			for _, s := range b.Header {
				out = append(out, "header "+strings.Join(cells(s.Of(x.Text)), "|"))
			}
			for _, s := range b.Rows {
				out = append(out, "row "+strings.Join(cells(s.Of(x.Text)), "|"))
			}
		default:
			words(b.Number, b.Span.Of(x.Text))
		}
	}
	return out
}
