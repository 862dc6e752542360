package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// TestTokenMetrics: the text has ten tokens, "w0" to "w9", of two bytes and a
// space; a span [i, j) in the table is of tokens.
func TestTokenMetrics(t *testing.T) {
	const text = "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9"
	type s = Span // of tokens here
	for _, c := range []struct {
		about                  string
		judged, hits           []s
		recall, precision, iou float64
	}{
		{"all and no more", []s{{2, 5}}, []s{{2, 5}}, 1, 1, 1},
		{"half, and as much again", []s{{2, 4}}, []s{{3, 5}}, 0.5, 0.5, 1.0 / 3},
		{"all, in two hits", []s{{2, 4}, {6, 7}}, []s{{2, 4}, {5, 8}}, 1, 3.0 / 5, 3.0 / 5},
		{"a repeated token costs precision", []s{{2, 4}}, []s{{2, 4}, {2, 4 + 1}}, 1, 2.0 / 5, 2.0 / 5},
		{"judged spans that overlap count once", []s{{2, 5}, {3, 6}}, []s{{2, 6}}, 1, 1, 1},
		{"nothing found", []s{{2, 4}}, []s{{5, 6}}, 0, 0, 0},
		{"an empty list", []s{{2, 4}}, nil, 0, 0, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			bytes := func(x s) document.Span { return document.Span{From: x.From * 3, To: x.To*3 - 1} }
			ts := texts{read: func(string) (string, error) { return text, nil }, cache: map[string]*located{}}
			q := Question{Sources: sources("a")}
			for _, x := range c.judged {
				q.Spans = append(q.Spans, Span(bytes(x)))
			}
			judged, err := ts.spans(q)
			if err != nil {
				t.Fatal(err)
			}
			var hits []Hit
			for _, x := range c.hits {
				hits = append(hits, Hit{Document: "a", Span: bytes(x), Text: bytes(x).Of(text)})
			}
			n := ts.countTokens(judged, hits)
			for kind, want := range map[string]float64{"token_recall": c.recall, "token_precision": c.precision, "token_iou": c.iou} {
				if got := n.value(kind); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s is %v, want %v", kind, got, want)
				}
			}
		})
	}
}

func TestHitsInOtherDocumentsCostPrecision(t *testing.T) {
	ts := texts{read: func(string) (string, error) { return "one two", nil }, cache: map[string]*located{}}
	judged := []judgedSpan{{"a", document.Span{From: 0, To: 7}}}
	n := ts.countTokens(judged, []Hit{
		{Document: "a", Span: document.Span{From: 0, To: 7}, Text: "one two"},
		{Document: "b", Span: document.Span{From: 0, To: 9}, Text: "three, no"},
	})
	if n != (tokenCount{judged: 2, hits: 5, both: 2}) {
		t.Errorf("counted %+v", n)
	}
}

// TestCodePointsToBytes compares with the conversion by runes.
func TestCodePointsToBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, stride - 1, stride, stride + 1, 3*stride + 7} {
		var b strings.Builder
		for range n {
			b.WriteRune([]rune("aé€😀 ")[rng.IntN(5)])
		}
		runes := []rune(b.String())
		ts := texts{read: func(string) (string, error) { return b.String(), nil }, cache: map[string]*located{}}
		l, _ := ts.get("x")
		for range 200 {
			from := rng.IntN(n + 1)
			to := from + rng.IntN(n+1-from)
			got, ok := l.bytes(Span{from, to})
			if !ok || got.Of(b.String()) != string(runes[from:to]) {
				t.Fatalf("[%d, %d) of %d: %v %v", from, to, n, got, ok)
			}
		}
		for _, beyond := range []int{1, stride, 10 * stride} {
			if _, ok := l.bytes(Span{0, n + beyond}); ok {
				t.Errorf("a span that ends %d after a text of %d is taken", beyond, n)
			}
		}
	}
}

func TestSpansThatCannotBeLocated(t *testing.T) {
	ts := texts{read: textOf(t.TempDir()), cache: map[string]*located{}}
	for _, doc := range []string{"absent.md", "../outside.md"} {
		if _, err := ts.spans(Question{Sources: sources(doc), Spans: []Span{{0, 1}}}); err == nil || !strings.Contains(err.Error(), doc) {
			t.Errorf("spans of %s: %v", doc, err)
		}
	}
	none, err := ts.spans(Question{Sources: sources("a", "b"), Spans: []Span{{0, 1}}})
	if none != nil || err != nil {
		t.Errorf("spans of no one document: %v, %v", none, err)
	}
}

func TestTokenStarts(t *testing.T) {
	for text, want := range map[string]string{
		"one, two":   "[0 3 5]",
		"$1.50":      "[0 1 2 3]",
		"東京 x":       "[0 3 7]",
		" \n\t":      "[]",
		"don't":      "[0 3 4]",
		"naïve café": "[0 7]",
	} {
		if got := fmt.Sprint(tokenStarts(text)); got != want {
			t.Errorf("tokens of %q begin at %s, want %s", text, got, want)
		}
	}
}
