package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// extractAsciiDoc reads AsciiDoc (Asciidoctor's "AsciiDoc Language Documentation").
// The canonical text is the file.
func extractAsciiDoc(text string) (Extracted, error) {
	yaml, body, err := cutFrontMatter(text)
	if err != nil {
		return Extracted{}, err
	}
	a := &asciidoc{markup: newMarkup(text, body), deepest: 4, counters: counters{top: 2}}
	for a.at < len(a.lines) {
		a.block()
	}
	return Extracted{Format: formatAsciiDoc, Text: text, Title: a.title, FrontMatter: yaml, Blocks: a.blocks, Notes: a.notes()}, nil
}

type asciidoc struct {
	*markup
	style   string // what stands in brackets above the next block
	caption string // the title above the next block
	open    string // the line that ends the example or sidebar being read
	// Sections are numbered while ":sectnums:" is set, down to a level.
	numbered bool
	deepest  int
	counters counters
}

var (
	adocTitle     = lazyregexp.New(`^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+=+)?\s*$`)
	adocAttribute = lazyregexp.New(`^:!?[\w-]+!?:(?:\s|$)`)
	adocStyle     = lazyregexp.New(`^\[(?:[^\[\]]*|\[[^\]]*\])\]\s*$`)
	adocMacro     = lazyregexp.New(`^(?:include|ifdef|ifndef|ifeval|endif|toc|image|video|audio)::\S*\[(.*)\]\s*$`)
	adocItem      = lazyregexp.New(`^\s*(?:\*{1,5}|-|\.{1,5}|\d+\.|[A-Za-z]\.|<[\d.]+>)\s+\S`)
	adocTerm      = lazyregexp.New(`^\s*\S.*?(?:::{1,3}|;;)(?:\s|$)`)
	adocAdmonish  = lazyregexp.New(`^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION): `)
	adocFormat    = lazyregexp.New("(?:\\[[^\\]]*\\])?[*_`#]{1,2}([^*_`#]+)[*_`#]{1,2}")
	adocBlockEdge = lazyregexp.New("^(?:={4,}|\\*{4,}|_{4,}|-{4,}|\\.{4,}|\\+{4,}|/{4,}|--|```.*|[|,:!]===)\\s*$")
)

func (a *asciidoc) block() {
	i := a.at
	s := strings.TrimRight(a.line(i), " \t")
	switch {
	case s == "":
		a.at++
		return
	case a.section(i, s), a.delimited(i, s):
	case strings.HasPrefix(s, "//"):
		a.skip(i+1, "comments")
		return
	case adocAttribute.MatchString(s):
		a.attribute(s)
		a.skip(i+1, "")
		return
	case s == "'''", s == "<<<", s == "***", s == "---", s == "+":
		a.skip(i+1, "")
		return
	case adocStyle.MatchString(s):
		a.style += s
		a.skip(i+1, "")
		return
	case len(s) > 1 && s[0] == '.' && s[1] != '.' && s[1] != ' ':
		a.caption = plainAsciiDoc(s[1:])
		a.paragraph(i, i+1)
		return
	case adocMacro.MatchString(s):
		a.macro(i, s)
	case strings.HasPrefix(s, "|") && i+1 < len(a.lines) && strings.Count(s, "|") > 1:
		a.add(Table, i, a.paragraphEnd(i)).Rows = a.rows(i, a.at) // a table that lacks its edges
	case adocItem.MatchString(s), adocTerm.MatchString(s) && !adocAdmonish.MatchString(s):
		a.items(i)
	case a.indent(i) > 0:
		a.add(Code, i, a.wordsEnd(i))
	default:
		a.paragraph(i, a.wordsEnd(i))
	}
	a.style, a.caption = "", ""
}

// section takes a title of one line: "=" is the document's, "==" the first below.
func (a *asciidoc) section(i int, s string) bool {
	if m := adocTitle.FindStringSubmatch(s); m != nil && strings.IndexFunc(plainAsciiDoc(m[2]), visible) >= 0 {
		a.titled(len(m[1]), plainAsciiDoc(m[2]), i, i+1)
		return true
	}
	// Of two lines: "=", "-", "~", "^" and "+" from the document's title down.
	level := strings.IndexByte("=-~^+", ruleOf(a.line(i+1)))
	n, rule := len(s), len(strings.TrimSpace(a.line(i+1)))
	if ruleOf(a.line(i+1)) == 0 || level < 0 || n-rule > 2 || rule-n > 2 || n < 3 || ruleOf(s) != 0 || !wordy(s) || strings.TrimSpace(a.line(i+1)) == a.open || adocBlockEdge.MatchString(s) {
		return false
	}
	a.titled(level+1, plainAsciiDoc(s), i, i+2)
	return true
}

// adocUnnumbered are styles of sections that have no number (Asciidoctor's
// "Section Styles for Books and Articles", "Discrete Headings").
var adocUnnumbered = lazyregexp.New(`^\[(?:discrete|float|preface|abstract|dedication|colophon|acknowledgments|bibliography|glossary|index)\b`)

// titled adds a heading with the number that it is printed with.
func (a *asciidoc) titled(level int, text string, from, to int) {
	a.heading(level, text, from, to)
	b := &a.blocks[len(a.blocks)-1]
	if strings.HasPrefix(a.style, "[appendix") && !a.counters.appendix {
		a.counters = counters{top: 2, appendix: true}
	}
	if a.numbered && level > 1 && level <= a.deepest && !adocUnnumbered.MatchString(a.style) {
		b.Number, b.Text = a.counters.next(level), oneLine(text) // what is typed like a number stands behind it
	}
}

// attribute takes those that say which sections are numbered.
func (a *asciidoc) attribute(s string) {
	name, value, _ := strings.Cut(s[1:], ":")
	switch name {
	case "sectnums", "numbered":
		a.numbered = true
	case "!sectnums", "sectnums!", "!numbered", "numbered!":
		a.numbered = false
	case "sectnumlevels":
		if n := digits(strings.TrimSpace(value)); n > 0 {
			a.deepest = n + 1
		}
	}
}

func plainAsciiDoc(s string) string { return oneLine(adocFormat.ReplaceAllString(s, "$1")) }

// delimited takes a block between two equal lines. Of those that hold blocks again
// only the lines themselves are passed over.
func (a *asciidoc) delimited(i int, s string) bool {
	if !adocBlockEdge.MatchString(s) {
		return false
	}
	edge := s
	if strings.HasPrefix(s, "```") {
		edge = "```"
	}
	end := i + 1
	for end < len(a.lines) && strings.TrimRight(a.line(end), " \t") != edge {
		end++
	}
	closed := end < len(a.lines)
	end = min(end+1, len(a.lines))
	switch {
	case !closed && edge != "```" && edge[0] != '-' && edge[0] != '.':
		a.skip(i+1, "")
	case s[0] == '/':
		a.skip(end, "comments")
	case strings.HasSuffix(s, "==="):
		if len(s) > 4 || s[0] == '=' {
			a.enter(i, s)
			return true
		}
		a.table(i, end)
	case s[0] == '_':
		a.add(Quote, i, end)
	case s == "--", s[0] == '*':
		a.enter(i, s)
	default:
		a.add(Code, i, end)
	}
	return true
}

// enter passes over a line that begins or ends a block of blocks.
func (a *asciidoc) enter(i int, edge string) {
	if a.open == edge {
		edge = ""
	}
	a.open = edge
	a.skip(i+1, "")
}

func (a *asciidoc) macro(i int, s string) {
	alt := adocMacro.FindStringSubmatch(s)[1]
	switch {
	case strings.HasPrefix(s, "include"):
		a.skip(i+1, "files that it includes")
	case strings.HasPrefix(s, "image") && wordy(strings.SplitN(alt, ",", 2)[0]):
		a.paragraph(i, i+1)
	default:
		a.skip(i+1, "")
	}
}

// wordsEnd is where a paragraph ends: at a blank line, or where a block begins.
func (a *asciidoc) wordsEnd(i int) int {
	end := i + 1
	for end < len(a.lines) && !a.blankAt(end) {
		s := strings.TrimRight(a.line(end), " \t")
		if adocBlockEdge.MatchString(s) || adocStyle.MatchString(s) || adocAttribute.MatchString(s) || strings.HasPrefix(s, "//") {
			break
		}
		end++
	}
	return end
}

// items takes a list: its marks may nest, and "+" ties a block to an item.
func (a *asciidoc) items(i int) {
	mark := adocMark(a.line(i))
	var starts []int
	end := i
	for k := i; k < len(a.lines); {
		s := strings.TrimRight(a.line(k), " \t")
		switch {
		case s == "":
			k++
			continue
		case s == "+" && k+1 < len(a.lines):
			k = a.tied(k + 1)
		case adocItem.MatchString(s) || adocTerm.MatchString(s):
			if adocMark(s) == mark {
				starts = append(starts, k)
			}
			k = a.wordsOfItem(k)
		case k == end || a.indent(k) > 0:
			k = a.wordsOfItem(k)
		default:
			a.list(i, end, starts)
			return
		}
		end = k
		if adocBlockEdge.MatchString(strings.TrimRight(a.line(k), " \t")) || adocStyle.MatchString(a.line(k)) || adocTitle.MatchString(a.line(k)) {
			break
		}
	}
	a.list(i, end, starts)
}

// wordsOfItem is where the lines of an item end.
func (a *asciidoc) wordsOfItem(i int) int {
	for i++; i < len(a.lines) && !a.blankAt(i); i++ {
		s := strings.TrimRight(a.line(i), " \t")
		if s == "+" || adocItem.MatchString(s) || adocTerm.MatchString(s) || adocBlockEdge.MatchString(s) || adocStyle.MatchString(s) {
			break
		}
	}
	return i
}

// tied is where a block that "+" ties to an item ends.
func (a *asciidoc) tied(i int) int {
	for i < len(a.lines) && adocStyle.MatchString(a.line(i)) {
		i++
	}
	edge := strings.TrimRight(a.line(i), " \t")
	if !adocBlockEdge.MatchString(edge) {
		return a.wordsOfItem(i)
	}
	k := a.nearby(i+1, func(k int) bool { return strings.TrimRight(a.line(k), " \t") == edge })
	if k < 0 {
		return a.wordsOfItem(i)
	}
	return k + 1
}

// adocMark is what begins an item, numbers and terms each as one kind.
func adocMark(s string) string {
	s = strings.TrimLeft(s, " \t")
	if !adocItem.MatchString(s) {
		return "::"
	}
	mark, _, _ := strings.Cut(s, " ")
	if c := mark[0]; c != '*' && c != '-' && c != '.' {
		return "1"
	}
	return mark
}

// table takes the lines between its edges. A row is a line of as many cells as the
// first has or "cols" says; where each cell has its line, so many lines.
func (a *asciidoc) table(from, to int) {
	caption, style := a.caption, a.style
	columns := adocColumns(style)
	b := a.add(Table, from, to)
	b.Caption = caption
	header := strings.Contains(style, "header") || strings.Contains(style, "%header")
	var row document.Span
	cells := 0
	var spans adocSpans
	for i := from + 1; i < to; i++ {
		s := strings.TrimSpace(a.line(i))
		switch {
		case s == "" && len(b.Rows) == 1 && cells == 0 && i > from+1:
			header = true // a blank line below the first
			continue
		case s == "", i == to-1 && adocBlockEdge.MatchString(s):
			continue
		}
		n := strings.Count(s, "|") + spans.begin(s)
		if columns == 0 {
			columns = max(n, 1)
		}
		if row.Len() == 0 {
			row.From = a.lines[i].From
		}
		row.To = a.lines[i].To
		if cells += n; cells >= columns-spans.width && !a.goesOn(i+1, to) {
			b.Rows = append(b.Rows, row)
			row, cells = document.Span{}, 0
			spans.end()
		}
	}
	if row.Len() > 0 {
		b.Rows = append(b.Rows, row)
	}
	if len(b.Rows) > 1 && !header {
		first := b.Rows[0].Of(a.text)
		header = len(adocHeads.FindAllString(first, -1)) == strings.Count(first, "|")
	}
	if header && len(b.Rows) > 1 {
		b.Header, b.Rows = b.Rows[:1:1], b.Rows[1:]
	}
	if len(b.Rows) == 0 {
		b.Kind = Paragraph
	}
}

// adocSpans are the cells of a table that reach into the rows below theirs.
type adocSpans struct {
	width int // columns that they take of the row being read
	cells []adocSpan
}

const maxSpans = 64 // in force at one time

type adocSpan struct{ columns, rows int }

// begin takes the cells of a line that span ("2.4+|") or repeat ("3*|"), and gives the
// columns that they take beyond one each.
func (s *adocSpans) begin(line string) (more int) {
	for _, m := range adocSpanned.FindAllStringSubmatch(line, -1) {
		columns, rows := max(digits(m[1]), 1), max(digits(m[2]), 1)
		more += columns - 1
		if m[3] == "+" && rows > 1 && len(s.cells) < maxSpans {
			s.cells = append(s.cells, adocSpan{columns, rows})
		}
	}
	return more
}

// end goes on to the next row.
func (s *adocSpans) end() {
	s.width = 0
	left := s.cells[:0]
	for _, c := range s.cells {
		if c.rows--; c.rows > 0 {
			s.width += c.columns
			left = append(left, c)
		}
	}
	s.cells = left
}

// goesOn is whether a line within a table is more of the cell before it.
func (a *asciidoc) goesOn(i, to int) bool {
	return i < to-1 && !a.blankAt(i) && !strings.Contains(a.line(i), "|")
}

var (
	adocCols     = lazyregexp.New(`cols\s*=\s*"?([^"\]]*)"?`)
	adocHeads    = lazyregexp.New(`(?:^|\s)[<^>.0-9+*]*h\|`) // cells that are set as headings
	adocSpanned  = lazyregexp.New(`(?:^|\s)(\d{1,3})?(?:\.(\d{1,3}))?([+*])[<^>.]*[adehlmsv]?\|`)
	adocRepeated = lazyregexp.New(`^\s*(\d{1,3})\*`)
)

// adocColumns is the number of columns that a style names, 0 if it does not.
func adocColumns(style string) int {
	m := adocCols.FindStringSubmatch(style)
	if m == nil || strings.TrimSpace(m[1]) == "" {
		return 0
	}
	n := 0
	for _, c := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' }) {
		if r := adocRepeated.FindStringSubmatch(c); r != nil {
			n += digits(r[1])
		} else {
			n++
		}
	}
	return n
}
