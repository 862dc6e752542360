package extract

import (
	"fmt"
	"html"
	"strings"
)

// html has what surrounds a page of a site: navigation, header and footer. Two columns
// are its style sheet's.
func (d truth) html() []byte {
	body, notes := d.page(1)
	return []byte(`<!doctype html><html><head><title>` + truthTitle + `</title><style>main{column-count:2}</style></head><body><header>` + truthFrame +
		`</header><nav><a href="/">Home</a> <a href="/x">All terms</a></nav><main><h1>` + truthTitle + `</h1>` + body + `<section role="doc-endnotes"><ol>` + notes + `</ol></section></main><footer>` + truthFrame + `</footer></body></html>`)
}

// epub has a page for each chapter, and the notes in the last.
func (d truth) epub() []byte {
	var pages []string
	var all strings.Builder
	from := 0
	cut := func(to int) {
		body, notes := truth{parts: d.parts[from:to], noted: d.notedBefore(from)}.page(0)
		all.WriteString(notes)
		if body != "" {
			pages = append(pages, fmt.Sprintf("c%d.xhtml: %s", len(pages), xhtml(body)))
		}
		from = to
	}
	for i, p := range d.parts {
		if p.kind == "heading" && p.level == 1 {
			cut(i)
		}
	}
	cut(len(d.parts))
	pages = append(pages, "notes.xhtml: "+xhtml(`<ol>`+all.String()+`</ol>`))
	return bookNamed(truthTitle, pages...)
}

func (d truth) notedBefore(i int) int {
	n := 0
	for _, p := range d.parts[:i] {
		if p.note != "" {
			n++
		}
	}
	return n
}

// page writes headings from <h1> on, or below that.
func (d truth) page(below int) (body, notes string) {
	var b, n strings.Builder
	noted := d.noted
	for _, p := range d.parts {
		text := html.EscapeString(p.text)
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, "<h%d>%s %s</h%[1]d>", p.level+below, p.number, text)
		case "clause":
			fmt.Fprintf(&b, "<p>%s %s</p>", p.number, text)
		case "text":
			if p.note != "" {
				noted++
				text += fmt.Sprintf(`<sup><a href="#fn%d">[%[1]d]</a></sup>`, noted)
				fmt.Fprintf(&n, `<li id="fn%d"><p>%s</p></li>`, noted, html.EscapeString(p.note))
			}
			b.WriteString("<p>" + text + "</p>")
		case "table":
			b.WriteString(`<table><caption>` + text + `</caption><thead><tr><th rowspan="2">Region</th><th rowspan="2">Plan</th><th colspan="2">2026</th></tr><tr><th>Q1</th><th>Q2</th></tr></thead><tbody>`)
			for i, r := range p.rows {
				b.WriteString("<tr>")
				if i%4 == 0 {
					b.WriteString(`<td rowspan="4">` + r[0] + `</td>`)
				}
				fmt.Fprintf(&b, "<td>%s</td><td>%s</td><td>%s</td></tr>", r[1], r[2], r[3])
			}
			b.WriteString("</tbody></table>")
		}
	}
	return b.String(), n.String()
}
