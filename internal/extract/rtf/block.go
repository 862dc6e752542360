package rtf

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// table is the table that is open.
type table struct {
	rows  []tableRow
	cells []*html.Node // of the row that is open
	props []cellProps
	next  cellProps
	head  bool
}

type tableRow struct {
	cells []*html.Node
	props []cellProps
	head  bool
}

// cellProps are "first" or "rest" of cells merged across or down, "" for neither.
type cellProps struct{ across, down string }

var (
	headingName = regexp.MustCompile(`^heading ([1-9])$`)
	clauseLabel = regexp.MustCompile(`\d\.\d`) // numbers of several parts are those of clauses
)

// paragraph ends the paragraph that is open and writes it.
func (r *reader) paragraph() {
	r.flush()
	line, label, notes := r.para.line, strings.Join(strings.Fields(r.para.label), " "), r.para.notes
	r.para.line, r.para.label, r.para.notes = nil, "", nil
	if line == nil || strings.TrimSpace(office.Plain(line)) == "" {
		return
	}
	b := r.body
	if r.para.inTable && b.table != nil {
		t := b.table
		if len(t.cells) == 0 || t.cells[len(t.cells)-1].Data != "div" {
			t.cells = append(t.cells, newNode(atom.Div))
		}
		office.Move(line, r.labelled(r.page.Add(t.cells[len(t.cells)-1], atom.P), label))
		b.notes = append(b.notes, notes...)
		return
	}
	r.endTable()
	level := r.level()
	switch {
	case level > 0:
		b.lists.Close()
		r.endBlock()
		office.Move(line, r.labelled(r.page.Heading(b.to, level), label))
		if st := r.styles[r.para.style]; st.name == "title" && r.page.Title == "" {
			r.page.Title = strings.Join(strings.Fields(office.Plain(b.to.LastChild)), " ")
		}
	case label != "" && !clauseLabel.MatchString(label):
		if isBullet(label) {
			label = ""
		}
		office.Move(line, b.lists.Item(r.page, b.to, r.para.list, label))
		b.notes = append(b.notes, notes...)
		return
	default:
		b.lists.Close()
		r.endBlock()
		office.Move(line, r.labelled(r.page.Add(b.to, atom.P), label))
	}
	b.notes = append(b.notes, notes...)
	r.endBlock()
}

func (r *reader) labelled(to *html.Node, label string) *html.Node {
	if label != "" {
		r.page.Text(to, label+" ")
	}
	return to
}

func (r *reader) level() int {
	st := r.styles[r.para.style]
	switch m := headingName.FindStringSubmatch(st.name); {
	case r.para.level > 0:
		return r.para.level
	case m != nil:
		return int(m[1][0] - '0')
	case st.name == "title":
		return 1
	}
	return st.outline
}

// isBullet is whether a label has neither letters that number nor figures.
func isBullet(label string) bool {
	return label == "o" || !strings.ContainsAny(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789")
}

func newNode(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
}

// endBlock sets the notes behind the block that refers to them.
func (r *reader) endBlock() {
	for _, n := range r.body.notes {
		office.Move(n, r.body.to)
	}
	r.body.notes = nil
}

// beginNote reads a footnote as a body of its own.
func (r *reader) beginNote() {
	if len(r.bodies) > 0 || len(r.stack) == 0 { // no note has notes, and each ends with its group
		return
	}
	r.noted++
	r.write(fmt.Sprintf("[^%d]", r.noted))
	r.body.saved = r.para
	r.bodies = append(r.bodies, r.body)
	r.body = &body{to: newNode(atom.Div)}
	r.para = para{}
	r.state.note = true
}

func (r *reader) endNote() {
	r.paragraph()
	r.endTable()
	note := r.body.to
	r.body, r.bodies = r.bodies[len(r.bodies)-1], r.bodies[:len(r.bodies)-1]
	r.para = r.body.saved
	r.page.Mark(note, strconv.Itoa(r.noted))
	r.para.notes = append(r.para.notes, note)
}

func (r *reader) tableWord(word string) {
	if r.body.table == nil {
		if word != "trowd" {
			return
		}
		r.body.lists.Close()
		r.endBlock()
		r.body.table = &table{}
	}
	t := r.body.table
	switch word {
	case "trowd":
		t.props, t.next, t.head = nil, cellProps{}, false
	case "trhdr":
		t.head = true
	case "clmgf":
		t.next.across = "first"
	case "clmrg":
		t.next.across = "rest"
	case "clvmgf":
		t.next.down = "first"
	case "clvmrg":
		t.next.down = "rest"
	case "cellx":
		t.props = append(t.props, t.next)
		t.next = cellProps{}
	case "cell", "nestcell":
		r.para.inTable = true
		r.paragraph()
		if word == "nestcell" {
			return
		}
		if len(t.cells) == 0 || t.cells[len(t.cells)-1].Data != "div" {
			t.cells = append(t.cells, newNode(atom.Div))
		}
		t.cells[len(t.cells)-1].Data = "td" // it is complete
	case "row":
		t.rows = append(t.rows, tableRow{cells: t.cells, props: t.props, head: t.head})
		t.cells = nil
	}
}

// endTable writes the table that is open, if there is one.
func (r *reader) endTable() {
	t := r.body.table
	if t == nil {
		return
	}
	r.body.table = nil
	if len(t.cells) > 0 {
		t.rows = append(t.rows, tableRow{cells: t.cells, props: t.props})
	}
	table := r.page.Add(r.body.to, atom.Table)
	part := r.page.Add(table, atom.Thead)
	heads := 0
	for heads < len(t.rows) && t.rows[heads].head {
		heads++
	}
	for i, row := range t.rows {
		if i == heads {
			part = r.page.Add(table, atom.Tbody)
		}
		tr := r.page.Add(part, atom.Tr)
		for j, c := range row.cells {
			p := row.prop(j)
			if p.across == "rest" || p.down == "rest" && i > 0 {
				continue
			}
			kind := atom.Td
			if i < heads {
				kind = atom.Th
			}
			office.Move(c, r.page.Add(tr, kind, "colspan", strconv.Itoa(row.wide(j)), "rowspan", strconv.Itoa(deep(t.rows, i, j))))
		}
	}
	r.endBlock()
}

func (row tableRow) prop(j int) cellProps {
	if j < len(row.props) {
		return row.props[j]
	}
	return cellProps{}
}

func (row tableRow) wide(j int) int {
	n := 1
	for row.prop(j).across == "first" && row.prop(j+n).across == "rest" {
		n++
	}
	return n
}

func deep(rows []tableRow, i, j int) int {
	n := 1
	for rows[i].prop(j).down == "first" && i+n < len(rows) && rows[i+n].prop(j).down == "rest" {
		n++
	}
	return n
}
