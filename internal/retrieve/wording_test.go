package retrieve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

func asked(question string, languages ...analyze.Language) *wording {
	return wordingOf(query.Plan{Question: question, Languages: languages})
}

func TestOrdered(t *testing.T) {
	for _, c := range []struct {
		name, question, text string
		languages            []analyze.Language
		pairs, found         int
	}{
		{"as asked", "when does the performance cycle begin", "The performance cycle begins on 1 October.", nil, 2, 2},
		{"turned round", "performance cycle", "The cycle of performance", nil, 1, 0},
		{"words between", "refund of the deposit", "A refund is made of any paid deposit.", nil, 1, 0},
		{"few words between", "refund deposit", "A refund of the whole deposit is due.", nil, 1, 1},
		{"as far apart as may be", "refund deposit", "refund a b c d deposit", nil, 1, 1},
		{"one word more", "refund deposit", "refund a b c d e deposit", nil, 1, 0},
		{"function words of the question are no words", "what is the notice period for interns", "Interns have a notice period of two weeks.", nil, 2, 1},
		{"a pair counts once", "notice period", "The notice period, each notice period, every notice period", nil, 1, 1},
		{"a word twice in the question", "pay for pay period", "a pay period", nil, 1, 1},
		{"a word asked once and said often", "notice period", "notice notice notice period", nil, 1, 1},
		{"another inflection", "cancelled orders", "An order that is cancelled; cancelling orders", nil, 1, 1},
		{"in the language of the passages", "Kündigungsfristen der Verträge", "Die Kündigungsfrist eines Vertrags", []analyze.Language{"de"}, 1, 1},
		{"a script without spaces", "退款期限", "退款的期限", nil, 2, 0},
		{"and as it stands", "退款期限", "关于退款期限的规定", nil, 2, 2},
		{"identifiers have a lane of their own", "what does clause 7.2 say about refund deposits", "Clause 7.2 says that refund deposits are paid.", nil, 2, 2},
		{"nothing", "refund deposit", "", nil, 1, 0},
	} {
		w := asked(c.question, c.languages...)
		if len(w.follows) != c.pairs {
			t.Errorf("%s: %d pairs, want %d", c.name, len(w.follows), c.pairs)
		}
		if got, want := w.ordered(c.text), float64(c.found)/float64(c.pairs); got != want {
			t.Errorf("%s: %g of the pairs, want %g", c.name, got, want)
		}
	}
	for _, question := range []string{"refund", "what is it", "refund refund", "?"} {
		if w := asked(question); len(w.follows) != 0 {
			t.Errorf("%q has pairs: %v", question, w.follows)
		}
	}
}

// The definition: every pair of places.
func orderedPlainly(question, text []string) float64 {
	pairs, found := map[string]bool{}, map[string]bool{}
	for i := range len(question) - 1 {
		if question[i] != question[i+1] {
			pairs[question[i]+" "+question[i+1]] = true
		}
	}
	for i := range text {
		for j := i + 1; j < len(text) && j-i <= window; j++ {
			if p := text[i] + " " + text[j]; pairs[p] {
				found[p] = true
			}
		}
	}
	return float64(len(found)) / float64(len(pairs))
}

func TestOrderedAgreesWithItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"tax", "rent", "loan", "fund", "bond", "duti", "cost"}
	draw := func(n int) []string {
		var out []string
		for range n {
			out = append(out, words[rng.IntN(len(words))])
		}
		return out
	}
	for range 2000 {
		question, text := draw(2+rng.IntN(6)), draw(rng.IntN(40))
		w := asked(strings.Join(question, " "))
		if len(w.follows) == 0 {
			continue
		}
		if got, want := w.ordered(strings.Join(text, " ")), orderedPlainly(question, text); got != want {
			t.Fatalf("%q in %q: %g, want %g", question, text, got, want)
		}
	}
}

func passages(texts ...string) []Candidate {
	var out []Candidate
	for i, text := range texts {
		var c Candidate
		c.ID, c.Text = document.PassageID(rune('a'+i)), text
		c.Score, c.Keyword.Score, c.Vector.Score = 1-float64(i)/10, float64(len(texts)-i), math.NaN()
		out = append(out, c)
	}
	return out
}

func TestOrderPrior(t *testing.T) {
	for _, c := range []struct {
		name       string
		weight     float64
		candidates []Candidate
		want       string
	}{
		{"goes ahead", 0.5, passages("the period and the notice", "a notice period"), "ba"},
		{"as far as its weight allows", 0.1, passages("the period and the notice", "a notice period"), "ab"},
		{"off", 0, passages("the period and the notice", "a notice period"), "ab"},
		{"nobody does", 0.5, passages("period", "notice", "nothing"), "abc"},
		{"none", 0.5, nil, ""},
	} {
		asked("notice period").orderPrior(c.candidates, c.weight)
		byScore(c.candidates)
		if got := order(c.candidates); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for _, x := range c.candidates {
			if x.Score < 0 || x.Score > 1 {
				t.Errorf("%s: score %g", c.name, x.Score)
			}
		}
	}
}

func TestCoverage(t *testing.T) {
	long := "cycle begins october performance management dates fiscal review"
	for _, c := range []struct {
		name, question string
		candidates     []Candidate
		held, of       float64
	}{
		{"all words of a long question", long, passages("nothing", long), 8, 9},
		{"all but one", long, passages(strings.TrimSuffix(long, " review")), 7, 9},
		{"of one passage, not of several", long, passages("cycle begins october performance", "management dates fiscal review"), 4, 9},
		{"a short question", "refund", passages("refund"), 1, 2},
		{"a word counts once", "refund deposit", passages("refund refund refund"), 1, 3},
		{"nothing", long, nil, 0, 9},
	} {
		w := asked(c.question)
		if got, want := w.coverage(c.candidates), math.Pow(c.held/c.of, steepness); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, want)
		}
	}
	with := passages("begins october")
	with[0].Title, with[0].Heading, with[0].Context = "Performance management", []string{"Fiscal review"}, "cycle dates"
	if got, want := asked(long).coverage(with), math.Pow(8.0/9, steepness); got != want {
		t.Errorf("words of title, headings and context: %g, want %g", got, want)
	}
	var many []Candidate
	for i := range covering + 1 {
		many = append(many, passages(fmt.Sprint("nothing ", i))[0])
		many[i].ID, many[i].Keyword.Score = document.PassageID(rune('a'+i)), float64(100-i)
	}
	many[covering].Text = long
	if got := asked(long).coverage(many); got != 0 {
		t.Errorf("what the keyword lane finds behind its first %d is read: %g", covering, got)
	}
	many[covering].Keyword.Score = 1000
	slices.Reverse(many)
	if got := asked(long).coverage(many); got == 0 {
		t.Error("what the keyword lane finds first is not read")
	}
}

// TestWeigh: words count more beside nearness, and not beside anything else.
func TestWeigh(t *testing.T) {
	question := "cycle begins october performance management dates fiscal review"
	candidates := passages(question)
	for _, c := range []struct {
		name   string
		weight float64
		lanes  []Lane
		want   float64
	}{
		{"both lanes", 2, []Lane{{Name: trace.Vector, Weight: 0.65}, {Name: trace.Keyword, Weight: 0.35}}, 0.35 * (1 + 2*math.Pow(8.0/9, steepness))},
		{"off", 0, []Lane{{Name: trace.Keyword, Weight: 0.35}, {Name: trace.Vector, Weight: 0.65}}, 0.35},
		{"words alone", 2, []Lane{{Name: trace.Keyword, Weight: 0.35}, {Name: trace.Identifier, Weight: 0.5}}, 0.35},
		{"words matched nothing", 2, []Lane{{Name: trace.Vector, Weight: 0.65}}, 0},
		{"no lane", 2, nil, 0},
	} {
		note := asked(question).weigh(candidates, c.lanes, c.weight)
		got := 0.0
		for _, l := range c.lanes {
			if l.Name == trace.Keyword {
				got = l.Weight
			} else if l.Weight != 0.65 && l.Weight != 0.5 {
				t.Errorf("%s: the %s lane weighs %g", c.name, l.Name, l.Weight)
			}
		}
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: words weigh %g, want %g", c.name, got, c.want)
		}
		if said := note != ""; said != (c.want > 0.36) {
			t.Errorf("%s: the trace says %q", c.name, note)
		}
	}
}
