package extract

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
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
)

// formatOf a name's ending.
var formatOf = map[string]string{
	".md": formatMarkdown, ".markdown": formatMarkdown,
	".html": formatHTML, ".htm": formatHTML, ".xhtml": formatHTML,
	".txt": formatText, ".text": formatText,
	".csv": formatCSV, ".tsv": formatCSV, ".tab": formatCSV, ".psv": formatCSV,
	".json": formatJSON, ".jsonl": formatJSON, ".ndjson": formatJSON, ".ipynb": formatNotebook,
	".eml": formatMail, ".mbox": formatMail, ".mbx": formatMail, ".msg": formatMail,
	".xml": formatXML, ".nxml": formatXML, ".jats": formatXML, ".rss": formatXML, ".atom": formatXML,
	".rst": formatRST, ".rest": formatRST,
	".adoc": formatAsciiDoc, ".asciidoc": formatAsciiDoc, ".asc": formatAsciiDoc,
	".tex": formatLaTeX, ".latex": formatLaTeX, ".ltx": formatLaTeX,
	".go": "go", ".py": "python", ".pyi": "python", ".java": "java", ".rs": "rust",
	".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript",
	".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hh": "c++", ".hpp": "c++",
	".sh": formatCode, ".bash": formatCode, ".ps1": formatCode, ".sql": formatCode, ".rb": formatCode, ".php": formatCode, ".cs": formatCode,
	".kt": formatCode, ".swift": formatCode, ".scala": formatCode, ".lua": formatCode, ".pl": formatCode, ".r": formatCode, ".jl": formatCode,
	".proto": formatCode, ".graphql": formatCode,
	".epub": formatEPUB,
	".vtt":  formatSubtitles, ".srt": formatSubtitles,
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
	htmlStart = regexp.MustCompile(`(?i)^(?:<\?xml[^>]*\?>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]`)
	xmlStart  = regexp.MustCompile(`^\s*<(?:\?xml\s|!DOCTYPE\s+[a-z-]+[\s>])`)
	jsonStart = regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*[\[{"0-9\]])`)
	anyTag    = regexp.MustCompile(`</?[A-Za-z!]`)
)

func beginsLikeHTML(text string) bool {
	head := strings.TrimLeftFunc(text[:min(len(text), sniffed)], unicode.IsSpace)
	return htmlStart.MatchString(head)
}
