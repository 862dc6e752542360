package office

import "strings"

// Element is an element of XML. Its name is prefix and local name with the
// prefixes of this package ("w:p"), whatever prefixes the file uses; a child
// without a name is text.
type Element struct {
	Name     string
	Attrs    []Attr
	Children []*Element
	Text     string
}

// Attr is an attribute; one without a namespace has no prefix.
type Attr struct{ Name, Value string }

// Attr is the value of an attribute, "" if there is none.
func (e *Element) Attr(name string) string {
	v, _ := e.Lookup(name)
	return v
}

// Lookup is the value of an attribute and whether it is there.
func (e *Element) Lookup(name string) (string, bool) {
	if e != nil {
		for _, a := range e.Attrs {
			if a.Name == name {
				return a.Value, true
			}
		}
	}
	return "", false
}

// Child follows a path of names; nil if it ends.
func (e *Element) Child(names ...string) *Element {
	for _, name := range names {
		if e == nil {
			return nil
		}
		var found *Element
		for _, c := range e.Children {
			if c.Name == name {
				found = c
				break
			}
		}
		e = found
	}
	return e
}

// All are the children of a name.
func (e *Element) All(name string) []*Element {
	var out []*Element
	if e != nil {
		for _, c := range e.Children {
			if c.Name == name {
				out = append(out, c)
			}
		}
	}
	return out
}

// Find is the first element of a name, e included, in document order.
func (e *Element) Find(name string) *Element {
	if e == nil || e.Name == name {
		return e
	}
	for _, c := range e.Children {
		if f := c.Find(name); f != nil {
			return f
		}
	}
	return nil
}

// String is all text below e.
func (e *Element) String() string {
	if e == nil {
		return ""
	}
	if e.Name == "" {
		return e.Text
	}
	var b strings.Builder
	for _, c := range e.Children {
		b.WriteString(c.String())
	}
	return b.String()
}

// prefixes of the namespaces by what ends their names in the transitional and
// in the strict form of Office Open XML.
var prefixes = []struct{ end, prefix string }{
	{"wordprocessingml/2006/main", "w"}, {"wordprocessingml/main", "w"},
	{"spreadsheetml/2006/main", "x"}, {"spreadsheetml/main", "x"},
	{"presentationml/2006/main", "p"}, {"presentationml/main", "p"},
	{"drawingml/2006/main", "a"}, {"drawingml/main", "a"},
	{"drawingml/2006/chart", "c"}, {"drawingml/chart", "c"},
	{"drawingml/2006/wordprocessingDrawing", "wp"}, {"drawingml/wordprocessingDrawing", "wp"},
	{"officeDocument/2006/math", "m"}, {"officeDocument/math", "m"},
	{"officeDocument/2006/relationships", "r"}, {"officeDocument/relationships", "r"},
	{"package/2006/relationships", "rel"}, {"markup-compatibility/2006", "mc"},
	{"microsoft-com:vml", "v"}, {"word/2010/wordprocessingShape", "wps"},
	{"purl.org/dc/elements/1.1/", "dc"},
	{"www.w3.org/1999/xlink", "xlink"},
	{"opendocument:xmlns:office:1.0", "office"}, {"opendocument:xmlns:text:1.0", "text"},
	{"opendocument:xmlns:table:1.0", "table"}, {"opendocument:xmlns:style:1.0", "style"},
	{"opendocument:xmlns:drawing:1.0", "draw"}, {"opendocument:xmlns:presentation:1.0", "presentation"},
	{"opendocument:xmlns:xsl-fo-compatible:1.0", "fo"}, {"opendocument:xmlns:svg-compatible:1.0", "svg"},
}

func prefix(space string) string {
	for _, p := range prefixes {
		if strings.HasSuffix(space, p.end) {
			return p.prefix
		}
	}
	if space == "" {
		return ""
	}
	return "other"
}
