package office

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"

	"golang.org/x/net/html/charset"
)

const (
	// maxDepth is how deep elements may nest; Word itself writes fewer than 100.
	maxDepth = 400
	// maxElements bounds one tree: a paragraph, a table, a slide.
	maxElements = 1_000_000
)

var (
	errDeep    = errors.New("the document nests its elements too deeply to be read (more than 400 levels)")
	errDoctype = errors.New("the document declares a document type, which no office program writes: save it again")
)

// Reader reads XML element by element: no entity beyond XML's own five, no
// document type, nothing from outside.
type Reader struct {
	dec   *xml.Decoder
	from  io.Closer
	names map[xml.Name]string
	depth int
}

func newReader(r io.ReadCloser) *Reader {
	dec := xml.NewDecoder(&tagGuard{r: r})
	dec.CharsetReader = charset.NewReaderLabel
	return &Reader{dec: dec, from: r, names: map[xml.Name]string{}}
}

// maxAttributes bounds a tag's attributes, all of which the decoder holds at once.
const maxAttributes = 100_000

// tagGuard stops a tag of millions of attributes, by the equals signs since the
// last tag began.
type tagGuard struct {
	r      io.Reader
	equals int
}

func (g *tagGuard) Read(b []byte) (int, error) {
	n, err := g.r.Read(b)
	rest := b[:n]
	if i := bytes.LastIndexByte(rest, '<'); i >= 0 {
		g.equals, rest = 0, rest[i:]
	}
	if g.equals += bytes.Count(rest, []byte("=")); g.equals > maxAttributes {
		return 0, ErrTooLarge
	}
	return n, err
}

// Close ends the reading.
func (r *Reader) Close() { r.from.Close() }

// token skips what is no content.
func (r *Reader) token() (xml.Token, error) {
	for {
		t, err := r.dec.Token()
		if err != nil {
			return nil, asDamaged(err)
		}
		switch t.(type) {
		case xml.StartElement:
			if r.depth++; r.depth > maxDepth {
				return nil, errDeep
			}
			return t, nil
		case xml.EndElement:
			r.depth--
			return t, nil
		case xml.CharData:
			return t, nil
		case xml.Directive:
			return nil, errDoctype
		}
	}
}

// Enter goes on behind the next start tag of a name, past whatever stands
// before it; io.EOF if there is none.
func (r *Reader) Enter(name string) (*Element, error) {
	for {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		if s, ok := t.(xml.StartElement); ok {
			if e := r.element(s); e.Name == name {
				return e, nil
			}
		}
	}
}

// Next is the next child, whole, of the element that was entered; io.EOF at its
// end.
func (r *Reader) Next() (*Element, error) { return r.NextUnless() }

// NextUnless is Next, but enters a child of one of the names: what it gives then
// has no children, and the next ones are those, up to an io.EOF.
func (r *Reader) NextUnless(enter ...string) (*Element, error) {
	for {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if len(enter) > 0 && slices.Contains(enter, r.name(t.Name)) {
				return r.element(t), nil
			}
			return r.tree(t)
		case xml.EndElement:
			return nil, io.EOF
		}
	}
}

// tree reads an element to its end.
func (r *Reader) tree(s xml.StartElement) (*Element, error) {
	root := r.element(s)
	open := []*Element{root}
	for n := 0; len(open) > 0; n++ {
		if n > maxElements {
			return nil, ErrTooLarge
		}
		t, err := r.token()
		if err == io.EOF {
			err = ErrDamaged
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			e := r.element(t)
			top.Children = append(top.Children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.Children = append(top.Children, &Element{Text: string(t)})
		}
	}
	return root, nil
}

func (r *Reader) element(s xml.StartElement) *Element {
	e := &Element{Name: r.name(s.Name)}
	for _, a := range s.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			e.Attrs = append(e.Attrs, Attr{r.name(a.Name), a.Value})
		}
	}
	return e
}

// name gives the prefix of this package to a name, once for each that occurs.
func (r *Reader) name(n xml.Name) string {
	if s, ok := r.names[n]; ok {
		return s
	}
	s := n.Local
	if p := prefix(n.Space); p != "" {
		s = p + ":" + s
	}
	if len(r.names) < 10_000 {
		r.names[n] = s
	}
	return s
}
