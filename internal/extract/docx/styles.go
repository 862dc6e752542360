package docx

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// maxBased bounds a chain of styles, which a damaged file can close to a ring.
const maxBased = 50

// styles are the styles of a document by id.
type styles struct {
	by       map[string]style
	standard string // the paragraph style of paragraphs that name none
	titled   bool   // a style of the document is used as its title
}

type style struct {
	name  string // in lower case; built-in names are English in every language
	based string
	pPr   *office.Element
	rPr   *office.Element
	heads bool // a table style that sets its first row apart
}

func readStyles(root *office.Element) *styles {
	s := &styles{by: map[string]style{}}
	for _, e := range root.All("w:style") {
		id := e.Attr("w:styleId")
		st := style{
			name:  strings.ToLower(e.Child("w:name").Attr("w:val")),
			based: e.Child("w:basedOn").Attr("w:val"),
			pPr:   e.Child("w:pPr"), rPr: e.Child("w:rPr"),
		}
		for _, part := range e.All("w:tblStylePr") {
			st.heads = st.heads || part.Attr("w:type") == "firstRow"
		}
		s.by[id] = st
		if e.Attr("w:type") == "paragraph" && on(e, "w:default") {
			s.standard = id
		}
	}
	return s
}

// on is whether an attribute of ST_OnOff is there and true.
func on(e *office.Element, attr string) bool {
	switch e.Attr(attr) {
	case "1", "true", "on":
		return true
	}
	return false
}

// toggled is whether a property that is on by being there is on; ok is whether
// it is there.
func toggled(props *office.Element, name string) (value, ok bool) {
	e := props.Child(name)
	if e == nil {
		return false, false
	}
	v, given := e.Lookup("w:val")
	return !given || v == "1" || v == "true" || v == "on", true
}

// chain visits a style and those that it is based on, until visit is satisfied.
func (s *styles) chain(id string, visit func(id string, st style) bool) {
	for range maxBased {
		st, ok := s.by[id]
		if !ok || visit(id, st) {
			return
		}
		id = st.based
	}
}

// paragraphStyle is the id of a paragraph's style.
func (s *styles) paragraphStyle(pPr *office.Element) string {
	if id := pPr.Child("w:pStyle").Attr("w:val"); id != "" {
		return id
	}
	return s.standard
}

var (
	headingName = regexp.MustCompile(`^(?:heading|head|überschrift|titre|título|titolo) ?([1-9])$`)
	// The heads of a chapter as publishers letter them: A-head, B-head.
	letterName  = regexp.MustCompile(`^head(?:ing)?[ -]?([a-e])$`)
	titleName   = regexp.MustCompile(`^(?:(?:chapter|appendix|book|front ?matter|part) ?)?title$`)
	codeName    = regexp.MustCompile(`^(?:(?:source|html) ?)?code(?: ?(?:wide|block|single|annotated|[abc]))?$|^html preformatted$`)
	contentName = regexp.MustCompile(`^(?:toc [1-9]|toc heading|table of figures)$`)
)

// is whether a style, or one that it is based on, has a name.
func (s *styles) is(id string, name *regexp.Regexp) bool {
	found := false
	s.chain(id, func(_ string, st style) bool {
		found = name.MatchString(st.name)
		return found
	})
	return found
}

// headingLevel is the level of a paragraph in the outline, 0 for text. What the
// paragraph says goes before its style, and of a style its name or its outline
// level before those of the style that it is based on.
func (s *styles) headingLevel(pPr *office.Element) int {
	if level, ok := outlineLevel(pPr); ok {
		return level
	}
	level := 0
	s.chain(s.paragraphStyle(pPr), func(_ string, st style) bool {
		if l, ok := outlineLevel(st.pPr); ok {
			level = l
			return true
		}
		switch {
		case titleName.MatchString(st.name):
			level = 1
		case headingName.MatchString(st.name):
			level = int(headingName.FindStringSubmatch(st.name)[1][0] - '0')
		case letterName.MatchString(st.name):
			level = int(letterName.FindStringSubmatch(st.name)[1][0]-'a') + 1
			if s.titled {
				level++
			}
		}
		return level > 0
	})
	return level
}

// outlineLevel is w:outlineLvl, which counts from 0 and has 9 for text.
func outlineLevel(pPr *office.Element) (int, bool) {
	e := pPr.Child("w:outlineLvl")
	if e == nil {
		return 0, false
	}
	n, err := strconv.Atoi(e.Attr("w:val"))
	if err != nil || n < 0 || n > 8 {
		return 0, true
	}
	return n + 1, true
}

// toggle is a property of a run: its own, its character style's, its
// paragraph's style's.
func (s *styles) toggle(rPr *office.Element, paragraph, name string) bool {
	if v, ok := toggled(rPr, name); ok {
		return v
	}
	var value bool
	for _, id := range []string{rPr.Child("w:rStyle").Attr("w:val"), paragraph} {
		found := false
		s.chain(id, func(_ string, st style) bool {
			value, found = toggled(st.rPr, name)
			return found
		})
		if found {
			return value
		}
	}
	return false
}
