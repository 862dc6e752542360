package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const slideSpace = `xmlns:p="` + openXML + `presentationml/2006/main" xmlns:a="` + openXML + `drawingml/2006/main" xmlns:r="` + openXML + `officeDocument/2006/relationships" ` +
	`xmlns:c="` + openXML + `drawingml/2006/chart"`

// presentation has a slide for each content of p:spTree; one that begins with
// "hidden" is. The first has speaker notes and a chart.
func presentation(slides ...string) []byte {
	parts := []string{"[Content_Types].xml", typesOf("presentationml.presentation"), "_rels/.rels", relations("officeDocument", "ppt/p.xml")}
	list, rels := "", []string{}
	for i, s := range slides {
		show := ""
		if rest, ok := strings.CutPrefix(s, "hidden"); ok {
			show, s = ` show="0"`, rest
		}
		list += fmt.Sprintf(`<p:sldId r:id="rId%d"/>`, i+1)
		rels = append(rels, "slide", fmt.Sprintf("s%d.xml", i+1))
		parts = append(parts, fmt.Sprintf("ppt/s%d.xml", i+1), `<?xml version="1.0"?><p:sld `+slideSpace+show+`><p:cSld><p:spTree>`+s+`</p:spTree></p:cSld></p:sld>`)
		own := []string{"slideLayout", "layout.xml"}
		if i == 0 {
			own = append(own, "notesSlide", "notes.xml", "chart", "chart.xml", "comments", "comments.xml")
		}
		parts = append(parts, fmt.Sprintf("ppt/_rels/s%d.xml.rels", i+1), relations(own...))
	}
	tree := func(s string) string { return `<p:cSld><p:spTree>` + s + `</p:spTree></p:cSld>` }
	return officeZip(append(parts, "ppt/p.xml", `<p:presentation `+slideSpace+`><p:sldIdLst>`+list+`</p:sldIdLst></p:presentation>`, "ppt/_rels/p.xml.rels", relations(rels...),
		"ppt/layout.xml", `<p:sldLayout `+slideSpace+`>`+tree(slideShape("body", "1", "0 500 100 600", ""))+`</p:sldLayout>`, "ppt/_rels/layout.xml.rels", relations("slideMaster", "master.xml"),
		"ppt/master.xml", `<p:sldMaster `+slideSpace+`>`+tree(slideShape("body", "", "0 0 1 1", ""))+`<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
		"ppt/notes.xml", `<p:notes `+slideSpace+`>`+tree(slideShape("sldNum", "", "0 0 1 1", textPara("", "1"))+slideShape("body", "1", "0 0 1 1", textPara("", "Mention the rebate.")))+`</p:notes>`,
		"ppt/comments.xml", `<p:cmLst `+slideSpace+`><p:cm/></p:cmLst>`,
		"ppt/chart.xml", `<c:chartSpace `+slideSpace+`><c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:v>2026</c:v></c:tx><c:cat><c:pt idx="0"><c:v>North</c:v></c:pt><c:pt idx="1"><c:v>South</c:v></c:pt></c:cat>
			<c:val><c:pt idx="0"><c:v>1.5</c:v></c:pt><c:pt idx="1"><c:v>0.30000000000000004</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>`)...)
}

// slideShape is a shape with its placeholder and its box "left top right bottom".
func slideShape(kind, index, box, paragraphs string) string {
	ph := ""
	if kind != "" {
		ph = fmt.Sprintf(`<p:ph type=%q idx=%q/>`, kind, index)
		if index == "" {
			ph = fmt.Sprintf(`<p:ph type=%q/>`, kind)
		}
	}
	return `<p:sp><p:nvSpPr><p:cNvPr/><p:nvPr>` + ph + `</p:nvPr></p:nvSpPr><p:spPr>` + place(box) + `</p:spPr><p:txBody>` + paragraphs + `</p:txBody></p:sp>`
}

func place(box string) string {
	var l, t, r, b int
	if _, err := fmt.Sscan(box, &l, &t, &r, &b); err != nil {
		return ""
	}
	return fmt.Sprintf(`<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/></a:xfrm>`, l, t, r-l, b-t)
}

// textPara is a paragraph with the attributes of its properties.
func textPara(attrs, text string) string {
	return `<a:p><a:pPr ` + attrs + `/><a:r><a:t>` + text + `</a:t></a:r></a:p>`
}

func TestPptx(t *testing.T) {
	auto := func(kind string, text string) string {
		return `<a:p><a:pPr><a:buAutoNum type="` + kind + `"/></a:pPr><a:r><a:t>` + text + `</a:t></a:r></a:p>`
	}
	p := func(text string) string { return textPara("", text) }
	for _, tt := range []struct{ what, in, want string }{
		{"title, then by position", slideShape("", "", "0 700 100 800", p("below")) + slideShape("title", "", "0 900 100 950", p("Fees")) +
			slideShape("", "", "600 100 900 600", p("right")) + slideShape("", "", "0 100 400 300", p("left, above")) + slideShape("", "", "0 320 400 600", p("left, under it")),
			"## Slide 1: Fees\n\nleft, above\n\nleft, under it\n\nright\n\nbelow"},
		{"bullets of the master, a place of the layout", slideShape("", "", "0 700 100 800", p("below")) + slideShape("", "1", "", "") + slideShape("body", "1", "", p("one")+textPara(`lvl="1"`, "inner")+`<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r></a:p>`),
			"## Slide 1\n\n- one\n  - inner\n\nplain\n\nbelow"},
		{"automatic numbers", slideShape("", "", "0 0 1 1", auto("arabicPeriod", "a")+auto("arabicPeriod", "b")+p("text")+auto("alphaLcParenBoth", "c")+auto("romanUcPeriod", "d")+auto("alphaLcParenR", "e")),
			"## Slide 1\n\n1. a\n2. b\n\ntext\n\n- (a) c\n- I. d\n- a) e"},
		{"groups, breaks, date and number of the slide", `<p:grpSp><p:grpSpPr>` + place("0 0 100 100") + `</p:grpSpPr>` + slideShape("", "", "0 50 9 60", p("second")) + slideShape("", "", "0 0 9 10", `<a:p><a:r><a:t>first</a:t></a:r><a:br/><a:r><a:t>line</a:t></a:r></a:p>`) + `</p:grpSp>` +
			slideShape("sldNum", "", "0 0 1 1", p("7")) + slideShape("dt", "", "0 0 1 1", p("May")), "## Slide 1\n\nfirst\nline\n\nsecond"},
		{"a table", `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc rowSpan="2"><a:txBody>` + p("Plan") + `</a:txBody></a:tc><a:tc gridSpan="2"><a:txBody>` + p("2026") + `</a:txBody></a:tc><a:tc hMerge="1"/></a:tr>` +
			`<a:tr><a:tc vMerge="1"/><a:tc><a:txBody>` + p("First") + `</a:txBody></a:tc><a:tc><a:txBody>` + p("Last") + `</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody>` + p("Team") + `</a:txBody></a:tc><a:tc><a:txBody>` + p("4") + `</a:txBody></a:tc><a:tc><a:txBody>` + p("5") + `</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
			"## Slide 1\n\n| Plan | 2026 / First | 2026 / Last |\n| --- | --- | --- |\n| Team | 4 | 5 |"},
		{"a chart", `<p:graphicFrame><a:graphic><a:graphicData uri="x/chart"><c:chart r:id="rId3"/></a:graphicData></a:graphic></p:graphicFrame>`,
			"## Slide 1\n\nTable: Sales\n\n|  | 2026 |\n| --- | --- |\n| North | 1.5 |\n| South | 0.3 |"},
		{"a picture", `<p:pic><p:nvPicPr><p:cNvPr descr="A red lamp"/></p:nvPicPr></p:pic>`, "## Slide 1\n\nA red lamp"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			checkText(t, "a.pptx", presentation(tt.in), tt.want+"\n\n### Speaker notes\n\nMention the rebate.")
		})
	}
}

func TestPptxSays(t *testing.T) {
	p := func(text string) string { return textPara("", text) }
	x, err := Extract("a.ppt", presentation(slideShape("ctrTitle", "", "0 0 9 9", p("Terms"))+`<p:sp><p:nvSpPr><p:cNvPr hidden="1"/><p:nvPr/></p:nvSpPr><p:txBody>`+p("secret")+`</p:txBody></p:sp>`,
		"hidden"+slideShape("", "", "0 0 9 9", p("secret")), slideShape("title", "", "0 0 9 9", p("Third"))))
	want := []string{"Hidden slides that were left out: 1.", "Hidden shapes that were left out: 1.", "Comments that were left out: 1."}
	if err != nil || x.Format != "pptx" || x.Title != "Terms" || !slices.Equal(x.Notes, want) || strings.Contains(x.Text, "secret") || !strings.Contains(x.Text, "## Slide 3: Third") {
		t.Errorf("%+v %v", x, err)
	}
}
