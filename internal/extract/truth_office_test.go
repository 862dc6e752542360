package extract

import (
	"fmt"
	"strings"
)

// docx numbers its headings and clauses by its styles; the pages have two columns, a
// header and a footer.
func (d truth) docx() []byte {
	body, notes := d.docxParts()
	return officeZip(
		"[Content_Types].xml", typesOf("wordprocessingml.document"), "_rels/.rels", relations("officeDocument", "word/document.xml"),
		"word/_rels/document.xml.rels", relations("styles", "s.xml", "numbering", "n.xml", "footnotes", "f.xml", "header", "h.xml", "footer", "h.xml"),
		"word/document.xml", body, "word/f.xml", notes, "word/h.xml", `<w:hdr `+wordSpace+`>`+para("", truthFrame)+`</w:hdr>`,
		"word/s.xml", truthStyles(), "word/n.xml", truthNumbering())
}

func (d truth) docxParts() (document, footnotes string) {
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

// odt numbers its headings by the outline and its clauses by a list.
func (d truth) odt() []byte {
	b := strings.Builder{}
	b.WriteString(odfPara("P1", truthTitle))
	notes := 0
	for i, p := range d.parts {
		switch p.kind {
		case "heading":
			b.WriteString(odfHeading(p.level, p.text))
		case "clause": // one list of letters, below levels that nothing stands on
			if p.number == "(a)" {
				b.WriteString(`<text:list text:style-name="L3"><text:list-item><text:list><text:list-item><text:list>`)
			}
			b.WriteString(`<text:list-item>` + odfPara("", p.text) + `</text:list-item>`)
			if i+1 == len(d.parts) || d.parts[i+1].kind != "clause" {
				b.WriteString(`</text:list></text:list-item></text:list></text:list-item></text:list>`)
			}
		case "text":
			text := p.text
			if p.note != "" {
				notes++
				text += fmt.Sprintf(`<text:note><text:note-citation>%d</text:note-citation><text:note-body>%s</text:note-body></text:note>`, notes, odfPara("", p.note))
			}
			b.WriteString(odfPara("", text))
		case "table":
			b.WriteString(odfPara("", p.text) + odfTruthTable(p.rows))
		}
	}
	return openDocument("text", b.String())
}

func odfTruthTable(rows [][]string) string {
	cell := func(attrs, text string) string {
		return `<table:table-cell ` + attrs + `>` + odfPara("", text) + `</table:table-cell>`
	}
	const float = `office:value-type="float"`
	two, covered := `table:number-rows-spanned="2"`, `<table:covered-table-cell/>`
	b := `<table:table><table:table-header-rows><table:table-row>` + cell(two, "Region") + cell(two, "Plan") + cell(`table:number-columns-spanned="2"`, "2026") + covered + `</table:table-row>` +
		`<table:table-row>` + covered + covered + cell("", "Q1") + cell("", "Q2") + `</table:table-row></table:table-header-rows>`
	for i, r := range rows {
		region := covered
		if i%4 == 0 {
			region = cell(`table:number-rows-spanned="4"`, r[0])
		}
		b += `<table:table-row>` + region + cell("", r[1]) + cell(float, r[2]) + cell(float, r[3]) + `</table:table-row>`
	}
	return b + `</table:table>`
}

// rtf writes the numbers that Word would show beside each heading.
func (d truth) rtf() []byte {
	var b strings.Builder
	b.WriteString(`{\rtf1\ansi\cols2{\header ` + truthFrame + `}{\footer ` + truthFrame + `}{\stylesheet{\s9 Title;}`)
	for i := 1; i <= 5; i++ {
		fmt.Fprintf(&b, `{\s%d heading %d;}`, i, i)
	}
	b.WriteString(`}\pard\s9 ` + truthTitle + `\par`)
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, `\pard\s%d{\listtext %s\tab}%s\par`, p.level, p.number, p.text)
		case "clause": // a letter alone is a list
			fmt.Fprintf(&b, `\pard %s %s\par`, p.number, p.text)
		case "text":
			b.WriteString(`\pard ` + p.text)
			if p.note != "" {
				b.WriteString(`{\footnote\pard ` + p.note + `}`)
			}
			b.WriteString(`\par`)
		case "table":
			b.WriteString(`\pard ` + p.text + `\par\trowd\trhdr\clvmgf\cellx1\clvmgf\cellx2\clmgf\cellx3\clmrg\cellx4\pard\intbl Region\cell Plan\cell 2026\cell\cell\row` +
				`\trowd\trhdr\clvmrg\cellx1\clvmrg\cellx2\cellx3\cellx4\pard\intbl\cell\cell Q1\cell Q2\cell\row`)
			for i, r := range p.rows {
				merge, region := `\clvmrg`, ""
				if i%4 == 0 {
					merge, region = `\clvmgf`, r[0]
				}
				fmt.Fprintf(&b, `\trowd%s\cellx1\cellx2\cellx3\cellx4\pard\intbl %s\cell %s\cell %s\cell %s\cell\row`, merge, region, r[1], r[2], r[3])
			}
		}
	}
	return []byte(b.String() + `}`)
}
