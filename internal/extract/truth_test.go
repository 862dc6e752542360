package extract

import (
	"fmt"
	"strings"
	"testing"
)

// truth is a document of about twelve pages whose content is known: five levels
// of headings with automatic numbers, clauses, footnotes, and a table of two
// pages with merged headers and units. Each format writes it in its own way.
type truth struct{ parts []truthPart }

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

// truthHeader is what the two merged header rows say of each column.
var truthHeader = []string{"Region", "Plan", "2026 / Q1", "2026 / Q2"}

// outline is the truth as outlineOf writes blocks. noted is whether the format
// has footnotes, title whether it has a title of its own in the text.
func (d truth) outline(title bool) string {
	var b strings.Builder
	row := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }
	if title {
		fmt.Fprintf(&b, "heading 1 %q\n", truthTitle)
	}
	notes := 0
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, "heading %d %q №%s\n", p.level, p.text, p.number)
		case "clause":
			fmt.Fprintf(&b, "paragraph [%s %s] №%s\n", p.number, p.text, p.number)
		case "text":
			if p.note == "" {
				fmt.Fprintf(&b, "paragraph [%s]\n", p.text)
				continue
			}
			notes++
			fmt.Fprintf(&b, "paragraph [%s[^%d]]\nparagraph [[^%d]: %s]\n", p.text, notes, notes, p.note)
		case "table":
			fmt.Fprintf(&b, "paragraph [%s]\ntable head[%s]", p.text, row(truthHeader))
			for _, r := range p.rows {
				fmt.Fprintf(&b, " row[%s]", row(r))
			}
			fmt.Fprintf(&b, " caption[%s]\n", p.text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// checkTruth compares block by block, so that a failure shows the first
// difference and not two documents.
func checkTruth(t *testing.T, name string, data []byte, want string) {
	t.Helper()
	x, err := Extract(name, data)
	if err != nil {
		t.Fatal(err)
	}
	checkBlocks(t, x)
	if x.Title != truthTitle {
		t.Errorf("title %q", x.Title)
	}
	got, wanted := strings.Split(outlineOf(x), "\n"), strings.Split(want, "\n")
	for i := range min(len(got), len(wanted)) {
		if got[i] != wanted[i] {
			t.Fatalf("block %d of %d:\ngot  %.400s\nwant %.400s", i, len(wanted), got[i], wanted[i])
		}
	}
	if len(got) != len(wanted) {
		t.Errorf("%d blocks, want %d", len(got), len(wanted))
	}
}

// TestDocxTruth: headings, numbers, cells and order equal the truth.
func TestDocxTruth(t *testing.T) {
	d := newTruth()
	data, notes := d.docx()
	checkTruth(t, "terms.docx", officeZip(
		"[Content_Types].xml", typesOf("wordprocessingml.document"), "_rels/.rels", relations("officeDocument", "word/document.xml"),
		"word/_rels/document.xml.rels", relations("styles", "s.xml", "numbering", "n.xml", "footnotes", "f.xml", "header", "h.xml", "footer", "h.xml"),
		"word/document.xml", data, "word/f.xml", notes,
		"word/h.xml", `<w:hdr `+wordSpace+`>`+para("", "Page header")+`</w:hdr>`,
		"word/s.xml", truthStyles(), "word/n.xml", truthNumbering()), d.outline(true))
}

func (d truth) docx() (document, footnotes string) {
	var b, f strings.Builder
	b.WriteString(`<w:document ` + wordSpace + `><w:body>` + para(styled("Title"), truthTitle))
	f.WriteString(`<w:footnotes ` + wordSpace + `>`)
	notes := 0
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			b.WriteString(para(styled(fmt.Sprintf("Heading%d", p.level)), p.text))
		case "clause":
			b.WriteString(para(numbered("1", "5"), p.text))
		case "text":
			runs := run("", p.text)
			if p.note != "" {
				notes++
				runs += fmt.Sprintf(`<w:r><w:footnoteReference w:id="%d"/></w:r>`, notes)
				fmt.Fprintf(&f, `<w:footnote w:id="%d">%s</w:footnote>`, notes, para("", p.note))
			}
			b.WriteString(para("", runs))
		case "table":
			b.WriteString(para(styled("Caption"), p.text) + docxTable(p.rows))
		}
	}
	return b.String() + `<w:sectPr><w:cols w:num="2"/></w:sectPr></w:body></w:document>`, f.String() + `</w:footnotes>`
}

func docxTable(rows [][]string) string {
	tc := func(tcPr, text string) string {
		return `<w:tc><w:tcPr>` + tcPr + `</w:tcPr>` + para("", text) + `</w:tc>`
	}
	down, on, wide := `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`, `<w:gridSpan w:val="2"/>`
	var b strings.Builder
	b.WriteString(`<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>` + tc(down, "Region") + tc(down, "Plan") + tc(wide, "2026") + `</w:tr>`)
	b.WriteString(`<w:tr><w:trPr><w:tblHeader/></w:trPr>` + tc(on, "") + tc(on, "") + tc("", "Q1") + tc("", "Q2") + `</w:tr>`)
	for i, r := range rows {
		region := tc(on, "")
		if i%4 == 0 {
			region = tc(down, r[0])
		}
		b.WriteString(`<w:tr>` + region + tc("", r[1]) + tc("", r[2]) + tc("", r[3]) + `</w:tr>`)
	}
	return b.String() + `</w:tbl>`
}

func truthStyles() string {
	var b strings.Builder
	b.WriteString(`<w:styles ` + wordSpace + `><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>`)
	for i := 1; i <= 5; i++ {
		fmt.Fprintf(&b, `<w:style w:type="paragraph" w:styleId="Heading%d"><w:name w:val="heading %d"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`, i, i)
	}
	return b.String() + `</w:styles>`
}

func truthNumbering() string {
	var b strings.Builder
	b.WriteString(`<w:numbering ` + wordSpace + `><w:abstractNum w:abstractNumId="1">`)
	text := ""
	for i := range 5 {
		text = strings.TrimPrefix(text+fmt.Sprintf(".%%%d", i+1), ".")
		fmt.Fprintf(&b, `<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading%d"/><w:lvlText w:val="%s"/></w:lvl>`, i, i+1, text)
	}
	return b.String() + `<w:lvl w:ilvl="5"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%6)"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
}
