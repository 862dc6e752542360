package extract

import (
	"fmt"
	"strings"
	"testing"
)

// pdfSetter sets a document in columns, with a header and a footer on each page.
type pdfSetter struct {
	pdfFile
	columns, column int
	y               float64
	notes           []string // of this page
}

const (
	pdfTop, pdfBottom, pdfLeft, pdfRight = 80.0, 700.0, 70.0, 525.0
	pdfGutter                            = 25.0
)

func (s *pdfSetter) width() float64 {
	return (pdfRight - pdfLeft - float64(s.columns-1)*pdfGutter) / float64(s.columns)
}

func (s *pdfSetter) left() float64 { return pdfLeft + float64(s.column)*(s.width()+pdfGutter) }

// turn ends a page.
func (s *pdfSetter) turn() {
	if len(s.pages) > 0 {
		y := 720.0
		if len(s.notes) > 0 {
			s.line(pdfLeft, y-10, pdfLeft+100, y-10)
		}
		for _, n := range s.notes {
			mark, text, _ := strings.Cut(n, " ")
			s.text(pdfLeft, y-3, 5, helvetica, mark)
			s.text(pdfLeft+5, y, 7.5, helvetica, text)
			y += 10
		}
		s.text(290, 810, 8, helvetica, fmt.Sprintf("Page %d", len(s.pages)))
	}
	s.notes = nil
}

func (s *pdfSetter) next() {
	if s.column++; len(s.pages) == 0 || s.column >= s.columns {
		s.turn()
		s.addPage()
		s.text(pdfLeft, 40, 8, helvetica, truthTitle)
		s.text(470, 40, 8, helvetica, "confidential")
		s.column = 0
	}
	s.y = pdfTop
}

// set sets lines of text; those of a heading stay together.
func (s *pdfSetter) set(lines []string, size float64, font string, space float64) {
	s.y += space
	if font == helveticaBold && s.y > pdfBottom-4*size {
		s.next()
	}
	for _, l := range lines {
		if s.y += 1.2 * size; s.y > pdfBottom {
			s.next()
			s.y += 1.2 * size
		}
		s.text(s.left(), s.y, size, font, l)
	}
}

func (d truth) pdf() []byte {
	s := &pdfSetter{columns: 1}
	s.next()
	s.set([]string{truthTitle}, 24, helveticaBold, 0)
	notes := 0
	for _, p := range d.parts {
		if p.kind == "heading" && p.level == 1 && p.number == "3" {
			s.columns, s.column = 2, 1
			s.next()
		}
		switch p.kind {
		case "heading":
			size := []float64{18, 16, 14, 12, 10}[p.level-1]
			s.set(broken(p.number+" "+p.text, size, s.width()), size, helveticaBold, 10)
		case "clause":
			s.set(broken(p.number+" "+p.text, 10, s.width()), 10, helvetica, 5)
		case "text":
			lines := broken(p.text, 10, s.width())
			s.set(lines, 10, helvetica, 6)
			if p.note != "" {
				notes++
				s.text(s.left()+helveticaWidth(lines[len(lines)-1], 10), s.y-4, 6, helvetica, fmt.Sprint(notes))
				s.notes = append(s.notes, fmt.Sprintf("%d %s", notes, p.note))
			}
		case "table":
			s.set([]string{p.text}, 10, helvetica, 8)
			s.table(p.rows)
		}
	}
	s.turn()
	return s.bytes()
}

// table draws a grid, whose header repeats on the next page.
func (s *pdfSetter) table(rows [][]string) {
	xs := []float64{70, 190, 310, 410, 525}
	const high = 14.0
	header := func() {
		s.y += 6
		top := s.y
		for _, y := range []float64{0, 2 * high} {
			s.line(xs[0], top+y, xs[4], top+y)
		}
		s.line(xs[2], top+high, xs[4], top+high)
		for i, x := range xs {
			from := top
			if i == 3 {
				from += high
			}
			s.line(x, from, x, top+2*high)
		}
		s.text(xs[0]+4, top+high+4, 10, helveticaBold, "Region")
		s.text(xs[1]+4, top+high+4, 10, helveticaBold, "Plan")
		s.text((xs[2]+xs[4])/2-10, top+10, 10, helveticaBold, "2026")
		s.text(xs[2]+4, top+high+10, 10, helveticaBold, "Q1")
		s.text(xs[3]+4, top+high+10, 10, helveticaBold, "Q2")
		s.y += 2 * high
	}
	header()
	for i, r := range rows {
		if i%4 == 0 && s.y+4*high > pdfBottom {
			s.next()
			header()
		}
		left := xs[1]
		if i%4 == 3 {
			left = xs[0]
		}
		s.line(left, s.y+high, xs[4], s.y+high)
		for _, x := range xs {
			s.line(x, s.y, x, s.y+high)
		}
		for k, c := range r {
			if k == 0 && i%4 != 0 {
				continue
			}
			x := xs[k] + 4
			if k > 1 {
				x = xs[k+1] - 4 - helveticaWidth(c, 10)
			}
			s.text(x, s.y+10, 10, helvetica, c)
		}
		s.y += high
	}
}

// TestPDFTruth: each page has its start. (TestTruth compares the content.)
func TestPDFTruth(t *testing.T) {
	data := newTruth().pdf()
	x, err := Extract("terms.pdf", data)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range x.Pages {
		if p.Page != i+1 {
			t.Errorf("start %d is of page %d", i, p.Page)
		}
		if p.Offset > 0 && !strings.ContainsAny(x.Text[p.Offset-1:p.Offset], " \n") {
			t.Errorf("page %d begins within a word", p.Page)
		}
	}
	if len(x.Pages) != 8 {
		t.Errorf("%d pages", len(x.Pages))
	}
}
