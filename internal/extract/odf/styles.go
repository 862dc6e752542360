package odf

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

const (
	levels   = 10 // that a list or outline may have
	maxBased = 50 // styles based on one another, which a damaged file can close to a ring
	maxLabel = 100
)

type styles struct {
	by      map[string]style // by family and name
	lists   map[string]*listStyle
	outline *listStyle // of headings
}

type style struct {
	parent, display, list string
	hidden, bold          string // "true", "false", "" where it does not say
	raised                bool
	shown                 string // of a sheet or slide: "false" when it is hidden
}

// listStyle says how the levels of a list are numbered.
type listStyle struct {
	levels [levels]level
	clause bool // some of its numbers have several parts
}

type level struct {
	format         string // "" for a bullet or nothing
	prefix, suffix string
	parts          int // levels that the number shows
	start          int
}

func newStyles() *styles {
	return &styles{by: map[string]style{}, lists: map[string]*listStyle{}}
}

func (s *styles) read(root *office.Element) {
	if root == nil {
		return
	}
	for _, e := range root.Children {
		switch e.Name {
		case "style:style":
			st := style{parent: e.Attr("style:parent-style-name"), display: e.Attr("style:display-name"), list: e.Attr("style:list-style-name"),
				shown: e.Child("style:table-properties").Attr("table:display")}
			if e.Child("style:drawing-page-properties").Attr("presentation:visibility") == "hidden" {
				st.shown = "false"
			}
			text := e.Child("style:text-properties")
			st.raised = strings.HasPrefix(text.Attr("style:text-position"), "super")
			if display := text.Attr("text:display"); display != "" {
				st.hidden = strconv.FormatBool(display == "none")
			}
			if weight := text.Attr("fo:font-weight"); weight != "" {
				st.bold = strconv.FormatBool(weight == "bold" || weight >= "600" && weight <= "900")
			}
			s.by[e.Attr("style:family")+" "+e.Attr("style:name")] = st
		case "text:list-style":
			s.lists[e.Attr("style:name")] = readListStyle(e)
		case "text:outline-style":
			s.outline = readListStyle(e)
		}
	}
}

func readListStyle(e *office.Element) *listStyle {
	l := &listStyle{}
	for _, c := range e.Children {
		n, err := strconv.Atoi(c.Attr("text:level"))
		if err != nil || n < 1 || n > levels {
			continue
		}
		v := level{format: numberFormats[c.Attr("style:num-format")], prefix: c.Attr("style:num-prefix"), suffix: c.Attr("style:num-suffix"), parts: 1, start: 1}
		if c.Name == "text:list-level-style-bullet" {
			v.format = ""
		}
		if p, err := strconv.Atoi(c.Attr("text:display-levels")); err == nil && p > 0 {
			v.parts = min(p, levels)
		}
		if s, err := strconv.Atoi(c.Attr("text:start-value")); err == nil && s >= 0 && s < office.MaxNumber {
			v.start = s
		}
		if len(v.prefix)+len(v.suffix) > maxLabel {
			v.prefix, v.suffix = "", ""
		}
		l.levels[n-1] = v
		l.clause = l.clause || v.format != "" && v.parts > 1
	}
	return l
}

// numberFormats are the values of style:num-format (19.500).
var numberFormats = map[string]string{"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "一, 二, 三, ...": "chineseCounting"}

// find visits a style and those that it is based on, until one is found.
func (s *styles) find(family, name string, found func(style) bool) bool {
	for range maxBased {
		st, ok := s.by[family+" "+name]
		if !ok {
			return false
		}
		if found(st) {
			return true
		}
		name = st.parent
	}
	return false
}

// isNamed is whether a paragraph's style, or one that it is based on, has a name.
func (s *styles) isNamed(style, name string) bool {
	for range maxBased {
		if strings.ReplaceAll(style, "_20_", " ") == name {
			return true
		}
		st, ok := s.by["paragraph "+style]
		if !ok {
			return false
		}
		style = st.parent
	}
	return false
}

func (s *styles) isHidden(family, name string) bool {
	value := ""
	s.find(family, name, func(st style) bool { value = st.hidden; return value != "" })
	return value == "true"
}

func (s *styles) isBold(family, name string) bool {
	value := ""
	s.find(family, name, func(st style) bool { value = st.bold; return value != "" })
	return value == "true"
}

// counter counts the numbers of one list style.
type counter struct {
	at    [levels]int
	begun [levels]bool
}

// next counts on at a level and gives the label that the reader sees, "" for none.
// A level that was left out counts as begun.
func (c *counter) next(l *listStyle, at int, start string) string {
	v := l.levels[at]
	switch n, err := strconv.Atoi(start); {
	case err == nil && n >= 0 && n < office.MaxNumber:
		c.at[at] = n
	case !c.begun[at]:
		c.at[at] = v.start
	case c.at[at] < office.MaxNumber:
		c.at[at]++
	}
	c.begun[at] = true
	for above := range at {
		if !c.begun[above] {
			c.at[above], c.begun[above] = l.levels[above].start, true
		}
	}
	for below := at + 1; below < levels; below++ {
		c.begun[below] = false
	}
	if v.format == "" {
		return ""
	}
	var parts []string
	for i := max(0, at-v.parts+1); i <= at; i++ {
		if l.levels[i].format != "" {
			parts = append(parts, office.FormatNumber(c.at[i], l.levels[i].format))
		}
	}
	return strings.TrimSpace(v.prefix + strings.Join(parts, ".") + v.suffix)
}
