package chunk

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/outline"
)

// Shapes that time must not grow with faster than their length.
var shapes = map[string]func(r *rand.Rand, size int) string{
	"manual": func(r *rand.Rand, size int) string {
		one := manual(r, 400)
		return strings.Repeat(one, size/len(one)+1)
	},
	"one word":    func(r *rand.Rand, size int) string { return strings.Repeat("x", size) },
	"one CJK run": func(r *rand.Rand, size int) string { return strings.Repeat("供应商应在", size/15) },
	"one Thai run": func(r *rand.Rand, size int) string {
		return strings.Repeat("สวัสดีชาวโลก", size/36)
	},
	"one sentence":     func(r *rand.Rand, size int) string { return strings.Repeat("words of one ", size/13) },
	"one paragraph":    func(r *rand.Rand, size int) string { return strings.Repeat("It is said. ", size/12) },
	"stops":            func(r *rand.Rand, size int) string { return strings.Repeat(". ", size/2) },
	"dots":             func(r *rand.Rand, size int) string { return strings.Repeat(".", size) },
	"rules":            func(r *rand.Rand, size int) string { return strings.Repeat("--\n", size/3) },
	"tiny paragraphs":  func(r *rand.Rand, size int) string { return strings.Repeat("ab\n\n", size/4) },
	"bound paragraphs": func(r *rand.Rand, size int) string { return strings.Repeat("However, this:\n\n", size/16) },
	"headings":         func(r *rand.Rand, size int) string { return strings.Repeat("## heading\n\n", size/12) },
	"one list":         func(r *rand.Rand, size int) string { return strings.Repeat("- an item\n", size/10) },
	"one table": func(r *rand.Rand, size int) string {
		return "| a | b |\n|---|---|\n" + strings.Repeat("| cell | 12 |\n", size/14)
	},
	"one row":  func(r *rand.Rand, size int) string { return "| a |\n|---|\n" + strings.Repeat("| cell ", size/7) },
	"one code": func(r *rand.Rand, size int) string { return "```\n" + strings.Repeat("x := 1\n", size/7) + "```\n" },
	"controls": func(r *rand.Rand, size int) string { return strings.Repeat("\x01", size) },
}

func BenchmarkSplit(b *testing.B) {
	for name, shape := range shapes {
		b.Run(name, func(b *testing.B) {
			text := shape(rand.New(rand.NewPCG(1, 1)), 1<<20)
			blocks := blocksOf(text)
			sections := outline.Build("T", text, blocks)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Split(document.ID{Source: "s", Path: "p"}, "T", text, blocks, sections, Options{})
			}
		})
	}
}

// Every shape is cut as the rules say, also at a size where anything quadratic
// would be seen.
func TestShapes(t *testing.T) {
	for name, shape := range shapes {
		text := shape(rand.New(rand.NewPCG(1, 1)), 100_000)
		blocks := blocksOf(text)
		sections := outline.Build("T", text, blocks)
		got := Split(document.ID{Source: "s", Path: "p"}, "T", text, blocks, sections, Options{})
		if err := check(text, blocks, sections, got, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(got) < 5 {
			t.Errorf("%s: %d passages", name, len(got))
		}
	}
}
