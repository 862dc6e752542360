package pptx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// shape is a shape, or a group of them, where it stands on the slide.
type shape struct {
	e      *office.Element
	kind   string // of a placeholder: "title", "body", "dt"
	index  string // of a placeholder
	inside []shape
	box    office.Box
}

func ordered(shapes []shape) []shape {
	return office.Ordered(shapes, func(s shape) office.Box { return s.box })
}

func (s shape) isTitle() bool { return s.kind == "title" || s.kind == "ctrTitle" }

// shapes are those of a tree that show something of the slide's own: date, footer
// and slide number are the presentation's.
func (r *reader) shapes(tree *office.Element) []shape {
	if tree == nil {
		return nil
	}
	var out []shape
	for _, e := range tree.Children {
		switch e.Name {
		case "mc:AlternateContent":
			choice := e.Child("mc:Choice")
			if choice == nil {
				choice = e.Child("mc:Fallback")
			}
			out = append(out, r.shapes(choice)...)
			continue
		case "p:sp", "p:grpSp", "p:graphicFrame", "p:pic", "p:cxnSp":
		default:
			continue
		}
		s := shape{e: e}
		for _, c := range e.Children {
			if ph := c.Child("p:nvPr", "p:ph"); ph != nil {
				if s.kind, s.index = ph.Attr("type"), ph.Attr("idx"); s.kind == "" {
					s.kind = "obj"
				}
			}
			if hidden := c.Child("p:cNvPr").Attr("hidden"); hidden == "1" || hidden == "true" {
				s.kind = "hidden"
			}
		}
		switch s.kind {
		case "hidden":
			r.hiddenShapes++
			continue
		case "dt", "ftr", "sldNum", "hdr":
			continue
		}
		if e.Name == "p:grpSp" {
			s.inside = ordered(r.shapes(e))
		}
		s.box = r.place(s)
		out = append(out, s)
	}
	return out
}

// place is where a shape stands: as it says, else as its placeholder on the
// layout or the master does.
func (r *reader) place(s shape) office.Box {
	for _, e := range append([]*office.Element{s.e}, r.styles.placeholders(s)...) {
		for _, xfrm := range []*office.Element{e.Child("p:spPr", "a:xfrm"), e.Child("p:grpSpPr", "a:xfrm"), e.Child("p:xfrm")} {
			if off := xfrm.Child("a:off"); off != nil {
				size := xfrm.Child("a:ext")
				b := office.Box{Left: length(off.Attr("x")), Top: length(off.Attr("y"))}
				b.Right, b.Bottom = b.Left+length(size.Attr("cx")), b.Top+length(size.Attr("cy"))
				return b
			}
		}
	}
	return office.Box{}
}

// length is in English Metric Units, 914,400 to the inch.
func length(s string) int {
	v, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0
	}
	return int(v)
}

func titleOf(shapes []shape) string {
	for _, s := range shapes {
		if s.isTitle() {
			var parts []string
			for _, p := range s.e.Child("p:txBody").All("a:p") {
				if t := strings.Join(strings.Fields(paragraphText(p)), " "); t != "" {
					parts = append(parts, t)
				}
			}
			return strings.Join(parts, " ")
		}
	}
	return ""
}

// shape writes one shape.
func (r *reader) shape(s shape, to *html.Node) error {
	if err := r.page.Full(); err != nil {
		return err
	}
	switch s.e.Name {
	case "p:grpSp":
		for _, c := range s.inside {
			if err := r.shape(c, to); err != nil {
				return err
			}
		}
	case "p:sp":
		r.text(s.e.Child("p:txBody"), r.styles.of(s), to)
	case "p:pic":
		if alt := strings.TrimSpace(s.e.Child("p:nvPicPr", "p:cNvPr").Attr("descr")); alt != "" {
			r.page.Add(r.page.Add(to, atom.P), atom.Img, "alt", alt)
		}
	case "p:graphicFrame":
		return r.graphic(s.e.Child("a:graphic", "a:graphicData"), to)
	}
	return nil
}

// graphic writes a table, the texts of a diagram or the values of a chart.
func (r *reader) graphic(data *office.Element, to *html.Node) error {
	switch {
	case data.Child("a:tbl") != nil:
		r.table(data.Child("a:tbl"), to)
	case strings.HasSuffix(data.Attr("uri"), "/diagram"):
		for _, c := range data.Children {
			root, err := r.pack.Tree(r.rels[c.Attr("r:dm")].Target)
			if err != nil {
				return err
			}
			r.diagram(root, r.page.Add(to, atom.Ul))
		}
	case strings.HasSuffix(data.Attr("uri"), "/chart"):
		root, err := r.pack.Tree(r.rels[data.Child("c:chart").Attr("r:id")].Target)
		if err != nil {
			return err
		}
		return r.page.Chart(root, to)
	}
	return nil
}

func (r *reader) diagram(e *office.Element, list *html.Node) {
	if e.Name == "a:p" {
		if t := strings.TrimSpace(paragraphText(e)); t != "" {
			r.page.Text(r.page.Add(list, atom.Li), t)
		}
		return
	}
	for _, c := range e.Children {
		r.diagram(c, list)
	}
}

func (r *reader) table(e *office.Element, to *html.Node) {
	t := r.page.Add(to, atom.Table)
	rows := e.All("a:tr")
	heads := 0
	if first := e.Child("a:tblPr").Attr("firstRow"); first == "1" || first == "true" {
		heads = headerRows(rows)
	}
	part := r.page.Add(t, atom.Thead)
	for i, row := range rows {
		if i == heads {
			part = r.page.Add(t, atom.Tbody)
		}
		tr := r.page.Add(part, atom.Tr)
		for _, c := range row.All("a:tc") {
			if isOn(c.Attr("hMerge")) || isOn(c.Attr("vMerge")) {
				continue
			}
			kind := atom.Td
			if i < heads {
				kind = atom.Th
			}
			var attrs []string
			if n := c.Attr("gridSpan"); n != "" {
				attrs = append(attrs, "colspan", n)
			}
			if n := c.Attr("rowSpan"); n != "" {
				attrs = append(attrs, "rowspan", n)
			}
			r.text(c.Child("a:txBody"), nil, r.page.Add(tr, kind, attrs...))
		}
	}
}

func isOn(s string) bool { return s == "1" || s == "true" }

// headerRows is the first row, and the one below a row of joined names, unless it
// has figures.
func headerRows(rows []*office.Element) int {
	n := 1
	for n < len(rows)-1 && n < 3 {
		joined, under, figures := false, false, false
		for _, c := range rows[n-1].All("a:tc") {
			joined = joined || c.Attr("gridSpan") > "1"
		}
		for _, c := range rows[n].All("a:tc") {
			under = under || isOn(c.Attr("vMerge"))
			figures = figures || strings.ContainsAny(c.Child("a:txBody").String(), "0123456789%")
		}
		if !joined || figures && !under {
			break
		}
		n++
	}
	return min(n, max(0, len(rows)-1))
}
