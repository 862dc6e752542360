// Package diff compares two texts token by token: lines for a person who reads along,
// words for what changed within them.
//
// Tokens that stand once in each text and in the same order in both are the anchors
// between which the rest is compared (Bram Cohen's patience diff); where there are none,
// the shortest edit script is looked for (E. Myers, "An O(ND) Difference Algorithm and Its
// Variations", Algorithmica 1, 1986). Whatever the texts, time and memory are bounded:
// what differs in more than maxEdits places without an anchor is one edit.
package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxEdits bounds Myers' search, whose memory grows with its square and whose time
	// with it times the number of tokens.
	maxEdits = 512
	// maxDepth bounds how often anchors are looked for between anchors.
	maxDepth = 64
)

// Edit replaces the tokens [FromA, ToA) of the one text by [FromB, ToB) of the other. What
// stands between edits is the same in both.
type Edit struct {
	FromA, ToA int
	FromB, ToB int
}

// Tokens gives the edits that make b of a, in order, none touching the next.
func Tokens(a, b []string) []Edit {
	ids := map[string]int32{}
	c := comparison{a: intern(ids, a), b: intern(ids, b)}
	c.compare(0, len(a), 0, len(b), maxDepth)
	return c.edits
}

func intern(ids map[string]int32, tokens []string) []int32 {
	out := make([]int32, len(tokens))
	for i, t := range tokens {
		id, ok := ids[t]
		if !ok {
			id = int32(len(ids))
			ids[t] = id
		}
		out[i] = id
	}
	return out
}

// Lines splits a text behind its line ends.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
}

// Words splits a text into runs of letters and digits, and every other character apart.
func Words(text string) []string {
	var out []string
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !wordly(r) })
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text)
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

type comparison struct {
	a, b  []int32
	edits []Edit
}

// replace notes an edit, joined with the one before where they touch.
func (c *comparison) replace(fromA, toA, fromB, toB int) {
	if fromA == toA && fromB == toB {
		return
	}
	if n := len(c.edits); n > 0 && c.edits[n-1].ToA == fromA && c.edits[n-1].ToB == fromB {
		c.edits[n-1].ToA, c.edits[n-1].ToB = toA, toB
		return
	}
	c.edits = append(c.edits, Edit{fromA, toA, fromB, toB})
}

func (c *comparison) compare(fromA, toA, fromB, toB, depth int) {
	for fromA < toA && fromB < toB && c.a[fromA] == c.b[fromB] {
		fromA, fromB = fromA+1, fromB+1
	}
	for fromA < toA && fromB < toB && c.a[toA-1] == c.b[toB-1] {
		toA, toB = toA-1, toB-1
	}
	if fromA == toA || fromB == toB || depth == 0 {
		c.replace(fromA, toA, fromB, toB)
		return
	}
	anchors := c.anchors(fromA, toA, fromB, toB)
	if len(anchors) == 0 {
		c.shortest(fromA, toA, fromB, toB)
		return
	}
	for _, at := range anchors {
		c.compare(fromA, at.a, fromB, at.b, depth-1)
		fromA, fromB = at.a+1, at.b+1
	}
	c.compare(fromA, toA, fromB, toB, depth-1)
}

// pair is a token that stands at a in the one text and at b in the other.
type pair struct{ a, b int }

// anchors is the longest list of tokens that stand once in each part, in one order.
func (c *comparison) anchors(fromA, toA, fromB, toB int) []pair {
	type places struct{ a, b, inA, inB int }
	seen := make(map[int32]places, toA-fromA)
	for i := fromA; i < toA; i++ {
		p := seen[c.a[i]]
		p.a, p.inA = i, p.inA+1
		seen[c.a[i]] = p
	}
	for i := fromB; i < toB; i++ {
		if p, ok := seen[c.b[i]]; ok {
			p.b, p.inB = i, p.inB+1
			seen[c.b[i]] = p
		}
	}
	var once []pair
	for i := fromA; i < toA; i++ {
		if p := seen[c.a[i]]; p.inA == 1 && p.inB == 1 {
			once = append(once, pair{p.a, p.b})
		}
	}
	return ascending(once)
}

// ascending is the longest subsequence whose places in b ascend (patience sorting).
func ascending(list []pair) []pair {
	var tails []int // of the subsequences of each length, by the least end
	before := make([]int, len(list))
	for i, p := range list {
		at, _ := slices.BinarySearchFunc(tails, p.b, func(t, b int) int { return list[t].b - b })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	out := make([]pair, len(tails))
	if len(tails) == 0 {
		return out
	}
	for i, at := len(tails)-1, tails[len(tails)-1]; i >= 0; i, at = i-1, before[at] {
		out[i] = list[at]
	}
	return out
}

// shortest finds the shortest edit script by Myers' greedy search, or replaces all where
// that has more than maxEdits steps.
func (c *comparison) shortest(fromA, toA, fromB, toB int) {
	n, m := toA-fromA, toB-fromB
	most := min(n+m, maxEdits)
	// reach[k+most] is how far in a the diagonal k = x - y is reached; each step's is kept.
	reach := make([]int, 2*most+2)
	var steps [][]int
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && reach[k-1+most] < reach[k+1+most]:
				x = reach[k+1+most]
			default:
				x = reach[k-1+most] + 1
			}
			for x < n && x-k < m && c.a[fromA+x] == c.b[fromB+x-k] {
				x++
			}
			reach[k+most] = x
			if x >= n && x-k >= m {
				c.back(steps, d, k, fromA, fromB)
				return
			}
		}
		steps = append(steps, slices.Clone(reach[most-d:most+d+1]))
	}
	c.replace(fromA, toA, fromB, toB)
}

// back follows the steps of the search from its end, and notes the edits.
func (c *comparison) back(steps [][]int, d, k, fromA, fromB int) {
	var path []Edit // the last first
	for ; d > 0; d-- {
		was := steps[d-1] // of the diagonals -(d-1) .. d-1
		at := func(k int) int {
			if i := k + d - 1; i >= 0 && i < len(was) {
				return was[i]
			}
			return -1
		}
		down := k == -d || k != d && at(k-1) < at(k+1)
		if down {
			k++
		} else {
			k--
		}
		x := at(k)
		y := x - k
		if down {
			path = append(path, Edit{x, x, y, y + 1})
		} else {
			path = append(path, Edit{x, x + 1, y, y})
		}
	}
	for _, e := range slices.Backward(path) {
		c.replace(fromA+e.FromA, fromA+e.ToA, fromB+e.FromB, fromB+e.ToB)
	}
}
