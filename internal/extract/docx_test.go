package extract

import (
	"slices"
	"strings"
	"testing"
)

// TestDocx gives the Markdown that a document of Word becomes.
func TestDocx(t *testing.T) {
	r := func(s string) string { return run("", s) }
	for _, tt := range []struct{ what, in, want string }{
		{"headings by name, base and outline level", para(styled("Title"), "Terms") + para(styled("H4"), "A") + para(styled("Own"), "B") + para(styled("Level"), "C") +
			para(styled("H4")+`<w:outlineLvl w:val="9"/>`, "text") + para(styled("Ring"), "d") + para(`<w:outlineLvl w:val="0"/>`, "E"),
			"# Terms\n\n#### A\n\n#### B\n\n## C\n\ntext\n\nd\n\n# E"},
		{"clause numbers", para(styled("H1"), "Scope") + para(styled("H1"), "Term") + para(styled("H2"), "End") + para(styled("H2"), "Notice") +
			para(numbered("1", "2"), "It is written.") + para(numbered("1", "3"), "by letter;") + para(numbered("1", "3"), "by mail:") + para(numbered("1", "4"), "signed;") +
			para(numbered("1", "4"), "sealed.") + para(styled("H2"), "Next") + para(numbered("1", "3"), "again.") + para(styled("H1"), "Last"),
			"# 1 Scope\n\n# 2 Term\n\n## 2.1 End\n\n## 2.2 Notice\n\n2.2.1 It is written.\n\n(a) by letter;\n\n(b) by mail:\n\n(b)(i) signed;\n\n(b)(ii) sealed.\n\n## 2.3 Next\n\n(a) again.\n\n# 3 Last"},
		{"a level left out counts", para(styled("H1"), "A") + para(styled("H3"), "B") + para(styled("H2"), "C"), "# 1 A\n\n### 1.1.1 B\n\n## 1.2 C"},
		{"a level that never begins anew", para(styled("H1"), "A") + para(numbered("1", "5"), "Fees.") + para(styled("H1"), "B") + para(numbered("1", "5"), "Rates."),
			"# 1 A\n\nSchedule A Fees.\n\n# 2 B\n\nSchedule B Rates."},
		{"legal figures", para(numbered("5", "0"), "One.") + para(numbered("5", "0"), "Two.") + para(numbered("5", "1"), "Sub."), "Article I. One.\n\nArticle II. Two.\n\n2.1 Sub."},
		{"number taken away", para(styled("H1")+`<w:numPr><w:numId w:val="0"/></w:numPr>`, "Preface") + para(styled("H1"), "Scope"), "# Preface\n\n# 1 Scope"},
		{"lists", para(numbered("3", "0"), "one") + para(numbered("3", "1"), "inner") + para(numbered("3", "1"), "more") + para(numbered("3", "0"), "two") + para("", "text") +
			para(numbered("3", "0"), "three") + para(numbered("4", "0"), "anew") + para(numbered("4", "0"), "on") + para("", "x") + para(numbered("2", "0"), "bullet") + para(numbered("2", "1"), "below"),
			"1. one\n   - a) inner\n   - b) more\n2. two\n\ntext\n\n3. three\n5. anew\n6. on\n\nx\n\n- bullet\n  - below"},
		{"changes as accepted", para("", r("a ")+`<w:ins>`+r("new ")+`</w:ins><w:del><w:r><w:delText>old </w:delText></w:r></w:del><w:moveFrom>`+r("from ")+`</w:moveFrom><w:moveTo>`+r("to")+`</w:moveTo>`) +
			`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + r("joined ") + `</w:p>` + para("", "up"), "a new to\n\njoined up"},
		{"hidden text", para("", r("seen ")+run("<w:vanish/>", "hidden ")+run(`<w:vanish w:val="0"/>`, "seen")) + para(styled("Secret"), "hidden") + para(styled("Secret"), run(`<w:vanish w:val="false"/>`, "shown")), "seen seen\n\nshown"},
		{"footnotes and endnotes", para("", r("Due in 30 days")+`<w:r><w:footnoteReference w:id="1"/></w:r>`+r(" net")+`<w:r><w:footnoteReference w:id="2"/></w:r>`+r(".")+`<w:r><w:endnoteReference w:id="1"/></w:r>`) + para("", "Next."),
			"Due in 30 days[^1] net[^2].[^i]\n\n[^1]: Of the invoice.\n\n[^2]: Without tax.\n\nRounded.\n\n[^i]: See the act.\n\nNext."},
		{"fields show results", para("", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>`+r("code")+`<w:r><w:fldChar w:fldCharType="separate"/></w:r>`+r("clause 7")+`<w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="DATE">`+r(" today")+`</w:fldSimple>`), "clause 7 today"},
		{"links, symbols, breaks, exponents", para("", `<w:hyperlink r:id="rId6">`+r("there")+`</w:hyperlink><w:hyperlink w:anchor="x">`+r(" here")+`</w:hyperlink><w:r><w:tab/><w:sym w:font="Symbol" w:char="F0B3"/><w:t>3 m</w:t></w:r>`+run(`<w:vertAlign w:val="superscript"/>`, "2")+`<w:r><w:br/><w:t>pre</w:t><w:noBreakHyphen/><w:t>paid</w:t></w:r>`),
			"[there](https://x.example/a) here ≥3 m^2\npre-paid"},
		{"alternative text and text boxes", para("", r("before")+`<w:r><w:drawing><wp:inline><wp:docPr descr="A red lamp"/></wp:inline></w:drawing></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>`+para("", "In the box")+`</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>`+para("", "In the box")+`</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`) + para("", "after"),
			"before A red lamp\n\nIn the box\n\nafter"},
		{"content controls", `<w:sdt><w:sdtContent>` + para("", r("a ")+`<w:sdt><w:sdtContent>`+r("b")+`</w:sdtContent></w:sdt>`) + `</w:sdtContent></w:sdt>`, "a b"},
		{"code", para(styled("Code"), "if x {") + para(styled("Code"), "  y") + para(styled("Code"), "}") + para("", "text"), "```\nif x {\n  y\n}\n```\n\ntext"},
		{"a table of contents is left out", para(styled("TOC1"), "1 Scope 3") + para(styled("H1"), "Scope"), "# 1 Scope"},
		{"a formula", para("", `<m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>`), "E=mc^2(a+b)/2"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkText(t, "a.docx", wordDocument(tt.in), tt.want) })
	}
}

func TestDocxTables(t *testing.T) {
	tc := func(tcPr, text string) string {
		return `<w:tc><w:tcPr>` + tcPr + `</w:tcPr>` + para("", text) + `</w:tc>`
	}
	tr := func(trPr string, cells ...string) string {
		return `<w:tr><w:trPr>` + trPr + `</w:trPr>` + strings.Join(cells, "") + `</w:tr>`
	}
	table := func(tblPr string, rows ...string) string {
		return `<w:tbl><w:tblPr>` + tblPr + `</w:tblPr>` + strings.Join(rows, "") + `</w:tbl>`
	}
	span, down, on := `<w:gridSpan w:val="2"/>`, `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`
	look := `<w:tblLook w:firstRow="1"/>`
	for _, tt := range []struct{ what, in, want string }{
		{"merged header rows, merged cells, caption", para(styled("Caption"), "Table 3: Limits in MB") + table("",
			tr(`<w:tblHeader/>`, tc(down, "Plan"), tc(span, "2026")), tr(`<w:tblHeader/>`, tc(on, ""), tc("", "Q1"), tc("", "Q2")),
			tr("", tc(down, "Team"), tc("", "40"), tc("", "41")), tr("", tc(on, ""), tc("", "50"), tc("", "51"))),
			"Table 3: Limits in MB\n\n| Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | --- |\n| Team | 40 | 41 |\n| Team | 50 | 51 |"},
		{"a style that sets the first row apart", table(`<w:tblStyle w:val="Headed"/>`+look, tr("", tc("", "A"), tc("", "B")), tr("", tc("", "x"), tc("", "y"))), "| A | B |\n| --- | --- |\n| x | y |"},
		{"words over figures", table(look, tr("", tc("", "Plan"), tc("", "Size")), tr("", tc("", "x"), tc("", "4"))), "| Plan | Size |\n| --- | --- |\n| x | 4 |"},
		{"a bold first row", table("", tr("", tc("", run("<w:b/>", "A")), tc("", run("<w:b/>", "B"))), tr("", tc("", "x"), tc("", "y"))), "| A | B |\n| --- | --- |\n| x | y |"},
		{"no header is invented", table(`<w:tblStyle w:val="Plain"/>`+look, tr("", tc("", "a"), tc("", "b")), tr("", tc("", "x"), tc("", "y"))), "|  |  |\n| --- | --- |\n| a | b |\n| x | y |"},
		{"a row that starts late, a deleted row", table(look, tr("", tc("", "A"), tc("", "B")), tr(`<w:del/>`, tc("", "1"), tc("", "2")), tr(`<w:gridBefore w:val="1"/>`, tc("", "3"))), "| A | B |\n| --- | --- |\n|  | 3 |"},
		{"a note in a cell, a table in a cell", table(look, tr("", tc("", "A"), tc("", "B")), tr("", tc("", run("", "1")+`<w:r><w:footnoteReference w:id="1"/></w:r>`), `<w:tc>`+table("", tr("", tc("", "in"), tc("", "ner")))+para("", "")+`</w:tc>`)),
			"| A | B |\n| --- | --- |\n| 1[^1] | (in, ner) |\n\n[^1]: Of the invoice."},
		{"numbers in a cell", table(look, tr("", tc("", "A"), tc("", "B")), tr("", `<w:tc>`+para(numbered("3", "0"), "one")+para(numbered("3", "0"), "two")+`</w:tc>`, tc("", "2"))), "| A | B |\n| --- | --- |\n| 1. one; 2. two | 2 |"},
		{"a merge that began nowhere", table(look, tr("", tc("", "A"), tc("", "B")), tr("", tc(on, "1"), tc("", "2"))), "| A | B |\n| --- | --- |\n| 1 | 2 |"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkText(t, "a.docx", wordDocument(tt.in), tt.want) })
	}
}

// What is left out is said, and content decides what a document is.
func TestDocxSays(t *testing.T) {
	data := wordDocument(para(styled("TOC1"), "x")+para("", run("", "a")+run("<w:vanish/>", "h")+`<w:r><w:commentReference w:id="1"/></w:r>`),
		"word/header1.xml", `<w:hdr `+wordSpace+`>`+para("", "Confidential")+`</w:hdr>`,
		"docProps/core.xml", `<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Refund  Policy</dc:title></p>`)
	for _, name := range []string{"a.docx", "a.DOC", "a.bin", "a", "a.txt"} {
		x, err := Extract(name, data)
		want := []string{"Page headers and footers were left out.", "The table of contents was left out.", "Comments that were left out: 1.", "Runs of hidden text that were left out: 1."}
		if err != nil || x.Format != "docx" || x.Title != "Refund Policy" || !slices.Equal(x.Notes, want) || x.Text != "a\n" {
			t.Errorf("%s: %+v %v", name, x, err)
		}
	}
}
