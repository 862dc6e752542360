package extract

import (
	"bytes"
	"fmt"
	"strings"
)

// pdfFile writes a small PDF (ISO 32000-1, 7.5): text at places in standard fonts,
// lines, an outline. Places are points from the upper left corner of an A4 page.
type pdfFile struct {
	pages   []*bytes.Buffer
	marks   []pdfMark
	title   string
	rotate  int    // of every page, in degrees with the clock
	trailer string // more entries of the trailer
}

type pdfMark struct {
	title string
	level int // from 1
	page  int // from 0
}

const (
	pdfWidth, pdfHeight = 595.0, 842.0
	helvetica           = "F1"
	helveticaBold       = "F2"
	courier             = "F3"
	nameless            = "F4" // letters from a to f are glyphs of which it does not say what they are
)

var pdfFonts = []string{"Helvetica", "Helvetica-Bold", "Courier", "Nameless"}

func (f *pdfFile) addPage() { f.pages = append(f.pages, &bytes.Buffer{}) }

func (f *pdfFile) page() *bytes.Buffer { return f.pages[len(f.pages)-1] }

// text sets a line whose letters stand on y.
func (f *pdfFile) text(x, y, size float64, font, s string) {
	s = strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(s)
	s = strings.NewReplacer("•", "\x95", "–", "\x96", "é", "\xe9", "\u00ad", "\xad").Replace(s) // WinAnsiEncoding
	fmt.Fprintf(f.page(), "BT /%s %.2f Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj ET\n", font, size, x, pdfHeight-y, s)
}

// raw adds operators of the content of a page.
func (f *pdfFile) raw(s string) { f.page().WriteString(s + "\n") }

func (f *pdfFile) line(x1, y1, x2, y2 float64) {
	fmt.Fprintf(f.page(), "0.5 w %.2f %.2f m %.2f %.2f l S\n", x1, pdfHeight-y1, x2, pdfHeight-y2)
}

func (f *pdfFile) bytes() []byte {
	var b bytes.Buffer
	var offsets []int
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	const first = 4 // 1 catalog, 2 pages, 3 info, then fonts, the letters of the last, pages with contents, outline
	firstPage := first + len(pdfFonts) + 1
	outline := firstPage + 2*len(f.pages)
	catalog := ""
	if len(f.marks) > 0 {
		catalog = fmt.Sprintf("/Outlines %d 0 R", outline)
	}
	object("<< /Type /Catalog /Pages 2 0 R %s >>", catalog)
	var kids, fonts strings.Builder
	for i := range f.pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+2*i)
	}
	object("<< /Type /Pages /Count %d /Kids [%s] >>", len(f.pages), kids.String())
	object("<< /Title (%s) >>", f.title)
	for i, name := range pdfFonts {
		meaning := ""
		if name == "Nameless" {
			meaning = fmt.Sprintf("/ToUnicode %d 0 R", firstPage-1)
		}
		object("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding %s >>", name, meaning)
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", i+1, first+i)
	}
	const private = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <66> <e000> endbfrange endcmap end"
	object("<< /Length %d >>\nstream\n%s\nendstream", len(private), private)
	for i, content := range f.pages {
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Rotate %d /Resources << /Font << %s >> >> /Contents %d 0 R >>",
			pdfWidth, pdfHeight, f.rotate, fonts.String(), firstPage+2*i+1)
		object("<< /Length %d >>\nstream\n%s\nendstream", content.Len(), content.String())
	}
	f.writeOutline(object, outline, firstPage)
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R /Info 3 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, f.trailer, xref)
	return b.Bytes()
}

// writeOutline writes the marks as a tree of linked items (7.12.3).
func (f *pdfFile) writeOutline(object func(string, ...any), root, firstPage int) {
	if len(f.marks) == 0 {
		return
	}
	at := func(i int) int { return root + 1 + i }
	children := func(parent int) []int { // of mark parent, -1 the root
		level, from := 1, 0
		if parent >= 0 {
			level, from = f.marks[parent].level+1, parent+1
		}
		var out []int
		for i := from; i < len(f.marks) && f.marks[i].level >= level; i++ {
			if f.marks[i].level == level {
				out = append(out, i)
			}
		}
		return out
	}
	ends := func(of []int) string {
		if len(of) == 0 {
			return ""
		}
		return fmt.Sprintf("/First %d 0 R /Last %d 0 R /Count %d", at(of[0]), at(of[len(of)-1]), len(of))
	}
	object("<< /Type /Outlines %s >>", ends(children(-1)))
	for i, m := range f.marks {
		parent := -1
		for j := i - 1; j >= 0 && parent < 0; j-- {
			if f.marks[j].level < m.level {
				parent = j
			}
		}
		links := ""
		siblings := children(parent)
		for k, s := range siblings {
			if s == i && k > 0 {
				links += fmt.Sprintf("/Prev %d 0 R ", at(siblings[k-1]))
			}
			if s == i && k+1 < len(siblings) {
				links += fmt.Sprintf("/Next %d 0 R ", at(siblings[k+1]))
			}
		}
		object("<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /XYZ 0 800 0] %s %s >>", m.title, at(parent), firstPage+2*m.page, links, ends(children(i)))
	}
}

// widths of the letters of Helvetica from space to tilde in thousandths of its size
// (Adobe Font Metrics of the standard 14 fonts).
var helveticaWidths = [95]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

func helveticaWidth(s string, size float64) float64 {
	n := 0
	for _, r := range s {
		if r >= ' ' && r <= '~' {
			n += helveticaWidths[r-' ']
		} else {
			n += 556
		}
	}
	return float64(n) * size / 1000
}

// broken breaks a text into lines of a width.
func broken(s string, size, width float64) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		next := strings.TrimPrefix(line+" "+w, " ")
		if line != "" && helveticaWidth(next, size) > width {
			lines = append(lines, line)
			next = w
		}
		line = next
	}
	return append(lines, line)
}
