package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestHostileMarkup: looking ahead for an end that never comes does not cost the square
// of the size.
func TestHostileMarkup(t *testing.T) {
	const n = 50_000
	for _, tt := range []struct{ what, name, data string }{
		{"tables that nothing ends", "a.rst", strings.Repeat("== ==\nx\n\n", n)},
		{"items below items", "a.rst", strings.Repeat("- a\n\n  - b\n\n", n)},
		{"directives", "a.rst", strings.Repeat(".. x::\n", n)},
		{"blank lines", "a.rst", strings.Repeat("a::\n\n\n\n\n\n\n\n", n)},
		{"every kind of title", "a.rst", strings.Repeat("a\n!!!!\n\"\"\"\"\nb\n\"\"\"\"\n", n)},
		{"environments that nothing ends", "a.tex", strings.Repeat("\\begin{a}\n", n)},
		{"sections that nothing ends", "a.tex", strings.Repeat("\\section{\n", n)},
		{"captions that nothing ends", "a.tex", "\\begin{figure}\n" + strings.Repeat("\\caption{\n", 4000) + "\\end{figure}\n"},
		{"blocks that nothing ends", "a.adoc", strings.Repeat("* a\n+\n----\n____\n====\n", n)},
		{"edges of every length", "a.adoc", edges(3000)},
		{"terms", "a.adoc", strings.Repeat("a::\n", n)},
		{"tables", "a.adoc", strings.Repeat("|===\n|a\n\n", n)},
	} {
		t.Run(tt.what, func(t *testing.T) {
			var x Extracted
			var err error
			took := testkit.Took(func() { x, err = Extract(tt.name, []byte(tt.data)) })
			if err == nil {
				checkBlocks(t, x)
			}
			t.Logf("%d KB: %v, %d blocks, %v", len(tt.data)>>10, took.Round(time.Millisecond), len(x.Blocks), err)
			if took > 10*time.Second {
				t.Errorf("%d KB took %v", len(tt.data)>>10, took)
			}
		})
	}
}

func edges(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("=", 4+i) + "\n" + strings.Repeat("_", 4+i) + "\n")
	}
	return b.String()
}
