package extract

import "github.com/seed-d3156d19/quarry/document"

// extractPlainCode takes text whose lines must stay as they are as one block.
func extractPlainCode(text string) (Extracted, error) {
	x := Extracted{Format: formatCode, Text: text}
	if s, ok := trimLines(text, 0, len(text)); ok {
		x.Blocks = []Block{{Kind: Code, Span: document.Span{From: s.From, To: s.To}}}
	}
	return x, nil
}
