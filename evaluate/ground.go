package evaluate

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// claim is a sentence, item or row of an answer with the citations that its run
// of text ends with.
type claim struct {
	text  string
	cites []int
}

// marks are citations that follow one another: "[1]", "[1] [2]", "[1], [2]".
var marks = regexp.MustCompile(`\[\d+\](?:[\s,;]*\[\d+\])*`)

// claims takes an answer's text apart. Text behind the last citation has none.
func claims(text string) []claim {
	var list []claim
	from := 0
	add := func(run string, cites []int) {
		for line := range strings.SplitSeq(run, "\n") {
			for _, s := range sentences(line) {
				if compact(s).text != "" {
					list = append(list, claim{strings.TrimSpace(s), cites})
				}
			}
		}
	}
	for _, m := range marks.FindAllStringIndex(text, -1) {
		var cites []int
		for _, n := range citationMark.FindAllString(text[m[0]:m[1]], -1) {
			if v, err := strconv.Atoi(n[1 : len(n)-1]); err == nil {
				cites = append(cites, v)
			}
		}
		add(text[from:m[0]], cites)
		from = m[1]
	}
	add(text[from:], nil)
	return list
}

// sentences cuts a line after ". ", "! " and "? ". A cut at an abbreviation does no
// harm: both parts must then be in the quote.
func sentences(line string) []string {
	var list []string
	from := 0
	for i := 1; i < len(line); i++ {
		if line[i] == ' ' && strings.IndexByte(".!?", line[i-1]) >= 0 {
			list = append(list, line[from:i])
			from = i + 1
		}
	}
	return append(list, line[from:])
}

// groundedness is the share of an answer's claims that its citations support: the
// quote stands in the cited document as the asker sees it, and the claim
// stands in the quote, both by their letters. A row that is written as "name: cell; ..."
// stands in the quote when its cells do and its names stand in the document. ok is
// false where there is nothing to judge, or a document cannot be read for another
// reason than that it is not there.
func (r *runner) groundedness(ctx context.Context, q Query, a Answer) (share float64, ok bool) {
	if r.o.Library == nil || !answered(a.Status) {
		return 0, false
	}
	type support struct{ quote, document letters }
	byN := map[int]support{}
	for _, c := range a.Citations {
		document, err := r.library.letters(ctx, q, cleanPath(c.Document))
		if err != nil {
			return 0, false
		}
		if quote := compact(c.Quote); quote.text != "" && strings.Contains(document.text, quote.text) {
			byN[c.N] = support{quote, document}
		}
	}
	list := claims(a.Text)
	supported := 0
	for _, c := range list {
		for _, n := range c.cites {
			if s, ok := byN[n]; ok && (holds(compact(c.text), s.quote) || holdsRow(c.text, s.quote, s.document)) {
				supported++
				break
			}
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	return float64(supported) / float64(len(list)), true
}

func holdsRow(claim string, quote, document letters) bool {
	if !strings.Contains(claim, ": ") {
		return false
	}
	for part := range strings.SplitSeq(claim, "; ") {
		name, cell, named := strings.Cut(part, ": ")
		if !named {
			name, cell = "", part
		}
		if whole := compact(part); holds(whole, quote) {
			continue
		}
		c, n := compact(cell), compact(name)
		if c.text != "" && !holds(c, quote) || n.text != "" && !holds(n, document) {
			return false
		}
	}
	return true
}
