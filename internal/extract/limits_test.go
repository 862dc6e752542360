package extract

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestHostileNesting: depth costs neither the stack nor the square of the size.
func TestHostileNesting(t *testing.T) {
	const n = 100_000
	indented := func(marker string, levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(strings.Repeat(" ", 2*i) + marker + " x\n")
		}
		return b.String()
	}
	tests := map[string]struct{ name, data string }{
		"quotes on one line":        {"a.md", strings.Repeat("> ", n) + "x\n"},
		"quotes on many lines":      {"a.md", strings.Repeat(strings.Repeat(">", 1000)+" x\n", 500)},
		"lists on one line":         {"a.md", strings.Repeat("- ", n) + "x\n"},
		"numbered lists":            {"a.md", strings.Repeat("1. ", n) + "x\n"},
		"quote after quote":         {"a.md", strings.Repeat(strings.Repeat("> ", 40)+"x\n\n", n/10)},
		"indented lists":            {"a.md", indented("-", 1000)},
		"blank lines in a list":     {"a.md", indented("-", 60) + strings.Repeat("\n", n*10) + "x\n"},
		"open brackets":             {"a.md", "# " + strings.Repeat("[", n) + "\n"},
		"brackets in a paragraph":   {"a.md", strings.Repeat("[", n) + "\n" + strings.Repeat("[a]: b\n", n)},
		"emphasis in headings":      {"a.md", strings.Repeat("# "+strings.Repeat("*a_", 330)+"\n", 400)},
		"backquotes":                {"a.md", "# " + strings.Repeat("`a``", 900) + "\n" + strings.Repeat("`", n) + "\n"},
		"a wide and long table":     {"a.md", strings.Repeat("|a", 20000) + "\n" + strings.Repeat("|-", 20000) + "\n" + strings.Repeat("|\n", 20000)},
		"divs":                      {"a.html", strings.Repeat("<div>", n) + "x"},
		"spans":                     {"a.html", strings.Repeat("<b><i>", n) + "x"},
		"tables":                    {"a.html", strings.Repeat("<table><tr><td>", n) + "x"},
		"lists of a page":           {"a.html", strings.Repeat("<ul><li>", n) + "x"},
		"quotes of a page":          {"a.html", strings.Repeat("<blockquote>", 400) + strings.Repeat("<p>x</p>", n/4)},
		"unclosed formatting":       {"a.html", strings.Repeat("<a><p>x", n/20)},
		"spanning cells":            {"a.html", "<table>" + strings.Repeat("<tr><td rowspan=1000 colspan=1000>x<td>y", 3000) + "</table>"},
		"list of many short items":  {"a.md", strings.Repeat("- a\n", n*2)},
		"items that nothing closes": {"a.html", "<ul>" + strings.Repeat("<li>x", n) + "</ul>"},
		"headings in text":          {"a.txt", strings.Repeat("abc\n---\n", n)},
		"markers in text":           {"a.txt", "x\n" + strings.Repeat("1. a\nb\n- c\n", n/3)},
	}
	for what, tt := range tests {
		t.Run(what, func(t *testing.T) {
			start := time.Now()
			x, err := Extract(tt.name, []byte(tt.data))
			took := time.Since(start)
			if err == nil {
				checkBlocks(t, x)
			}
			t.Logf("%d KB: %v, %d blocks, %v", len(tt.data)>>10, took.Round(time.Millisecond), len(x.Blocks), err)
			if took > time.Minute {
				t.Errorf("%d KB took %v", len(tt.data)>>10, took)
			}
		})
	}
}

// TestLargeDocuments: seconds, and some times the size of the text in memory.
func TestLargeDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short leaves out what takes seconds")
	}
	para := "The supplier delivers within thirty days of the order; delays are told at once.\nA second line of the same paragraph.\n\n"
	for _, tt := range []struct {
		what, name, unit string
		size, most       int // bytes of the original, and allocated for each
	}{
		{"text", "a.txt", para, 30 << 20, 20},
		{"text of one run", "a.txt", "a line without a blank line after it\n", 30 << 20, 20},
		{"Markdown", "a.md", "## 3.1 Delivery\n\n" + para + "- one\n- two\n\n", 8 << 20, 100},
		{"Markdown, one list", "a.md", "- an item of a list that never ends\n", 8 << 20, 200},
		{"Markdown, one block of code", "a.md", "    code\n", 8 << 20, 200},
		{"HTML", "a.html", "<h2>3.1 Delivery</h2><p>" + para + "<ul><li>one<li>two</ul>", 8 << 20, 120},
	} {
		t.Run(tt.what, func(t *testing.T) {
			data := []byte(strings.Repeat(tt.unit, tt.size/len(tt.unit)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			x, err := Extract(tt.name, data)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			each := int(after.TotalAlloc-before.TotalAlloc) / len(data)
			t.Logf("%d MB: %v, %d blocks, %d bytes allocated for each", len(data)>>20, took.Round(time.Millisecond), len(x.Blocks), each)
			if each > tt.most {
				t.Errorf("%d bytes were allocated for each, want at most %d", each, tt.most)
			}
			if took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}
