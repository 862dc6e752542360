package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bookmark is an entry of the outline that the file has beside its text.
type bookmark struct {
	title string
	level int // from 1
	page  int // from 1; 0 if it leads nowhere
}

// maxBookmarks bounds the entries that are looked at.
const maxBookmarks = 5000

func (s session) bookmarks() []bookmark {
	var out []bookmark
	seen := 0 // links may run in circles
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		at := s.call("FPDFBookmark_GetFirstChild", s.document, parent)
		for at != 0 && seen < maxBookmarks && level <= 12 {
			seen++
			to := s.call("FPDFBookmark_GetDest", s.document, at)
			if to == 0 {
				if action := s.call("FPDFBookmark_GetAction", at); action != 0 {
					to = s.call("FPDFAction_GetDest", s.document, action)
				}
			}
			b := bookmark{title: s.text("FPDFBookmark_GetTitle", at), level: level}
			if to != 0 {
				b.page = int(int32(s.call("FPDFDest_GetDestPageIndex", s.document, to))) + 1
			}
			out = append(out, b)
			walk(at, level+1)
			at = s.call("FPDFBookmark_GetNextSibling", s.document, at)
		}
	}
	walk(0, 1)
	return out
}

// outlineLevels are the levels of the blocks that the outline of the file names.
func (d *document) outlineLevels() map[int]int {
	type at struct {
		page  int
		title string
	}
	named := map[at]int{}
	for _, m := range d.file.bookmarks {
		if t := letters(m.title); t != "" {
			if _, ok := named[at{m.page, t}]; !ok {
				named[at{m.page, t}] = m.level
			}
		}
	}
	out := map[int]int{}
	if len(named) == 0 {
		return out
	}
	for i, b := range d.blocks {
		if b.kind != text && b.kind != item || utf8.RuneCountInString(b.said) > 2*maxHeading {
			continue
		}
		whole := letters(b.said)
		_, rest, _ := strings.Cut(b.said, " ")
		for _, t := range []string{whole, letters(rest)} {
			if level := named[at{b.page, t}]; level > 0 && t != "" && (t == whole || decimals.MatchString(b.said)) {
				out[i] = level
				break
			}
		}
	}
	return out
}

// letters are those and the digits of a title.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
