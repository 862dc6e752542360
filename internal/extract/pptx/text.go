package pptx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const levels = 9 // that a list may have

// inherited is what a slide's shapes take from its layout and master.
type inherited struct {
	layout, master []shape
	styles         *office.Element // p:txStyles of the master
}

// inherit reads a layout and its master, each once.
func (r *reader) inherit(layout string) (inherited, error) {
	var in inherited
	tree, err := r.part(layout)
	if err != nil {
		return in, err
	}
	rels, err := r.pack.Relations(layout)
	if err != nil {
		return in, err
	}
	master, err := r.part(office.Related(rels, "slideMaster"))
	if err != nil {
		return in, err
	}
	r.styles = inherited{}
	hidden := r.hiddenShapes
	in.layout = r.shapes(tree.Child("p:cSld", "p:spTree"))
	in.master = r.shapes(master.Child("p:cSld", "p:spTree"))
	r.hiddenShapes = hidden // not the slide's
	in.styles = master.Child("p:txStyles")
	return in, nil
}

func (r *reader) part(name string) (*office.Element, error) {
	if e := r.parts[name]; e != nil {
		return e, nil
	}
	e, err := r.pack.Tree(name)
	r.parts[name] = e
	return e, err
}

// placeholders are those that a shape stands for, on the layout and the master.
func (in inherited) placeholders(s shape) []*office.Element {
	if s.kind == "" {
		return nil
	}
	var out []*office.Element
	kind := s.kind
	for _, l := range in.layout {
		if l.kind != "" && (s.index != "" && l.index == s.index || s.index == "" && l.kind == s.kind) {
			out = append(out, l.e)
			kind = l.kind
			break
		}
	}
	for _, m := range in.master {
		if m.kind == kind || m.isTitle() && s.isTitle() || m.kind == "body" && (kind == "obj" || kind == "subTitle") {
			return append(out, m.e)
		}
	}
	return out
}

// of are the list styles that a shape's paragraphs follow, the nearest first.
func (in inherited) of(s shape) []*office.Element {
	var out []*office.Element
	for _, e := range append([]*office.Element{s.e}, in.placeholders(s)...) {
		if l := e.Child("p:txBody", "a:lstStyle"); l != nil {
			out = append(out, l)
		}
	}
	switch s.kind {
	case "":
	case "body", "obj", "subTitle":
		out = append(out, in.styles.Child("p:bodyStyle"))
	default:
		out = append(out, in.styles.Child("p:otherStyle"))
	}
	return out
}

// bullet is a paragraph's mark: "a:buNone", "a:buChar", "a:buAutoNum", nil.
func bullet(pPr *office.Element, level int, styles []*office.Element) *office.Element {
	places := []*office.Element{pPr}
	for _, s := range styles {
		places = append(places, s.Child("a:lvl"+strconv.Itoa(level+1)+"pPr"))
	}
	for _, p := range places {
		for _, name := range []string{"a:buNone", "a:buChar", "a:buAutoNum", "a:buBlip"} {
			if b := p.Child(name); b != nil {
				return b
			}
		}
	}
	return nil
}

// text writes the paragraphs of a shape, those with a mark as lists.
func (r *reader) text(body *office.Element, styles []*office.Element, to *html.Node) {
	var lists office.Lists
	var count [levels]int
	var counted [levels]string // what is counted at each level
	for _, p := range body.All("a:p") {
		pPr := p.Child("a:pPr")
		level, _ := strconv.Atoi(pPr.Attr("lvl"))
		level = max(0, min(level, levels-1))
		mark := bullet(pPr, level, styles)
		if strings.TrimSpace(paragraphText(p)) == "" {
			continue
		}
		if mark == nil || mark.Name == "a:buNone" {
			lists.Close()
			count, counted = [levels]int{}, [levels]string{}
			r.inline(p, r.page.Add(to, atom.P))
			continue
		}
		label := ""
		if mark.Name == "a:buAutoNum" {
			kind, start := mark.Attr("type"), 1
			if n, err := strconv.Atoi(mark.Attr("startAt")); err == nil && n > 0 && n < office.MaxNumber {
				start = n
			}
			if counted[level] != kind {
				counted[level], count[level] = kind, start-1
			}
			count[level]++
			label = autoNumber(kind, count[level])
		} else {
			counted[level] = ""
		}
		for below := level + 1; below < levels; below++ {
			counted[below] = ""
		}
		r.inline(p, lists.Item(r.page, to, level, label))
	}
}

// autoNumber writes a number as a type says, as "alphaLcParenBoth" (20.1.10.61).
func autoNumber(kind string, n int) string {
	format := "decimal"
	for prefix, f := range map[string]string{"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman"} {
		if strings.HasPrefix(kind, prefix) {
			format = f
		}
	}
	s := office.FormatNumber(n, format)
	switch {
	case strings.HasSuffix(kind, "ParenBoth"):
		return "(" + s + ")"
	case strings.HasSuffix(kind, "ParenR"):
		return s + ")"
	case strings.HasSuffix(kind, "Period"):
		return s + "."
	}
	return s
}

func (r *reader) inline(p *office.Element, to *html.Node) {
	for _, e := range p.Children {
		switch e.Name {
		case "a:r", "a:fld":
			target := to
			if url := r.rels[e.Child("a:rPr", "a:hlinkClick").Attr("r:id")].URL; url != "" {
				target = r.page.Add(to, atom.A, "href", url)
			}
			if raised, err := strconv.Atoi(e.Child("a:rPr").Attr("baseline")); err == nil && raised > 0 {
				target = r.page.Add(target, atom.Sup)
			}
			r.page.Text(target, e.Child("a:t").String())
		case "a:br":
			r.page.Add(to, atom.Br)
		}
	}
}

func paragraphText(p *office.Element) string {
	var b strings.Builder
	for _, e := range p.Children {
		switch e.Name {
		case "a:r", "a:fld":
			b.WriteString(e.Child("a:t").String())
		case "a:br":
			b.WriteByte(' ')
		}
	}
	return b.String()
}
