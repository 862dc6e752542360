package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const odfSpace = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ` +
	`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" ` +
	`xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" ` +
	`xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`

// openDocument is a text, spreadsheet or presentation of a body.
func openDocument(kind, body string) []byte {
	return officeZip("mimetype", "application/vnd.oasis.opendocument."+kind,
		"content.xml", `<?xml version="1.0"?><office:document-content `+odfSpace+`><office:automatic-styles>`+odfStyles+`</office:automatic-styles><office:body><office:`+kind+`>`+body+`</office:`+kind+`></office:body></office:document-content>`,
		"styles.xml", `<office:document-styles `+odfSpace+`><office:styles><style:style style:name="Title" style:family="paragraph"/><text:outline-style>`+
			`<text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>`+
			`<text:outline-level-style text:level="3" style:num-format="1" text:display-levels="3"/><text:outline-level-style text:level="4" style:num-format="1" text:display-levels="4"/>`+
			`<text:outline-level-style text:level="5" style:num-format="1" text:display-levels="5"/></text:outline-style></office:styles></office:document-styles>`)
}

// odfStyles: L1 numbers, L2 bullets, L3 clauses, which are letters below numbers
// of two parts.
const odfStyles = `<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="Hid" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Sup" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="TH" style:family="paragraph" style:parent-style-name="Table_20_Heading"/>
<style:style style:name="Off" style:family="table"><style:table-properties table:display="false"/></style:style>
<style:style style:name="OffPage" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>
<style:style style:name="Ring" style:family="paragraph" style:parent-style-name="Ring"/>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>
<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>
<text:list-style style:name="L3"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/>
<text:list-level-style-number text:level="3" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>`

func odfPara(style, text string) string {
	return `<text:p text:style-name="` + style + `">` + text + `</text:p>`
}

func odfHeading(level int, text string) string {
	return fmt.Sprintf(`<text:h text:outline-level="%d">%s</text:h>`, level, text)
}

func odfList(style string, items ...string) string {
	return `<text:list text:style-name="` + style + `"><text:list-item>` + strings.Join(items, `</text:list-item><text:list-item>`) + `</text:list-item></text:list>`
}

func TestOdt(t *testing.T) {
	p := func(s string) string { return odfPara("", s) }
	note := `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>` + p("Without tax.") + `</text:note-body></text:note>`
	for _, tt := range []struct{ what, in, want string }{
		{"headings with the outline's numbers", odfPara("P1", "Terms") + odfHeading(1, "Scope") + odfHeading(2, "End") + odfHeading(2, "Next") + odfHeading(1, "Last") + odfPara("Ring", "x"),
			"# Terms\n\n# 1 Scope\n\n## 1.1 End\n\n## 1.2 Next\n\n# 2 Last\n\nx"},
		{"lists", odfList("L1", p("one")+`<text:list>`+`<text:list-item>`+p("inner")+`</text:list-item></text:list>`, p("two")+p("more")) + p("x") + odfList("L1", p("anew")) +
			strings.Replace(odfList("L1", p("on")), "<text:list ", `<text:list text:continue-numbering="true" `, 1) + p("y") + odfList("L2", p("a"), p("b")),
			"1. one\n   - a) inner\n\n2. two\n\n   more\n\nx\n\n1. anew\n2. on\n\ny\n\n- a\n- b"},
		{"clauses", odfList("L3", p("Term")+`<text:list><text:list-item>`+p("It ends:")+`<text:list><text:list-item>`+p("by letter;")+`</text:list-item><text:list-item>`+p("by mail.")+`</text:list-item></text:list></text:list-item></text:list>`),
			"1 Term\n\n1.1 It ends:\n\n(a) by letter;\n\n(b) by mail."},
		{"notes, links, hidden text, deleted text, white space", `<text:tracked-changes><text:changed-region><text:deletion>` + p("deleted") + `</text:deletion></text:changed-region></text:tracked-changes>` +
			p(`Due<text:s text:c="2"/>in <text:span text:style-name="B">30</text:span> days`+note+` <text:a xlink:href="https://x.example/a">there</text:a><text:span text:style-name="Hid">hidden</text:span><text:line-break/>m<text:span text:style-name="Sup">2</text:span>`) + p("Next."),
			"Due in 30 days[^1] [there](https://x.example/a)\nm^2\n\n[^1]: Without tax.\n\nNext."},
		{"tables", `<table:table><table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned="2">` + p("Plan") + `</table:table-cell><table:table-cell table:number-columns-spanned="2">` + p("2026") + `</table:table-cell><table:covered-table-cell/></table:table-row>` +
			`<table:table-row><table:covered-table-cell/><table:table-cell>` + p("Q1") + `</table:table-cell><table:table-cell>` + p("Q2") + `</table:table-cell></table:table-row></table:table-header-rows>` +
			`<table:table-row><table:table-cell>` + p("Team") + `</table:table-cell><table:table-cell table:number-columns-repeated="2">` + p("40") + `</table:table-cell></table:table-row></table:table>`,
			"| Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | --- |\n| Team | 40 | 40 |"},
		{"a header by its style", `<table:table><table:table-row><table:table-cell>` + odfPara("TH", "A") + `</table:table-cell><table:table-cell>` + odfPara("TH", "B") + `</table:table-cell></table:table-row><table:table-row><table:table-cell>` + p("x") + `</table:table-cell><table:table-cell>` + p("y") + `</table:table-cell></table:table-row></table:table>`,
			"| A | B |\n| --- | --- |\n| x | y |"},
		{"pictures and text boxes", p(`see <draw:frame><draw:image/><svg:desc>A red lamp</svg:desc></draw:frame><draw:frame><draw:text-box>`+p("In the box")+`</draw:text-box></draw:frame>`) + p("after"), "see A red lamp\n\nIn the box\n\nafter"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkText(t, "a.odt", openDocument("text", tt.in), tt.want) })
	}
}

func TestOds(t *testing.T) {
	cell := func(kind, text string) string {
		return `<table:table-cell office:value-type="` + kind + `">` + odfPara("", text) + `</table:table-cell>`
	}
	row := func(attrs string, cells ...string) string {
		return `<table:table-row ` + attrs + `>` + strings.Join(cells, "") + `</table:table-row>`
	}
	sheet := `<table:table table:name="Fees"><table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/><table:table-column/><table:table-header-rows>` +
		row("", cell("string", "Plan"), cell("string", "Size"), cell("string", "secret"), cell("string", "Fee")) + `</table:table-header-rows>` +
		row("", cell("string", "A"), cell("float", "40"), cell("float", "1"), cell("currency", "1.50 €")) +
		row(`table:visibility="collapse"`, cell("string", "secret"), cell("float", "1")) +
		row(`table:number-rows-repeated="2"`, cell("string", "B"), cell("percentage", "5 %"), `<table:table-cell/>`, cell("currency", "2 €")) +
		row(`table:number-rows-repeated="1048000"`, `<table:table-cell table:number-columns-repeated="16384"/>`) + `</table:table><table:table table:name="S2" table:style-name="Off">` + row("", cell("string", "secret")) + `</table:table>`
	x := checkText(t, "a.ods", openDocument("spreadsheet", sheet), "## Fees\n\n| Plan | Size | Fee |\n| --- | --- | --- |\n| A | 40 | 1.50 € |\n| B | 5 % | 2 € |\n| B | 5 % | 2 € |")
	if want := []string{"Hidden sheets that were left out: 1.", "Hidden rows that were left out: 1.", "Hidden columns that were left out: 1."}; !slices.Equal(x.Notes, want) {
		t.Errorf("notes %q", x.Notes)
	}
}

func TestOdp(t *testing.T) {
	frame := func(class string, y int, text string) string {
		return fmt.Sprintf(`<draw:frame presentation:class="%s" svg:x="1cm" svg:y="%dcm" svg:width="5cm" svg:height="1cm"><draw:text-box>%s</draw:text-box></draw:frame>`, class, y, odfPara("", text))
	}
	x := checkText(t, "a.odp", openDocument("presentation", `<draw:page>`+frame("", 8, "second")+frame("title", 1, "Fees")+`<draw:g>`+frame("", 3, "first")+`</draw:g>`+frame("page-number", 9, "1")+
		`<presentation:notes>`+frame("notes", 1, "Mention the rebate.")+`</presentation:notes></draw:page><draw:page draw:style-name="OffPage">`+frame("", 1, "secret")+`</draw:page><draw:page>`+frame("title", 1, "End")+`</draw:page>`),
		"## Slide 1: Fees\n\nfirst\n\nsecond\n\n### Speaker notes\n\nMention the rebate.\n\n## Slide 3: End")
	if x.Title != "Fees" || !slices.Equal(x.Notes, []string{"Hidden slides that were left out: 1."}) {
		t.Errorf("%q %q", x.Title, x.Notes)
	}
}
