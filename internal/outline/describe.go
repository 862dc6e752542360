package outline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

const (
	// descriptionLength is the most characters of a description: one line.
	descriptionLength = 160
	// descriptionSource is how many bytes of a block are looked at for it.
	descriptionSource = 2000
)

// describe fills in the descriptions: the first sentence of the section's own
// text (of a table its header), else the headings of its subsections.
func describe(sections []document.Section, text string, blocks []extract.Block) {
	best := make([]int, len(sections)) // rank of the block described so far
	at := 0                            // the section that blocks are in
	for _, b := range blocks {
		if b.Opens() && at+1 < len(sections) {
			at++
		}
		if b.Kind == extract.Heading {
			continue
		}
		if r := rank(b.Kind); r > best[at] {
			span := b.Span
			if len(b.Header) > 0 {
				span = b.Header[0]
			}
			if d := firstSentence(span.Of(text)); d != "" {
				best[at] = r
				sections[at].Description = d
			}
		}
	}
	headings := make([]string, len(sections))
	for _, s := range sections[1:] {
		h := strings.TrimSpace(s.Heading)
		if p := &headings[s.Parent]; h != "" && len(*p) <= 4*descriptionLength {
			if *p != "" {
				*p += "; "
			}
			*p += h
		}
	}
	for i := len(sections) - 1; i >= 0; i-- {
		if best[i] != 0 {
			continue
		}
		sections[i].Description = cut(headings[i])
		// A document whose only heading of level 1 is its title says nothing by
		// repeating it.
		if headings[i] == strings.TrimSpace(sections[i].Heading) && i+1 < len(sections) {
			sections[i].Description = sections[i+1].Description
		}
	}
}

// rank orders kinds of blocks by how well their first sentence describes a
// section; code does not.
func rank(k extract.BlockKind) int {
	switch k {
	case extract.Paragraph, extract.Quote:
		return 3
	case extract.List:
		return 2
	case extract.Table:
		return 1
	}
	return 0
}

func firstSentence(s string) string {
	if len(s) > descriptionSource {
		s = strings.ToValidUTF8(s[:descriptionSource], "")
	}
	for _, span := range sentence.Split(s) {
		d := plain(span.Of(s))
		if strings.ContainsFunc(d, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return cut(d)
		}
	}
	return ""
}

var (
	linkMarkup = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*\)`)
	lineMarkup = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?|[-*+•] |#{1,6} )+`)
	markup     = strings.NewReplacer("**", "", "__", "", "`", "", "|", " ")
)

// plain makes one line of s and takes Markdown's commonest marks away.
func plain(s string) string {
	if strings.ContainsAny(s, ">-*+•#") {
		s = lineMarkup.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "](") {
		s = linkMarkup.ReplaceAllString(s, "$1")
	}
	return strings.Join(strings.Fields(markup.Replace(s)), " ")
}

// cut shortens s to descriptionLength characters at a word.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= descriptionLength {
		return s
	}
	end, n, word := 0, 0, 0
	for i, r := range s {
		if n == descriptionLength-1 {
			end = i
			break
		}
		if unicode.IsSpace(r) {
			word = i
		}
		n++
	}
	if word > end/2 {
		end = word
	}
	return strings.TrimRightFunc(s[:end], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) + "…"
}
