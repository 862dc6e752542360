package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// placed is a document whose places can be looked up.
type placed struct {
	revision document.Revision
	findings document.Findings
	// sections by number, as bareNumber gives it, by number with its word, by anchor, and
	// by the code that the heading begins with.
	numbers, words, anchors, codes map[string][]int
	labels                         map[string][]document.Label
}

func newPlaced(r document.Revision, f document.Findings) *placed {
	p := &placed{revision: r, findings: f, numbers: map[string][]int{}, words: map[string][]int{}, anchors: map[string][]int{}, codes: map[string][]int{}, labels: map[string][]document.Label{}}
	seen := map[string]int{}
	for i, s := range r.Sections {
		if i == 0 {
			continue
		}
		if s.Number != "" {
			number := normalNumber(bareNumber(s.Number))
			p.numbers[number] = append(p.numbers[number], i)
			if name := numberWithWord(s); name != "" {
				p.words[name] = append(p.words[name], i)
			}
		}
		if code := codeForm.FindString(s.Heading); code != "" {
			p.codes[Name(code)] = append(p.codes[Name(code)], i)
		}
		for _, a := range anchorsOf(r.Text, s, seen) {
			p.anchors[a] = append(p.anchors[a], i)
		}
	}
	for _, l := range f.Labels {
		p.labels[l.Name] = append(p.labels[l.Name], l)
	}
	return p
}

// numberWithWord is the number of a heading that says what it counts, in front of it
// ("Appendix 17") or behind ("17 Appendix: ports"); "" if it does not.
func numberWithWord(s document.Section) string {
	word, number, ok := strings.Cut(s.Number, " ")
	if !ok {
		word, _, _ = wordAt(s.Heading, 0)
		number = s.Number
	}
	w := placeWords[strings.ToLower(word)]
	if w.name == "" {
		return ""
	}
	return w.name + " " + normalNumber(number)
}

var explicitAnchor = lazyregexp.New(`\{#([^{}\s]+)`)

// anchorsOf are the anchors of a heading: the one that is written with it, and the one
// that its words give, as GitHub and others make it, numbered where it comes again. Some
// put "_" for a space, so it counts as "-".
func anchorsOf(text string, s document.Section, seen map[string]int) (out []string) {
	line, _, _ := strings.Cut(s.Span.Of(text), "\n")
	if m := explicitAnchor.FindStringSubmatch(line); m != nil {
		out = append(out, anchor(m[1]))
	}
	if len(s.Path) == 0 {
		return out
	}
	slug := anchor(s.Path[len(s.Path)-1])
	n := seen[slug]
	seen[slug]++
	if n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	return append(out, slug)
}

func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		case r == ' ', r == '-', r == '_':
			return '-'
		}
		return -1
	}, heading)
}

func (p *placed) section(n int) document.Section {
	if n < 0 || n >= len(p.revision.Sections) {
		return document.Section{}
	}
	return p.revision.Sections[n]
}

// target is the place of a reference in this document. In its own a place that is not
// there leads nowhere.
func (p *placed) target(ref document.Reference, own bool) *Target {
	t := &Target{Document: p.revision.Document, Title: p.revision.Title, Span: p.section(0).Span, Placed: true}
	from := 0 // where the reference stands
	if own {
		from = ref.Section
	}
	if section, span, ok := p.only(p.codes[ref.Document], from, 0); ok && section != from {
		t.Section, t.Span, t.Heading = section, span, p.section(section).Path
	}
	if ref.Place == "" {
		return t
	}
	for place := range strings.SplitSeq(ref.Place, " / ") {
		section, span, ok := p.find(place, from, t.Section)
		if !ok {
			t.Placed = false
			break
		}
		t.Section, t.Span = section, span
	}
	if !t.Placed && own && t.Section == 0 {
		return nil
	}
	t.Heading = p.section(t.Section).Path
	return t
}

// find looks a place up within a section, for one who stands in section from.
func (p *placed) find(place string, from, within int) (section int, span document.Span, ok bool) {
	if slug, isAnchor := strings.CutPrefix(place, "#"); isAnchor {
		if section, span, ok = p.label(place, from, within); ok {
			return section, span, true
		}
		return p.only(p.anchors[slug], from, within)
	}
	word, number, _ := strings.Cut(place, " ")
	for {
		if section, span, ok = p.only(p.words[word+" "+number], from, within); ok {
			return section, span, true
		}
		if sameCount[word] {
			if section, span, ok = p.only(p.numbers[number], from, within); ok {
				return section, span, true
			}
			if section, span, ok = p.label(number, from, within); ok {
				return section, span, true
			}
		}
		if section, span, ok = p.label(word+" "+number, from, within); ok {
			return section, span, true
		}
		// A reader is led to clause 4 where its part (b) has no mark of its own, and to
		// figure 2 for its part B.
		if number = withoutPart(number); number == "" {
			return 0, document.Span{}, false
		}
	}
}

// withoutPart is a number without its last part in brackets, or its letter.
func withoutPart(number string) string {
	if cut := strings.LastIndexByte(number, '('); cut > 0 {
		return number[:cut]
	}
	if plain := strings.TrimRight(number, "abcdefghijklmnopqrstuvwxyz"); plain != number && plain != "" {
		return plain
	}
	return ""
}

// only chooses among sections of one number, in the order of the text: the one within
// the section, or else the nearest to the one who refers. Two that are as near are none.
func (p *placed) only(sections []int, from, within int) (section int, span document.Span, ok bool) {
	begins := func(s int) int { return p.section(s).Span.From }
	if within > 0 {
		outer := p.section(within).Span
		sections = between(sections, begins, outer.From+1, outer.To)
	}
	if section, ok = nearest(p, sections, func(s int) int { return s }, from); !ok {
		return 0, document.Span{}, false
	}
	return section, p.section(section).Span, true
}

func (p *placed) label(name string, from, within int) (section int, span document.Span, ok bool) {
	labels := p.labels[name]
	if within > 0 {
		outer := p.section(within).Span
		labels = between(labels, func(l document.Label) int { return l.Span.From }, outer.From, outer.To)
	}
	l, ok := nearest(p, labels, func(l document.Label) int { return l.Section }, from)
	return l.Section, l.Span, ok
}

// between are those that begin at from or behind it, and before to.
func between[T any](of []T, begins func(T) int, from, to int) []T {
	place := func(x T, at int) int { return cmp.Compare(begins(x), at) }
	first, _ := slices.BinarySearchFunc(of, from, place)
	last, _ := slices.BinarySearchFunc(of, to, place)
	return of[first:max(first, last)]
}

// nearest is the one that shares the most sections around it with section from; none
// where two do. They are in the order of the text, so that the further one is from the
// section, before it or behind it, the fewer it shares: the next two on either side tell.
func nearest[T any](p *placed, of []T, section func(T) int, from int) (near T, ok bool) {
	behind, _ := slices.BinarySearchFunc(of, from+1, func(x T, at int) int { return cmp.Compare(section(x), at) })
	best, count := -1, 0
	for _, x := range of[max(0, behind-2):min(len(of), behind+2)] {
		switch d := p.shared(from, section(x)); {
		case d > best:
			near, best, count = x, d, 1
		case d == best:
			count++
		}
	}
	return near, count == 1
}

// shared is how many of the sections that hold one also hold the other.
func (p *placed) shared(a, b int) int {
	holds := map[int]bool{}
	for n := 0; a > 0 && n < len(p.revision.Sections); n++ {
		holds[a] = true
		a = p.section(a).Parent
	}
	n := 0
	for b > 0 {
		if holds[b] {
			n++
		}
		b = p.section(b).Parent
	}
	return n
}
