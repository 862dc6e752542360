package firstset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Why a heading makes no question.
const (
	noTitle    = "the document has no title to ask by, or a very long one"
	repeated   = "it stands twice in its document"
	thin       = "little or nothing stands under it"
	unusual    = "it is very short or very long"
	saysLittle = "it says nothing of what it stands over"
	ofTitle    = "it repeats the title of its document"
	ambiguous  = "the same would be asked of two places"
)

// Passed says of how many headings no question was made, and why, the most frequent reason
// first; "" where there is no heading. It counts what Add and Questions have seen.
func (m *Maker) Passed() string {
	reasons := slices.SortedFunc(maps.Keys(m.passed), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.passed[b], m.passed[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(reasons))
	for i, reason := range reasons {
		parts[i] = fmt.Sprintf("%d: %s", m.passed[reason], reason)
	}
	return strings.Join(parts, ", ")
}
