package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/answer"
)

// auroc is what its definition gives, pair by pair.
func TestAUROC(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var list []scored
		for range 40 {
			list = append(list, scored{float64(random.IntN(8)), random.IntN(2) == 0})
		}
		pairs, right := 0.0, 0.0
		for _, a := range list {
			for _, b := range list {
				if a.answerable && !b.answerable {
					pairs++
					switch {
					case a.score > b.score:
						right++
					case a.score == b.score:
						right += 0.5
					}
				}
			}
		}
		if got := auroc(list); math.Abs(got-right/pairs) > 1e-12 {
			t.Errorf("%g, by its definition %g", got, right/pairs)
		}
	}
}

func TestThreshold(t *testing.T) {
	list := []scored{{0.1, false}, {0.2, false}, {0.4, true}, {0.3, false}, {0.9, true}, {0.35, true}}
	if at := best(list); at != 0.35 || balanced(list, at) != 1 || balanced(list, 0.95) != 0.5 {
		t.Errorf("the best threshold is %g", at)
	}
}

// A regression over examples that one signal decides finds that signal.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var examples []example
	for i := range 400 {
		s := answer.Signals{Vectors: true, Near: random.Float64(), Gap: random.Float64(), Lacking: float64(random.IntN(5))}
		examples = append(examples, example{id: string(rune('a' + i)), answerable: s.Near+0.2*random.Float64() > 0.6, signals: s})
	}
	w := fit(examples)
	if w[0] < 5 || math.Abs(w[1]) > 0.3*w[0] || math.Abs(w[5]) > 0.1*w[0] {
		t.Errorf("the weights are %.3g", w)
	}
}
