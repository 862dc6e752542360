package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const container = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`

// bookOf makes a book of pages, "name: content", in the order of its spine.
func bookOf(pages ...string) []byte { return bookNamed("The Book", pages...) }

func bookNamed(title string, pages ...string) []byte {
	var manifest, spine string
	files := [][2]string{{"mimetype", "application/epub+zip"}, {"META-INF/container.xml", container}}
	for i, p := range pages {
		name, content, _ := strings.Cut(p, ": ")
		properties := ""
		if name == "nav.xhtml" {
			properties = ` properties="nav"`
		}
		manifest = fmt.Sprintf(`<item id="i%d" href="%s" media-type="application/xhtml+xml"%s/>`, i, strings.ReplaceAll(name, " ", "%20"), properties) + manifest
		spine += fmt.Sprintf(`<itemref idref="i%d"/>`, i)
		files = append(files, [2]string{"OEBPS/" + name, content})
	}
	files = append(files, [2]string{"OEBPS/book.opf", `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>` + title + `</dc:title></metadata><manifest>` +
		manifest + `</manifest><spine>` + spine + `</spine></package>`})
	return zipOf(files)
}

func zipOf(files [][2]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		method := zip.Deflate
		if f[0] == "mimetype" {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: f[0], Method: method})
		if err == nil {
			_, err = w.Write([]byte(f[1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func xhtml(body string) string {
	return `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>` + body + `</body></html>`
}

func TestEPUB(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		pages      []string
	}{
		{"chapters in the order of the spine", "# Two\n\nFirst read.\n\n# One\n\nThen this.\n", []string{"b.xhtml: " + xhtml("<h1>Two</h1><p>First read.</p>"), "a.xhtml: " + xhtml("<h1>One</h1><p>Then this.</p>")}},
		{"navigation and covers are left out", "# One\n\nText.\n", []string{"cover.xhtml: " + xhtml(`<img src="c.png"/>`), "nav.xhtml: " + xhtml("<h1>Contents</h1><ol><li>One</li></ol>"), "a b.xhtml: " + xhtml("<h1>One</h1><p>Text.</p>")}},
		{"elements that close where they open", "# One\n\nText.\n\nMore.\n", []string{"a.xhtml: " + xhtml(`<a id="x"/><h1>One</h1><div/><p>Text.</p><p>More.</p>`)}},
		{"footnotes stay", "# One\n\nText.1\n\n1 The note.\n", []string{"a.xhtml: " + xhtml(`<h1>One</h1><p>Text.<a href="#n"><sup>1</sup></a></p><aside epub:type="footnote" id="n">1 The note.</aside>`)}},
		{"an open fence stays in its chapter", "```\n\n# Two\n", []string{"a.xhtml: " + xhtml("<p>```</p>"), "b.xhtml: " + xhtml("<h1>Two</h1>")}},
	} {
		for _, name := range []string{"a.epub", "book"} {
			x, err := Extract(name, bookOf(tt.pages...))
			if want := strings.ReplaceAll(tt.want, "```\n", "\\```\n"); err != nil || x.Text != want || x.Title != "The Book" || x.Format != "epub" {
				t.Errorf("%s: got %q\n%s%v", tt.what, x.Title, x.Text, err)
			}
			checkBlocks(t, x)
		}
	}
}

func TestEPUBRefused(t *testing.T) {
	bomb := bookOf("a.xhtml: "+xhtml("<p>"+strings.Repeat("a ", 20<<20)), "b.xhtml: "+xhtml("<p>"+strings.Repeat("a ", 20<<20)))
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	garbage := "\x00\x8f\x12" + strings.Repeat("\xf3\x00\x81", 1000)
	for _, tt := range []struct {
		what string
		in   []byte
		want string
	}{
		{"a bomb", bomb, errUnpacked.Error()},
		{"no archive", []byte("text"), errBook.Error()},
		{"no list of chapters", zipOf([][2]string{{"mimetype", "application/epub+zip"}}), errBook.Error()},
		{"encrypted chapters", bookOf("a.xhtml: " + garbage), "may be encrypted"},
		{"no chapters", bookOf(), ErrNoText.Error()},
		{"metadata as text", bookOf("a.xhtml: " + xhtml("<p>---</p><p>readers: [group:hr]</p>")), errHidden.Error()},
		{"a list of chapters that nests", zipOf([][2]string{{"META-INF/container.xml", strings.Repeat("<a>", 1<<20)}}), errBook.Error()},
	} {
		if _, err := Extract("a.epub", tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}

func FuzzEPUB(f *testing.F) {
	f.Add(string(bookOf("a.xhtml: "+xhtml("<h1>One</h1><p>Text.<table><tr><td>x</table>"), "nav.xhtml: "+xhtml("x"))))
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.epub", s) })
}

// FuzzPackage: a book's list of chapters is the part that no other target reaches.
func FuzzPackage(f *testing.F) {
	f.Add(container, `<package><metadata><title>x</title></metadata><manifest><item id="a" href="a%20b#c" media-type="text/html"/></manifest><spine><itemref idref="a"/></spine><guide><reference type="toc" href="../a"/></guide></package>`)
	f.Fuzz(func(t *testing.T, container, book string) {
		fuzzed(t, "a.epub", string(zipOf([][2]string{{"META-INF/container.xml", container}, {"OEBPS/book.opf", book}, {"OEBPS/a b", "<p>x"}})))
	})
}
