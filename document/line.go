package document

import "sort"

// Line says where on a page of the original a line of the canonical text stands.
type Line struct {
	Span Span // from its first letter to its last
	Page int  // from 1
	Box  Box
}

// Box is a rectangle on a page, in points of 1/72 inch from the upper left corner of the
// page as it is held to read it: a page whose text is turned lies on its side. Of an
// image, which does not say how large it is on paper, the long side counts as that of A4
// (842 points).
type Box struct{ Left, Top, Right, Bottom int }

// Lines are those of a revision of which it is known where they stand, in the order of
// the text; no two share a byte.
type Lines []Line

// Within are the lines that share text with a span, a part of l.
func (l Lines) Within(s Span) Lines {
	from := sort.Search(len(l), func(i int) bool { return l[i].Span.To > s.From })
	to := sort.Search(len(l), func(i int) bool { return l[i].Span.From >= s.To })
	return l[from:max(from, to)]
}
