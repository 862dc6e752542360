package reference

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	captionForm  = lazyregexp.New(`^[*_]{0,3}([A-Za-zäé]{3,9}\.?)[ \x{a0}]((?:[A-Z][.-]?)?\d{1,4}(?:[.–-]\d{1,4})*[a-z]?|[A-Z])[*_]{0,3}(?:[.:]|\s+[–—|-]\s|[*_]{0,3}$)`)
	captionStart = lazyregexp.New(`^[*_]{0,3}([A-Za-zäé]{3,9}\.?)[ \x{a0}]((?:[A-Z][.-]?)?\d{1,4}(?:[.–-]\d{1,4})*[a-z]?)`)
	footnoteForm = lazyregexp.New(`^\[\^([^\[\]\n]{1,60})\]:`)
	dottedForm   = lazyregexp.New(`^(\d{1,4}(?:\.\d{1,4})+)[.)]?[*_]{0,2}\s`)
	itemForm     = lazyregexp.New(`^\(([a-z]{1,2}|[ivxlc]{1,6}|\d{1,3})\)[*_]{0,2}\s`)
)

// labels names the lines of a block that others may refer to. What stands below a line
// up to the next of its kind belongs to it.
func (f *finder) labels(b extract.Block) {
	if b.Caption != "" {
		f.caption(b.Caption, b.Span)
	}
	if b.Kind == extract.Table {
		return
	}
	for at := b.Span.From; at < b.Span.To; {
		end := b.Span.To
		if n := strings.IndexByte(f.text[at:end], '\n'); n >= 0 {
			end = at + n
		}
		f.label(b.Span, at, end)
		at = end + 1
	}
}

func (f *finder) label(block document.Span, at, end int) {
	line := strings.TrimLeft(f.text[at:end], " \t*_>-")
	for strings.HasPrefix(line, "<") { // "<span class="caption">Table 3: ..."
		_, after, ok := strings.Cut(line, ">")
		if !ok {
			return
		}
		line = after
	}
	from := end - len(line)
	name := ""
	switch {
	case line == "":
	case line[0] == '[':
		if m := footnoteForm.FindStringSubmatch(line); m != nil {
			name = footnote(m[1])
		}
	case line[0] == '(':
		if m := itemForm.FindStringSubmatch(line); m != nil {
			name = f.clause + f.open(m[1])
		}
	case line[0] >= '0' && line[0] <= '9':
		if m := dottedForm.FindStringSubmatch(line); m != nil {
			name = m[1]
			f.clause, f.marks = name, f.marks[:0]
		}
	case at == block.From:
		f.caption(line, block)
	}
	if name == "" {
		return
	}
	f.found.Labels = append(f.found.Labels, document.Label{Name: name, Section: f.section,
		Span: document.Span{From: from, To: f.itemEnd(block, end)}})
}

// caption names a table or figure whose caption begins so.
func (f *finder) caption(text string, span document.Span) bool {
	if word, _, _ := wordAt(strings.TrimLeft(text, "*_"), 0); !placeWords[strings.ToLower(word)].figure {
		return false // without asking more of most lines
	}
	m := captionForm.FindStringSubmatch(text)
	if m == nil {
		if m = captionStart.FindStringSubmatch(text); m == nil || !captionFollows(text[len(m[0]):]) {
			return false
		}
	}
	w := placeWords[strings.ToLower(strings.TrimSuffix(m[1], "."))]
	if !w.figure {
		return false
	}
	name := w.name + " " + normalNumber(m[2])
	if n := len(f.found.Labels); n > 0 && f.found.Labels[n-1].Name == name && f.found.Labels[n-1].Section == f.section {
		f.found.Labels[n-1].Span.To = max(f.found.Labels[n-1].Span.To, span.To) // a caption and its table
		return true
	}
	f.found.Labels = append(f.found.Labels, document.Label{Name: name, Span: span, Section: f.section})
	return true
}

// itemEnd is where a line's item ends: before the next line that begins with a mark, or
// with the block.
func (f *finder) itemEnd(block document.Span, end int) int {
	for end < block.To {
		next := block.To
		if n := strings.IndexByte(f.text[end+1:block.To], '\n'); n >= 0 {
			next = end + 1 + n
		}
		line := strings.TrimLeft(f.text[end+1:next], " \t*_>-")
		if line != "" && strings.IndexByte("([0123456789", line[0]) >= 0 && (itemForm.MatchString(line) || dottedForm.MatchString(line) || footnoteForm.MatchString(line)) {
			return end
		}
		end = next
	}
	return block.To
}

// mark is the number of an item and how it counts.
type mark struct {
	text string
	kind byte // 'a', 'i' or '1'
}

// open gives the numbers of an item and of those that hold it: "(b)(iv)". An item of a
// kind that is open continues it; one of another kind is below the last.
func (f *finder) open(text string) string {
	kind := byte('a')
	switch {
	case text[0] >= '0' && text[0] <= '9':
		kind = '1'
	case strings.Trim(text, "ivxlc") == "" && !f.continues(text):
		kind = 'i'
	}
	for n, m := range f.marks {
		if m.kind == kind {
			f.marks = f.marks[:n]
			break
		}
	}
	f.marks = append(f.marks, mark{text, kind})
	var b strings.Builder
	for _, m := range f.marks {
		b.WriteString("(" + m.text + ")")
	}
	return b.String()
}

// continues is whether a small letter follows the one before it: "(i)" behind "(h)" is
// no Roman one.
func (f *finder) continues(text string) bool {
	for _, m := range f.marks {
		if m.kind == 'a' && len(text) == 1 && len(m.text) == 1 && m.text[0]+1 == text[0] {
			return true
		}
	}
	return false
}

// bareNumber is the number of a heading without its word: "Section 4" is 4, but
// "Appendix C" keeps it.
func bareNumber(number string) string {
	word, rest, ok := strings.Cut(number, " ")
	if !ok {
		return strings.Trim(strings.TrimLeft(number, "§"), ".")
	}
	if w := placeWords[strings.ToLower(word)]; w.name == "" || sameCount[w.name] {
		return strings.Trim(rest, ".")
	}
	return strings.ToLower(number)
}

// sameCount are the words for places that bare numbers of headings count, whatever the
// text calls them.
var sameCount = set("clause section paragraph article rule chapter part")
