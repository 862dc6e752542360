package extract

import "strings"

// maxLevel is the deepest level of a heading that Markdown has.
const maxLevel = 6

// made is canonical text that extraction makes of the parts of an original. Each
// part is read for itself, so that a fence or quote that one leaves open does
// not swallow the next.
type made struct {
	b      strings.Builder
	blocks []Block
	title  string // the first that a part says
}

func (w *made) heading(level int, text string) {
	if text != "" {
		w.markdown(strings.Repeat("#", min(level, maxLevel))+" "+escapeInline(text), 0)
	}
}

// markdown adds text that is Markdown, its headings below those of level under.
func (w *made) markdown(text string, under int) {
	if blank(text) {
		return
	}
	from := w.write(text)
	m := newMarkdown(w.b.String())
	m.parse(from)
	if w.title == "" {
		w.title = m.title
	}
	w.take(m.blocks, under)
}

// plain adds text as somebody typed it.
func (w *made) plain(text string, under int) {
	if blank(text) {
		return
	}
	from := w.write(text)
	p := &plainText{text: w.b.String()}
	p.parse(from)
	w.take(p.blocks, under)
}

// code adds text whose lines stay as they are.
func (w *made) code(text, language string) {
	text = strings.Trim(text, "\n")
	if blank(text) {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.markdown(fence+language+"\n"+text+"\n"+fence, 0)
}

func (w *made) write(text string) int {
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
	from := w.b.Len()
	w.b.WriteString(strings.Trim(text, "\n") + "\n")
	return from
}

func (w *made) take(blocks []Block, under int) {
	for _, b := range blocks {
		if b.Kind == Heading {
			b.Level = min(b.Level+under, maxLevel)
		}
		w.blocks = append(w.blocks, b)
	}
}
