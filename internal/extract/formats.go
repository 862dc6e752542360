package extract

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const (
	formatMarkdown  = "markdown"
	formatHTML      = "html"
	formatText      = "text"
	formatCSV       = "csv"
	formatJSON      = "json"
	formatNotebook  = "notebook"
	formatMail      = "mail"
	formatSubtitles = "subtitles"
	formatEPUB      = "epub"
	formatXML       = "xml"
	formatJATS      = "jats"
	formatRST       = "rst"
	formatAsciiDoc  = "asciidoc"
	formatLaTeX     = "latex"
	formatCode      = "code"
	formatImage     = "image"
)

// Format is one that Extract reads.
type Format struct {
	Name    string   // as a revision and an upload say it
	Endings []string // of names, in lower case, the usual one first
	What    string   // for people
	office  bool     // under its endings only an office document is expected
}

// Formats are all that are read, documents of people first, source code last. What a
// file is its content says too (see Extract).
var Formats = []Format{
	{Name: formatMarkdown, Endings: []string{".md", ".markdown"}, What: "Markdown, with GitHub's tables and footnotes"},
	{Name: formatHTML, Endings: []string{".html", ".htm", ".xhtml"}, What: "web pages"},
	{Name: formatText, Endings: []string{".txt", ".text"}, What: "plain text"},
	{Name: formatPDF, Endings: []string{".pdf"}, What: "PDF; pages that are images where tesseract is installed (`extract.ocr`)"},
	{Name: formatImage, Endings: []string{".png", ".jpg", ".jpeg", ".tif", ".tiff"}, What: "images of pages, where tesseract is installed (`extract.ocr`)"},
	{Name: "docx", Endings: []string{".docx", ".docm", ".dotx", ".dotm"}, What: "documents of Word", office: true},
	{Name: "xlsx", Endings: []string{".xlsx", ".xlsm", ".xltx", ".xltm"}, What: "workbooks of Excel", office: true},
	{Name: "pptx", Endings: []string{".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"}, What: "presentations of PowerPoint", office: true},
	{Name: "odf", Endings: []string{".odt", ".ott", ".ods", ".ots", ".odp", ".otp"}, What: "OpenDocument texts, sheets and presentations", office: true},
	{Name: "rtf", Endings: []string{".rtf"}, What: "Rich Text Format", office: true},
	{Name: formatEPUB, Endings: []string{".epub"}, What: "books"},
	{Name: formatMail, Endings: []string{".eml", ".msg", ".mbox", ".mbx"}, What: "e-mail and mailboxes; what is attached is a document of its own"},
	{Name: formatCSV, Endings: []string{".csv", ".tsv", ".tab", ".psv"}, What: "tables of values with any delimiter"},
	{Name: formatJSON, Endings: []string{".json", ".jsonl", ".ndjson"}, What: "JSON and JSON lines"},
	{Name: formatNotebook, Endings: []string{".ipynb"}, What: "Jupyter notebooks"},
	{Name: formatXML, Endings: []string{".xml", ".nxml", ".jats", ".rss", ".atom"}, What: "XML; JATS as the article it is"},
	{Name: formatRST, Endings: []string{".rst", ".rest"}, What: "reStructuredText"},
	{Name: formatAsciiDoc, Endings: []string{".adoc", ".asciidoc", ".asc"}, What: "AsciiDoc"},
	{Name: formatLaTeX, Endings: []string{".tex", ".latex", ".ltx"}, What: "LaTeX"},
	{Name: formatSubtitles, Endings: []string{".vtt", ".srt"}, What: "subtitles"},
	{Name: "go", Endings: []string{".go"}, What: "Go, by declaration"},
	{Name: "python", Endings: []string{".py", ".pyi"}, What: "Python, by declaration"},
	{Name: "java", Endings: []string{".java"}, What: "Java, by declaration"},
	{Name: "javascript", Endings: []string{".js", ".mjs", ".cjs", ".jsx"}, What: "JavaScript, by declaration"},
	{Name: "typescript", Endings: []string{".ts", ".tsx", ".mts"}, What: "TypeScript, by declaration"},
	{Name: "c", Endings: []string{".c", ".h"}, What: "C, by declaration"},
	{Name: "c++", Endings: []string{".cpp", ".cc", ".cxx", ".hh", ".hpp"}, What: "C++, by declaration"},
	{Name: "rust", Endings: []string{".rs"}, What: "Rust, by declaration"},
	{Name: formatCode, Endings: []string{".sh", ".bash", ".ps1", ".sql", ".rb", ".php", ".cs", ".kt", ".swift", ".scala", ".lua", ".pl", ".r", ".jl", ".proto", ".graphql"},
		What: "other source code, as it stands"},
}

// formatOf a name's ending; officeFormats are the endings under which only an office
// document is expected.
var formatOf, officeFormats = byEnding()

func byEnding() (formats map[string]string, offices map[string]bool) {
	formats, offices = map[string]string{}, map[string]bool{}
	for _, f := range Formats {
		for _, e := range f.Endings {
			if f.office {
				offices[e] = true
			} else {
				formats[e] = f.Name
			}
		}
	}
	return formats, offices
}

// readText reads the formats that are text, once decoded. What is not listed is
// read as plain text.
var readText = map[string]func(string) (Extracted, error){
	formatMarkdown:  extractMarkdown,
	formatHTML:      extractHTML,
	formatCSV:       extractCSV,
	"go":            extractCode("go", goSymbols),
	"python":        extractCode("python", pythonSymbols),
	"javascript":    extractCode("javascript", jsBraces.symbols),
	"typescript":    extractCode("typescript", jsBraces.symbols),
	"java":          extractCode("java", javaBraces.symbols),
	"c":             extractCode("c", cBraces.symbols),
	"c++":           extractCode("c++", cBraces.symbols),
	"rust":          extractCode("rust", rustBraces.symbols),
	formatCode:      extractPlainCode,
	formatJSON:      extractJSON,
	formatNotebook:  extractJSON,
	formatAsciiDoc:  extractAsciiDoc,
	formatLaTeX:     extractLaTeX,
	formatRST:       extractRST,
	formatXML:       extractXML,
	formatSubtitles: extractSubtitles,
}

// readBytes reads the formats that are no text, or whose parts say each for
// itself how it is encoded.
var readBytes = map[string]func([]byte) (Extracted, error){
	formatMail: extractMail,
	formatEPUB: extractEPUB,
}

// sniffed is how much of an original is looked at to tell what it is.
const sniffed = 8 << 10

// sniff tells from the bytes what an original is, when its name says format.
func sniff(format string, data []byte) string {
	head := string(data[:min(len(data), sniffed)])
	switch {
	case strings.HasPrefix(head, "PK\x03\x04") && strings.Contains(head[:min(len(head), 80)], "mimetypeapplication/epub+zip"):
		return formatEPUB
	case mayBeMarkup[format] && beginsLikeHTML(head):
		return formatHTML
	case (format == "" || format == formatText) && beginsLikeMail(head):
		return formatMail
	}
	return format
}

// told is sniff for the decoded text.
func told(format, ext, text string) string {
	switch {
	case mayBeMarkup[format] && beginsLikeHTML(text): // known only now if it is UTF-16
		return formatHTML
	case format == formatHTML && !anyTag.MatchString(text):
		return formatText
	case (format == "" || format == formatText) && xmlStart.MatchString(text[:min(len(text), sniffed)]):
		return formatXML
	case format == formatText && strings.HasPrefix(text, "WEBVTT"):
		return formatSubtitles
	case ext == "" && strings.HasPrefix(text, "#!"):
		if strings.Contains(text[:lineEnd(text, 0, len(text))], "python") {
			return "python"
		}
		return formatCode
	case ext == "" && jsonStart.MatchString(text[:min(len(text), sniffed)]) && json.Valid([]byte(text)):
		return formatJSON
	}
	return format
}

// mayBeMarkup are the formats by name, none among them, whose files are often
// pages that were saved under another name.
var mayBeMarkup = map[string]bool{"": true, formatText: true, formatMarkdown: true, formatHTML: true, formatXML: true}

var (
	htmlStart = lazyregexp.New(`(?i)^(?:<\?xml[^>]*\?>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]`)
	xmlStart  = lazyregexp.New(`^\s*<(?:\?xml\s|!DOCTYPE\s+[a-z-]+[\s>])`)
	jsonStart = lazyregexp.New(`^\s*(?:\{\s*["}]|\[\s*[\[{"0-9\]])`)
	anyTag    = lazyregexp.New(`</?[A-Za-z!]`)
)

func beginsLikeHTML(text string) bool {
	head := strings.TrimLeftFunc(text[:min(len(text), sniffed)], unicode.IsSpace)
	return htmlStart.MatchString(head)
}
