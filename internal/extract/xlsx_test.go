package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const sheetSpace = `xmlns="` + openXML + `spreadsheetml/2006/main" xmlns:r="` + openXML + `officeDocument/2006/relationships"`

// workbook has a sheet for each body of x:worksheet, named S1 on.
func workbook(states []string, sheets ...string) []byte {
	rels := []string{"styles", "styles.xml", "sharedStrings", "strings.xml"}
	parts := []string{"[Content_Types].xml", typesOf("spreadsheetml.sheet"), "_rels/.rels", relations("officeDocument", "xl/workbook.xml")}
	list := ""
	for i, s := range sheets {
		rels = append(rels, "worksheet", fmt.Sprintf("s%d.xml", i+1))
		state := ""
		if i < len(states) {
			state = states[i]
		}
		list += fmt.Sprintf(`<sheet name="S%d" state=%q r:id="rId%d"/>`, i+1, state, i+3)
		parts = append(parts, fmt.Sprintf("xl/s%d.xml", i+1), `<?xml version="1.0"?><worksheet `+sheetSpace+`>`+s+`</worksheet>`)
	}
	return officeZip(append(parts, "xl/workbook.xml", `<workbook `+sheetSpace+`><sheets>`+list+`</sheets></workbook>`, "xl/_rels/workbook.xml.rels", relations(rels...),
		"xl/styles.xml", `<styleSheet `+sheetSpace+`><numFmts><numFmt numFmtId="200" formatCode="#,##0.00\ &quot;EUR&quot;"/></numFmts><fonts><font/><font><b/></font></fonts>
			<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="200"/><xf fontId="1"/><xf numFmtId="2"/></cellXfs></styleSheet>`,
		"xl/strings.xml", `<sst `+sheetSpace+`><si><t>Plan</t></si><si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>aloud</t></rPh></si></sst>`)...)
}

// cellsOf writes rows of a sheet, each a line of cells between bars, from A1; a
// cell is a number, text, or XML. An empty line is an empty row.
func cellsOf(grid string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(grid), "\n") {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for j, s := range strings.Split(line, "|") {
			ref := fmt.Sprintf(`r="%c%d"`, 'A'+j, i+1)
			switch s = strings.TrimSpace(s); {
			case s == "":
			case strings.HasPrefix(s, "<c"):
				b.WriteString("<c " + ref + s[2:])
			case strings.Trim(s, "0123456789.-") == "":
				fmt.Fprintf(&b, `<c %s><v>%s</v></c>`, ref, s)
			default:
				fmt.Fprintf(&b, `<c %s t="inlineStr"><is><t>%s</t></is></c>`, ref, s)
			}
		}
		b.WriteString(`</row>`)
	}
	return `<sheetData>` + b.String() + `</sheetData>`
}

func TestXlsx(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"header, shared and rich text", cellsOf("<c t=\"s\"><v>0</v></c>|Size\n<c t=\"s\"><v>1</v></c>|40\nB|50"), "| Plan | Size |\n| --- | --- |\n| Rich text | 40 |\n| B | 50 |"},
		{"values as they are shown", cellsOf(`Day|Share|Fee|Sum|Ok|Bad
			<c s="1"><v>45292</v></c>|<c s="2"><v>0.25</v></c>|<c s="3"><v>1234.5</v></c>|<c><f>A1+B1</f><v>7</v></c>|<c t="b"><v>1</v></c>|<c t="e"><v>#N/A</v></c>`),
			"| Day | Share | Fee | Sum | Ok | Bad |\n| --- | --- | --- | --- | --- | --- |\n| 2024-01-01 | 25% | 1,234.50 EUR | 7 | TRUE | #N/A |"},
		{"merged cells and header rows", cellsOf("Plan|2026\n|Q1|Q2\nTeam|40|41\n|50|51") + `<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>`,
			"| Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | --- |\n| Team | 40 | 41 |\n| Team | 50 | 51 |"},
		{"units below the names, years as names", cellsOf("Item|2025|2026\n|kEUR|kEUR\nFees|5|6\nRent|7|8"), "| Item | 2025 / kEUR | 2026 / kEUR |\n| --- | --- | --- |\n| Fees | 5 | 6 |\n| Rent | 7 | 8 |"},
		{"tables below and beside one another", cellsOf("a|b||c|d\n1|2||3|4\n\ne|f\n5|6"), "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| c | d |\n| --- | --- |\n| 3 | 4 |\n\n| e | f |\n| --- | --- |\n| 5 | 6 |"},
		{"a column that only spaces", cellsOf("Item||Q1|Q2\nFees||1|2\nRent||3|4"), "| Item | Q1 | Q2 |\n| --- | --- | --- |\n| Fees | 1 | 2 |\n| Rent | 3 | 4 |"},
		{"a row that only spaces", cellsOf("Item|Q1\nFees|1\n\nRent|3"), "| Item | Q1 |\n| --- | --- |\n| Fees | 1 |\n| Rent | 3 |"},
		{"titles", cellsOf("Limits 2026\nin MB\n\nPlan|Size\nA|40\n\nA note below."), "Table: Limits 2026; in MB\n\n| Plan | Size |\n| --- | --- |\n| A | 40 |\n\nA note below."},
		{"words only", cellsOf("|Reads|Writes\nAdmin|yes|yes\nGuest|yes|no"), "|  | Reads | Writes |\n| --- | --- | --- |\n| Admin | yes | yes |\n| Guest | yes | no |"},
		{"figures only have no header", cellsOf("1|2\n3|4"), "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"},
		{"hidden rows and columns", `<cols><col min="2" max="2" hidden="1"/></cols>` + strings.Replace(cellsOf("a|secret|b\n1|9|2\n3|9|4\n5|9|6"), `<row r="3">`, `<row r="3" hidden="1">`, 1),
			"| a | b |\n| --- | --- |\n| 1 | 2 |\n| 5 | 6 |"},
		{"lines", cellsOf("One line.\nAnother line."), "One line.\n\nAnother line."},
	} {
		t.Run(tt.what, func(t *testing.T) { checkText(t, "a.xlsx", workbook(nil, tt.in), "## S1\n\n"+tt.want) })
	}
}

func TestXlsxSays(t *testing.T) {
	x, err := Extract("a.bin", workbook([]string{"", "hidden", "veryHidden"}, `<cols><col min="1" max="1" hidden="true"/></cols>`+
		strings.Replace(cellsOf("x|a|b\n1|1|<c><f>B1</f></c>\n9|9|9"), `<row r="3">`, `<row r="3" hidden="1">`, 1), cellsOf("secret"), cellsOf("secret")))
	want := []string{"Hidden sheets that were left out: 2.", "Hidden rows that were left out: 1.", "Hidden columns that were left out: 1.",
		"Formulas without a stored result, whose cells are empty: 1."}
	if err != nil || x.Format != "xlsx" || x.Title != "" || !slices.Equal(x.Notes, want) || strings.Contains(x.Text, "secret") {
		t.Errorf("%+v %v", x, err)
	}
}

// TestXlsxCharts: a chart is named below the sheet that it is on; what it shows are cells.
func TestXlsxCharts(t *testing.T) {
	const chartSpace = `xmlns:c="` + openXML + `drawingml/2006/chart" xmlns:a="` + openXML + `drawingml/2006/main"`
	data := withParts(t, workbook(nil, cellsOf("Year|Ducks\n2025|40\n2026|50"), cellsOf("x|y\n1|2")),
		"xl/_rels/s1.xml.rels", relations("drawing", "d1.xml"), "xl/d1.xml", "<x/>", "xl/_rels/d1.xml.rels", relations("chart", "c1.xml", "chart", "c2.xml", "chart", "c3.xml"),
		"xl/c1.xml", `<c:chartSpace `+chartSpace+`><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Ducks by </a:t></a:r><a:r><a:t>year</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart></c:chartSpace>`,
		"xl/c2.xml", `<c:chartSpace `+chartSpace+`><c:chart/></c:chartSpace>`)
	checkText(t, "a.xlsx", data, "## S1\n\n| Year | Ducks |\n| --- | --- |\n| 2025 | 40 |\n| 2026 | 50 |\n\nChart: Ducks by year\n\n## S2\n\n| x | y |\n| --- | --- |\n| 1 | 2 |")
}

// withParts adds parts to an archive, names and contents in turn.
func withParts(t *testing.T, data []byte, parts ...string) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		if err := to.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i+1 < len(parts); i += 2 {
		w, err := to.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(parts[i+1])) // into memory
	}
	to.Close()
	return b.Bytes()
}

// TestLongTable: each part of a table that is cut has the header.
func TestLongTable(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out what takes seconds")
	}
	var b strings.Builder
	b.WriteString(`<row>` + strings.Repeat(`<c t="inlineStr"><is><t>Name</t></is></c>`, 10) + `</row>`)
	for i := range 50_000 {
		b.WriteString("<row>")
		for j := range 10 {
			fmt.Fprintf(&b, `<c><v>%d.%d</v></c>`, i, j)
		}
		b.WriteString("</row>")
	}
	data := workbook(nil, `<sheetData>`+b.String()+`</sheetData>`)
	bounded(t, func() {
		x, err := Extract("a.xlsx", data)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, k := range x.Blocks[1:] {
			if rows += len(k.Rows); k.Kind != Table || len(k.Header) != 1 {
				t.Fatalf("a block of kind %s with %d header rows", k.Kind, len(k.Header))
			}
		}
		if rows != 50_000 || len(x.Blocks) < 3 {
			t.Errorf("%d rows in %d blocks", rows, len(x.Blocks))
		}
	})
}
