package extract

import (
	"strconv"
	"strings"
)

// counters number headings as programs do that print a text.
type counters struct {
	n        [maxLevel + 1]int
	top      int // the level whose number stands first
	appendix bool
}

// next is the number of the next heading of a level: "2.1", in an appendix "A.1".
func (c *counters) next(level int) string {
	level = min(max(level, c.top), maxLevel)
	c.n[level]++
	clear(c.n[level+1:])
	parts := make([]string, 0, level)
	for k := c.top; k <= level; k++ {
		n := strconv.Itoa(c.n[k])
		if c.appendix && k == c.top {
			n = strings.ToUpper(letters(c.n[k]))
		}
		parts = append(parts, n)
	}
	return strings.Join(parts, ".")
}
