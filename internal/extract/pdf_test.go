package extract

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// set sets lines one below the other.
func (f *pdfFile) set(x, y, size float64, font string, lines ...string) {
	for i, l := range lines {
		f.text(x, y+1.2*size*float64(i), size, font, l)
	}
}

// filler is text that makes plain what the usual size is.
func (f *pdfFile) filler(x, y, width float64, n int) {
	lines := broken(strings.Repeat("Goods are held at the risk of the buyer from the day of delivery on and not before. ", n), 10, width)
	f.set(x, y, 10, helvetica, lines...)
}

func TestPDF(t *testing.T) {
	for _, tt := range []struct {
		name string
		draw func(*pdfFile)
		want string // as outlineOf writes blocks
	}{
		{"paragraphs by indentation and by space", func(f *pdfFile) {
			f.set(85, 100, 10, helvetica, "The buyer pays within thirty days of the date of the")
			f.set(70, 112, 10, helvetica, "invoice, which the supplier sends with the goods.")
			f.set(85, 124, 10, helvetica, "Later payment costs interest at the rate that the bank")
			f.set(70, 136, 10, helvetica, "has published for the quarter before.")
			f.set(70, 160, 10, helvetica, "This ends the terms of payment.")
		}, `paragraph [The buyer pays within thirty days of the date of the invoice, which the supplier sends with the goods.]
paragraph [Later payment costs interest at the rate that the bank has published for the quarter before.]
paragraph [This ends the terms of payment.]`},

		{"hyphens at the ends of lines", func(f *pdfFile) {
			f.set(70, 100, 10, helvetica,
				"A long-term contract runs for ten years, and each long-",
				"term contract has a notice of termi-",
				"nation, a non-disclosure clause and an on-",
				"site check of e-mail and the X-",
				"Ray unit, once more.")
		}, `paragraph [A long-term contract runs for ten years, and each long-term contract has a notice of termination, a non-disclosure clause and an onsite check of e-mail and the X-Ray unit, once more.]`},

		{"two columns below a title", func(f *pdfFile) {
			f.text(70, 90, 18, helveticaBold, "A title that reaches over both of the columns")
			f.set(70, 120, 10, helvetica, broken("The left column comes first and tells of the goods, their number and their price. It ends in the middle of a sentence, which", 10, 200)...)
			f.set(310, 120, 10, helvetica, broken("the right column goes on with. It then tells of the carriage, of the risk and of the place where both are handed over, at length.", 10, 200)...)
		}, `heading 1 "A title that reaches over both of the columns"
paragraph [The left column comes first and tells of the goods, their number and their price. It ends in the middle of a sentence, which the right column goes on with. It then tells of the carriage, of the risk and of the place where both are handed over, at length.]`},

		{"headings by size, weight and number", func(f *pdfFile) {
			f.text(70, 90, 16, helvetica, "1 Delivery")
			f.filler(70, 110, 450, 2)
			f.text(70, 160, 12, helvetica, "1.1 Place")
			f.filler(70, 180, 450, 2)
			f.text(70, 230, 10, helveticaBold, "Exceptions")
			f.filler(70, 245, 450, 2)
			f.text(70, 300, 16, helvetica, "2 Payment")
			f.filler(70, 320, 450, 2)
		}, `heading 1 "Delivery" №1
` + goods(2) + `
heading 2 "Place" №1.1
` + goods(2) + `
heading 3 "Exceptions"
` + goods(2) + `
heading 1 "Payment" №2
` + goods(2)},

		{"headings by the outline of the file", func(f *pdfFile) {
			f.marks = []pdfMark{{"Delivery", 1, 0}, {"Place", 2, 0}, {"Payment", 1, 0}}
			f.text(70, 90, 10, helvetica, "Delivery")
			f.filler(70, 110, 450, 2)
			f.text(70, 160, 10, helvetica, "Place")
			f.filler(70, 180, 450, 2)
			f.text(70, 230, 10, helvetica, "Payment")
			f.filler(70, 250, 450, 2)
		}, `heading 1 "Delivery"
` + goods(2) + `
heading 2 "Place"
` + goods(2) + `
heading 1 "Payment"
` + goods(2)},

		{"lists with their marks", func(f *pdfFile) {
			f.set(70, 100, 10, helvetica, "The supplier delivers:")
			f.set(85, 114, 10, helvetica, "• tables and chairs")
			f.set(85, 128, 10, helvetica, "• lamps, of which there are")
			f.set(92, 140, 10, helvetica, "two kinds")
			f.set(100, 152, 10, helvetica, "– for desks")
			f.set(100, 164, 10, helvetica, "– for walls")
			f.set(85, 178, 10, helvetica, "• shelves")
			f.set(70, 200, 10, helvetica, "In this order:")
			f.text(85, 214, 10, helvetica, "3.")
			f.text(105, 214, 10, helvetica, "unpack")
			f.text(85, 228, 10, helvetica, "4.")
			f.text(105, 228, 10, helvetica, "count")
		}, `paragraph [The supplier delivers:]
list item[- tables and chairs] item[- lamps, of which there are two kinds⏎  - for desks⏎  - for walls] item[- shelves]
paragraph [In this order:]
list item[3. unpack] item[4. count]`},

		{"a table of aligned columns, with levels, a wrapped label and signs apart", func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			f.text(70, 150, 10, helvetica, "Table 2: Income in EUR thousand")
			f.text(342, 170, 10, helveticaBold, "Years ended 31 March")
			f.text(320, 184, 10, helveticaBold, "2026")
			f.text(450, 184, 10, helveticaBold, "2025")
			for i, r := range [][]string{{"Sales", "1,234", "998"}, {"Cost of goods that were", "", ""}, {"sold to others", "(870)", "(702)"}, {"Other income", "12", "–"}, {"Profit", "376", "296"}} {
				y := 200 + 13*float64(i)
				f.text(70, y, 10, helvetica, r[0])
				for k, c := range r[1:] {
					if c != "" && (i == 0 || i == 4) {
						f.text(300+130*float64(k), y, 10, helvetica, "$")
					}
					if c != "" {
						f.text(345+130*float64(k)-helveticaWidth(c, 10), y, 10, helvetica, c)
					}
				}
			}
			f.set(70, 290, 8, helvetica, "Numbers are rounded, so that sums may differ.")
		}, goods(3) + `
paragraph [Table 2: Income in EUR thousand]
table head[|  | Years ended 31 March / 2026 | Years ended 31 March / 2025 |] row[| Sales | $1,234 | $998 |] row[| Cost of goods that were sold to others | (870) | (702) |] row[| Other income | 12 | – |] row[| Profit | $376 | $296 |] caption[Table 2: Income in EUR thousand]
paragraph [Numbers are rounded, so that sums may differ.]`},

		{"a balance sheet: groups, sums below lines, notes by number", func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			f.text(385, 180, 9, helveticaBold, "As of December 31,")
			f.line(370, 184, 500, 184)
			f.text(310, 196, 9, helveticaBold, "Note")
			f.line(70, 200, 500, 200)
			for i, r := range []struct {
				x    float64
				font string
				row  []string
			}{
				{0, helveticaBold, []string{"", "", "2019", "2018"}},
				{0, helveticaBold, []string{"Current assets:", "", "", ""}},
				{12, helvetica, []string{"Cash", "4", "$ 1,250.4", "$ 980.1"}},
				{12, helvetica, []string{"Receivables, net of allowance for", "", "", ""}},
				{12, helvetica, []string{"doubtful accounts of $12 and $9", "5", "430.2", "(12.5)"}},
				{0, helveticaBold, []string{"Total current assets", "", "1,680.6", "967.6"}},
				{0, helvetica, []string{"Goodwill", "6", "120.0", "–"}},
				{0, helveticaBold, []string{"Total assets", "", "$ 1,800.6", "$ 967.6"}},
			} {
				y := 196 + 13*float64(i)
				f.text(70+r.x, y, 9, r.font, r.row[0])
				f.text(316, y, 9, r.font, r.row[1])
				for k, c := range r.row[2:] {
					end := 420 + 80*float64(k)
					if number, ok := strings.CutPrefix(c, "$ "); ok {
						f.text(end-50, y, 9, r.font, "$")
						c = number
					}
					f.text(end-helveticaWidth(c, 9), y, 9, r.font, c)
					if i == 4 || i == 6 {
						f.line(end-50, y+3, end, y+3)
					}
				}
			}
		}, goods(3) + `
table head[|  | Note | As of December 31, / 2019 | As of December 31, / 2018 |] row[| Current assets: |  |  |  |] row[| Cash | 4 | $1,250.4 | $980.1 |] row[| Receivables, net of allowance for doubtful accounts of $12 and $9 | 5 | 430.2 | (12.5) |] row[| Total current assets |  | 1,680.6 | 967.6 |] row[| Goodwill | 6 | 120.0 | – |] row[| Total assets |  | $1,800.6 | $967.6 |]`},

		{"a header of several lines, and percent signs apart", func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			f.text(200, 150, 9, helvetica, "Share of")
			f.text(300, 150, 9, helvetica, "Growth in")
			f.text(70, 161, 9, helvetica, "Region")
			f.text(200, 161, 9, helvetica, "revenue")
			f.text(300, 161, 9, helvetica, "constant currency")
			for i, r := range [][]string{{"North America", "45.2", "3.1"}, {"Europe", "30.1", "(1.2)"}, {"Asia and Pacific", "24.7", "8.0"}} {
				y := 175 + 12*float64(i)
				f.text(70, y, 9, helvetica, r[0])
				for k, c := range r[1:] {
					f.text(200+100*float64(k), y, 9, helvetica, c)
					f.text(225+100*float64(k), y, 9, helvetica, "%")
				}
			}
		}, goods(3) + `
table head[| Region | Share of revenue | Growth in constant currency |] row[| North America | 45.2 % | 3.1 % |] row[| Europe | 30.1 % | (1.2) % |] row[| Asia and Pacific | 24.7 % | 8.0 % |]`},

		{"a table of contents is no table and has no headings", func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			for i, l := range []string{"1 Delivery", "1.1 Place", "2 Payment"} {
				f.text(70, 150+14*float64(i), 12, helveticaBold, l+" . . . . . . . . . . . . . .")
				f.text(480, 150+14*float64(i), 12, helveticaBold, fmt.Sprint(i+1))
			}
		}, goods(3) + `
paragraph [1 Delivery … 1]
paragraph [1.1 Place … 2] №1.1
paragraph [2 Payment … 3]`},

		{"a table without lines that goes on with its header on the next page", func(f *pdfFile) {
			for page := range 2 {
				if page > 0 {
					f.addPage()
				}
				for i, h := range []string{"Part", "Weight, kg", "Price, EUR"} {
					f.text(70+150*float64(i), 100, 10, helveticaBold, h)
				}
				for i := range 3 {
					y := 114 + 14*float64(i)
					f.text(70, y, 10, helvetica, fmt.Sprintf("Bolt %c", 'A'+3*page+i))
					f.text(220, y, 10, helvetica, fmt.Sprintf("%d.5", 3*page+i))
					f.text(370, y, 10, helvetica, fmt.Sprintf("%d.20", 10+3*page+i))
				}
				f.text(290, 810, 8, helvetica, fmt.Sprintf("- %d -", page+1))
			}
		}, `table head[| Part | Weight, kg | Price, EUR |] row[| Bolt A | 0.5 | 10.20 |] row[| Bolt B | 1.5 | 11.20 |] row[| Bolt C | 2.5 | 12.20 |] row[| Bolt D | 3.5 | 13.20 |] row[| Bolt E | 4.5 | 14.20 |] row[| Bolt F | 5.5 | 15.20 |]`},

		{"an exponent is no figure of its number", func(f *pdfFile) {
			f.text(70, 100, 10, helvetica, "The area is 10")
			f.text(70+helveticaWidth("The area is 10", 10), 96, 6, helvetica, "2")
			f.text(140, 100, 10, helvetica, " square miles.")
		}, `paragraph [The area is 10^2 square miles.]`},

		{"code keeps its lines", func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			f.set(70, 150, 9, courier, "func add(a, b int) int {", "    return a + b", "}")
		}, goods(3) + "\n" + "code [```⏎func add(a, b int) int {⏎    return a + b⏎}⏎```]"},

		{"notes of the same number on two pages", func(f *pdfFile) {
			for page := range 2 {
				if page > 0 {
					f.addPage()
				}
				f.filler(70, 130, 450, 3)
				s := fmt.Sprintf("Prices of list %c hold.", 'A'+page)
				f.text(70, 200, 10, helvetica, s)
				f.text(70+helveticaWidth(s, 10), 196, 6, helvetica, "1")
				f.text(70, 740, 5, helvetica, "1")
				f.text(74, 743, 7.5, helvetica, fmt.Sprintf("List %c is the one of May.", 'A'+page))
			}
		}, goods(3) + `
paragraph [Prices of list A hold.[^1]]
paragraph [[^1]: List A is the one of May.]
` + goods(3) + `
paragraph [Prices of list B hold.[^1-p2]]
paragraph [[^1-p2]: List B is the one of May.]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &pdfFile{}
			f.addPage()
			tt.draw(f)
			x, err := Extract("a.pdf", f.bytes())
			if err != nil {
				t.Fatal(err)
			}
			checkBlocks(t, x)
			if got := outlineOf(x); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func goods(n int) string {
	return "paragraph [" + strings.TrimSpace(strings.Repeat("Goods are held at the risk of the buyer from the day of delivery on and not before. ", n)) + "]"
}

// TestPDFTurned: a page whose text is turned is read as a reader holds it.
func TestPDFTurned(t *testing.T) {
	for _, m := range []string{"1 0 0 1 100 700", "0 1 -1 0 300 100", "-1 0 0 -1 500 300", "0 -1 1 0 100 700"} {
		f := &pdfFile{}
		f.addPage()
		f.raw("BT /F1 12 Tf " + m + " Tm (The first line of two and) Tj 0 -15 Td (the second line.) Tj ET")
		x, err := Extract("a.pdf", f.bytes())
		if err != nil || strings.TrimSpace(x.Text) != "The first line of two and the second line." {
			t.Errorf("%s: %q %v", m, x.Text, err)
		}
	}
}

// TestPDFHidden: what a reader does not see is no text of the document, and that
// there was some is said.
func TestPDFHidden(t *testing.T) {
	f := &pdfFile{}
	f.addPage()
	f.filler(70, 90, 450, 3)
	f.raw("q BT /F1 10 Tf 3 Tr 1 0 0 1 70 500 Tm (painted of no pixel) Tj ET Q")
	f.raw("q 1 1 1 rg BT /F1 10 Tf 1 0 0 1 70 480 Tm (white on white) Tj ET Q")
	f.raw("BT /F1 0.8 Tf 1 0 0 1 70 460 Tm (too small) Tj ET")
	f.raw("BT /F1 10 Tf 1 0 0 1 700 440 Tm (off the page) Tj ET")
	f.raw("q 0 0 0.5 rg 60 380 300 40 re f 1 1 1 rg BT /F1 10 Tf 1 0 0 1 70 395 Tm (White on blue is seen.) Tj ET Q")
	x, err := Extract("a.pdf", f.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if want := goods(3) + "\nparagraph [White on blue is seen.]"; outlineOf(x) != want {
		t.Errorf("got %s", outlineOf(x))
	}
	if len(x.Notes) != 1 || x.Notes[0] != "Words that a reader does not see were left out: 12." {
		t.Errorf("notes %q", x.Notes)
	}
}

const pdfImage = "q 400 0 0 500 80 200 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q"

// TestPDFRefused: what cannot be read says why.
func TestPDFRefused(t *testing.T) {
	build := func(draw func(*pdfFile)) []byte {
		f := &pdfFile{}
		f.addPage()
		draw(f)
		return f.bytes()
	}
	whole := build(func(f *pdfFile) { f.filler(70, 90, 450, 3) })
	for _, tt := range []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"an image", build(func(f *pdfFile) { f.raw(pdfImage) }), ErrNoText, "OCR"},
		{"an empty page", build(func(*pdfFile) {}), ErrNoText, ""},
		{"a password", build(func(f *pdfFile) {
			f.filler(70, 90, 450, 3)
			f.trailer = "/ID [<01> <01>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + strings.Repeat("ab", 32) + "> /U <" + strings.Repeat("cd", 32) + "> >>"
		}), office.ErrEncrypted, "password"},
		{"the beginning only", whole[:60], office.ErrDamaged, ""},
	} {
		x, err := Extract("a.pdf", tt.data)
		if !errors.Is(err, tt.want) || !strings.Contains(fmt.Sprint(err), tt.says) {
			t.Errorf("%s: %v %q, want %v", tt.name, err, x.Text, tt.want)
		}
	}
	f := &pdfFile{}
	f.addPage()
	f.filler(70, 90, 450, 3)
	f.addPage()
	f.raw(pdfImage)
	x, err := Extract("a.pdf", f.bytes())
	if err != nil || len(x.Notes) != 1 || x.Notes[0] != "Pages without text were not read: 2." {
		t.Errorf("a page that is an image: %v %q", err, x.Notes)
	}
}

// TestPDFByContent: the content says that it is a PDF, and a text about PDF is none.
func TestPDFByContent(t *testing.T) {
	f := &pdfFile{}
	f.addPage()
	f.filler(70, 90, 450, 3)
	data := f.bytes()
	for _, tt := range []struct{ name, before, format string }{
		{"a.pdf", "", "pdf"}, {"a.txt", "", "pdf"}, {"a", "", "pdf"}, {"a.pdf", "junk of a mail program\r\n", "pdf"},
		{"a.md", "# How a file begins\n\n    ", "markdown"},
	} {
		in := append([]byte(tt.before), data...)
		if tt.format == "markdown" {
			in = []byte(tt.before + "%PDF-1.7\n")
		}
		if x, err := Extract(tt.name, in); err != nil || x.Format != tt.format {
			t.Errorf("%s behind %q: %s %v", tt.name, tt.before, x.Format, err)
		}
	}
}

// TestPDFSamples: every sample is read, or refused because it is an image, within
// 30 s and 1 GB. Another tool's Markdown is compared for its words.
func TestPDFSamples(t *testing.T) {
	sum, n := 0.0, 0
	var headings, cells ratio
	files := append(samples(t, "parser_samples/*/sources/*.pdf"), samples(t, "parser_samples/markitdown/*.pdf")...)
	for _, file := range append(files, samples(t, "corpus_18f_handbook/docs/downloads/*.pdf")...) {
		x, err := boundedExtract(t, file)
		if strings.Contains(file, "_scan") != errors.Is(err, ErrNoText) || err != nil && !errors.Is(err, ErrNoText) {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		checkPlain(t, x)
		var want []byte
		for _, end := range []string{".md", ".pdf.md"} {
			if md, err := os.ReadFile(filepath.Join(filepath.Dir(file), "../groundtruth", strings.TrimSuffix(filepath.Base(file), ".pdf")+end)); err == nil {
				want = md
			}
		}
		if want == nil {
			continue
		}
		other, err := Extract("a.md", want)
		if err != nil {
			t.Fatal(err)
		}
		share := foundIn(x.Text, pictureMark.ReplaceAllString(string(want), ""))
		t.Logf("%-45s %.3f of the words; headings not found %q", filepath.Base(file), share, missing(titles(other), titles(x)))
		headings.add(titles(x), titles(other))
		cells.add(cellTexts(x), cellTexts(other))
		sum, n = sum+share, n+1
	}
	t.Logf("words: mean of %d: %.3f; headings: %v; cells: %v", n, sum/float64(n), headings, cells)
	if n < 14 || sum/float64(n) < 0.97 {
		t.Errorf("%.3f of the words on average of %d", sum/float64(n), n)
	}
}

// checkPlain holds canonical text: valid, without control characters and without
// marks of the reader.
func checkPlain(t *testing.T, x Extracted) {
	t.Helper()
	if !utf8.ValidString(x.Text) {
		t.Error("the text is not UTF-8")
	}
	for _, r := range x.Text {
		if r != '\n' && unicode.IsControl(r) || r >= 0xFDD0 && r <= 0xFDEF || unicode.Is(unicode.Co, r) || r == 0xAD {
			t.Errorf("the text holds %U", r)
			return
		}
	}
	last := 0
	for _, p := range x.Pages {
		if p.Page <= last || p.Offset < 0 || p.Offset > len(x.Text) {
			t.Errorf("pages %v", x.Pages)
			return
		}
		last = p.Page
	}
}

// TestPDFDamaged: copies with bytes changed, cut or repeated are read or refused, and
// what comes after them is read as before.
func TestPDFDamaged(t *testing.T) {
	copies := 150
	if testing.Short() {
		copies = 30
	}
	if os.Getenv("QUARRY_LONG") != "" {
		copies = 3000
	}
	f := &pdfFile{marks: []pdfMark{{"Delivery", 1, 0}}}
	f.addPage()
	f.text(70, 80, 16, helveticaBold, "Delivery")
	f.filler(70, 100, 450, 3)
	f.line(70, 200, 300, 200)
	f.raw(pdfImage)
	data := f.bytes()
	want, err := Extract("a.pdf", data)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range copies {
		if x, err := Extract("a.pdf", damage(rnd, data)); err == nil {
			checkBlocks(t, x)
			checkPlain(t, x)
		}
	}
	if got, err := Extract("a.pdf", data); err != nil || got.Text != want.Text {
		t.Errorf("after damaged copies: %v %q", err, got.Text)
	}
}

func FuzzPDF(f *testing.F) {
	p := &pdfFile{}
	p.addPage()
	p.text(70, 80, 16, helveticaBold, "Delivery")
	p.line(70, 200, 300, 200)
	f.Add(p.page().String())
	f.Add("BT /F1 0 Tf 0 0 0 0 1e30 -1e30 Tm (a) Tj 3 Tr (b) Tj ET 0 0 m 1e9 0 l S 1 1 1 rg 0 0 1 1 re f")
	f.Fuzz(func(t *testing.T, content string) {
		p := &pdfFile{}
		p.addPage()
		p.raw(content)
		if x, err := Extract("a.pdf", p.bytes()); err == nil {
			checkBlocks(t, x)
			checkPlain(t, x)
		}
	})
}

// TestPDFLosesNoWord: whatever stands where, with whatever lines between, each word
// that is seen is in the text.
func TestPDFLosesNoWord(t *testing.T) {
	pages := 60
	if testing.Short() {
		pages = 15
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range pages {
		f := &pdfFile{}
		f.addPage()
		var words []string
		word := func() string {
			s := ""
			for range 5 {
				s += string(rune('a' + rnd.IntN(26)))
			}
			words = append(words, s)
			return s
		}
		bottom := 40.0
		for range 1 + rnd.IntN(4) { // parts of the page, one below the other
			x, y := 40+400*rnd.Float64(), bottom+10+50*rnd.Float64()
			cols, rows := 1+rnd.IntN(4), 1+rnd.IntN(8)
			wide, high := 75+60*rnd.Float64(), 11+8*rnd.Float64()
			bottom = y + high*float64(rows+1)
			size, font := []float64{7, 8, 10}[rnd.IntN(3)], []string{helvetica, helveticaBold}[rnd.IntN(2)]
			for r := range rows + 1 {
				if rnd.IntN(3) > 0 {
					f.line(x, y+high*float64(r), x+wide*float64(cols-rnd.IntN(2)), y+high*float64(r))
				}
				for c := range cols + 1 {
					if rnd.IntN(3) > 0 {
						f.line(x+wide*float64(c), y+high*float64(r), x+wide*float64(c), y+high*float64(r+1))
					}
					if r < rows && c < cols && rnd.IntN(5) > 0 && x+wide*float64(c) < 480 && y+high*float64(r) < 800 {
						said := word()
						if rnd.IntN(2) > 0 {
							said += " " + word()
						}
						f.text(x+wide*float64(c)+3*rnd.Float64(), y+high*float64(r)+0.8*high, size, font, said)
					}
				}
			}
		}
		x, err := Extract("a.pdf", f.bytes())
		if err != nil && len(words) > 0 {
			t.Fatal(err)
		}
		checkBlocks(t, x)
		for _, w := range words {
			if !strings.Contains(x.Text, w) {
				t.Errorf("%q is lost of\n%s", w, x.Text)
			}
		}
	}
}

// TestPDFNearColumns: columns are told apart from a gap of four points on, a little more
// than a space, so that a report has no columns of a PDF to doubt.
func TestPDFNearColumns(t *testing.T) {
	left := []string{"Refunds are paid within days", "of the approval; the issuers", "may need another five days.", "if the card has expired, the", "refund is made by transfer.", "the customer is told when it", "was sent and by which bank.", "it goes out on working days."}
	right := []string{"seats that were added during", "the old term are paid by the", "day until the new term and", "amounts below ten euros are", "not billed, the credit stays", "for twelve months, and then", "it lapses without a notice", "that is sent to the buyer"}
	for _, gap := range []float64{4, 8, 14, 30} {
		f := &pdfFile{}
		f.addPage()
		f.set(70, 100, 10, helvetica, left...)
		f.set(70+134+gap, 100, 10, helvetica, right...)
		x, err := Extract("a.pdf", f.bytes())
		if flat := strings.Join(strings.Fields(x.Text), " "); err != nil || flat != strings.Join(append(left, right...), " ") {
			t.Errorf("%g points apart: %s, %v", gap, x.Text, err)
		}
	}
}
