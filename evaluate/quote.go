package evaluate

import (
	"slices"
	"strings"
)

const (
	// enough is the part of a quote that must be held when the edge of a
	// passage cuts it.
	enough = 0.6
	// piece is the least part that counts towards it, so that a word that
	// happens to stand at an edge is none.
	piece = 0.2
	// short quotes (bytes of letters) must begin and end at words:
	// "3100" is not in "13100". Longer ones may have been cut anywhere.
	short = 20
)

// stretch is a half-open range of a quote's letters, in bytes.
type stretch struct{ from, to int }

// within gives the stretch of quote that text holds: all of it; or what stands at the
// beginning or end of text where its edge cuts the quote; or all of text where it is
// part of the quote. Stretches below piece are none.
func within(quote, text letters) stretch {
	q, t := quote.text, text.text
	none := stretch{}
	switch {
	case q == "" || t == "":
		return none
	case holds(quote, text):
		return stretch{0, len(q)}
	case len(q) < short:
		return none
	}
	best := none
	if len(t) < len(q) {
		if at := strings.Index(q, t); at >= 0 {
			best = stretch{at, at + len(t)}
		}
	}
	if n := overlap(t, q); n > best.to-best.from {
		best = stretch{0, n}
	}
	if n := overlap(q, t); n > best.to-best.from {
		best = stretch{len(q) - n, len(q)}
	}
	if float64(best.to-best.from) < piece*float64(len(q)) {
		return none
	}
	return best
}

// holds reports whether text contains all of quote.
func holds(quote, text letters) bool {
	q, t := quote.text, text.text
	if len(q) >= short {
		return strings.Contains(t, q)
	}
	for from := 0; q != ""; {
		at := strings.Index(t[from:], q)
		if at < 0 {
			return false
		}
		at += from
		_, begins := slices.BinarySearch(text.starts, at)
		_, ends := slices.BinarySearch(text.starts, at+len(q))
		if begins && ends {
			return true
		}
		from = at + 1
	}
	return false
}

// overlap is the length of the longest end of a that is a beginning of b, by
// the prefix function of Knuth, Morris and Pratt (1977): linear in both.
func overlap(a, b string) int {
	if len(a) > len(b) {
		a = a[len(a)-len(b):]
	}
	if len(a) < len(b) {
		b = b[:len(a)]
	}
	fail := make([]int, len(b))
	for i, k := 1, 0; i < len(b); i++ {
		for k > 0 && b[i] != b[k] {
			k = fail[k-1]
		}
		if b[i] == b[k] {
			k++
		}
		fail[i] = k
	}
	k := 0
	for i := 0; i < len(a); i++ {
		for k > 0 && (k == len(b) || a[i] != b[k]) {
			k = fail[k-1]
		}
		if a[i] == b[k] {
			k++
		}
	}
	return k
}

// holder gathers what the hits so far hold of one quote, by document.
type holder struct {
	quote letters
	held  map[string][]stretch
}

// add takes in a text of a document. It reports whether the text alone holds
// enough of the quote, and whether all texts of the document so far do.
func (h *holder) add(document string, text letters) (alone, together bool) {
	s := within(h.quote, text)
	if s.to == s.from {
		return false, false
	}
	if h.held == nil {
		h.held = map[string][]stretch{}
	}
	h.held[document] = append(h.held[document], s)
	need := enough * float64(len(h.quote.text))
	return float64(s.to-s.from) >= need, float64(length(h.held[document])) >= need
}

// length is how much the stretches cover together.
func length(list []stretch) int {
	slices.SortFunc(list, func(a, b stretch) int { return a.from - b.from })
	n, end := 0, 0
	for _, s := range list {
		if s.to > end {
			n += s.to - max(s.from, end)
			end = s.to
		}
	}
	return n
}
