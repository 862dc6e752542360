package evaluate

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

func TestFactsOf(t *testing.T) {
	for in, want := range map[string]string{
		"EUR 1,496.50 and 1 000 and 1,000,000": "1496.5 1000 1000000",
		"5 % of 2.50; 007":                     "5 2.5 7",
		"on 5 March 2024, March 5th, 2024":     "2024-03-05",
		"2024-03-05 or 5. Mar 2024":            "2024-03-05",
		"12,5 percent":                         "12.5",
		"three days":                           "",
		"0.0 and 0":                            "0",
		"from 1 May 2026 for 14 days":          "2026-05-01 14",
		"version 2.3.1":                        "2.3.1",
	} {
		if got := strings.Join(factsOf(in), " "); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestCorrectness(t *testing.T) {
	const yes, no = 1, 0
	for _, c := range []struct {
		about, answer                 string
		references                    []string
		exact, f1, numbers, isCorrect float64 // -1: absent
	}{
		{"the same, but for case, articles and signs", "The fee: is EUR 40. [1]", []string{"fee is EUR 40"}, yes, 1, yes, yes},
		{"the number in another form", "It costs 1,000 euros.", []string{"1000"}, no, 0.4, yes, yes},
		{"another number", "It costs 1,100 euros.", []string{"costs 1000 euros"}, no, 2 * (2.0 / 4 * 2 / 3) / (2.0/4 + 2.0/3), no, no},
		{"a citation is no number", "It costs much. [40]", []string{"40"}, no, 0, no, no},
		{"one of several references", "blue", []string{"red", "blue"}, yes, 1, -1, yes},
		{"not given", "", []string{"40 days"}, no, 0, no, no},
		{"a date in words", "It ends on 1 May 2026, at noon.", []string{"2026-05-01"}, no, 4.0 / 11, yes, yes},
		{"more than asked", "Staff may work from abroad for twenty days a year if the manager agrees in writing.", []string{"twenty days a year"}, no, 2 * (3.0 / 14) / (3.0/14 + 1), -1, yes},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := correctness(c.references, c.answer)
			for name, want := range map[string]float64{"answer_exact": c.exact, "answer_f1": c.f1, "answer_numbers": c.numbers, "answer_correct": c.isCorrect} {
				v, ok := got[name]
				if ok != (want >= 0) || ok && math.Abs(v-want) > 1e-9 {
					t.Errorf("%s is %v, want %v (%v)", name, v, want, got)
				}
			}
		})
	}
}

func TestClaims(t *testing.T) {
	got := claims("A fee is due. It is EUR 40. [1]\n- an item [2], [3]\nNobody said this.")
	want := []claim{{"A fee is due.", []int{1}}, {"It is EUR 40.", []int{1}}, {"- an item", []int{2, 3}}, {"Nobody said this.", nil}}
	if !slices.EqualFunc(got, want, func(a, b claim) bool { return a.text == b.text && slices.Equal(a.cites, b.cites) }) {
		t.Errorf("%+v", got)
	}
}

// shelf is a Library of texts by path.
type shelf map[string]string

func (s shelf) Content(_ context.Context, _ Query, path string) (Content, error) {
	text, ok := s[path]
	if !ok {
		return Content{}, document.ErrNotFound
	}
	c := Content{Text: text}
	for line := range strings.SplitSeq(text, "\n") {
		if h, ok := strings.CutPrefix(line, "# "); ok {
			c.Headings = append(c.Headings, h)
		}
	}
	return c, nil
}

func (s shelf) Has(_ context.Context, _ Query, path string) (bool, error) {
	_, ok := s[path]
	return ok, nil
}

func TestGroundedness(t *testing.T) {
	docs := shelf{"a.md": "# Fees\n\nThe fee is **forty** euros. It is due in May.\n\n| Part | Torque |\n| --- | --- |\n| HS-1 | 20 Nm |\n"}
	cite := func(n int, doc, quote string) Citation { return Citation{N: n, Document: doc, Quote: quote} }
	for _, c := range []struct {
		about string
		a     Answer
		want  float64 // -1: absent
	}{
		{"quoted", Answer{Text: "The fee is forty euros. It is due in May. [1]", Citations: []Citation{cite(1, "a.md", "The fee is **forty** euros. It is due in May.")}}, 1},
		{"the quote is not in the document", Answer{Text: "The fee is fifty euros. [1]", Citations: []Citation{cite(1, "a.md", "The fee is fifty euros.")}}, 0},
		{"the sentence is not in the quote", Answer{Text: "The fee is forty euros. It is due in June. [1]", Citations: []Citation{cite(1, "a.md", "The fee is **forty** euros.")}}, 0.5},
		{"no citation behind it", Answer{Text: "The fee is forty euros. [1] It is due in May.", Citations: []Citation{cite(1, "a.md", "The fee is forty euros. It is due in May.")}}, 0.5},
		{"a citation that is not there", Answer{Text: "The fee is forty euros. [2]", Citations: []Citation{cite(1, "a.md", "The fee is forty euros.")}}, 0},
		{"the document is gone", Answer{Text: "The fee is forty euros. [1]", Citations: []Citation{cite(1, "b.md", "The fee is forty euros.")}}, 0},
		{"a row with its names", Answer{Text: "Part: HS-1; Torque: 20 Nm [1]", Citations: []Citation{cite(1, "a.md", "| HS-1 | 20 Nm |")}}, 1},
		{"a row with a name of its own", Answer{Text: "Part: HS-1; Weight: 20 Nm [1]", Citations: []Citation{cite(1, "a.md", "| HS-1 | 20 Nm |")}}, 0},
		{"a row with another cell", Answer{Text: "Part: HS-1; Torque: 25 Nm [1]", Citations: []Citation{cite(1, "a.md", "| HS-1 | 20 Nm |")}}, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.a.Status = StatusAnswered
			r := runner{o: Options{Library: docs}, library: newLibrary(docs)}
			got, ok := r.groundedness(t.Context(), Query{}, c.a)
			if ok != (c.want >= 0) || got != c.want {
				t.Errorf("%v %v, want %v", got, ok, c.want)
			}
		})
	}
	none := runner{o: Options{Library: docs}, library: newLibrary(docs)}
	if _, ok := none.groundedness(t.Context(), Query{}, Answer{Status: StatusInsufficient, Text: "Nothing."}); ok {
		t.Error("an abstention is judged")
	}
	unread := runner{}
	if _, ok := unread.groundedness(t.Context(), Query{}, Answer{Status: StatusAnswered, Text: "x"}); ok {
		t.Error("judged without a library")
	}
}

// goldFunc is a GoldAsker.
type goldFunc func(Query, []Unit) (Answer, error)

func (f goldFunc) AskFrom(_ context.Context, q Query, units []Unit) (Answer, error) {
	return f(q, units)
}

// TestWhoseDoing: an answer is retrieval's fault where a judged unit was not in its
// evidence, and generation's where all were; with gold evidence the former go away.
func TestWhoseDoing(t *testing.T) {
	quote := "The fee is 40 euros a year."
	q := func(id string) Question {
		return Question{ID: id, Text: id, Type: "lookup", Answers: []string{"40 euros"}, Sources: sources("a"), Passages: []string{quote}}
	}
	set := Set{Questions: []Question{q("right"), q("not found"), q("not said"), q("said wrong"),
		{ID: "made up", Text: "made up", Unanswerable: true}, {ID: "asked back", Text: "asked back", Type: TypeNeedsInfo},
		{ID: "task", Text: "task", Type: TypeWholeDocument}}}
	held, other := hitsOf("a="+quote), hitsOf("a=Something else.")
	cited := []Citation{{N: 1, Document: "a", Quote: quote}}
	answers := map[string]Answer{
		"right":      {Status: StatusAnswered, Text: "It is 40 euros. [1]", Citations: cited, Evidence: held, Tokens: 10},
		"not found":  {Status: StatusInsufficient, Evidence: other, Tokens: 30},
		"not said":   {Status: StatusInsufficient, Evidence: held},
		"said wrong": {Status: StatusAnswered, Text: "It is due in May. [1]", Citations: cited, Evidence: held},
		"made up":    {Status: StatusAnswered, Text: "Yes. [1]", Evidence: other},
		"asked back": {Status: StatusNeedsInformation},
		"task":       {Status: StatusNotForDocuments},
	}
	r, err := Run(t.Context(), set, searcherFunc(func(Query) ([]Hit, error) { return held, nil }), Options{
		Asker: askerFunc(func(q Query) (Answer, error) { return answers[q.Text], nil }),
		Gold: goldFunc(func(q Query, units []Unit) (Answer, error) {
			if len(units) != 1 || units[0].Quote != quote {
				t.Errorf("%s: gold units %v", q.Text, units)
			}
			if q.Text == "not said" {
				return Answer{}, ErrNoEvidence
			}
			return answers["right"], nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (AnswerCounts{Questions: 7, Right: 3, Retrieval: 1, Generation: 3}); r.Answers == nil || r.Answers.AnswerCounts != want {
		t.Errorf("%+v, want %+v", r.Answers, want)
	}
	if got, want := r.Answers.ByType["lookup"], (AnswerCounts{4, 1, 1, 2}); got != want {
		t.Errorf("lookup %+v, want %+v", got, want)
	}
	blames := map[string]string{}
	for _, f := range r.Failures {
		blames[f.ID] = f.Blame
	}
	for id, want := range map[string]string{"not found": BlameRetrieval, "not said": BlameGeneration, "said wrong": BlameGeneration, "made up": BlameGeneration} {
		if blames[id] != want {
			t.Errorf("%s is blamed on %q, want %q", id, blames[id], want)
		}
	}
	for name, want := range map[string]float64{"evidence_recall": 0.75, "answered": 0.5, "gold:answered": 1, "gold:answer_correct": 1, "gold:citation_recall": 1} {
		if got := r.Metrics[name].Value; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if n := r.Metrics["gold:answered"].N; n != 3 {
		t.Errorf("gold:answered over %d questions", n)
	}
	if r.Cost == nil || r.Cost.Tokens != 40.0/7 {
		t.Errorf("cost %+v", r.Cost)
	}
}
