package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// outlineOf writes blocks one a line, as the cases below expect them.
func outlineOf(x Extracted) string {
	var b strings.Builder
	parts := func(name string, spans []document.Span) {
		for _, s := range spans {
			fmt.Fprintf(&b, " %s[%s]", name, strings.ReplaceAll(s.Of(x.Text), "\n", "⏎"))
		}
	}
	for _, k := range x.Blocks {
		fmt.Fprint(&b, k.Kind)
		switch k.Kind {
		case Heading:
			fmt.Fprintf(&b, " %d %q", k.Level, k.Text)
		default:
			if len(k.Items)+len(k.Header)+len(k.Rows) == 0 {
				fmt.Fprintf(&b, " [%s]", strings.ReplaceAll(k.Span.Of(x.Text), "\n", "⏎"))
			}
		}
		if k.Number != "" {
			fmt.Fprintf(&b, " №%s", k.Number)
		}
		parts("item", k.Items)
		parts("head", k.Header)
		parts("row", k.Rows)
		if k.Caption != "" {
			fmt.Fprintf(&b, " caption[%s]", k.Caption)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func checkOutline(t *testing.T, name, in, want string) {
	t.Helper()
	x, err := Extract(name, []byte(in))
	if err != nil {
		t.Errorf("%q: %v", in, err)
		return
	}
	checkBlocks(t, x)
	if got := outlineOf(x); got != want {
		t.Errorf("%q\ngot\n%s\nwant\n%s", in, got, want)
	}
}

func TestMarkdownBlocks(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"headings", "# A\n\n## 7.2 *B* `c` [d](u) ##\n\nE\n=\n\nF\ng\n---\nx\n",
			"heading 1 \"A\"\nheading 2 \"B c d\" №7.2\nheading 1 \"E\"\nheading 2 \"F g\"\nparagraph [x]"},
		{"a heading's markup", "# A\\_b & c &amp; d <br> ~~e~~ ![f](g) {#anchor}\n\n## [H][r] and [i]\n\n[r]: /u\n[i]: /v\n\nx",
			"heading 1 \"A_b & c & d e f\"\nheading 2 \"H and i\"\nparagraph [x]"},
		{"deep headings", "# 5 A\n## 5.9 B\n### 5.9.2 C\n###### 5.9.2.1.1 D\nx",
			"heading 1 \"A\" №5\nheading 2 \"B\" №5.9\nheading 3 \"C\" №5.9.2\nheading 6 \"D\" №5.9.2.1.1\nparagraph [x]"},
		{"a heading in code is none", "```sh\n# no\n```\n\n    # no\n\ntext # no\n",
			"code [```sh⏎# no⏎```]\ncode [    # no]\nparagraph [text # no]"},
		{"clauses", "7.2 The supplier pays.\n\n**7.3** The client\npays.\n\n(a) one;\n\n (i) two\n",
			"paragraph [7.2 The supplier pays.] №7.2\nparagraph [**7.3** The client⏎pays.] №7.3\nparagraph [(a) one;] №(a)\nparagraph [ (i) two] №(i)"},
		{"lists", "- a\n  - b\n\n    c\n- d\n\n1. e\n2. f\n   g\nlazy\n",
			"list item[- a⏎  - b⏎⏎    c] item[- d]\nlist item[1. e] item[2. f⏎   g⏎lazy]"},
		{"a list whose code is fenced", "- a\n\n  ```\n  b\n\n  c\n  ```\n- d\n",
			"list item[- a⏎⏎  ```⏎  b⏎⏎  c⏎  ```] item[- d]"},
		{"quotes", "> a\n> - b\nlazy\n>\n> c\n\nd\n", "quote [> a⏎> - b⏎lazy⏎>⏎> c]\nparagraph [d]"},
		{"no block", "a\n\n***\n\n[x]: /u\n\n<!-- c\n\n# c -->\n\n<div>\n\n</div>\n\nb\n", "paragraph [a]\nparagraph [b]"},
		{"HTML", "<p>a</p>\n\n<script>\nx\n\ny\n</script>\n\n<img alt=\"words\">\n", "paragraph [<p>a</p>]\nparagraph [<img alt=\"words\">]"},
		{"footnotes", "a[^1]\n\n[^1]: Note\n\n[^2]: A longer note.\n", "paragraph [a[^1]]\nparagraph [[^1]: Note]\nparagraph [[^2]: A longer note.]"},
		{"an unclosed fence", "```\na\n\nb\n", "code [```⏎a⏎⏎b]"},
		{"an empty fence", "a\n```\n```\nb", "paragraph [a]\ncode [```⏎```]\nparagraph [b]"},
		{"a heading of no words", "#\n\na\n", "paragraph [a]"},
		{"a line of other spaces is blank", "0)\n\u00a0\n=", "list item[0)]\nparagraph [=]"},
		{"and none to be underlined", "\u2003\n==\n\na\n\u00a0\nb\n\u3000\n---\n", "paragraph [==]\nparagraph [a]\nparagraph [b]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.md", tt.in, tt.want) })
	}
}

// A table carries its caption and its header, so that each part of it can.
func TestMarkdownTables(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"caption before", "Table 3: Limits in MB\n\n| Plan | Size |\n|---|--:|\n| A | 40 |\n| B | 50 |\n",
			"paragraph [Table 3: Limits in MB]\ntable head[| Plan | Size |] row[| A | 40 |] row[| B | 50 |] caption[Table 3: Limits in MB]"},
		{"caption right above", "**Table 3.** Limits\n| Plan | Size |\n|---|--:|\n| A | 40 |\n",
			"paragraph [**Table 3.** Limits]\ntable head[| Plan | Size |] row[| A | 40 |] caption[Table 3. Limits]"},
		{"caption after", "a | b\n-|-\n1 | 2\n\nTable: Limits\n", "table head[a | b] row[1 | 2] caption[Table: Limits]\nparagraph [Table: Limits]"},
		{"a caption belongs to one table", "|a|b|\n|-|-|\n|1|2|\n\nTable 2: y\n\n|c|d|\n|-|-|\n|3|4|\n",
			"table head[|a|b|] row[|1|2|]\nparagraph [Table 2: y]\ntable head[|c|d|] row[|3|4|] caption[Table 2: y]"},
		{"a sentence is no caption", "The table below is short.\n\n|a|b|\n|-|-|\n|1|2|\n", "paragraph [The table below is short.]\ntable head[|a|b|] row[|1|2|]"},
		{"a header of no words is none", "| | |\n|-|-|\n|1|2|\n", "table row[|1|2|]"},
		{"columns disagree", "|a|b|\n|-|\n|1|2|\n", "paragraph [|a|b|⏎|-|⏎|1|2|]"},
		{"escaped pipes", "a \\| b | c\n--|--\n1|2\n", "table head[a \\| b | c] row[1|2]"},
		{"a table without rows", "|a|\n|-|\n", "table head[|a|]"},
		{"it ends at a blank line", "|a|\n|-|\n|1|\n\n|2|\n", "table head[|a|] row[|1|]\nparagraph [|2|]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.md", tt.in, tt.want) })
	}
}

// The canonical text of Markdown is the original, front matter included; what
// is left out is said.
func TestMarkdownKeepsItsText(t *testing.T) {
	in := "---\ntitle: x\n---\n\n# 1. Scope of it\n\n<!-- c -->\ntext  \n"
	x, err := Extract("a.md", []byte(strings.ReplaceAll(in, "\n", "\r\n")))
	if err != nil || x.Text != in || string(x.FrontMatter) != "title: x\n" || x.Title != "1. Scope of it" || x.Format != "markdown" {
		t.Errorf("%+v %v", x, err)
	}
	if len(x.Notes) != 0 && x.Notes[0] == "" {
		t.Errorf("notes %q", x.Notes)
	}
	if x.Blocks[0].Span.From != strings.Index(in, "# 1.") {
		t.Errorf("%+v", x.Blocks[0])
	}
	if x, _ = Extract("a.md", []byte("<!-- c -->\n\ntext")); len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "comments") {
		t.Errorf("notes %q", x.Notes)
	}
}
