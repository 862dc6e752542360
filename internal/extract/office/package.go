package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// maxUnpacked bounds what is unpacked of one document, all parts together. It
// bounds the time as well: the XML decoder reads some ten megabytes a second. A
// sheet of 500,000 cells is about 30 MB of XML.
const maxUnpacked = 96 << 20

// Package is the zip archive that an office document is (ECMA-376 part 2, and
// OpenDocument 1.3 part 2). Names of parts are compared without regard to case.
type Package struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

// Open reads the directory of an archive.
func Open(data []byte) (*Package, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, ErrDamaged
	}
	p := &Package{files: make(map[string]*zip.File, len(z.File)), left: maxUnpacked}
	for _, f := range z.File {
		if key := partKey(f.Name); p.files[key] == nil {
			p.files[key] = f
		}
	}
	return p, nil
}

func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// Has is whether there is such a part.
func (p *Package) Has(name string) bool { return p.files[partKey(name)] != nil }

// open unpacks a part as far as the package may still be unpacked. What the
// directory says of its size is not believed.
func (p *Package) open(name string) (io.ReadCloser, error) {
	f := p.files[partKey(name)]
	if f == nil {
		return nil, ErrDamaged
	}
	if f.Flags&1 != 0 {
		return nil, ErrEncrypted
	}
	r, err := f.Open()
	if err != nil {
		return nil, ErrDamaged
	}
	return &limited{ReadCloser: r, left: &p.left}, nil
}

type limited struct {
	io.ReadCloser
	left *int64
}

func (l *limited) Read(b []byte) (int, error) {
	if *l.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := l.ReadCloser.Read(b[:min(int64(len(b)), *l.left)])
	*l.left -= int64(n)
	if err != nil && err != io.EOF {
		err = ErrDamaged
	}
	return n, err
}

// XML opens a part for reading element by element.
func (p *Package) XML(name string) (*Reader, error) {
	r, err := p.open(name)
	if err != nil {
		return nil, err
	}
	return newReader(r), nil
}

// Tree reads a whole part; a part that is not there is an empty element.
func (p *Package) Tree(name string) (*Element, error) {
	if name == "" || !p.Has(name) {
		return &Element{}, nil
	}
	r, err := p.XML(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	e, err := r.Next()
	if errors.Is(err, io.EOF) {
		return &Element{}, nil
	}
	return e, err
}

// Relation is where a part points to.
type Relation struct {
	Type   string // the last word of its type: "styles", "footnotes", "slide"
	Target string // a part of the package; "" for what lies outside
	URL    string // what lies outside; "" for a part
}

// Relations are those of a part by their id; "" is the package itself.
func (p *Package) Relations(part string) (map[string]Relation, error) {
	dir, base := path.Split(part)
	root, err := p.Tree(dir + "_rels/" + base + ".rels")
	if err != nil {
		return nil, err
	}
	out := map[string]Relation{}
	for _, r := range root.All("rel:Relationship") {
		rel := Relation{Type: path.Base(r.Attr("Type"))}
		if r.Attr("TargetMode") == "External" {
			rel.URL = r.Attr("Target")
		} else {
			rel.Target = r.Attr("Target")
			if !strings.HasPrefix(rel.Target, "/") {
				rel.Target = path.Join(dir, rel.Target)
			}
			rel.Target = strings.TrimPrefix(rel.Target, "/")
		}
		out[r.Attr("Id")] = rel
	}
	return out, nil
}

// Related is the part of a type that a part points to, "" if none.
func Related(rels map[string]Relation, kind string) string {
	for _, r := range rels {
		if r.Type == kind && r.Target != "" {
			return r.Target
		}
	}
	return ""
}

// MainTree reads the part that the package begins with, and its relations.
func (p *Package) MainTree() (*Element, map[string]Relation, error) {
	main, err := p.Main()
	if err != nil {
		return nil, nil, err
	}
	rels, err := p.Relations(main)
	if err != nil {
		return nil, nil, err
	}
	tree, err := p.Tree(main)
	return tree, rels, err
}

// Main is the part that the package begins with.
func (p *Package) Main() (string, error) {
	rels, err := p.Relations("")
	if err != nil {
		return "", err
	}
	name := Related(rels, "officeDocument")
	if !p.Has(name) {
		return "", ErrDamaged
	}
	return name, nil
}

// Title is what the properties of the document say, unless it is what a program
// puts there when nobody said anything.
func (p *Package) Title() string {
	title := ""
	for _, part := range []string{"docProps/core.xml", "meta.xml"} { // of Office Open XML and of OpenDocument
		if root, err := p.Tree(part); err == nil && title == "" {
			title = strings.Join(strings.Fields(root.Find("dc:title").String()), " ")
		}
	}
	switch lower := strings.ToLower(title); {
	case strings.HasPrefix(lower, "microsoft word - "), lower == "powerpoint presentation", lower == "untitled", lower == "word document":
		return ""
	}
	return title
}

func asDamaged(err error) error {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	return err
}
