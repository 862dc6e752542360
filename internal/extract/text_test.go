package extract

import "testing"

func TestTextBlocks(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"paragraphs", "a\nb\n\n\n  c\n", "paragraph [a⏎b]\nparagraph [  c]"},
		{"underlined headings", "Guide\n=====\n\na\n\nUse of it\n---------\nb\nMore\n----\nc\n",
			"heading 1 \"Guide\"\nparagraph [a]\nheading 2 \"Use of it\"\nparagraph [b]\nheading 2 \"More\"\nparagraph [c]"},
		{"headings between rules", "=====\nGuide\n=====\na\n", "heading 1 \"Guide\"\nparagraph [a]"},
		{"numbered headings", "1. Scope\n\nText of it.\n\n1.1 Parts\n\nText.\n\n3.2 Termination\nEither party may end it.\n\nSection 4 Liability\n\nText.\n",
			"heading 1 \"Scope\" №1\nparagraph [Text of it.]\nheading 2 \"Parts\" №1.1\nparagraph [Text.]\nheading 2 \"Termination\" №3.2\nparagraph [Either party may end it.]\nheading 1 \"Liability\" №Section 4\nparagraph [Text.]"},
		{"capitals", "TERMS OF USE\n\n1. Scope\n\na\n\nPAYMENT\n\nb\n", "heading 1 \"TERMS OF USE\"\nheading 2 \"Scope\" №1\nparagraph [a]\nheading 2 \"PAYMENT\"\nparagraph [b]"},
		{"no headings", "NASA IS AN AGENCY.\n\n3.2 million came\n\nTHE END\n", "paragraph [NASA IS AN AGENCY.]\nparagraph [3.2 million came]\nparagraph [THE END]"},
		{"a contents list is no outline", "1. Scope\n2. Terms\n3. End\n\n1.1 Parts ..... 4\n\nx\n", "list item[1. Scope] item[2. Terms] item[3. End]\nparagraph [1.1 Parts ..... 4] №1.1\nparagraph [x]"},
		{"numbered lines apart are a list", "1. Milk\n\n2. Bread\n\n3. Salt\n", "paragraph [1. Milk] №1\nparagraph [2. Bread] №2\nparagraph [3. Salt] №3"},
		{"clauses", "3.1 The supplier delivers the goods within thirty days of the order.\n\n(a) one thing;\n\n12. The supplier is free to choose another carrier.\n",
			"paragraph [3.1 The supplier delivers the goods within thirty days of the order.] №3.1\nparagraph [(a) one thing;] №(a)\nparagraph [12. The supplier is free to choose another carrier.] №12"},
		{"lists", "Needed:\n- a\n  more\n  - inner\n* b\n- c\n\n- d\n", "paragraph [Needed:]\nlist item[- a⏎  more⏎  - inner⏎* b] item[- c] item[- d]"},
		{"lettered lists", "a) one\nb) two\n   goes on\n", "list item[a) one] item[b) two⏎   goes on]"},
		{"quotes", "a\n\n> b\n> c\n", "paragraph [a]\nquote [> b⏎> c]"},
		{"rules", "a\n\n-----\n\nb\n* * *\n", "paragraph [a]\nparagraph [b⏎* * *]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.txt", tt.in, tt.want) })
	}
}

func TestTextTables(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"pipes", "No | Name\n1  | a\n2  | b\n", "table head[No | Name] row[1  | a] row[2  | b]"},
		{"ruled", "Name   Size\n-----  ----\na      b\nc      d\n", "table head[Name   Size] row[a      b] row[c      d]"},
		{"boxed", "+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n", "table head[| a | b |] row[| c | d |]"},
		{"tabs", "Name\tSize\na\t1\nb\t2\n", "table head[Name\tSize] row[a\t1] row[b\t2]"},
		{"aligned", "Plan     Seats   Price\nTeam     10      4.50\nGroup    100     3.75\n",
			"table head[Plan     Seats   Price] row[Team     10      4.50] row[Group    100     3.75]"},
		{"no header to be seen", "a    1\nb    2\nc    3\n", "table row[a    1] row[b    2] row[c    3]"},
		{"caption", "Table 1: Sizes\n\na\t1\nb\t2\nc\t3\n", "paragraph [Table 1: Sizes]\ntable row[a\t1] row[b\t2] row[c\t3] caption[Table 1: Sizes]"},
		{"text with double spaces", "One sentence.  Another one.\nIt goes on.  And on it goes.\nSo there.  That is all there is.\n",
			"paragraph [One sentence.  Another one.⏎It goes on.  And on it goes.⏎So there.  That is all there is.]"},
		{"two lines are no table", "a    1\nb    2\n", "paragraph [a    1⏎b    2]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.txt", tt.in, tt.want) })
	}
}

func TestMailInText(t *testing.T) {
	in := "From: Ann\nTo: Bob\nSubject: Refund\n after renewal\nDate: today\n\nHi Bob,\n\nno.\n"
	checkOutline(t, "a.txt", in, "paragraph [From: Ann⏎To: Bob⏎Subject: Refund⏎ after renewal⏎Date: today]\nparagraph [Hi Bob,]\nparagraph [no.]")
	if x, _ := Extract("a.txt", []byte(in)); x.Title != "Refund" {
		t.Errorf("title %q", x.Title)
	}
	checkOutline(t, "a.txt", "From: here it starts\n\nx", "paragraph [From: here it starts]\nparagraph [x]")
}
