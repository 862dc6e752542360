package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestLinksOfPages: words that lead to other pages of the site, wherever they stand; the
// text is the same as without links.
func TestLinksOfPages(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       []string
	}{
		{"in a sentence", `<p>See <a href="leave.html#carry">the leave policy</a>, and <a href="/pol/rf-204"> RF-204 </a>.</p>`, []string{"the leave policy -> leave.html#carry", "RF-204 -> /pol/rf-204"}},
		{"at the beginning of a line", `<p><a href="a.html">1. Start</a> here</p><p><a href="b.html">- no item</a></p>`, []string{`1\. Start -> a.html`, "- no item -> b.html"}},
		{"in lists and cells", `<ul><li><a href="a.html">One</a></li></ul><table><tr><th>A</th><th>B</th></tr><tr><td><a href="b.html">x|y</a></td><td>2</td></tr></table>`, []string{"One -> a.html", `x\|y -> b.html`}},
		{"in bold type", `<p>x <b>see <a href="a.html">this</a></b> y</p>`, []string{"this -> a.html"}},
		{"with a mark after the words", `<p><a href="a.html">Größe</a>?</p>`, []string{"Größe -> a.html"}},
		{"out of the site, on the page, and what runs", `<p><a href="https://example.com/a">a</a> <a href="#x">b</a> <a href="javascript:x()">c</a> <a href="mailto:a@example.com">d</a> <a href="//cdn/x">e</a> <a href="a b.html">f</a> <a href="">g</a> <a>h</a></p>`, nil},
		{"headings lead nowhere", `<h1><a href="a.html">Title</a></h1><p>Text.</p>`, nil},
		{"characters of the page's own", "<p>a\uFDD21:x\uFDD3 b \uFDD2 c \uFDD3 <a href='a.html'>d</a></p>", []string{"a -> x", "d -> a.html"}},
	} {
		page := "<html><body><main>" + c.page + "</main></body></html>"
		x, err := extractHTML(page)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range x.Links {
			got = append(got, fmt.Sprintf("%s -> %s", l.Span.Of(x.Text), l.Address))
		}
		if !slices.Equal(got, c.want) || strings.ContainsAny(x.Text, linkMark+linkEnd) {
			t.Errorf("%s: %q in %q, want %q", c.name, got, x.Text, c.want)
		}
		plain, err := extractHTML(strings.NewReplacer(`href="`, `name="`, `href='`, `name='`).Replace(page))
		if err != nil || plain.Text != x.Text && !strings.Contains(page, "https:") && !strings.Contains(page, "\uFDD2") {
			t.Errorf("%s: the text is %q, without links %q, %v", c.name, x.Text, plain.Text, err)
		}
	}
}

// TestHostileLinkMarks: a page that holds the marks itself costs no more than its bytes.
func TestHostileLinkMarks(t *testing.T) {
	for name, page := range map[string]string{
		"less than no words": "<p>a\uFDD2-5:x\uFDD3 b</p>",
		"far back":           "<p>" + strings.Repeat("word ", 1<<20) + strings.Repeat("\uFDD24000000:a\uFDD3 ", 1<<17) + "</p>",
	} {
		var x Extracted
		var err error
		if took := testkit.Took(func() { x, err = extractHTML(page) }); err != nil || len(x.Links) > 0 || took > 10*time.Second {
			t.Errorf("%s: %d links, %v, after %v", name, len(x.Links), err, took)
		}
	}
}
