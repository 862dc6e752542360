package outline

import (
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// TestSymbols: code with a level is a section of its own and text of it.
func TestSymbols(t *testing.T) {
	text := "import x\n\n// Doc.\nfunc f() {}\n"
	sections := Build("a.go", text, []extract.Block{
		{Kind: extract.Code, Span: document.Span{From: 0, To: 8}},
		{Kind: extract.Code, Span: document.Span{From: 10, To: 29}, Level: 1, Text: "func f()"},
	})
	if len(sections) != 2 || sections[1].Heading != "func f()" || sections[1].Span.Of(text) != "// Doc.\nfunc f() {}\n" || sections[0].Body.Of(text) != "import x\n\n" {
		t.Errorf("%+v", sections)
	}
}
