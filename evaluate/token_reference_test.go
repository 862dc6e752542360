package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
)

// reference computes the token metrics from their definition with sets of code
// points: a token is known by the code point that it begins at, T is a set, H a
// multiset, and nothing is merged or searched.
func reference(tokens map[string]map[int]bool, judged map[string][]Span, hits []Hit, runes map[string][]int) map[string]float64 {
	inT := map[string]map[int]bool{}
	size := 0
	for doc, spans := range judged {
		inT[doc] = map[int]bool{}
		for _, s := range spans {
			for at := s.From; at < s.To; at++ {
				if tokens[doc][at] && !inT[doc][at] {
					inT[doc][at] = true
					size++
				}
			}
		}
	}
	shown, both := 0, map[string]bool{}
	for _, h := range hits {
		if judged[h.Document] == nil { // its text alone counts: the document is not read
			word := false
			for _, r := range h.Text {
				if !unicode.IsSpace(r) && !(unicode.IsLetter(r) && word) {
					shown++
				}
				word = unicode.IsLetter(r)
			}
			continue
		}
		for at, offset := range runes[h.Document] {
			if !tokens[h.Document][at] || offset < h.Span.From || offset >= h.Span.To {
				continue
			}
			shown++
			if inT[h.Document][at] {
				both[fmt.Sprint(h.Document, " ", at)] = true
			}
		}
	}
	share := func(of int) float64 {
		if of == 0 {
			return 0
		}
		return float64(len(both)) / float64(of)
	}
	return map[string]float64{"token_recall": share(size), "token_precision": share(shown), "token_iou": share(size + shown - len(both))}
}

// TestTokenMetricsEqualAReference: random texts of letters of one to four bytes, random
// judged spans and random lists that overlap and repeat, at k and at a budget.
func TestTokenMetricsEqualAReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	letters := []rune("ab é ß .,  𝔊x\n-")
	compared := 0
	for trial := range 300 {
		texts := map[string]string{}
		tokens, runes := map[string]map[int]bool{}, map[string][]int{}
		for d := range 3 {
			doc := fmt.Sprint("d", d)
			var b strings.Builder
			tokens[doc] = map[int]bool{}
			word := false
			for at := range 40 + rng.IntN(200) {
				r := letters[rng.IntN(len(letters))]
				runes[doc] = append(runes[doc], b.Len())
				b.WriteRune(r)
				isWord := unicode.IsLetter(r)
				if !unicode.IsSpace(r) && !(isWord && word) {
					tokens[doc][at] = true
				}
				word = isWord
			}
			texts[doc] = b.String()
		}
		span := func(doc string) Span {
			from := rng.IntN(len(runes[doc]) - 1)
			return Span{from, from + 1 + rng.IntN(len(runes[doc])-from-1)}
		}
		bytes := func(doc string, s Span) document.Span {
			to := len(texts[doc])
			if s.To < len(runes[doc]) {
				to = runes[doc][s.To]
			}
			return document.Span{From: runes[doc][s.From], To: to}
		}
		q := Question{Text: "q"}
		judged := map[string][]Span{}
		for range 1 + rng.IntN(4) {
			doc := fmt.Sprint("d", rng.IntN(2))
			s := span(doc)
			q.Sources = append(q.Sources, Source{Document: doc, Grade: 1})
			q.Spans = append(q.Spans, s)
			judged[doc] = append(judged[doc], s)
		}
		if len(q.Sources) == 1 { // all spans then belong to it
			q.Spans = append(q.Spans, span(q.Sources[0].Document))
			judged[q.Sources[0].Document] = q.Spans
		}
		var hits []Hit
		for range rng.IntN(9) {
			doc := fmt.Sprint("d", rng.IntN(3))
			s := bytes(doc, span(doc))
			hits = append(hits, Hit{Document: doc, Span: s, Text: s.Of(texts[doc]), Tokens: 1 + rng.IntN(9)})
		}
		k, budget := 1+rng.IntN(6), 1+rng.IntN(30)
		var metrics []string
		for _, kind := range []string{"token_recall", "token_precision", "token_iou"} {
			metrics = append(metrics, fmt.Sprintf("%s@%d", kind, k), fmt.Sprintf("%s@%dt", kind, budget))
		}
		r, err := Run(t.Context(), Set{Questions: []Question{q}}, searcherFunc(func(Query) ([]Hit, error) { return hits, nil }),
			Options{Metrics: metrics, Text: func(doc string) (string, error) { return texts[doc], nil }, Resamples: 1})
		if err != nil {
			t.Fatal(err)
		}
		var first []Hit // the first k distinct ones
		seen := map[string]bool{}
		for _, h := range hits {
			if key := fmt.Sprint(h.Document, h.Span); !seen[key] && len(first) < k {
				seen[key] = true
				first = append(first, h)
			}
		}
		var within []Hit
		seen = map[string]bool{}
		sum := 0
		for _, h := range hits {
			if sum += h.Tokens; sum > budget {
				break
			}
			if key := fmt.Sprint(h.Document, h.Span); !seen[key] {
				seen[key] = true
				within = append(within, h)
			}
		}
		for cut, list := range map[string][]Hit{fmt.Sprint("@", k): first, fmt.Sprintf("@%dt", budget): within} {
			for kind, want := range reference(tokens, judged, list, runes) {
				got, ok := r.Metrics[kind+cut]
				if compared++; !ok || math.Abs(got.Value-want) > 1e-9 {
					t.Fatalf("trial %d: %s%s is %v, the reference has %v\n%+v\n%+v", trial, kind, cut, got.Value, want, judged, list)
				}
			}
		}
	}
	if compared < 1500 {
		t.Errorf("only %d figures compared", compared)
	}
}
