package extract

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// officeZip is a zip of parts, given as name and content in turn, in that order.
func officeZip(parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const (
	openXML   = `http://schemas.openxmlformats.org/`
	wordSpace = `xmlns:w="` + openXML + `wordprocessingml/2006/main" xmlns:r="` + openXML + `officeDocument/2006/relationships" ` +
		`xmlns:m="` + openXML + `officeDocument/2006/math" xmlns:mc="` + openXML + `markup-compatibility/2006" ` +
		`xmlns:wp="` + openXML + `drawingml/2006/wordprocessingDrawing" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`
)

// relations is a .rels part of types and targets in turn; ids are rId1 on.
func relations(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="` + openXML + `package/2006/relationships">`)
	for i := 0; i+1 < len(pairs); i += 2 {
		mode := ""
		if strings.Contains(pairs[i+1], "://") {
			mode = ` TargetMode="External"`
		}
		b.WriteString(`<Relationship Id="rId` + string(rune('1'+i/2)) + `" Type="` + openXML + `officeDocument/2006/relationships/` + pairs[i] +
			`" Target="` + pairs[i+1] + `"` + mode + `/>`)
	}
	return b.String() + `</Relationships>`
}

func typesOf(main string) string {
	return `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.` + main + `.main+xml"/></Types>`
}

// wordDocument is a document with the given body and parts beside it.
func wordDocument(body string, parts ...string) []byte {
	return officeZip(append([]string{
		"[Content_Types].xml", typesOf("wordprocessingml.document"),
		"_rels/.rels", relations("officeDocument", "word/document.xml"),
		"word/_rels/document.xml.rels", relations("styles", "styles.xml", "numbering", "numbering.xml", "footnotes", "footnotes.xml",
			"endnotes", "endnotes.xml", "header", "header1.xml", "hyperlink", "https://x.example/a"),
		"word/document.xml", `<?xml version="1.0"?><w:document ` + wordSpace + `><w:body>` + body + `</w:body></w:document>`,
		"word/styles.xml", wordStyles, "word/numbering.xml", wordNumbering, "word/footnotes.xml", wordFootnotes, "word/endnotes.xml", wordEndnotes,
	}, parts...)...)
}

// wordStyles: headings by name, by a style that they are based on, and by
// outline level alone.
const wordStyles = `<w:styles ` + wordSpace + `>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H3"><w:name w:val="heading 3"/><w:pPr><w:numPr><w:ilvl w:val="2"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H4"><w:name w:val="heading 4"/></w:style>
<w:style w:type="paragraph" w:styleId="H5"><w:name w:val="heading 5"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Our Heading"/><w:basedOn w:val="H4"/></w:style>
<w:style w:type="paragraph" w:styleId="Level"><w:name w:val="Whatever"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Ring"><w:name w:val="Ring"/><w:basedOn w:val="Ring"/></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Plain"><w:name w:val="Table Grid"/></w:style>
<w:style w:type="table" w:styleId="Headed"><w:name w:val="Grid Table"/><w:tblStylePr w:type="firstRow"/></w:style>
</w:styles>`

// wordNumbering: 1 clauses (1, 1.1, 1.1.1, (a), (i)), 2 bullets, 3 a list
// (1. a. i.), 4 the same begun anew, 5 legal figures below Roman ones.
const wordNumbering = `<w:numbering ` + wordSpace + `>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/><w:pStyle w:val="H1"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2.%3"/></w:lvl>
<w:lvl w:ilvl="3"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%4)"/></w:lvl>
<w:lvl w:ilvl="4"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%4)(%5)"/></w:lvl>
<w:lvl w:ilvl="5"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/><w:lvlText w:val="Schedule %6"/><w:lvlRestart w:val="0"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="2">
<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="3">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="5">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimalZero"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
<w:num w:numId="5"><w:abstractNumId w:val="5"/></w:num>
</w:numbering>`

const wordFootnotes = `<w:footnotes ` + wordSpace + `><w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t> Of the invoice.</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:t>Without tax.</w:t></w:r></w:p><w:p><w:r><w:t>Rounded.</w:t></w:r></w:p></w:footnote></w:footnotes>`

const wordEndnotes = `<w:endnotes ` + wordSpace + `><w:endnote w:id="1"><w:p><w:r><w:t>See the act.</w:t></w:r></w:p></w:endnote></w:endnotes>`

// para is a paragraph of Word: properties, then text or runs.
func para(pPr, text string) string {
	if !strings.HasPrefix(text, "<") {
		text = run("", text)
	}
	return `<w:p><w:pPr>` + pPr + `</w:pPr>` + text + `</w:p>`
}

func run(rPr, text string) string {
	return `<w:r><w:rPr>` + rPr + `</w:rPr><w:t xml:space="preserve">` + text + `</w:t></w:r>`
}

func styled(id string) string { return `<w:pStyle w:val="` + id + `"/>` }

func numbered(num, level string) string {
	return `<w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + num + `"/></w:numPr>`
}

// checkText asserts the canonical text and what Extracted promises of blocks.
func checkText(t *testing.T, name string, data []byte, want string) Extracted {
	t.Helper()
	x, err := Extract(name, data)
	if err != nil {
		t.Errorf("%v", err)
		return x
	}
	checkBlocks(t, x)
	if got := strings.TrimSuffix(x.Text, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return x
}
