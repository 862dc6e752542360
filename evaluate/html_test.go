package evaluate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// textsOfPage are what a set, a run and a service put on the page, by their places.
var textsOfPage = []string{
	"set", "metric", "type", "stage", "condition", "reason of a condition", "answers' type", "baseline", "setting changed", "question's ID better", "question better", "question's ID worse", "question worse",
	"failure's ID", "failure's question", "failure's type", "failure's reason", "failure's stage", "failure's blame", "missing document", "missing heading", "missing quote", "problem's file", "problem's ID", "problem",
	"version", "corpus", "pipeline", "model", "model's name", "setting", "setting's value", "judge", "prompt version",
}

// pageOf is a run with every part of a page, and in each place the text of it.
func pageOf(t *testing.T, of func(place string) string) *html.Node {
	t.Helper()
	value := Value{0.5, 0.25, 0.75, 4}
	change := func(how string) []Change {
		return []Change{{ID: of("question's ID " + how), Question: of("question " + how), Ranks: []RankChange{{Before: 1, After: 2}}}}
	}
	group := map[string]Group{of("type"): {Questions: 4, Metrics: map[string]Value{"recall@5": value}}}
	stages := []StageValue{{Stage: of("stage"), Recall: &value, Lost: 2}, {Stage: "evidence"}}
	w := Written{
		Report: Report{
			Set: of("set"), Questions: 4, Unreviewed: 1, Outgrown: 1, Metrics: map[string]Value{of("metric"): value, "recall@5": value}, ByType: group, ByStage: stages,
			Failures: []Failure{{ID: of("failure's ID"), Question: of("failure's question"), Type: of("failure's type"), Reason: of("failure's reason"), LostAt: of("failure's stage"), Blame: of("failure's blame"),
				Missing: []Unit{{Document: of("missing document"), Heading: of("missing heading"), Quote: of("missing quote")}}}},
			Problems: []Problem{{File: of("problem's file"), Line: 3, ID: of("problem's ID"), Text: of("problem")}},
			Answers:  &AnswerTable{ByType: map[string]AnswerCounts{of("answers' type"): {}}},
			Judge:    &JudgedBy{Model: of("judge"), PromptVersion: of("prompt version")},
			Cost:     &Cost{Mean: 1},
			ComparedWith: &Comparison{Baseline: of("baseline"), Metrics: map[string]Difference{"recall@5": {}}, Better: change("better"), Worse: change("worse"),
				Settings: []string{of("setting changed")}},
		},
		Baseline: &Report{Metrics: map[string]Value{"recall@5": value}, ByType: group, ByStage: stages},
		Gate:     &GateResult{Checks: []Check{{Condition: of("condition"), Reason: of("reason of a condition")}}},
		Run: RunInfo{Version: of("version"), Models: map[string]string{of("model"): of("model's name")}, Settings: map[string]string{of("setting"): of("setting's value")},
			Corpus: CorpusState{Hash: of("corpus"), Pipeline: of("pipeline")}},
	}
	var b bytes.Buffer
	if err := w.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// shape is what a browser makes of a page but for its texts: elements and the keys of their
// attributes, in order and depth.
func shape(page *html.Node) string {
	var b strings.Builder
	depth := func(n *html.Node) (d int) {
		for ; n.Parent != nil; n = n.Parent {
			d++
		}
		return d
	}
	for n := range page.Descendants() {
		if n.Type == html.TextNode {
			continue
		}
		fmt.Fprintf(&b, "%*s%d %s %s", depth(n), "", n.Type, n.Namespace, n.Data)
		for _, a := range n.Attr {
			b.WriteString(" " + a.Key)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestHTMLTextsAreText: whatever stands in a text, the page has the elements and attributes
// that it has without, and shows the text.
func TestHTMLTextsAreText(t *testing.T) {
	plain := shape(pageOf(t, func(place string) string { return place }))
	for _, hostile := range []string{
		`</script><script>alert(1)</script>`,
		`</style></title></head><body onload=alert(1)>`,
		`</text></svg><img src=x onerror=alert(1)>`,
		`</td></tr></table><iframe src=//e.example>`,
		`"><svg onload=alert(1)>`,
		`' autofocus onfocus='alert(1)`,
		"` onclick=alert(1) x=`",
		`<!-- ]]> <![CDATA[ <?xml --!>`,
		`&lt;b&gt; &amp;lt; &#60;b&#62; &quot; &notit;`,
		`{{.Report}} {{define "page"}}`,
		`javascript:alert(1) url(http://e.example) @import`,
		"\x00<\x00script\x00> \x1b[31m \x7f \u0085 \u202e\u2066 \r\n\t end",
		"\xff\xc0<b\xfe>",
		`<plaintext><textarea><noscript><math><mi><style>`,
	} {
		page := pageOf(t, func(place string) string { return place + hostile + "." })
		if got := shape(page); got != plain {
			t.Errorf("%q makes\n%s\nof\n%s", hostile, got, plain)
		}
		var texts, labels []string
		for n := range page.Descendants() {
			if n.Type == html.TextNode {
				texts = append(texts, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "aria-label" {
					labels = append(labels, a.Val)
				}
			}
		}
		for _, place := range textsOfPage {
			want := clean(place + hostile + ".")
			holds := func(s string) bool { return strings.Contains(s, want) }
			if !slices.ContainsFunc(texts, holds) {
				t.Errorf("%s: %q is not shown", place, want)
			}
			if slices.Contains([]string{"metric", "type", "stage"}, place) && !slices.ContainsFunc(labels, holds) {
				t.Errorf("%s: %q is not said", place, want)
			}
		}
		if all := strings.Join(append(texts, labels...), ""); strings.ContainsAny(all, "\x00\x1b\x7f\u0085\u202e\u2066\r") {
			t.Errorf("%q: a control character stands in the page", hostile)
		}
	}
}
