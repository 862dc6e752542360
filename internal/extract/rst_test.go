package extract

import "testing"

// TestRST gives the blocks of texts; ⏎ stands for a line feed.
func TestRST(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"levels by the order of their lines", "=====\nGuide\n=====\n\nOne\n---\n\n1.1 Two\n~~~~~~~\n\nThree\n-----\ntext\n",
			"heading 1 \"Guide\"\nheading 2 \"One\"\nheading 3 \"Two\" №1.1\nheading 2 \"Three\"\nparagraph [text]"},
		{"numbered sections", "Guide\n=====\n\n.. sectnum::\n   :depth: 1\n   :start: 3\n\nPart 1: One\n-----------\n\nTwo\n~~~\n\nThree\n-----\n", "heading 1 \"Guide\"\nheading 2 \"Part 1: One\" №3\nheading 3 \"Two\"\nheading 2 \"Three\" №4"},
		{"numbered sections without a title", ".. sectnum::\n   :prefix: A.\n\nOne\n===\n\nTwo\n---\n\nThree\n=====\n", "heading 1 \"One\" №A.1\nheading 2 \"Two\" №A.1.1\nheading 1 \"Three\" №A.2"},
		{"headers and footers", ".. header:: page 1\n\n.. footer:: secret\n\ntext\n", "paragraph [text]"},
		{"a title of roles", "The ``run`` :ref:`option <x>`\n=============================\n\nx\n", "heading 1 \"The run option\"\nparagraph [x]"},
		{"a line between paragraphs is none", "one\n\n----\n\ntwo\n", "paragraph [one]\nparagraph [two]"},
		{"lists", "- one\n\n  more\n- two\n  lines\n\n1. a\n#. b\n\n:key: value\n:two: more\n", "list item[- one⏎⏎  more] item[- two⏎  lines]\nlist item[1. a] item[#. b]\nlist item[:key: value] item[:two: more]"},
		{"nested lists", "* a\n\n  * b\n\n* c\n", "list item[* a⏎⏎  * b] item[* c]"},
		{"definitions and quotes", "term\n   what it means\n\n   quoted\n", "paragraph [term⏎   what it means]\nquote [   quoted]"},
		{"literal blocks", "Run::\n\n   make\n\n   make test\n\nThen::\n\nnothing\n", "paragraph [Run::]\ncode [   make⏎⏎   make test]\nparagraph [Then::]\nparagraph [nothing]"},
		{"directives", ".. code-block:: go\n\n   x := 1\n\n.. note:: Mind\n   this.\n\n.. toctree::\n   :maxdepth: 2\n\n   a\n\n.. a comment\n   of two lines\n\n.. _target: http://x\n\n.. [1] A note.\n\n.. image:: x.png\n   :alt: The plan\n\n>>> 1 + 1\n2\n",
			"code [.. code-block:: go⏎⏎   x := 1]\nparagraph [.. note:: Mind⏎   this.]\nparagraph [.. [1] A note.]\nparagraph [.. image:: x.png⏎   :alt: The plan]\ncode [>>> 1 + 1⏎2]"},
		{"a grid table", "+------+-------+\n| Plan | Price |\n+======+=======+\n| Team | 10    |\n+------+-------+\n", "table head[| Plan | Price |] row[| Team | 10    |]"},
		{"a grid table without a header", "+------+----+\n| Team | 10 |\n+------+----+\n| Firm | 20 |\n+------+----+\n", "table row[| Team | 10 |] row[| Firm | 20 |]"},
		{"a grid table of cells that span", "+------+----+----+\n| Plan | 2026    |\n|      +----+----+\n|      | Q1 | Q2 |\n+======+====+====+\n| Team | 1  | 2  |\n|      +----+----+\n|      | 3  | 4  |\n+------+----+----+\n",
			"table head[| Plan | 2026    |] head[|      | Q1 | Q2 |] row[| Team | 1  | 2  |] row[|      | 3  | 4  |]"},
		{"a simple table", "====  =====\nPlan  Price\n====  =====\nTeam  10\n\nFirm  20\n====  =====\n\nx\n", "table head[Plan  Price] row[Team  10] row[Firm  20]\nparagraph [x]"},
		{"a table with a title", ".. table:: Prices of **2026**\n\n   ====  =====\n   Plan  Price\n   ====  =====\n   Team  10\n   ====  =====\n\nx\n", "paragraph [.. table:: Prices of **2026**]\ntable head[   Plan  Price] row[   Team  10] caption[Prices of 2026]\nparagraph [x]"},
		{"a title that follows its paragraph", "text\nTitle\n=====\nmore\n", "paragraph [text]\nheading 1 \"Title\"\nparagraph [more]"},
		{"clauses", "7.2 The supplier pays.\n", "paragraph [7.2 The supplier pays.] №7.2"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.rst", tt.in, tt.want) })
	}
	x, err := Extract("a.rst", []byte("---\nstatus: draft\n---\nGuide\n=====\n\n.. comment\n\nx\n"))
	if err != nil || x.Title != "Guide" || string(x.FrontMatter) != "status: draft\n" || x.Format != "rst" || len(x.Notes) != 1 {
		t.Errorf("%q %q %q %v", x.Title, x.FrontMatter, x.Notes, err)
	}
}

func FuzzRST(f *testing.F) {
	f.Add("=\nA\n=\n\nB\n-\n\n- a\n\n  b\n c\n\n.. note::\n   x\n\n::\n\n  code\n\n== ==\na  b\n== ==\n1  2\n== ==\n")
	f.Add(".. table:: x\n\n  +-+-+\n  |a|b|\n  +=+=+\n  +-+-+\n\n\"\"\n\n(a) b\n..\n")
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.rst", s) })
}
