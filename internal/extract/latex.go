package extract

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// extractLaTeX reads LaTeX source. The canonical text is the file; headings carry the
// number that LaTeX gives them. Nothing is run: what macros make of the text is
// not known.
func extractLaTeX(text string) (Extracted, error) {
	l := &latex{markup: newMarkup(text, 0)}
	l.preamble()
	for l.at < len(l.lines) {
		l.block()
	}
	x := Extracted{Format: formatLaTeX, Text: text, Title: l.title, Blocks: l.blocks, Notes: l.notes()}
	if l.name != "" {
		x.Title = l.name
	}
	return x, nil
}

type latex struct {
	*markup
	name     string // what \title says
	counters counters
	numbered int // the deepest level that has numbers
}

// latexLevels of the commands that begin a section, a chapter's being 1.
var latexLevels = map[string]int{"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6}

var (
	latexSection = lazyregexp.New(`^\s*\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(\*?)\s*(?:\[[^\]]*\])?\s*\{`)
	latexDepth   = lazyregexp.New(`^\s*\\setcounter\{secnumdepth\}\{(-?\d)\}`)
	latexBegin   = lazyregexp.New(`^\s*\\begin\{([A-Za-z]+\*?)\}`)
	latexEdge    = lazyregexp.New(`^\s*\\(?:begin|end)\{([A-Za-z]+\*?)\}`)
	latexLabel   = lazyregexp.New(`^(?:\s*(?:\\label\{[^}]*\}|%.*))*\s*$`)
	// latexSilent is a line of commands that show nothing where they stand.
	latexSilent = lazyregexp.New(`^\s*(?:\\(?:label|vspace|hspace|newpage|clearpage|cleardoublepage|maketitle|tableofcontents|listoffigures|listoftables|bibliography|` +
		`bibliographystyle|printbibliography|pagestyle|thispagestyle|setlength|noindent|centering|bigskip|medskip|smallskip|newcommand|renewcommand|providecommand|` +
		`usepackage|documentclass|geometry|hypersetup|graphicspath|end)\*?(?:\[[^\]]*\]|\{[^{}]*\})*\s*)+(?:%.*)?$`)
	latexInput   = lazyregexp.New(`^\s*\\(?:input|include|subfile)\s*\{`)
	latexItem    = lazyregexp.New(`^\s*\\(?:item|bibitem)\b`)
	latexCaption = lazyregexp.New(`\\caption(?:\[[^\]]*\])?\{`)
	latexRule    = lazyregexp.New(`^\s*\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule)\b`)
	latexRow     = lazyregexp.New(`\\\\|\\tabularnewline`)
	latexCommand = lazyregexp.New(`\\(?:label|footnote|thanks|cite[a-z]*|ref|vspace|hspace)\*?(?:\[[^\]]*\])*\{[^{}]*\}`)
	latexMacro   = lazyregexp.New(`\\[A-Za-z]+\*?\s*`)
	latexEscape  = lazyregexp.New(`\\([&%$#_{}])`)
)

// preamble passes over what stands before the document but for its title.
func (l *latex) preamble() {
	l.counters.top, l.numbered = 2, 4
	begin, depth := -1, ""
	for i := range l.lines {
		s := l.line(i)
		if strings.Contains(s, `\chapter`) && !strings.HasPrefix(strings.TrimSpace(s), "%") {
			l.counters.top = 1
		}
		if m := latexDepth.FindStringSubmatch(s); m != nil {
			depth = m[1]
		}
		if begin < 0 && strings.HasPrefix(strings.TrimSpace(s), `\begin{document}`) {
			begin = i
		}
		if at := strings.Index(s, `\title{`); at >= 0 && l.name == "" && !strings.Contains(s[:at], "%") {
			if t, _, ok := l.argument(l.lines[i].From + at + len(`\title`)); ok {
				l.name = plainLaTeX(t)
			}
		}
	}
	if begin >= 0 {
		l.at = begin + 1
	}
	// Of chapters two levels are numbered unless the source says how many (LaTeX's
	// report.cls and book.cls; a chapter is its level 0).
	if l.counters.top == 1 {
		l.numbered = 3
	}
	if n, err := strconv.Atoi(depth); err == nil {
		l.numbered = n + 1
	}
}

// argument is what stands between the braces at an offset, and where it ends.
func (l *latex) argument(at int) (string, int, bool) {
	const most = 1000 // bytes of a title or caption
	depth := 0
	for i := at; i < min(len(l.text), at+most); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return l.text[at+1 : i], i + 1, true
			}
		}
	}
	return "", at, false
}

// plainLaTeX is text without the commands around its words.
func plainLaTeX(s string) string {
	s = latexCommand.ReplaceAllString(s, "")
	s = strings.NewReplacer(`\\`, " ", "~", " ").Replace(s)
	s = latexEscape.ReplaceAllString(s, "\x00$1")
	s = latexMacro.ReplaceAllString(s, "")
	s = strings.NewReplacer("{", "", "}", "").Replace(s)
	return oneLine(strings.ReplaceAll(s, "\x00", ""))
}

func (l *latex) block() {
	i := l.at
	s := l.line(i)
	t := strings.TrimSpace(s)
	switch {
	case t == "":
		l.at++
	case t[0] == '%':
		l.skip(i+1, "")
	case strings.HasPrefix(t, `\end{document}`):
		l.at = len(l.lines)
	case strings.HasPrefix(t, `\appendix`):
		l.counters = counters{top: l.counters.top, appendix: true}
		l.skip(i+1, "")
	case latexInput.MatchString(t):
		l.skip(i+1, "files that it includes")
	case l.section(i):
	case latexBegin.MatchString(t):
		l.environment(i, latexBegin.FindStringSubmatch(t)[1])
	case latexSilent.MatchString(t):
		l.skip(i+1, "")
	default:
		l.paragraph(i, l.wordsEnd(i))
	}
}

// wordsEnd is where a paragraph ends: at a blank line, or where a section or an
// environment begins.
func (l *latex) wordsEnd(i int) int {
	for i++; i < len(l.lines) && !l.blankAt(i); i++ {
		s := l.line(i)
		m := latexEdge.FindStringSubmatch(s)
		if m != nil && !inText[m[1]] || latexSection.MatchString(s) || latexInput.MatchString(s) || strings.HasPrefix(s, `\appendix`) {
			break
		}
	}
	return i
}

// inText are environments that stand within a paragraph.
var inText = map[string]bool{"equation": true, "equation*": true, "align": true, "align*": true, "displaymath": true, "math": true, "gather": true, "gather*": true, "eqnarray": true}

// section takes the command alone in its lines: words behind it are text, and the
// paragraph that they begin says the title itself.
func (l *latex) section(i int) bool {
	m := latexSection.FindStringSubmatchIndex(l.line(i))
	if m == nil {
		return false
	}
	line := l.line(i)
	command, starred := line[m[2]:m[3]], m[4] != m[5]
	title, end, ok := l.argument(l.lines[i].From + m[1] - 1)
	text := plainLaTeX(title)
	if !ok || strings.IndexFunc(text, visible) < 0 {
		return false
	}
	last := i
	for l.lines[last].To < end {
		last++
	}
	if !latexLabel.MatchString(l.text[end:l.lines[last].To]) {
		return false
	}
	level := latexLevels[command]
	number := ""
	if !starred && command != "part" && level <= l.numbered {
		number = l.counters.next(level)
	}
	b := l.add(Heading, i, last+1)
	b.Level, b.Text, b.Number = level, text, number
	if l.markup.title == "" {
		l.markup.title = text
	}
	return true
}

// environment takes what stands between \begin and \end, or only passes over the line
// of one that holds text like any.
func (l *latex) environment(i int, name string) {
	end := l.environmentEnd(i, name)
	switch strings.TrimSuffix(name, "*") {
	case "itemize", "enumerate", "description", "compactitem", "compactenum":
		l.items(i, end)
	case "thebibliography":
		l.heading(2, "References", i, i+1)
		l.items(i+1, end)
	case "table", "tabular", "longtable", "tabularx", "sidewaystable", "wraptable", "supertabular", "tabulary":
		l.table(i, end)
	case "equation", "align", "gather", "multline", "eqnarray", "displaymath", "verbatim", "Verbatim", "lstlisting", "minted", "algorithm", "algorithmic", "alltt":
		l.add(Code, i, end)
	case "figure", "wrapfigure", "subfigure", "tikzpicture", "comment", "filecontents":
		l.figure(i, end)
	case "quote", "quotation", "verse":
		l.add(Quote, i, end)
	case "abstract":
		l.heading(2, "Abstract", i, i+1)
	default:
		l.skip(i+1, "")
	}
}

// environmentEnd is the line after the \end of an environment, the next line if it has
// none nearby.
func (l *latex) environmentEnd(i int, name string) int {
	depth := 0
	k := l.nearby(i, func(k int) bool {
		s := l.line(k)
		depth += strings.Count(s, `\begin{`+name+`}`) - strings.Count(s, `\end{`+name+`}`)
		return depth <= 0
	})
	return max(k, i) + 1
}

func (l *latex) items(from, to int) {
	var starts []int
	depth := 0
	for k := from; k < to; k++ {
		s := l.line(k)
		if depth <= 1 && latexItem.MatchString(s) {
			starts = append(starts, k)
		}
		depth += strings.Count(s, `\begin{`) - strings.Count(s, `\end{`)
	}
	if len(starts) == 0 {
		l.paragraph(from, to)
		return
	}
	l.list(from, to, starts)
}

// figure keeps what a reader of the source learns of a picture: its caption.
func (l *latex) figure(from, to int) {
	if caption, first, last := l.captionIn(from, to); caption != "" {
		l.paragraph(first, last)
	}
	l.at = to
}

// captionIn is the caption within some lines, and the lines that it takes.
func (l *latex) captionIn(from, to int) (caption string, first, last int) {
	for i := from; i < to; i++ {
		m := latexCaption.FindStringIndex(l.line(i))
		if m == nil {
			continue
		}
		text, end, ok := l.argument(l.lines[i].From + m[1] - 1)
		if !ok {
			continue
		}
		for last = i; last+1 < to && l.lines[last].To < end; {
			last++
		}
		return plainLaTeX(text), i, last + 1
	}
	return "", 0, 0
}

// table takes rows of cells between "&"; the header is what stands above the first
// rule below a row.
func (l *latex) table(from, to int) {
	caption, _, _ := l.captionIn(from, to)
	b := l.add(Table, from, to)
	b.Caption = caption
	header := -1
	var row document.Span
	for i := from; i < to; i++ {
		s := l.line(i)
		switch t := strings.TrimSpace(s); {
		case t == "" || t[0] == '%':
		case latexRule.MatchString(t) && row.Len() == 0 && !strings.Contains(t, "&"):
			if header < 0 && len(b.Rows) > 0 {
				header = len(b.Rows)
			}
		case row.Len() > 0 || strings.Contains(t, "&") && !strings.HasPrefix(t, `\begin`) && !strings.HasPrefix(t, `\caption`):
			if row.Len() == 0 {
				row.From = l.lines[i].From
			}
			row.To = l.lines[i].To
			if latexRow.MatchString(t) || strings.HasPrefix(t, `\end`) {
				if header < 0 && len(b.Rows) > 0 && strings.HasPrefix(t, `\hline`) {
					header = len(b.Rows)
				}
				b.Rows = append(b.Rows, row)
				row = document.Span{}
				if header < 0 && strings.Contains(t[strings.LastIndex(t, `\\`)+1:], `\hline`) {
					header = len(b.Rows)
				}
			}
		}
	}
	if row.Len() > 0 {
		b.Rows = append(b.Rows, row)
	}
	switch {
	case len(b.Rows) == 0:
		b.Kind = Paragraph
	case header > 0 && header <= 3 && header < len(b.Rows):
		b.Header, b.Rows = b.Rows[:header:header], b.Rows[header:]
	}
}
