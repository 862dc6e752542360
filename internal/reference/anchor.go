package reference

import (
	"sort"
	"strings"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// anchors are how a language of sources names a place, and how it leads to one. Names
// stand in the first group that matched; one reference may have several, with commas
// between.
type anchors struct {
	names, refers *lazyregexp.Regexp
	// project is whether a name is one of the whole project: the document that has it may
	// be another.
	project bool
	// documents leads to a document, or a place in it, by its path.
	documents *lazyregexp.Regexp
}

// anchorsIn are the languages in whose sources the words of a reference are a command: in
// the order of Sphinx's roles (`:ref:`, `:doc:`), LaTeX's \ref and its relatives, AsciiDoc's
// cross references. Markdown's links are read by bracket. They are compiled when a source
// is first read, as most commands read none.
var anchorsIn = sync.OnceValue(func() map[string]anchors {
	return map[string]anchors{
		"rst": {
			project:   true,
			names:     lazyregexp.New("(?m)^[ \t]*\\.\\. _`?([^`:\n]+)`?:[ \t]*$"),
			refers:    lazyregexp.New(":(?:ref|numref):`(?:[^`<>]*<([^`<>\n]+)>|([^`<>\n]+))`"),
			documents: lazyregexp.New(":doc:`(?:[^`<>]*<([^`<>\n]+)>|([^`<>\n]+))`"),
		},
		"latex": {
			project: true,
			names:   lazyregexp.New(`\\label\{([^{}\n]+)\}`),
			refers:  lazyregexp.New(`\\(?:auto|name|page|eq|c|C|v)?ref\*?\{([^{}\n]+)\}`),
		},
		"asciidoc": {
			names:     lazyregexp.New(`(?m)\[\[([^\],\n]+)(?:,[^\]\n]*)?\]\]|^\[#([^\],.%\n]+)`),
			refers:    lazyregexp.New(`<<([^<>,#\n]+)(?:,[^<>]*)?>>`),
			documents: lazyregexp.New(`(?:xref:|<<)([^<>\[\]\s,#]*#[^<>\[\]\s,]*|[^<>\[\]\s,#]+\.a(?:sciidoc|doc))(?:\[[^\[\]\n]*\]|,[^<>]*>>|>>)`),
		},
	}
})

// maxAnchor bounds a name, and the text that leads to it.
const maxAnchor = 500 // bytes

// anchored finds the places that the source names by itself, and what leads to them.
func (f *finder) anchored(x extract.Extracted) {
	form, ok := anchorsIn()[x.Format]
	if !ok {
		return
	}
	for _, name := range matches(form.names, f.text) {
		if inCode(x.Blocks, name.From) {
			continue
		}
		at := f.sectionAt(name.From)
		if f.beforeHeading(form, name.To, at+1) {
			at++
		}
		span := document.Span{From: f.sections[at].Span.From, To: f.sections[at].Span.To}
		if b, ok := blockAt(x.Blocks, name.From); ok && at == f.sectionAt(name.From) && b.Caption != "" {
			span = b.Span // a table or figure
		}
		if slug := anchor(strings.TrimSpace(name.Of(f.text))); slug != "" && span.Len() > 0 {
			f.found.Labels = append(f.found.Labels, document.Label{Name: "#" + slug, Section: at, Span: span})
		}
	}
	for _, b := range x.Blocks {
		if b.Kind == extract.Code {
			continue
		}
		text := b.Span.Of(f.text)
		for _, m := range form.refers.FindAllStringSubmatchIndex(text, -1) {
			span := document.Span{From: b.Span.From + m[0], To: b.Span.From + m[1]}
			if span.Len() > maxAnchor {
				continue
			}
			for name := range strings.SplitSeq(group(text, m), ",") {
				if slug := anchor(strings.Trim(strings.TrimSpace(name), "_")); slug != "" {
					f.section = f.sectionAt(span.From)
					r := document.Reference{Kind: document.ToLink, Span: span, Place: "#" + slug}
					if form.project {
						r.Document = r.Place
					}
					f.refer(r)
				}
			}
		}
		if form.documents == nil {
			continue
		}
		for _, m := range form.documents.FindAllStringSubmatchIndex(text, -1) {
			if m[1]-m[0] > maxAnchor {
				continue
			}
			f.section = f.sectionAt(b.Span.From + m[0])
			f.link(document.Span{From: b.Span.From + m[0], To: b.Span.From + m[1]}, strings.TrimSpace(group(text, m)))
		}
	}
}

// beforeHeading is whether nothing but other names stands between a name that ends at to
// and the section, whose name it is then.
func (f *finder) beforeHeading(form anchors, to, section int) bool {
	if section >= len(f.sections) {
		return false
	}
	from := f.sections[section].Span.From
	if from < to || from-to > maxBeforeHeading {
		return false
	}
	return strings.Trim(form.names.ReplaceAllString(f.text[to:from], ""), " \t\n:]`") == ""
}

const maxBeforeHeading = 1000 // bytes

// matches are the first groups that matched.
func matches(form *lazyregexp.Regexp, text string) []document.Span {
	var out []document.Span
	for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
		if m[1]-m[0] > maxAnchor {
			continue
		}
		from, to := groupAt(m)
		out = append(out, document.Span{From: from, To: to})
	}
	return out
}

func group(text string, m []int) string {
	from, to := groupAt(m)
	return text[from:to]
}

func groupAt(m []int) (from, to int) {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[0]
}

// sectionAt is the innermost section that holds a place.
func (f *finder) sectionAt(at int) int {
	return max(0, sort.Search(len(f.sections), func(i int) bool { return f.sections[i].Span.From > at })-1)
}

func blockAt(blocks []extract.Block, at int) (extract.Block, bool) {
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].Span.To > at })
	if i == len(blocks) || blocks[i].Span.From > at {
		return extract.Block{}, false
	}
	return blocks[i], true
}

func inCode(blocks []extract.Block, at int) bool {
	b, ok := blockAt(blocks, at)
	return ok && b.Kind == extract.Code
}

// anchorNames are the names of the places that a source names by itself, as other sources
// of its project lead to them.
func anchorNames(r document.Revision) []string {
	form, ok := anchorsIn()[r.Format]
	if !ok || !form.project {
		return nil
	}
	var out []string
	for _, name := range matches(form.names, r.Text) {
		if slug := anchor(strings.TrimSpace(name.Of(r.Text))); slug != "" && len(out) < maxAnchors {
			out = append(out, "#"+slug)
		}
	}
	return out
}

// maxAnchors bounds the names of one document.
const maxAnchors = 10_000
