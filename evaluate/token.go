package evaluate

import (
	"cmp"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
)

// tokenCount counts tokens: those judged, those of the hits (a token as often as
// hits repeat it), and those in both, once.
type tokenCount struct{ judged, hits, both int }

// value is the metric of the counts.
func (c tokenCount) value(kind string) float64 {
	of := c.judged
	switch kind {
	case "token_precision":
		of = c.hits
	case "token_iou":
		of = c.judged + c.hits - c.both
	}
	if of == 0 {
		return 0
	}
	return float64(c.both) / float64(of)
}

// countTokens compares judged spans with the spans of hits. Hits in documents
// without a judged span are counted by their text.
func (t *texts) countTokens(judged []judgedSpan, hits []Hit) tokenCount {
	var c tokenCount
	gold := map[string][]document.Span{}
	for _, j := range judged {
		gold[j.document] = append(gold[j.document], j.span)
	}
	found := map[string][]document.Span{}
	for _, h := range hits {
		for _, p := range h.Also {
			if gold[p.Document] != nil && p.Span.Len() > 0 {
				found[p.Document] = append(found[p.Document], p.Span)
			}
		}
		if gold[h.Document] == nil {
			c.hits += t.countText(h.Text)
			continue
		}
		if h.Span.Len() <= 0 {
			continue
		}
		found[h.Document] = append(found[h.Document], h.Span)
		l, _ := t.get(h.Document)
		c.hits += l.count(h.Span)
	}
	for doc, spans := range gold {
		l, _ := t.get(doc)
		gold, hits := merge(spans), merge(found[doc])
		for _, s := range gold {
			c.judged += l.count(s)
		}
		for _, s := range intersect(gold, hits) {
			c.both += l.count(s)
		}
	}
	return c
}

// merge gives the spans in order without overlaps.
func merge(spans []document.Span) []document.Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b document.Span) int { return cmp.Compare(a.From, b.From) })
	var list []document.Span
	for _, s := range spans {
		if n := len(list); n > 0 && s.From <= list[n-1].To {
			list[n-1].To = max(list[n-1].To, s.To)
			continue
		}
		list = append(list, s)
	}
	return list
}

// intersect gives what two merged lists share.
func intersect(a, b []document.Span) []document.Span {
	var list []document.Span
	for i, j := 0, 0; i < len(a) && j < len(b); {
		s := document.Span{From: max(a[i].From, b[j].From), To: min(a[i].To, b[j].To)}
		if s.From < s.To {
			list = append(list, s)
		}
		if a[i].To < b[j].To {
			i++
		} else {
			j++
		}
	}
	return list
}

// distinct gives the first k distinct hits (0 is all).
func distinct(hits []prepared, k int) []Hit {
	var list []Hit
	seen := map[place]bool{}
	for i := range hits {
		p := placeOf(hits[i].Hit, nil, passageLevel)
		if seen[p] {
			continue
		}
		seen[p] = true
		list = append(list, hits[i].Hit)
		if len(list) == k {
			break
		}
	}
	return list
}
