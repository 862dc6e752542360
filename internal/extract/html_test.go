package extract

import (
	"strings"
	"testing"
)

// TestPages gives the Markdown that a page becomes.
func TestPages(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"what is no content is left out", `<body><div id="cookie-banner">We use cookies</div><header>Site <a href=/>home</a></header><nav>Menu</nav>
			<main><h1>Refunds</h1><p>Within <b>14</b> days.</p><script>x</script><div style="display: none">no</div><p hidden>no</p><span aria-hidden="true">no</span></main>
			<aside>See also</aside><form><label>Search</label></form><footer>Imprint</footer>`, "# Refunds\n\nWithin **14** days."},
		{"an article's own header and note stay", `<nav>Menu</nav><article><header><h1>A</h1><p>By Ann, who wrote it</p></header><p>Text of the article.</p><aside>Mind this note.</aside><footer>Last changed in May</footer></article>`,
			"# A\n\nBy Ann, who wrote it\n\nText of the article.\n\nMind this note.\n\nLast changed in May"},
		{"the page's heading outside of main stays", `<header><h1>Refunds</h1><a>home</a></header><main><p>Within fourteen days of the renewal.</p></main>`, "# Refunds\n\nWithin fourteen days of the renewal."},
		{"main that holds little is not preferred", `<main><p>x</p></main><div><p>The whole of the text is here, outside of it.</p></div>`, "x\n\nThe whole of the text is here, outside of it."},
		{"a page that is one form stays", `<form><p>All of the text of this page is in a form.</p></form>`, "All of the text of this page is in a form."},
		{"text and white space", "<p>a\n  b<span> c</span>&nbsp;d<br>e <i> f</i>.</p>x<div>y</div>z", "a b c d\ne f.\n\nx\n\ny\n\nz"},
		{"text that looks like markup", "<p># no</p><p>1. no</p><p>- no</p><p>&lt;b&gt;</p><p>a<br>---</p><h2>a_b *c* [d]</h2>", "\\# no\n\n1\\. no\n\n\\- no\n\n\\<b>\n\na\n\\---\n\n## a_b \\*c\\* \\[d]"},
		{"lists", "<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol start=3><li>e<li value=7>f</ol><ol type=a><li>g<li>h</ol>", "- a\n  - b\n\n- c\n\n  d\n\n3. e\n7. f\n\n- a. g\n- b. h"},
		{"definitions", "<dl><dt>Day<dd>Any day.<dt>Month<dd>Any month.</dl>", "- **Day**: Any day.\n- **Month**: Any month."},
		{"code", "<pre><code class=\"language-go\">a\n\n  b ```\n</code></pre><p>x <code>y|z</code></p>", "````go\na\n\n  b ```\n````\n\nx `y|z`"},
		{"quotes", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"},
		{"links", `<p><a href="https://x.example/y">there</a> and <a href="/z">here</a></p>`, "[there](https://x.example/y) and here"},
		{"exponents", "<p>10<sup>2</sup> m<sup>2</sup>, see<sup>note</sup></p>", "10^2 m^2, seenote"},
		{"headings within links", `<a href="/x"><h2>A</h2><p>b</p></a>`, "## A\n\nb"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract("a.html", []byte(tt.in))
			if err != nil || strings.TrimSuffix(x.Text, "\n") != tt.want {
				t.Errorf("got\n%s\n%v\nwant\n%s", x.Text, err, tt.want)
			}
			checkBlocks(t, x)
		})
	}
}

func TestPageTables(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"header, caption and spans", `<table><caption>Limits in MB</caption><thead><tr><th rowspan=2>Plan<th colspan=2>2026</tr><tr><th>Q1<th>Q2</tr></thead>
			<tr><td rowspan=2>Team<td>40<td>41<tr><td>50<td>51</table>`,
			"Table: Limits in MB\n\n| Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | --- |\n| Team | 40 | 41 |\n| Team | 50 | 51 |"},
		{"headings of rows are no header", "<table><tr><th>Seats<td>40<tr><th>Size<td>41</table>", "|  |  |\n| --- | --- |\n| Seats | 40 |\n| Size | 41 |"},
		{"cells of lists and pipes", "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>1|2<br>3</table>", "| a | b |\n| --- | --- |\n| x; y | 1\\|2 3 |"},
		{"a title across the table", "<table><tr><th>a<th>b<tr><td colspan=2>North<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| North |  |\n| 1 | 2 |"},
		{"a cell beside one that reaches down", "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>x<td>1<td>2<tr><td colspan=2>3</table>", "| a | b | c |\n| --- | --- | --- |\n| x | 1 | 2 |\n| x | 3 | 3 |"},
		{"one name for all columns", "<table><tr><th colspan=2>Action<tr><td>swim<td>far</table>", "| Action | Action |\n| --- | --- |\n| swim | far |"},
		{"a title above the names of columns", "<table><tr><th colspan=2>Fees<tr><th>a<th>b<tr><td>1<td>2</table>", "| Fees / a | b |\n| --- | --- |\n| 1 | 2 |"},
		{"a table in a cell", "<table><tr><th>Plan<th>Prices<tr><td>Team<td>per seat<table><caption>Net</caption><tr><th>Size<th>Fee<tr><td>small<td>5|6<tr><td>large<td></table><tr><td>Home, which is one price for all<td>9</table>",
			"| Plan | Prices |\n| --- | --- |\n| Team | per seat (Net: Size: small, Fee: 5\\|6; Size: large) |\n| Home, which is one price for all | 9 |"},
		{"a table without names of columns in a cell, and one in that", "<table><tr><th>Plan<th>Prices<tr><td>Team<td><table><tr><td>small<td>5<tr><td>large<table><tr><td>x<td>y</table><td>7</table><tr><td>Home, which is one price for all<td>9</table>",
			"| Plan | Prices |\n| --- | --- |\n| Team | (small, 5; large (x, y), 7) |\n| Home, which is one price for all | 9 |"},
		{"a box around a text", "<table><tr><th>a<th>b<tr><td>x<td><table><tr><td>alone</table></table>", "| a | b |\n| --- | --- |\n| x | alone |"},
		{"layout", "<table><tr><td><h2>A</h2><td><p>b</p></table>", "## A\n\nb"},
		{"a list across one column", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract("a.html", []byte(tt.in))
			if err != nil || strings.TrimSuffix(x.Text, "\n") != tt.want {
				t.Errorf("got\n%s\n%v\nwant\n%s", x.Text, err, tt.want)
			}
			checkBlocks(t, x)
		})
	}
}

func TestPageBlocks(t *testing.T) {
	in := `<!doctype html><html><head><title> Terms &amp; more </title></head><body><nav>x</nav><h1>Terms</h1><h2>7.2 End</h2><p>(a) by letter</p>
		<table><caption>Fees</caption><tr><th>a<th>b<tr><td>1<td>2</table></body></html>`
	want := "heading 1 \"Terms\"\nheading 2 \"End\" №7.2\nparagraph [(a) by letter] №(a)\nparagraph [Table: Fees]\ntable head[| a | b |] row[| 1 | 2 |] caption[Table: Fees]"
	for _, name := range []string{"a.html", "a.htm", "saved.txt", "page"} {
		checkOutline(t, name, in, want)
	}
	x, err := Extract("a.html", []byte(in))
	if err != nil || x.Title != "Terms & more" || x.Format != "html" || len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "navigation") {
		t.Errorf("%+v %v", x, err)
	}
}
