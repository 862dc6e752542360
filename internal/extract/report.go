package extract

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

// Limits of an extraction. Of the public samples and the handbook that are read right
// the worst has one unreadable character in 3,000 and none that was decoded twice; two
// with glyphs whose meaning their fonts do not tell have one in 57 and one in 166, and a
// page of nothing else, or of another encoding, has one in ten and more.
const (
	suspectUnreadable = 1.0 / 200 // of the characters
	failedUnreadable  = 1.0 / 3   // nothing that is quoted of it could be trusted
	suspectTwice      = 1.0 / 1000
	suspectEmptyPages = 1.0 / 10 // of the pages: a blank back page or two are usual
	leastTrouble      = 5        // characters, or a short text with one icon would be suspect
)

// Report says how well an original could be read. The error, one sentence without
// text of the document, is for one of which so much could not be read that it has
// failed.
func Report(x Extracted) (document.Extraction, error) {
	r := document.Extraction{Pages: x.Slides, EmptyPages: x.EmptyPages, Notes: x.Notes, Doubts: x.Doubts}
	if len(x.Pages) > 0 {
		r.Pages, r.EmptyPages = countPages(x)
		for r.Pages < x.Slides { // behind the last with text
			r.Pages++
			r.EmptyPages = append(r.EmptyPages, r.Pages)
		}
	}
	first := len(x.Text)
	for _, b := range x.Blocks {
		switch {
		case b.Opens() && b.Kind == Heading:
			r.Headings++
		case b.Kind == Table:
			r.Tables++
		}
		if b.Opens() {
			first = min(first, b.Span.From)
		}
	}
	start := 0
	if len(x.Blocks) > 0 {
		start = x.Blocks[0].Span.From // front matter stands before
	}
	before, after := countCharacters(x.Text[start:first]), countCharacters(x.Text[first:])
	all := before.plus(after)
	r.Characters, r.Unreadable, r.Outside = all.seen, all.unreadable, before.seen
	unreadable := float64(r.Unreadable) / float64(max(r.Characters, 1))
	if r.Unreadable >= leastTrouble && unreadable >= failedUnreadable {
		return r, fmt.Errorf("%d of its %d characters cannot be read: give a copy whose text can be selected and copied, or one in another format", r.Unreadable, r.Characters)
	}
	if r.Unreadable >= leastTrouble && unreadable >= suspectUnreadable {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%d of %d characters cannot be read.", r.Unreadable, r.Characters))
	}
	if all.twice >= leastTrouble && float64(all.twice) >= suspectTwice*float64(r.Characters) {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%d characters look as if UTF-8 had been read in another encoding before.", all.twice))
	}
	if n := len(r.EmptyPages); n > 0 && float64(n) >= suspectEmptyPages*float64(r.Pages) {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%d of %d pages have no text.", n, r.Pages))
	}
	if n := columns(x); n > 0 {
		r.Doubts = append(r.Doubts, fmt.Sprintf("%d blocks look like columns that were read across.", n))
	}
	return r, nil
}

// countPages is how many pages there are up to the last that has text, and the numbers of
// those before it that have none.
func countPages(x Extracted) (pages int, empty []int) {
	for i, p := range x.Pages {
		end := len(x.Text)
		if i+1 < len(x.Pages) {
			end = x.Pages[i+1].Offset
		}
		if strings.IndexFunc(x.Text[min(p.Offset, end):end], visible) < 0 {
			continue
		}
		for pages++; pages < p.Page; pages++ {
			empty = append(empty, pages)
		}
	}
	return pages, empty
}

// characters counts those of a text that a reader sees.
type characters struct {
	seen       int
	unreadable int
	twice      int // that UTF-8 gives where it is read as Windows-1252
}

func (c characters) plus(d characters) characters {
	return characters{c.seen + d.seen, c.unreadable + d.unreadable, c.twice + d.twice}
}

func countCharacters(text string) (c characters) {
	last := rune(0)
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			switch {
			case b > ' ' && b != 0x7f:
				c.seen++
				if b == '(' {
					if n := glyphNumber(text[i:]); n > 0 {
						c.unreadable++
						i += n
						continue
					}
				}
			case b != ' ' && b != '\n' && b != '\t' && b != '\f' && b != '\v' && b != '\r':
				c.seen++
				c.unreadable++
			}
			last = 0
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == utf8.RuneError, unicode.Is(unicode.Co, r), r >= 0x80 && r < 0xa0:
			c.seen++
			c.unreadable++
		case !unicode.IsSpace(r):
			c.seen++
		}
		if decodedTwice(last, r) {
			c.twice++
		}
		last = r
	}
	return c
}

// glyphNumber is the length of "(cid:123)", which programs put for a glyph of which a
// PDF does not say what it means; 0 for anything else.
func glyphNumber(s string) int {
	rest, ok := strings.CutPrefix(s, "(cid:")
	if !ok {
		return 0
	}
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits == len(rest) || rest[digits] != ')' {
		return 0
	}
	return len("(cid:") + digits + 1
}

// inWindows1252 are the characters that Windows-1252 has for the bytes 80 to 9F.
const inWindows1252 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

// decodedTwice is whether two characters are the bytes of one in UTF-8, each read as
// a character of Windows-1252: "Ã©" for "é", "â€" of a quotation mark, "Ð¿".
func decodedTwice(lead, r rune) bool {
	switch lead {
	case 'Ã', 'Ð', 'Ñ':
		return r >= 0x80 && r < 0xc0 || strings.ContainsRune(inWindows1252, r)
	case 'Â':
		return r > 0xa0 && r < 0xc0 // a no-break space follows many a letter
	case 'â':
		return r == '€' || r == '‚' || r == '„'
	}
	return false
}

// columns counts the blocks of a plain text that look like two columns of prose side
// by side which are read across: most lines have a gap that ends at the same place, there
// are words on both sides, and on both most lines go on with a sentence in a small letter,
// as the cells of a table do not.
func columns(x Extracted) (n int) {
	if x.Format != formatText {
		return 0
	}
	for _, b := range x.Blocks {
		if b.Kind != Paragraph && b.Kind != Table {
			continue
		}
		lines := strings.Split(b.Span.Of(x.Text), "\n")
		sides := map[int]*side{} // by where the right column begins
		for _, line := range lines {
			if gap, to := widestGap(line); to > 0 {
				if sides[to] == nil {
					sides[to] = &side{}
				}
				sides[to].add(line[:gap], line[to:])
			}
		}
		for _, s := range sides {
			if s.prose(len(lines)) {
				n++
				break
			}
		}
	}
	return n
}

// side counts the lines whose right column begins at one place.
type side struct {
	lines       int
	left, right int // bytes
	goesOn      int // beginnings, on either side, in a small letter
}

func (s *side) add(left, right string) {
	left = strings.TrimLeft(left, " ")
	s.lines++
	s.left += len(left)
	s.right += len(right)
	for _, part := range []string{left, right} {
		if unicode.IsLower(firstRune(part)) {
			s.goesOn++
		}
	}
}

// prose is whether they are two columns of a block of so many lines.
func (s *side) prose(lines int) bool {
	const least, wide = 6, 15
	return s.lines >= least && 10*s.lines >= 7*lines && s.left >= wide*s.lines && s.right >= wide*s.lines && s.goesOn >= s.lines
}

// widestGap is where the widest run of three spaces and more within a line begins and
// ends; 0, 0 if there is none.
func widestGap(line string) (from, to int) {
	start := len(line) - len(strings.TrimLeft(line, " "))
	for i := start; i < len(line); {
		if line[i] != ' ' {
			i++
			continue
		}
		end := i
		for end < len(line) && line[end] == ' ' {
			end++
		}
		if end-i >= 3 && end-i > to-from && end < len(line) {
			from, to = i, end
		}
		i = end
	}
	return from, to
}
