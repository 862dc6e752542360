package extract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// extractRST reads reStructuredText (docutils, "reStructuredText Markup
// Specification"). The canonical text is the file.
func extractRST(text string) (Extracted, error) {
	yaml, body, err := cutFrontMatter(text)
	if err != nil {
		return Extracted{}, err
	}
	r := &rst{markup: newMarkup(text, body)}
	for r.at < len(r.lines) {
		r.block()
	}
	r.number()
	return Extracted{Format: formatRST, Text: text, Title: r.title, FrontMatter: yaml, Blocks: r.blocks, Notes: r.notes()}, nil
}

// notes says what was left out.
func (m *markup) notes() []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(m.left)) {
		out = append(out, fmt.Sprintf("Left out: %s (%d).", what, m.left[what]))
	}
	return out
}

type rst struct {
	*markup
	styles []string // of underlines, in the order of their levels
	titles []string // of the sections
	// sectnum are the options of the directive that numbers sections, nil without it.
	sectnum map[string]string
}

var (
	rstDirective  = lazyregexp.New(`^\.\. +(?:\|[^|]+\| +)?([\w.+-]+(?::[\w.+-]+)*) ?::(?:\s+(.*))?$`)
	rstFootnote   = lazyregexp.New(`^\.\. +\[[^\]]+\]\s`)
	rstItem       = lazyregexp.New(`^\s*(?:[*+•‣-]|(?:\d+|[A-Za-z#]|[ivxlcIVXLC]+)[.)]|\((?:\d+|[A-Za-z#]|[ivxlc]+)\)|:[^:\s][^:]*:)(?:\s|$)`)
	rstGridRule   = lazyregexp.New(`^\s*\+(?:[-=]+\+)+\s*$`)
	rstGridPart   = lazyregexp.New(`^\s*[+|][-=+| ]*\+[-=]+\+[-=+| ]*$`)
	rstSimpleRule = lazyregexp.New(`^\s*=+(?: +=+)+\s*$`)
	rstRole       = lazyregexp.New("(?::[\\w.:+-]+:)?`+([^`<]*?)(?:\\s*<[^`>]*>)?`+_{0,2}")
)

// rstCode and rstUnread sort directives by what their body is; of others it is text.
var (
	rstCode   = map[string]bool{"code": true, "code-block": true, "sourcecode": true, "parsed-literal": true, "literalinclude": true, "math": true, "highlight": true, "graphviz": true, "productionlist": true}
	rstUnread = map[string]bool{"toctree": true, "contents": true, "include": true, "index": true, "meta": true, "raw": true,
		"default-role": true, "role": true, "currentmodule": true, "module": true, "title": true, "highlight": true, "replace": true, "unicode": true, "literalinclude": true}
)

func (r *rst) block() {
	i := r.at
	s := r.line(i)
	switch {
	case r.blankAt(i):
		r.at++
	case r.section(i):
	case ruleOf(s) != 0 && utf8.RuneCountInString(s) >= 4 && r.blankAt(i+1):
		r.skip(i+1, "")
	case rstGridRule.MatchString(s):
		r.table(i, r.paragraphEnd(i), rstGridRule)
	case rstSimpleRule.MatchString(s):
		r.table(i, r.simpleEnd(i), rstSimpleRule)
	case strings.HasPrefix(s, "..") && (len(s) == 2 || s[2] == ' '):
		r.explicit(i)
	case strings.HasPrefix(s, "__ "):
		r.skip(i+1, "")
	case strings.HasPrefix(s, ">>> "):
		r.add(Code, i, r.paragraphEnd(i))
	case rstItem.MatchString(s):
		r.items(i)
	case r.indent(i) > 0:
		r.add(Quote, i, r.indented(i, 0))
	default:
		r.words(i)
	}
}

// ruleOf is the character that a line of punctuation consists of, 0 for other lines.
func ruleOf(s string) byte {
	s = strings.TrimRight(s, " \t")
	if len(s) < 2 || strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[0]) < 0 || strings.Trim(s, s[:1]) != "" {
		return 0
	}
	return s[0]
}

// section takes a title with its line below it, and above it where there is one.
// The order in which the kinds of lines come gives their levels.
func (r *rst) section(i int) bool {
	title, end, style := r.titleAt(i)
	if style == "" {
		return false
	}
	level := slices.Index(r.styles, style)
	if level < 0 {
		level = len(r.styles)
		r.styles = append(r.styles, style)
	}
	r.titles = append(r.titles, oneLine(plainRST(title)))
	r.heading(level+1, plainRST(title), i, end)
	return true
}

// titleAt gives the title that begins with line i, where it ends, and the characters
// of its lines, "" if there is none.
func (r *rst) titleAt(i int) (title string, end int, style string) {
	at := i
	if c := ruleOf(r.line(i)); c != 0 && ruleOf(r.line(i+2)) == c && !r.blankAt(i+1) {
		at, style = i+1, string(c)+string(c)
	} else if under := ruleOf(r.line(i + 1)); under != 0 && c == 0 && r.indent(i) == 0 {
		style = string(under)
	}
	title = strings.TrimSpace(r.line(at))
	rule := len(strings.TrimSpace(r.line(at + 1)))
	if rule < min(utf8.RuneCountInString(title), 4) || strings.IndexFunc(plainRST(title), visible) < 0 || len(title) > maxCaption {
		return "", i, ""
	}
	return title, at + 2, style
}

func (r *rst) titled(i int) bool {
	_, _, style := r.titleAt(i)
	return style != ""
}

func plainRST(s string) string {
	s = rstRole.ReplaceAllString(s, "$1")
	return strings.NewReplacer("**", "", `\`, "").Replace(s)
}

// words takes a paragraph, a definition, and the literal block that "::" announces.
func (r *rst) words(i int) {
	end := r.paragraphEnd(i)
	for k := i + 1; k+1 < end; k++ { // a title whose paragraph lacks its blank line
		if ruleOf(r.line(k+1)) != 0 && ruleOf(r.line(k)) == 0 && len(strings.TrimSpace(r.line(k+1))) >= max(4, len(strings.TrimSpace(r.line(k)))) {
			end = k
			break
		}
	}
	literal := strings.HasSuffix(strings.TrimRight(r.line(end-1), " "), "::")
	r.paragraph(i, end)
	if b := r.indented(end, 0); literal && b > end {
		r.add(Code, end, b)
	}
}

// items takes a list: lines that begin like its first, with what is indented below.
func (r *rst) items(i int) {
	indent, mark := r.indent(i), markOf(r.line(i))
	var starts []int
	end := i
	for k := i; k < len(r.lines); {
		switch {
		case r.blankAt(k):
			k++
			continue
		case r.indent(k) > indent && len(starts) > 0:
			end = r.indented(k, indent)
		case r.indent(k) == indent && rstItem.MatchString(r.line(k)) && markOf(r.line(k)) == mark:
			starts = append(starts, k)
			end = k + 1
		case k == end && len(starts) > 0 && r.indent(k) == indent && !r.titled(k) && !rstItem.MatchString(r.line(k)):
			end = k + 1 // a line that should be indented
		default:
			k = len(r.lines)
			continue
		}
		k = end
	}
	r.list(i, end, starts)
}

// markOf is the kind of a list's marks: each bullet is one, and all numbers are.
func markOf(item string) byte {
	c := strings.TrimLeft(item, " \t")[0]
	if c == '#' || wordByte(c) && c < 0x80 {
		return '1'
	}
	return c
}

// explicit takes what begins with two dots: directives, footnotes, targets, comments.
func (r *rst) explicit(i int) {
	end := max(i+1, r.indented(i+1, 0))
	s := r.line(i)
	if rstFootnote.MatchString(s) {
		r.paragraph(i, end)
		return
	}
	m := rstDirective.FindStringSubmatch(s)
	switch {
	case m == nil && strings.HasPrefix(s, ".. _"):
		r.skip(end, "")
	case m == nil:
		r.skip(end, "comments")
	case m[1] == "sectnum" || m[1] == "section-numbering":
		r.sectnum = r.options(i+1, end)
		r.skip(end, "")
	case m[1] == "header" || m[1] == "footer":
		r.skip(end, "page headers and footers")
	case rstUnread[m[1]]:
		r.skip(end, "parts that only arrange or include others")
	case rstCode[m[1]]:
		r.add(Code, i, end)
	case m[1] == "image":
		if strings.Contains(r.text[r.lines[i].From:r.lines[end-1].To], ":alt:") {
			r.paragraph(i, end)
		} else {
			r.skip(end, "")
		}
	case m[1] == "table":
		r.titledTable(i, end, m[2])
	case m[1] == "list-table" || m[1] == "csv-table":
		if b := r.add(Table, i, end); b != nil {
			b.Caption, b.Rows = plainRST(strings.TrimSpace(m[2])), r.rows(i, end)
		}
	default:
		r.paragraph(i, end)
	}
}

// options are the fields below a directive.
func (r *rst) options(from, to int) map[string]string {
	out := map[string]string{}
	for i := from; i < to; i++ {
		if name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(r.line(i)), ":"), ":"); ok {
			out[name] = strings.TrimSpace(value)
		}
	}
	return out
}

// number gives sections their numbers where a directive asks for it (docutils,
// "sectnum"); a title that stands alone on its level is the document's and has none.
func (r *rst) number() {
	if r.sectnum == nil {
		return
	}
	top := 0
	for i, b := range r.blocks {
		if b.Kind == Heading && b.Level == 1 {
			top++
			if top == 1 && slices.ContainsFunc(r.blocks[:i], func(b Block) bool { return b.Kind == Heading }) {
				top++
			}
		}
	}
	c := counters{top: 1}
	if top == 1 {
		c.top = 2
	}
	c.n[c.top] = max(digits(r.sectnum["start"]), 1) - 1
	deepest := maxLevel
	if n := digits(r.sectnum["depth"]); n > 0 {
		deepest = c.top + n - 1
	}
	section := 0
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.Kind != Heading {
			continue
		}
		if b.Level >= c.top && b.Level <= deepest { // what is typed like a number stands behind it
			b.Number, b.Text = r.sectnum["prefix"]+c.next(b.Level)+r.sectnum["suffix"], r.titles[section]
		}
		section++
	}
}

// titledTable takes the table of a directive, with the title as its caption.
func (r *rst) titledTable(i, end int, title string) {
	for k := i + 1; k < end; k++ {
		for _, rule := range []*lazyregexp.Regexp{rstGridRule, rstSimpleRule} {
			if rule.MatchString(r.line(k)) {
				r.paragraph(i, i+1)
				to := r.paragraphEnd(k)
				if rule == rstSimpleRule {
					to = r.simpleEnd(k)
				}
				r.table(k, to, rule)
				r.blocks[len(r.blocks)-1].Caption = plainRST(strings.TrimSpace(title))
				return
			}
		}
	}
	r.paragraph(i, end)
}

// simpleEnd is the line after a table between rules of "=": at the second rule after
// the header, or the first that a blank line follows.
func (r *rst) simpleEnd(i int) int {
	k := r.nearby(i+1, func(k int) bool { return rstSimpleRule.MatchString(r.line(k)) && r.blankAt(k+1) })
	if k < 0 {
		return r.paragraphEnd(i)
	}
	return k + 1
}

// table takes the rows between rules. What stands above a rule of "=", not counting
// the first, is the header; without one, of a simple table with three rules what
// stands above the second.
func (r *rst) table(from, to int, rule *lazyregexp.Regexp) {
	b := r.add(Table, from, to)
	header := -1
	rules := 0
	for i := from; i < to; i++ {
		s := r.line(i)
		switch {
		case rule.MatchString(s):
			rules++
			if header < 0 && rules > 1 && i+1 < to && strings.Contains(s, "=") {
				header = len(b.Rows)
			}
		case rule == rstGridRule && rstGridPart.MatchString(s): // below some of the cells
		case !r.blankAt(i):
			b.Rows = append(b.Rows, r.lines[i])
		}
	}
	if header > 0 && header < len(b.Rows) {
		b.Header, b.Rows = b.Rows[:header:header], b.Rows[header:]
	}
	if len(b.Rows) == 0 {
		b.Kind = Paragraph
	}
}
