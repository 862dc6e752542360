package reference

import (
	"net/url"
	"path"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// linkDefinition is a line that gives a link's address apart: "[ref]: other.md".
var linkDefinition = lazyregexp.New(`^ {0,3}\[([^\[\]^\n][^\[\]\n]{0,100})\]:[ \t]*<?([^\s<>]{1,500})`)

// linkTargets are the addresses of links that are defined apart, by label.
func linkTargets(x extract.Extracted) map[string]string {
	out := map[string]string{}
	for at := 0; ; {
		k := strings.Index(x.Text[at:], "]:")
		if k < 0 {
			return out
		}
		at += k
		from := max(0, at-maxLabel)
		from += strings.LastIndexByte(x.Text[from:at], '\n') + 1
		at += len("]:")
		if m := linkDefinition.FindStringSubmatch(x.Text[from:min(len(x.Text), at+maxAddress)]); m != nil && at <= from+len(m[0]) && (from == 0 || x.Text[from-1] == '\n') {
			if label := linkLabel(m[1]); out[label] == "" {
				out[label] = m[2]
			}
		}
	}
}

const maxAddress = 500 // bytes

// linkLabel is a label as it is compared (CommonMark 0.31, 4.7).
func linkLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

const maxLabel = 300 // bytes of the words of a link

// bracket takes the link or the mark of a footnote that begins at i, and gives where it
// ends; 0 if there is none. A link says more exactly than its words where it leads, so
// that they are not looked at again.
func (f *finder) bracket(span document.Span, i int) int {
	t := f.text[:min(span.To, i+maxLabel)]
	end := closing(t, i)
	if end < 0 || i > span.From && (t[i-1] == '!' || t[i-1] == '\\') {
		return 0
	}
	label, rest := t[i+1:end], f.text[end+1:span.To]
	if mark, ok := strings.CutPrefix(label, "^"); ok {
		if mark != "" && !(strings.HasPrefix(rest, ":") && f.opensLine(span, i)) {
			f.found.References = append(f.found.References, document.Reference{Kind: document.ToFootnote, Section: f.section,
				Span: document.Span{From: i, To: end + 1}, Place: footnote(mark)})
		}
		return end + 1
	}
	target, to := "", end+1
	switch {
	case strings.HasPrefix(rest, "("):
		n := strings.IndexAny(rest[:min(len(rest), maxAddress)], ") \n\"")
		if n < 0 {
			return 0
		}
		target, to = strings.Trim(rest[1:n], "<>"), end+1+n
		if close := strings.IndexByte(rest[n:min(len(rest), n+maxLabel)], ')'); close >= 0 {
			to += close + 1 // behind its title
		}
	case strings.HasPrefix(rest, "["):
		n := strings.IndexByte(rest[:min(len(rest), maxLabel)], ']')
		if n < 0 {
			return 0
		}
		if n > 1 {
			label = rest[1:n]
		}
		target, to = f.targets[linkLabel(label)], end+1+n+1
	default:
		target = f.targets[linkLabel(label)]
	}
	// "[note]: words" defines no link in most texts.
	if strings.ContainsAny(target, "./#") && f.link(document.Span{From: i, To: to}, target) {
		return to
	}
	if target != "" {
		f.taken = max(f.taken, to) // what its words name is elsewhere
	}
	return 0
}

func footnote(mark string) string { return "footnote " + strings.ToLower(mark) }

// closing is the bracket that closes the one at i; -1 if none does.
func closing(t string, i int) int {
	open := 0
	for at := i; at < len(t); at++ {
		switch t[at] {
		case '\\':
			at++
		case '[':
			open++
		case ']':
			if open--; open == 0 {
				return at
			}
		}
	}
	return -1
}

var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// link refers to what an address leads to, if that may be a document beside this one
// or a place in it.
func (f *finder) link(span document.Span, address string) bool {
	if address == "" || strings.ContainsAny(address, "{}()<>|") || scheme.MatchString(address) || strings.HasPrefix(address, "//") {
		return false
	}
	r := document.Reference{Kind: document.ToLink, Span: span, Section: f.section}
	address, fragment, _ := strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	if fragment != "" {
		if plain, err := url.PathUnescape(fragment); err == nil {
			fragment = plain
		}
		if slug := anchor(fragment); slug != "" {
			r.Place = "#" + slug
		}
	}
	if address != "" {
		plain, err := url.PathUnescape(address)
		if err != nil {
			plain = address
		}
		full := path.Join("/", plain)
		if !strings.HasPrefix(plain, "/") {
			full = path.Join("/", path.Dir(f.path), plain)
			if up := strings.Count(plain, "../"); up > strings.Count(f.path, "/") {
				return false // out of the source
			}
		}
		if r.Document = pathName(full); r.Document == pathName("/"+f.path) {
			r.Document = ""
		}
	}
	if r.Document == "" && r.Place == "" {
		return false
	}
	f.refer(r)
	return true
}

// pageLinks takes the links of a page to others, which its text does not hold.
func (f *finder) pageLinks(links []extract.Link) {
	f.section = 0
	for _, l := range links {
		for f.section+1 < len(f.sections) && f.sections[f.section+1].Body.From <= l.Span.From {
			f.section++
		}
		f.link(l.Span, l.Address)
	}
}
