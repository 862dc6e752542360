package extract

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzWindows: that a text is parsed a window at a time does not show. Windows
// of 40 bytes go on growing here, so that no block is cut.
func FuzzWindows(f *testing.F) {
	f.Add("# a\n\ntext\nmore\n\n- x\n\n  y\n- z\n\n```\ncode\n\n# no heading\n```\n> q\nlazy\n\n[a]: /u\n\n    code\n\nset\next\n===\n<!-- c\n\nc -->\n|a|b|\n|-|-|\n|1|2|\n")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := decode([]byte(s), false)
		if err != nil {
			return
		}
		whole, parts := newMarkdown(d.text), newMarkdown(d.text)
		whole.least, whole.most = 1<<30, 1<<30
		parts.least, parts.most = 40, 1<<30
		whole.parse(0)
		parts.parse(0)
		if !reflect.DeepEqual(whole.blocks, parts.blocks) {
			t.Fatalf("%q\nwhole %+v\nparts %+v", d.text, whole.blocks, parts.blocks)
		}
	})
}

// TestCutBlocks: a block larger than the largest window is cut at a line, and a
// list at an item; nothing is lost.
func TestCutBlocks(t *testing.T) {
	for what, text := range map[string]string{
		"list":      strings.Repeat("- item\n  goes on\n", 100),
		"paragraph": strings.Repeat("a line\n", 100),
		"quote":     strings.Repeat("> a line\n", 100),
		"code":      "```\n" + strings.Repeat("a line\n\n", 100) + "```\n",
	} {
		m := newMarkdown(text)
		m.least, m.most = 64, 256
		m.parse(0)
		x := Extracted{Text: text, Blocks: m.blocks}
		checkBlocks(t, x)
		if lost := uncovered(x, 0); len(lost) > 0 {
			t.Errorf("%s: lost %q", what, lost)
		}
		if n := len(m.blocks); what == "code" && n != 1 || what != "code" && n < 2 {
			t.Errorf("%s: %d blocks", what, n)
		}
	}
}

// TestTableBeyondWindow: the rows of a table larger than any window are its rows all
// the same.
func TestTableBeyondWindow(t *testing.T) {
	text := "| a | b |\n| - | - |\n" + strings.Repeat("| 1 | 2 |\n", 200) + "\ntext\n"
	m := newMarkdown(text)
	m.least, m.most = 64, 256
	m.parse(0)
	checkBlocks(t, Extracted{Text: text, Blocks: m.blocks})
	if len(m.blocks) != 2 || len(m.blocks[0].Rows) != 200 || len(m.blocks[0].Header) != 1 {
		t.Errorf("%d blocks, the first of %d rows", len(m.blocks), len(m.blocks[0].Rows))
	}
}
