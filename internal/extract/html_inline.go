package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// inlineWriter writes a run of text and inline elements. White space collapses
// as in a browser; a line break stays one.
type inlineWriter struct {
	b       strings.Builder
	heading bool // one line, its marks escaped
	cell    bool // one line, pipes escaped at the end
	space   bool // white space is due before the next text
}

// below writes everything below n, blocks too, as one run.
func (w *inlineWriter) below(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *inlineWriter) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
	case n.Type != html.ElementNode || neverShown(n):
	case n.DataAtom == atom.Br:
		w.breakLine()
	case n.DataAtom == atom.Img:
		w.image(n)
	case n.DataAtom == atom.Code, n.DataAtom == atom.Kbd, n.DataAtom == atom.Samp, n.DataAtom == atom.Tt:
		w.code(n)
	case n.DataAtom == atom.B, n.DataAtom == atom.Strong:
		w.around(n, "**", "**")
	case n.DataAtom == atom.A:
		w.link(n)
	case n.DataAtom == atom.Sup:
		w.superscript(n)
	case isBlock(n):
		w.block(n)
	default:
		w.below(n)
	}
}

// block sets a block within a line (a list in a table cell) off by its kind.
func (w *inlineWriter) block(n *html.Node) {
	if n.DataAtom == atom.Li && w.b.Len() > 0 && !w.heading {
		if s := w.b.String(); !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, ";") && !strings.HasSuffix(s, ".") {
			w.b.WriteByte(';')
		}
	}
	w.space = true
	if n.DataAtom == atom.Table && w.cell {
		w.text(nestedTable(n))
	} else {
		w.below(n)
	}
	w.space = true
}

func (w *inlineWriter) text(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, collapses)
		if i != 0 {
			word := s
			if i > 0 {
				word = s[:i]
			}
			w.word(word)
			s = s[len(word):]
			continue
		}
		w.space = true
		s = strings.TrimLeftFunc(s, collapses)
	}
}

// collapses is white space as HTML has it; a no-break space becomes a space of
// its own elsewhere.
func collapses(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\f' || r == '\r' }

func (w *inlineWriter) word(s string) {
	w.due()
	if strings.ContainsRune(s, '\u00a0') {
		s = strings.ReplaceAll(s, "\u00a0", " ")
	}
	if w.heading {
		s = escapeInline(s)
	}
	w.b.WriteString(s)
}

func (w *inlineWriter) due() {
	if s := w.b.String(); w.space && s != "" && s[len(s)-1] != '\n' && s[len(s)-1] != ' ' {
		w.b.WriteByte(' ')
	}
	w.space = false
}

func (w *inlineWriter) breakLine() {
	if w.heading || w.cell {
		w.space = true
		return
	}
	w.space = false
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
}

// around puts marks around what is below n, spaces outside of them.
func (w *inlineWriter) around(n *html.Node, open, closing string) {
	inner := inlineWriter{heading: w.heading, cell: w.cell}
	inner.below(n)
	raw := inner.b.String()
	s := strings.TrimSpace(raw)
	switch {
	case s == "":
		w.space = w.space || raw != "" || inner.space
		return
	case strings.Contains(s, "\n") || strings.Contains(s, "**") || w.heading:
		open, closing = "", ""
	}
	w.space = w.space || startsSpaced(n) || raw[0] == ' '
	w.due()
	w.b.WriteString(open + s + closing)
	w.space = inner.space
}

// startsSpaced is whether the text below n begins with white space.
func startsSpaced(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.FirstChild {
		if c.Type == html.TextNode {
			r, _ := utf8.DecodeRuneInString(c.Data)
			return collapses(r)
		}
	}
	return false
}

// link keeps the address of a link that leads out of the site; within it, the
// address is of no use to a reader of the text, and goes to Extracted.Links.
func (w *inlineWriter) link(n *html.Node) {
	href := strings.TrimSpace(attr(n, "href"))
	outside := strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "mailto:")
	label := strings.Join(strings.Fields(textOf(n)), " ")
	if !outside || w.heading || label == "" || len(href) > 500 || strings.ContainsAny(href, " \n<>()|") ||
		strings.ContainsAny(label, "[]") || label == href || "mailto:"+label == href {
		from := w.b.Len()
		w.below(n)
		if !outside && !w.heading && label != "" {
			w.markLink(from, href)
		}
		return
	}
	w.around(n, "[", "]("+href+")")
}

func (w *inlineWriter) image(n *html.Node) {
	alt := strings.Join(strings.Fields(attr(n, "alt")), " ")
	if alt == "" {
		return
	}
	w.space = true
	w.word(alt)
	w.space = true
}

// code keeps the text of a code element as it is, behind as many backquotes as
// it takes.
func (w *inlineWriter) code(n *html.Node) {
	raw := textOf(n)
	s := strings.Join(strings.Fields(raw), " ")
	w.space = w.space || startsSpaced(n)
	if s == "" {
		return
	}
	w.due()
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	w.b.WriteString(fence + s + fence)
	last, _ := utf8.DecodeLastRuneInString(raw)
	w.space = collapses(last)
}

// superscript keeps an exponent apart from its base: 10^2, not 102.
func (w *inlineWriter) superscript(n *html.Node) {
	s := strings.TrimSpace(textOf(n))
	before := w.b.String()
	if s != "" && len(s) <= 4 && before != "" && !w.space && strings.Trim(s, "0123456789+-−n") == "" &&
		(unicode.IsDigit(rune(before[len(before)-1])) || asciiLetter(before[len(before)-1])) {
		w.b.WriteByte('^')
	}
	w.below(n)
}

// line is the run as one line.
func (w *inlineWriter) line() string {
	return strings.Join(strings.Fields(w.b.String()), " ")
}

// paragraph is the run as a Markdown paragraph, "" if there is none.
func (w *inlineWriter) paragraph() string {
	s := strings.TrimSpace(w.b.String())
	if s == "" {
		return ""
	}
	if !strings.Contains(s, "\n") {
		return escapeStart(s)
	}
	var lines []string
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, escapeStart(l))
		}
	}
	return strings.Join(lines, "\n")
}

// blockStart is a line that Markdown would read as more than text.
var blockStart = lazyregexp.New("^(?:#{1,6}(?:\\s|$)|>|[-+*](?:\\s|$)|[-=_*]{2,}\\s*$|(?:[-_*]\\s*){3,}$|\\||```|~~~|<[A-Za-z/!?]|\\[(?:[^\\]^][^\\]]*)?\\]:|:?-+:?\\s*\\|)")

var orderedStart = lazyregexp.New(`^(\d{1,9})([.)])(\s|$)`)

// escapeStart keeps text from being read as structure.
func escapeStart(s string) string {
	if blockStart.MatchString(s) {
		return `\` + s
	}
	return orderedStart.ReplaceAllString(s, `$1\$2$3`)
}

// escapeInline escapes the marks that would vanish from a heading.
func escapeInline(s string) string {
	if !strings.ContainsAny(s, "\\`*_[<&#") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		inWord := i > 0 && i+1 < len(s) && wordByte(s[i-1]) && wordByte(s[i+1])
		if strings.IndexByte("\\`*[<&", c) >= 0 || c == '_' && !inWord || c == '#' && i+1 == len(s) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

func wordByte(c byte) bool {
	return asciiLetter(c) || c >= '0' && c <= '9' || c >= 0x80
}
