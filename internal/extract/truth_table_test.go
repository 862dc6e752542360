package extract

import (
	"fmt"
	"strings"
)

// table is the one of the truth.
func (d truth) table() truthPart {
	for _, p := range d.parts {
		if p.kind == "table" {
			return p
		}
	}
	return truthPart{}
}

func (d truth) xlsx() []byte {
	p := d.table()
	lines, merges := []string{p.text, "Region|Plan|2026", "||Q1|Q2"}, `<mergeCell ref="A2:A3"/><mergeCell ref="B2:B3"/><mergeCell ref="C2:D2"/>`
	for i, r := range p.rows {
		region := ""
		if i%4 == 0 {
			region = r[0]
			merges += fmt.Sprintf(`<mergeCell ref="A%d:A%d"/>`, i+4, i+7)
		}
		lines = append(lines, fmt.Sprintf(`%s|%s|<c s="5"><v>%s</v></c>|<c s="5"><v>%s</v></c>`, region, r[1], r[2], r[3]))
	}
	return workbook(nil, cellsOf(strings.Join(lines, "\n"))+`<mergeCells>`+merges+`</mergeCells>`)
}

func (d truth) ods() []byte {
	p := d.table()
	return openDocument("spreadsheet", strings.Replace(odfTruthTable(p.rows), `<table:table>`, `<table:table table:name="Fees"><table:table-row><table:table-cell>`+odfPara("", p.text)+`</table:table-cell></table:table-row>`, 1))
}

func (d truth) odp() []byte {
	p := d.table()
	frame := func(class, y, content string) string {
		return `<draw:frame presentation:class="` + class + `" svg:x="1cm" svg:y="` + y + `" svg:width="5cm" svg:height="1cm">` + content + `</draw:frame>`
	}
	return openDocument("presentation", `<draw:page>`+frame("title", "1cm", `<draw:text-box>`+odfPara("", truthTitle)+`</draw:text-box>`)+
		frame("outline", "2cm", `<draw:text-box>`+odfPara("", p.text)+`</draw:text-box>`)+frame("", "3cm", odfTruthTable(p.rows))+`</draw:page>`)
}

func (d truth) pptx() []byte {
	p := d.table()
	cell := func(attrs, text string) string {
		return `<a:tc ` + attrs + `><a:txBody>` + textPara("", text) + `</a:txBody></a:tc>`
	}
	rows := `<a:tr>` + cell(`rowSpan="2"`, "Region") + cell(`rowSpan="2"`, "Plan") + cell(`gridSpan="2"`, "2026") + cell(`hMerge="1"`, "") + `</a:tr><a:tr>` +
		cell(`vMerge="1"`, "") + cell(`vMerge="1"`, "") + cell("", "Q1") + cell("", "Q2") + `</a:tr>`
	for i, r := range p.rows {
		region := cell(`vMerge="1"`, "")
		if i%4 == 0 {
			region = cell(`rowSpan="4"`, r[0])
		}
		rows += `<a:tr>` + region + cell("", r[1]) + cell("", r[2]) + cell("", r[3]) + `</a:tr>`
	}
	return presentation(slideShape("title", "", "0 0 100 50", textPara("", truthTitle)) + slideShape("", "", "0 60 100 80", textPara("", p.text)) +
		`<p:graphicFrame><p:xfrm><a:off x="0" y="100"/><a:ext cx="100" cy="500"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>` + rows + `</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`)
}

// csv repeats what is merged, in a header of one row.
func (d truth) csv() []byte {
	var b strings.Builder
	b.WriteString("Region;Plan;2026 / Q1;2026 / Q2\n")
	for _, r := range d.table().rows {
		b.WriteString(strings.Join(r, ";") + "\n")
	}
	return []byte(b.String())
}
