package extract

import (
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// symbol is where something begins in source code: a declaration, named by its first
// line as far as it says what it is, or statements that declare nothing.
type symbol struct {
	from     int // offset
	name     string
	declares bool
}

const (
	maxSymbolName = 160 // bytes
	// maxParsed is the largest file that is taken apart: larger ones are generated.
	maxParsed = 4 << 20
)

// extractCode gives a reader of source code whose symbols find tells: each is a section.
// The canonical text is the file.
func extractCode(language string, find func(text string) []symbol) func(string) (Extracted, error) {
	return func(text string) (Extracted, error) {
		var symbols []symbol
		if len(text) <= maxParsed {
			symbols = find(text)
		}
		x := Extracted{Format: language, Text: text}
		x.Blocks = symbolBlocks(text, symbols)
		return x, nil
	}
}

// extractPlainCode takes code that nothing takes apart.
func extractPlainCode(text string) (Extracted, error) {
	return extractCode(formatCode, func(string) []symbol { return nil })(text)
}

// symbolBlocks cuts the text into whole lines at its symbols, each with the comments
// and annotations right above it. Statements that declare nothing are one block
// until the next that does; those at the head of the file belong to the file itself.
func symbolBlocks(text string, symbols []symbol) []Block {
	var blocks []Block
	begin := func(from int, s symbol) {
		if n := len(blocks); n > 0 {
			blocks[n-1].Span.To = from
		}
		b := Block{Kind: Code, Span: document.Span{From: from, To: len(text)}}
		if s.declares || len(blocks) > 0 {
			b.Level, b.Text = 1, s.name
		}
		blocks = append(blocks, b)
	}
	begin(0, symbol{})
	loose, end := true, 0 // end of the line on which the symbol before began
	for _, s := range symbols {
		from := lineStart(text, s.from)
		if from < end || loose && !s.declares {
			continue
		}
		end = lineEnd(text, s.from, len(text)) + 1
		loose = !s.declares
		begin(withComments(text, from, blocks[len(blocks)-1].Span.From), s)
	}
	out := blocks[:0]
	for _, b := range blocks {
		if span, ok := trimLines(text, b.Span.From, b.Span.To); ok {
			b.Span = span
			out = append(out, b)
		}
	}
	return out
}

var commentLine = lazyregexp.New(`^\s*(?://|/\*|\*|#|@|--)|\*/\s*$`)

// withComments goes up from a line over the comments and annotations right above it, not
// beyond least.
func withComments(text string, from, least int) int {
	for from > least {
		above := lineStart(text, from-1)
		line := text[above : from-1]
		if above <= least && least > 0 || !commentLine.MatchString(line) {
			break
		}
		from = above
	}
	return from
}

// symbolName is what a declaration says up to its body, on one line.
func symbolName(header string) string {
	name := strings.TrimRight(oneLine(header), " {:;=(")
	if len(name) > maxSymbolName {
		name = strings.ToValidUTF8(name[:maxSymbolName], "") + "…"
	}
	if strings.IndexFunc(name, visible) < 0 || strings.IndexFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return "…"
	}
	return name
}
