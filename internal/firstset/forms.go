package firstset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/grid"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// Bounds, in bytes and words, of what makes a question that can be read.
const (
	maxHeading  = 120
	maxName     = 60
	maxCell     = 120
	maxSentence = 400
	minSentence = 25
	minBody     = 80 // of a section, beside its heading
	maxTitle    = 100
)

// general are headings that say nothing of what they stand over.
var general = map[string]bool{"introduction": true, "overview": true, "summary": true, "purpose": true, "scope": true, "general": true, "contents": true,
	"table of contents": true, "references": true, "appendix": true, "notes": true, "note": true, "background": true, "conclusion": true, "definitions": true,
	"introduction and scope": true, "purpose and scope": true, "general provisions": true, "miscellaneous": true, "see also": true, "abstract": true,
	"changes": true, "changelog": true, "history": true, "contact": true, "index": true, "glossary": true, "remarks": true, "examples": true, "example": true}

// leading is the numbering of a heading.
var leading = lazyregexp.New(`^(?:(?:section|article|chapter|part|clause)\s+)?(?:\d+(?:\.\d+)*[.)]?|[a-z][.)]|\([a-z0-9]{1,4}\)|[IVX]+\.)\s+|^[-–—:.]\s*`)

// headings asks what a document says about each of its sections.
func (m *Maker) headings(r document.Revision) {
	title := plainText(r.Title)
	seen := map[string]int{}
	for i, s := range r.Sections {
		if i > 0 { // the first is the document, whose heading is its title
			seen[fold(s.Heading)]++
		}
	}
	for i, s := range r.Sections {
		if i == 0 || len(s.Path) == 0 {
			continue
		}
		about := plainText(leading.ReplaceAllString(s.Path[len(s.Path)-1], ""))
		if why := unasked(title, about, s, seen[fold(s.Heading)]); why != "" {
			m.passed[why]++
			continue
		}
		if strings.HasSuffix(about, "?") { // a heading that asks is the question
			m.add(Heading, r, i, about, "", "")
			continue
		}
		m.add(Heading, r, i, "What does "+title+" say about "+lowerFirst(about)+"?", "", "")
	}
}

// unasked is why a section's heading, which is about something and stands so many times in
// its document, makes no question; "" where it makes one.
func unasked(title, about string, s document.Section, times int) string {
	switch {
	case title == "" || len(title) > maxTitle:
		return noTitle
	case times > 1:
		return repeated
	case s.Body.Len() < len(s.Heading)+minBody:
		return thin
	case len(about) < 4 || len(about) > maxHeading:
		return unusual
	case general[fold(about)]:
		return saysLittle
	case strings.Contains(fold(title), fold(about)):
		return ofTitle
	}
	return ""
}

var (
	// means recognises "X means ...".
	means = lazyregexp.New(`^(?:[-*•]\s+|\d+[.)]\s+|\([a-z0-9]{1,3}\)\s+)?(?:The term\s+)?(.+?)\s+(means|is defined as|refers to|stands for|denotes)\s+(.+)$`)
	// is recognises "A X is a ...".
	is = lazyregexp.New(`^(?:[-*•]\s+)?((?:An?|The)\s+)?(.+?)\s+(is|are)\s+((?:an?|the)\s+.+)$`)
	// bold recognises an item that begins with its name: "- **X**: ...".
	bold = lazyregexp.New(`^[-*•]\s+(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:–—-]\s*(.+)$`)
	// subject is a name: a few words, the first of which is no pronoun or other
	// word that stands for something said before.
	subject = lazyregexp.New(`^["“”'‘’«»]*[\p{L}\p{N}][\p{L}\p{N}'’./&+-]*(?:\s[\p{L}\p{N}(][\p{L}\p{N}'’./&+()-]*){0,4}["“”'‘’«»]*$`)
)

// standIns begin a sentence whose subject stands elsewhere.
var standIns = map[string]bool{"it": true, "this": true, "that": true, "these": true, "those": true, "there": true, "he": true, "she": true, "they": true, "we": true, "you": true,
	"i": true, "what": true, "here": true, "each": true, "if": true, "when": true, "where": true, "which": true, "who": true, "all": true, "any": true, "as": true, "in": true,
	"for": true, "on": true, "at": true, "after": true, "before": true, "otherwise": true, "one": true, "both": true, "such": true, "its": true, "their": true, "our": true,
	"your": true, "his": true, "her": true, "only": true, "not": true, "no": true, "also": true, "and": true, "but": true, "or": true, "so": true, "then": true, "same": true}

// definitions asks what each term means that a sentence defines.
func (m *Maker) definitions(r document.Revision, p document.Passage) {
	if p.Kind == document.Table || p.Kind == document.Code {
		return
	}
	for _, s := range sentence.Split(p.Text) {
		text := strings.TrimSpace(s.Of(p.Text))
		if len(text) < minSentence || len(text) > maxSentence || strings.ContainsRune(text, '\n') && strings.Contains(text, "|") {
			continue
		}
		line := strings.Join(strings.Fields(text), " ")
		switch name, answer, how := defined(line); how {
		case "means":
			m.add(Definition, r, p.Section, "What does "+name+" mean?", answer, text)
		case "is":
			m.add(Definition, r, p.Section, "What is "+name+"?", answer, text)
		case "are":
			m.add(Definition, r, p.Section, "What are "+name+"?", answer, text)
		}
	}
}

// defined gives what a sentence defines, as what, and by which word.
func defined(line string) (name, answer, how string) {
	if g := bold.FindStringSubmatch(line); g != nil {
		if name := plainText(g[1]); isName(name) && len(g[2]) >= minSentence {
			return name, plainText(g[2]), "is"
		}
		return "", "", ""
	}
	if g := means.FindStringSubmatch(line); g != nil {
		if name := plainText(g[1]); isName(name) {
			return name, plainText(g[3]), "means"
		}
	}
	if g := is.FindStringSubmatch(line); g != nil {
		if name := plainText(g[2]); isName(name) {
			if g[1] != "" {
				name = strings.ToLower(g[1]) + name
			}
			return name, plainText(g[4]), g[3]
		}
	}
	return "", "", ""
}

func isName(s string) bool {
	if len(s) < 2 || len(s) > maxName || !subject.MatchString(s) {
		return false
	}
	letters := false
	for i, w := range strings.Fields(fold(s)) {
		w = strings.Trim(w, "\"“”'‘’«»()")
		if standIns[w] && i == 0 || w == "is" || w == "are" || w == "that" || w == "which" || w == "not" {
			return false
		}
		letters = letters || strings.ContainsFunc(w, unicode.IsLetter) && !analyze.IsFunctionWord(w)
	}
	return letters
}

// tables asks for cells by the names of their row and column.
func (m *Maker) tables(r document.Revision, p document.Passage) {
	if p.Kind != document.Table {
		return
	}
	var header []string
	before := ""
	if at := strings.LastIndexByte(p.Context, '\n'); at >= 0 && strings.HasPrefix(p.Context[at+1:], "|") {
		header = cells(p.Context[at+1:]) // of a table that was cut
	}
	asked := 0
	for row := range strings.SplitSeq(p.Text, "\n") {
		row = strings.TrimSpace(row)
		if !strings.HasPrefix(row, "|") {
			before, header = "", nil
			continue
		}
		if rule.MatchString(row) {
			header = cells(before)
			continue
		}
		before = row
		if header == nil || asked == maxRows {
			continue
		}
		values := cells(row)
		column := 1 + asked%max(1, min(len(header), len(values))-1)
		if len(values) < 2 || column >= min(len(header), len(values)) {
			continue
		}
		name, label, value := header[column], values[0], values[column]
		if !isLabel(name) || !isLabel(label) || value == "" || value == "-" || value == "–" || len(value) > maxCell {
			continue
		}
		of := label
		if s := r.Sections; p.Section > 0 && p.Section < len(s) {
			if about := plainText(leading.ReplaceAllString(s[p.Section].Path[len(s[p.Section].Path)-1], "")); about != "" && len(about) <= maxName && !general[fold(about)] {
				of += " (" + about + ")"
			}
		}
		asked++
		m.add(Table, r, p.Section, "What is the "+lowerFirst(name)+" of "+of+"?", value, row)
	}
}

// maxRows is how many rows of one part of a table are asked for.
const maxRows = 3

var rule = lazyregexp.New(`^\|?[\s:|-]*-[\s:|-]*$`)

func isLabel(s string) bool {
	return len(s) >= 2 && len(s) <= maxName && strings.ContainsFunc(s, unicode.IsLetter)
}

func cells(row string) []string {
	list := grid.Cells(row)
	for i, c := range list {
		list[i] = plainText(grid.Unescaped(c))
	}
	return list
}

// mention is where an identifier stands.
type mention struct {
	passages int
	written  string
	quote    string
	section  int
	in       document.Revision
}

// identifiers notes where identifiers stand that hold a digit.
func (m *Maker) identifiers(r document.Revision, p document.Passage) {
	here := map[string]bool{}
	for _, f := range analyze.Identifiers(p.Text) {
		written := p.Text[f.From:f.To]
		if f.Part || here[f.Value] || !strings.ContainsFunc(written, unicode.IsDigit) || !strings.ContainsFunc(written, unicode.IsLetter) ||
			len(written) < 4 || len(written) > maxName || strings.ContainsAny(written, "\n|`*") || strings.Contains(f.Value, "§") {
			continue
		}
		here[f.Value] = true
		at := m.mentions[f.Value]
		if at == nil {
			at = &mention{}
			m.mentions[f.Value] = at
		}
		at.passages++
		for _, s := range sentence.Split(p.Text) {
			if s.From <= f.From && f.To <= s.To {
				at.written, at.quote, at.section, at.in = written, strings.TrimSpace(s.Of(p.Text)), p.Section, r
			}
		}
	}
}

// addIdentifiers asks about the identifiers that stand in one passage only: there
// is no doubt then which is meant.
func (m *Maker) addIdentifiers() {
	for _, at := range m.mentions {
		if at.passages == 1 && len(at.quote) >= minSentence && len(at.quote) <= maxSentence {
			m.add(Identifier, at.in, at.section, "What is said about "+at.written+"?", "", at.quote)
		}
	}
	m.mentions = map[string]*mention{}
}

var markup = strings.NewReplacer("**", "", "__", "", "`", "", `\`, "")

// link is a link of Markdown.
var link = lazyregexp.New(`!?\[([^\[\]]*)\]\([^()]*\)`)

// plainText is a text on one line without markup and the sign at its end.
func plainText(s string) string {
	s = strings.Join(strings.Fields(markup.Replace(link.ReplaceAllString(s, "$1"))), " ")
	return strings.TrimSpace(strings.Trim(s, " .:;,*_"))
}

// lowerFirst makes a heading part of a sentence, unless its first word is a name
// as far as can be seen: capitals beyond the first letter, or digits.
func lowerFirst(s string) string {
	word, _, _ := strings.Cut(s, " ")
	first, size := utf8.DecodeRuneInString(s)
	if strings.ContainsFunc(word[min(size, len(word)):], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}
