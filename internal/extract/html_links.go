package extract

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// Where the words of a link stand is known only when the page is written as a whole.
// Until then its address stands behind them, between two noncharacters, which no text
// holds that is meant for others (Unicode 17, 23.7). They stand behind and not before,
// so that the beginning of a line stays what it is.
const (
	linkMark = "\uFDD2"
	linkEnd  = "\uFDD3"
)

const (
	maxAddress   = 300     // bytes
	maxLinkWords = 4 << 10 // bytes of the words that lead somewhere: more are a page of their own
)

// elsewhere are addresses that lead out of the site, run something, or stay on the page,
// and those that would not pass through a table or a line.
var elsewhere = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//|#)|[\s|<>"\x{FDD2}\x{FDD3}]`)

// markLink puts an address behind the words that were written from from on.
func (w *inlineWriter) markLink(from int, address string) {
	words := len(strings.TrimLeft(w.b.String()[from:], " \n"))
	if words == 0 || words > maxLinkWords || address == "" || len(address) > maxAddress || elsewhere.MatchString(address) {
		return
	}
	fmt.Fprintf(&w.b, "%s%d:%s%s", linkMark, words, address, linkEnd)
}

// takeLinks takes the addresses out of a page's text.
func (r *renderer) takeLinks(text string) string {
	if !strings.Contains(text, linkMark) && !strings.Contains(text, linkEnd) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexAny(text, linkMark+linkEnd)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		rest := text[i+len(linkMark):]
		inner, _, ok := strings.Cut(rest[:min(len(rest), maxAddress+32)], linkEnd)
		size, address, _ := strings.Cut(inner, ":")
		n, err := strconv.Atoi(size)
		if text = rest; !ok || err != nil || address == "" || n < 1 || n > min(b.Len(), maxLinkWords) {
			continue // the page has such characters of its own
		}
		text = rest[len(inner)+len(linkEnd):]
		r.links = append(r.links, Link{document.Span{From: beginning(b.String(), n), To: b.Len()}, address})
	}
}

// beginning is where words of n bytes at the end of text begin, which may have been
// escaped since they were counted.
func beginning(text string, n int) int {
	from := len(text) - n
	from = max(0, from-strings.Count(text[from:], `\`))
	for from < len(text)-1 && (text[from] == ' ' || text[from] == '\n' || !utf8.RuneStart(text[from])) {
		from++
	}
	return from
}
