package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// measure gives the metrics of a list for a question, as Run does.
func measure(t *testing.T, q Question, hits []Hit, names ...string) map[string]float64 {
	t.Helper()
	metrics, err := parseMetrics(names)
	if err != nil {
		t.Fatal(err)
	}
	r := runner{metrics: metrics, texts: texts{read: textOf(""), cache: map[string]*located{}}}
	into := map[string]float64{}
	p := prepare(hits, newCache())
	r.ranked(q, q.Passages, p, judge(q, q.Passages, finest), into)
	r.stale(q, p, into)
	return into
}

// hitsOf reads a list written as "doc", "doc#Heading/Heading" or
// "doc=text", with "~n" behind it for n tokens.
func hitsOf(list ...string) []Hit {
	var hits []Hit
	for i, s := range list {
		h := Hit{}
		if rest, n, ok := strings.Cut(s, "~"); ok {
			s = rest
			fmt.Sscan(n, &h.Tokens)
		}
		s, h.Text, _ = strings.Cut(s, "=")
		doc, path, ok := strings.Cut(s, "#")
		h.Document = doc
		if ok {
			h.Heading = strings.Split(path, "/")
		}
		h.Span.From, h.Span.To = i*10, i*10+10
		hits = append(hits, h)
	}
	return hits
}

func sources(list ...string) []Source {
	var s []Source
	for _, l := range list {
		s = append(s, ParseSource(l))
	}
	return s
}

// TestDocumentRankingIsTrecEvals compares with pytrec_eval; testdata/trec_eval.py
// says how the file was made.
func TestDocumentRankingIsTrecEvals(t *testing.T) {
	b, err := os.ReadFile("testdata/trec_eval.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Run      []string
		Qrels    map[string]int
		Expected map[string]float64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, c := range cases {
		var q Question
		for d, g := range c.Qrels {
			q.Sources = append(q.Sources, Source{Document: d, Grade: g})
		}
		var names []string
		for name := range c.Expected {
			names = append(names, name)
		}
		got := measure(t, q, hitsOf(c.Run...), names...)
		for name, want := range c.Expected {
			compared++
			if math.Abs(got[name]-want) > 1e-9 {
				t.Errorf("run %d: %s is %.12f, trec_eval has %.12f", i, name, got[name], want)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d figures compared", compared)
	}
}

func TestMetricsOfTheCollapsedList(t *testing.T) {
	log3, log4 := math.Log2(3), 2.0
	quoted := Question{Sources: sources("a"), Passages: []string{"the fee is forty", "it rose to fifty"}}
	for _, c := range []struct {
		about  string
		q      Question
		hits   []Hit
		metric string
		want   float64
	}{
		{"a document counts once, at its first hit", Question{Sources: sources("a", "b")},
			hitsOf("x", "x", "x", "a", "a", "b"), "recall@3", 1},
		{"and so do the others", Question{Sources: sources("a", "b")}, hitsOf("x", "x", "a", "b"), "mrr", 0.5},
		{"precision divides by k however short the list", Question{Sources: sources("a")}, hitsOf("a"), "precision@5", 0.2},
		{"all sources are needed", Question{Sources: sources("a", "b")}, hitsOf("a", "x"), "all_sources@10", 0},
		{"all sources are there", Question{Sources: sources("a", "b")}, hitsOf("a", "x", "b"), "all_sources@3", 1},
		{"an empty list finds nothing", Question{Sources: sources("a")}, nil, "ndcg@10", 0},
		{"nothing found has no reciprocal rank", Question{Sources: sources("a")}, hitsOf("x"), "mrr", 0},
		{"mrr may be cut", Question{Sources: sources("a")}, hitsOf("x", "y", "a"), "mrr@2", 0},

		{"a section counts for those below it", Question{Sources: sources("a#Leave")},
			hitsOf("a#Pay", "a#Leave/Sick leave"), "mrr", 0.5},
		{"but not for those above", Question{Sources: sources("a#Sick leave")}, hitsOf("a#Leave"), "recall@5", 0},
		{"the same heading elsewhere is another section", Question{Sources: sources("a#Leave")}, hitsOf("b#Leave"), "recall@5", 0},
		{"of repeated headings any counts", Question{Sources: sources("a#Notes")}, hitsOf("a#Two/Notes"), "recall@5", 1},
		{"sections, not hits, are counted", Question{Sources: sources("a#Leave")},
			hitsOf("a#Pay", "a#Pay", "a#Pay", "a#Leave"), "recall@2", 1},
		{"a judged section takes one place, with its subsections", Question{Sources: sources("a#Leave", "a#Pay")},
			hitsOf("a#Leave/Sick", "a#Leave/Annual", "a#Leave", "a#Pay"), "recall@2", 1},
		{"a source without a heading is the whole document", Question{Sources: sources("a#Leave", "b")},
			hitsOf("b#Any", "a#Leave"), "all_sources@2", 1},
		{"doc: looks at the document of a section", Question{Sources: sources("a#Leave")}, hitsOf("a#Pay"), "doc:recall@5", 1},

		{"a quote is found by its text", quoted, hitsOf("a=other", "a=Now the fee is *forty*."), "recall@5", 0.5},
		{"in the right document only", quoted, hitsOf("b=the fee is forty"), "recall@5", 0},
		{"a hit with two quotes is one entry", quoted, hitsOf("a=The fee is forty. It rose to fifty."), "recall@1", 1},
		{"and one right entry", quoted, hitsOf("a=The fee is forty. It rose to fifty."), "precision@1", 1},
		{"whose quotes take two places for nDCG", quoted, hitsOf("a=The fee is forty. It rose to fifty."), "ndcg@10", 1},
		{"after a wrong one the places are 2 and 3", quoted, hitsOf("a=no", "a=The fee is forty. It rose to fifty."),
			"ndcg@10", (1/log3 + 1/log4) / (1 + 1/log3)},
		{"and so for MAP", quoted, hitsOf("a=no", "a=The fee is forty. It rose to fifty."), "map", (1.0/2 + 2.0/3) / 2},
		{"a repeated quote takes no place", quoted, hitsOf("a=the fee is forty", "a=so the fee is forty", "a=it rose to fifty"),
			"all_sources@2", 1},
		{"equal hits take one place", quoted, append(hitsOf("a=x", "a=the fee is forty"), hitsOf("a=x")...), "precision@3", 1.0 / 3},
		{"without sources any document will do", Question{Passages: []string{"the fee is forty"}},
			hitsOf("z=the fee is forty"), "recall@1", 1},
		{"the text is valid there as well", Question{Sources: sources("a"), AlsoValid: []string{"b"}, Passages: []string{"the fee is forty"}},
			hitsOf("b=the fee is forty"), "recall@1", 1},
		{"and so is the document", Question{Sources: sources("a"), AlsoValid: []string{"b"}}, hitsOf("b"), "recall@1", 1},

		{"grades are gains", Question{Sources: []Source{{Document: "a", Grade: 3}, {Document: "b", Grade: 1}}},
			hitsOf("b", "a"), "ndcg@10", (1 + 3/log3) / (3 + 1/log3)},
		{"a grade of 0 is not relevant", Question{Sources: []Source{{Document: "a", Grade: 1}, {Document: "b", Grade: 0}}},
			hitsOf("b", "a"), "mrr", 0.5},

		{"a budget ends before the hit that does not fit", Question{Sources: sources("a", "b")},
			hitsOf("a~60", "x~50", "b~10"), "recall@100t", 0.5},
		{"a hit that fills it exactly fits", Question{Sources: sources("a", "b")}, hitsOf("a~60", "b~40"), "recall@100t", 1},
		{"hits that are dropped cost their tokens", Question{Sources: sources("a", "b")},
			hitsOf("a~60", "a~40", "b~1"), "recall@100t", 0.5},
		{"precision divides by what is in the budget", Question{Sources: sources("a")}, hitsOf("a~60", "x~40", "y~1"), "precision@100t", 0.5},

		{"a stale document among the first", Question{Stale: sources("old")}, hitsOf("a", "a", "old"), "stale@2", 1},
		{"or not among them", Question{Stale: sources("old")}, hitsOf("a", "b", "old"), "stale@2", 0},
		{"a stale section", Question{Stale: sources("a#2019")}, hitsOf("a#2020", "a#2019"), "stale@1", 1},
		{"other sections are not stale", Question{Stale: sources("a#2019")}, hitsOf("a#2020"), "stale@1", 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			got, ok := measure(t, c.q, c.hits, c.metric)[c.metric]
			if !ok || math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%s is %v (present: %v), want %v", c.metric, got, ok, c.want)
			}
		})
	}
}

func TestMetricsWithoutJudgementsAreAbsent(t *testing.T) {
	for metric, q := range map[string]Question{
		"recall@5":         {},
		"doc:recall@5":     {Passages: []string{"x"}},
		"section:recall@5": {Sources: sources("a")},
		"passage:recall@5": {Sources: sources("a#b")},
		"stale@5":          {Sources: sources("a")},
		"mrr":              {Sources: []Source{{Document: "a", Grade: 0}}},
		"passage:map":      {Passages: []string{"..."}},
	} {
		if v, ok := measure(t, q, hitsOf("a#b=x"), metric)[metric]; ok {
			t.Errorf("%s of %+v is %v, want none", metric, q, v)
		}
	}
}

func TestMetricNames(t *testing.T) {
	for name, fault := range map[string]string{
		"recall":              "needs a cut",
		"recal@5":             "not known",
		"recall@0":            "number from 1",
		"recall@-1":           "number from 1",
		"recall@05":           "number from 1",
		"recall@5x":           "number from 1",
		"page:recall@5":       "doc, section or passage",
		"doc:stale@5":         "no levels",
		"class_accuracy@3":    "no cut",
		"":                    "not known",
		"doc:mrr":             "",
		"passage:recall@900t": "",
		"map@5":               "",
	} {
		_, err := parseMetric(name)
		if fault == "" && err != nil || fault != "" && (err == nil || !strings.Contains(err.Error(), fault)) {
			t.Errorf("parseMetric(%q) = %v, want %q", name, err, fault)
		}
	}
}

// TestPropertiesOfMetrics checks on random questions and lists, at every level,
// what must hold of any.
func TestPropertiesOfMetrics(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliet")
	sentence := func() string {
		var s []string
		for range 8 {
			s = append(s, words[rng.IntN(len(words))])
		}
		return strings.Join(s, " ")
	}
	const cuts = 12
	names := []string{"mrr", "map", "ndcg"}
	for _, level := range []string{"doc:", "section:", "passage:"} {
		for k := 1; k <= cuts; k++ {
			for _, kind := range []string{"recall", "precision", "all_sources", "ndcg", "map", "mrr"} {
				names = append(names, fmt.Sprintf("%s%s@%d", level, kind, k), fmt.Sprintf("%s%s@%dt", level, kind, k*100))
			}
		}
	}
	for n := range 300 {
		var q Question
		var texts []string
		for range 6 {
			texts = append(texts, sentence())
		}
		doc := func() string { return string(rune('a' + rng.IntN(4))) }
		for range 1 + rng.IntN(3) {
			q.Sources = append(q.Sources, Source{Document: doc(), Heading: words[rng.IntN(4)], Grade: 1 + rng.IntN(3)})
			q.Passages = append(q.Passages, texts[rng.IntN(3)])
		}
		var hits []Hit
		for i := range rng.IntN(20) {
			h := Hit{Document: doc(), Tokens: rng.IntN(200), Heading: []string{words[rng.IntN(4)], words[rng.IntN(4)]}}
			h.Span.From = i
			for range 1 + rng.IntN(3) {
				h.Text += texts[rng.IntN(len(texts))] + ". "
			}
			hits = append(hits, h)
		}
		got := measure(t, q, hits, names...)
		for name, v := range got {
			if !(v >= 0 && v <= 1+1e-12) {
				t.Fatalf("case %d: %s is %v", n, name, v)
			}
		}
		for _, level := range []string{"doc:", "section:", "passage:"} {
			for _, kind := range []string{"recall", "all_sources", "map", "mrr"} {
				for k := 2; k <= cuts; k++ {
					for _, unit := range []string{"%s%s@%d", "%s%s@%d00t"} {
						less, more := fmt.Sprintf(unit, level, kind, k-1), fmt.Sprintf(unit, level, kind, k)
						if got[less] > got[more]+1e-12 {
							t.Fatalf("case %d: %s is %v and %s is %v", n, less, got[less], more, got[more])
						}
					}
				}
			}
		}
		// What stands after the last right hit changes nothing but the budget.
		again := measure(t, q, append(hits[:len(hits):len(hits)], hitsOf("unjudged")...), names[:3]...)
		for name, v := range again {
			if v != got[name] {
				t.Fatalf("case %d: an unjudged hit at the end changes %s from %v to %v", n, name, got[name], v)
			}
		}
	}
}

// TestOrderOfUnjudgedHits: wrong documents may change places without effect,
// and so may judgements.
func TestOrderOfUnjudgedHits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{"recall@3", "ndcg@10", "map", "mrr", "precision@5"}
	for range 50 {
		list := []string{"a", "b", "u", "v", "w", "x", "y"}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		q := Question{Sources: []Source{{Document: "a", Grade: 2}, {Document: "b", Grade: 1}}}
		want := measure(t, q, hitsOf(list...), names...)
		wrong := strings.Fields("w v y u x")
		for i, d := range list {
			if d != "a" && d != "b" {
				list[i], wrong = wrong[0], wrong[1:]
			}
		}
		q.Sources[0], q.Sources[1] = q.Sources[1], q.Sources[0]
		for name, v := range measure(t, q, hitsOf(list...), names...) {
			if math.Abs(v-want[name]) > 1e-15 {
				t.Fatalf("%s is %v, was %v", name, v, want[name])
			}
		}
	}
}
