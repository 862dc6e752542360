package chunk

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
)

// randomBlocks cuts text into blocks of random kinds at its line ends.
func randomBlocks(r *rand.Rand, text string) []extract.Block {
	kinds := []extract.BlockKind{extract.Heading, extract.Paragraph, extract.Paragraph, extract.List, extract.Table, extract.Code, extract.Quote}
	numbers := []string{"", "", "1", "1.1", "(a)", "2.", "b)"}
	var out []extract.Block
	var lines []document.Span
	flush := func() {
		if len(lines) == 0 {
			return
		}
		b := extract.Block{
			Kind: kinds[r.IntN(len(kinds))], Number: numbers[r.IntN(len(numbers))],
			Span: document.Span{From: lines[0].From, To: lines[len(lines)-1].To},
		}
		switch b.Kind {
		case extract.Heading:
			b.Level, b.Text = 1+r.IntN(6), b.Span.Of(text)
		case extract.List:
			b.Items = lines
		case extract.Table:
			n := r.IntN(len(lines) + 1)
			b.Header, b.Rows = lines[:n], lines[n:]
			if r.IntN(2) == 0 {
				b.Caption = lines[0].Of(text)
			}
		}
		out, lines = append(out, b), nil
	}
	at := 0
	for line := range strings.Lines(text) {
		span := document.Span{From: at, To: at + len(strings.TrimSuffix(line, "\n"))}
		at += len(line)
		if strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		if r.IntN(12) > 0 {
			lines = append(lines, span)
		}
		if r.IntN(3) == 0 {
			flush()
		}
	}
	flush()
	return out
}

func FuzzSplit(f *testing.F) {
	f.Add("# 1 A\n\nText: here.\n- a\n- b\n\nHowever, no.\n", uint64(1), 64, 20)
	f.Add(strings.Repeat("word ", 500)+"\n"+strings.Repeat("x", 5000)+"\n東京。"+strings.Repeat("字", 300), uint64(2), 128, 100)
	f.Add("| a | b |\n|---|---|\n"+strings.Repeat("| c | d e f |\n", 90)+"\nNote: x", uint64(3), 64, 64)
	f.Add("\xff\xfe\x00 \u00a0\n\u200b\n", uint64(4), 64, 1)
	f.Fuzz(func(t *testing.T, text string, seed uint64, maxTokens, target int) {
		o := Options{MaxTokens: maxTokens, TargetTokens: target}
		if o.Validate() != nil {
			return
		}
		blocks := randomBlocks(rand.New(rand.NewPCG(seed, 0)), text)
		sections := outline.Build("The title", text, blocks)
		got := Split(document.ID{Source: "s", Path: "p"}, "The title", text, blocks, sections, o)
		if err := check(text, blocks, sections, got, o); err != nil {
			t.Fatalf("%v: %v", o, err)
		}
	})
}
