package extract

import "testing"

// TestAsciiDoc gives the blocks of texts; ⏎ stands for a line feed.
func TestAsciiDoc(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"titles", "= The *Guide*\nAnn Lee <ann@example.com>\n:toc: left\n\n== One\n\n=== 1.1 Two `x` ===\n\ntext\n", "heading 1 \"The Guide\"\nparagraph [Ann Lee <ann@example.com>]\nheading 2 \"One\"\nheading 3 \"Two x\" №1.1\nparagraph [text]"},
		{"titles of two lines", "Guide\n=====\n\nOne\n---\n\ntext\n", "heading 1 \"Guide\"\nheading 2 \"One\"\nparagraph [text]"},
		{"numbered sections", "= Guide\n:sectnums:\n\n== One\n\n=== Part B: Two\n\n[preface]\n== Before\n\n== Three\n\n:!sectnums:\n\n== Plain\n\n:sectnums:\n\n[appendix]\n== Extra\n\n=== More\n",
			"heading 1 \"Guide\"\nheading 2 \"One\" №1\nheading 3 \"Part B: Two\" №1.1\nheading 2 \"Before\"\nheading 2 \"Three\" №2\nheading 2 \"Plain\"\nheading 2 \"Extra\" №A\nheading 3 \"More\" №A.1"},
		{"numbered to a level", ":sectnums:\n:sectnumlevels: 1\n\n== One\n\n=== Two\n", "heading 2 \"One\" №1\nheading 3 \"Two\""},
		{"lists", "* a\n** b\n* c\nlines\n\n. of c\n. two\n\ntext\n\nterm:: means\nother::\n  this\n\ntext\n", "list item[* a⏎** b] item[* c⏎lines⏎⏎. of c⏎. two]\nparagraph [text]\nlist item[term:: means] item[other::⏎  this]\nparagraph [text]"},
		{"a block tied to an item", "* a\n+\n----\ncode\n\nmore\n----\n* b\n\ntext\n", "list item[* a⏎+⏎----⏎code⏎⏎more⏎----] item[* b]\nparagraph [text]"},
		{"blocks between lines", "----\n== no title\n----\n\n....\nx\n....\n\n____\nsaid\n____\n\n====\n== In an example\n\ntext\n====\n\n////\nno\n////\n// no\n", "code [----⏎== no title⏎----]\ncode [....⏎x⏎....]\nquote [____⏎said⏎____]\nheading 2 \"In an example\"\nparagraph [text]"},
		{"a code block with a language", "[source,go]\n----\nx := 1\n----\n\n```go\ny\n```\n", "code [----⏎x := 1⏎----]\ncode [```go⏎y⏎```]"},
		{"admonitions and attributes", "NOTE: Mind this.\n\n[WARNING]\nHot.\n\n:name: value\n", "paragraph [NOTE: Mind this.]\nparagraph [Hot.]"},
		{"a table with caption and header", ".Prices in *EUR*\n[%header]\n|===\n|Plan |Price\n|Team |10\n|Firm |20\n|===\n", "paragraph [.Prices in *EUR*]\ntable head[|Plan |Price] row[|Team |10] row[|Firm |20] caption[Prices in EUR]"},
		{"a header by its blank line", "|===\n|Plan |Price\n\n|Team |10\n|===\n", "table head[|Plan |Price] row[|Team |10]"},
		{"a header by the style of its cells", "|===\n^h|Plan ^.^h|Price\n|h |10\n|===\n", "table head[^h|Plan ^.^h|Price] row[|h |10]"},
		{"a cell a line", "[cols=\"1,2\"]\n|===\n|Plan |Price\n\n|Team\n|10\n\n|Firm\n|20\nmore\n|===\n", "table head[|Plan |Price] row[|Team⏎|10] row[|Firm⏎|20⏎more]"},
		{"cells that span", "[cols=3*]\n|===\n|Region |Q1 |Q2\n\n.2+|North |1 |2\n|3 |4\n2+|South |5\n|===\n", "table head[|Region |Q1 |Q2] row[.2+|North |1 |2] row[|3 |4] row[2+|South |5]"},
		{"columns by number", "[cols=2*]\n|===\n|a\n|b\n|===\n", "table row[|a⏎|b]"},
		{"a table without edges", "|a|b|\n|1|2|\n", "table row[|a|b|] row[|1|2|]"},
		{"images and files", "image::x.png[The plan, width=2]\n\nimage::y.png[]\n\ninclude::z.adoc[]\n\ntext\n", "paragraph [image::x.png[The plan, width=2]]\nparagraph [text]"},
		{"a block that nothing closes", "====\ntext\n\nmore\n", "paragraph [text]\nparagraph [more]"},
	} {
		t.Run(tt.what, func(t *testing.T) { checkOutline(t, "a.adoc", tt.in, tt.want) })
	}
	x, err := Extract("a.asciidoc", []byte("---\nstatus: draft\n---\n= Guide\n\ninclude::x[]\n\nx\n"))
	if err != nil || x.Title != "Guide" || string(x.FrontMatter) != "status: draft\n" || x.Format != "asciidoc" || len(x.Notes) != 1 {
		t.Errorf("%q %q %q %v", x.Title, x.FrontMatter, x.Notes, err)
	}
}

func FuzzAsciiDoc(f *testing.F) {
	f.Add("= A\n\n== B\n\n* a\n+\n--\nx\n--\n** b\n\n[cols=2*]\n|===\n|a|b\n\n|1\n|2\n|===\n\n----\nx\n")
	f.Add(".a\n|===\n|===\n\nx\n--\n\na::\n b\n+\n\n====\n.c\n!===\n!===\n")
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.adoc", s) })
}
