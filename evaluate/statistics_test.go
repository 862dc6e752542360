package evaluate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIntervalCovers: of intervals over samples from a known distribution about 95 %
// hold its mean (a little fewer with few questions, as is known of the method).
func TestIntervalCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const trials, n, p = 400, 100, 0.7
	covered := 0
	for range trials {
		values := make([]float64, n)
		for i := range values {
			values[i] = truth(rng.Float64() < p)
		}
		v := summarise(values, 1000, rng)
		if v.N != n || v.Low > v.Value || v.High < v.Value {
			t.Fatalf("%+v", v)
		}
		if v.Low <= p && p <= v.High {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.91 || share > 0.98 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
}

func TestIntervalOfEqualValues(t *testing.T) {
	if v := summarise([]float64{0.25, 0.25}, 100, source(0)); v != (Value{0.25, 0.25, 0.25, 2}) {
		t.Errorf("%+v", v)
	}
}

// TestRandomisationIsTheExactTest compares with all sign assignments of small samples.
func TestRandomisationIsTheExactTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		d := make([]float64, 3+rng.IntN(8))
		sum := 0.0
		for i := range d {
			d[i] = float64(rng.IntN(9)-3) / 8
			sum += d[i]
		}
		extreme := 0
		for signs := range 1 << len(d) {
			s := 0.0
			for i, v := range d {
				if signs>>i&1 == 1 {
					v = -v
				}
				s += v
			}
			if math.Abs(s) >= math.Abs(sum)-1e-12 {
				extreme++
			}
		}
		want := float64(extreme) / float64(int(1)<<len(d))
		if got := randomisation(d, rng); math.Abs(got-want) > 0.02 {
			t.Errorf("p of %v is %.4f, exactly %.4f", d, got, want)
		}
	}
}

func TestNoDifferenceHasPOfOne(t *testing.T) {
	r := Report{ByQuestion: []Result{{ID: "a", Metrics: map[string]float64{"mrr": 0.5}}, {ID: "b", Metrics: map[string]float64{"mrr": 1}}}}
	d := Compare(r, r, 1).Metrics["mrr"]
	if d != (Difference{Baseline: 0.75, Value: 0.75, P: 1, N: 2}) {
		t.Errorf("%+v", d)
	}
}

func TestCompareQuestionsOfBothReports(t *testing.T) {
	with := func(v map[string]float64, failed ...string) Report {
		r := Report{Set: "s"}
		for id, x := range v {
			r.ByQuestion = append(r.ByQuestion, Result{ID: id, Metrics: map[string]float64{"mrr": x}})
		}
		for _, id := range failed {
			r.Failures = append(r.Failures, Failure{ID: id})
		}
		return r
	}
	c := Compare(with(map[string]float64{"a": 0, "b": 1, "old": 1}, "a", "old"), with(map[string]float64{"a": 1, "b": 0.5, "new": 0}, "b", "new"), 0)
	d := c.Metrics["mrr"]
	if c.Unpaired != 2 || d.N != 2 || d.Baseline != 0.5 || d.Value != 0.75 || d.Difference != 0.25 {
		t.Errorf("%+v", c)
	}
	if len(c.Fixed) != 1 || c.Fixed[0] != "a" || len(c.Broken) != 1 || c.Broken[0] != "b" {
		t.Errorf("fixed %v, broken %v", c.Fixed, c.Broken)
	}
}

// TestDifferenceCovers: the intervals of a known difference between two systems
// that are measured on the same questions hold it about 95 times in 100.
func TestDifferenceCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const trials, n, gain = 300, 80, 0.1
	covered := 0
	for range trials {
		d := make([]float64, n)
		for i := range d {
			d[i] = gain + 0.3*rng.NormFloat64()
		}
		if low, high := interval(d, 1000, rng); low <= gain && gain <= high {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.91 || share > 0.985 {
		t.Errorf("%.3f of the intervals hold the difference", share)
	}
}

// TestPIsUniformWithoutDifference: where the signs are a coin's, p is below x in x of
// the trials (Kolmogorov-Smirnov, 1 %), and so rejects 5 % of true hypotheses at
// 0.05; where there is a difference, it is nearly always found.
func TestPIsUniformWithoutDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	const trials, n = 300, 60
	p := make([]float64, trials)
	found := 0
	for i := range p {
		same, better := make([]float64, n), make([]float64, n)
		for j := range same {
			same[j] = 0.3 * rng.NormFloat64()
			better[j] = 0.2 + 0.3*rng.NormFloat64()
		}
		p[i] = randomisation(same, rng)
		if i%10 == 0 && randomisation(better, rng) < 0.05 {
			found++
		}
	}
	slices.Sort(p)
	worst := 0.0
	for i, v := range p {
		worst = max(worst, math.Abs(v-float64(i)/trials), math.Abs(v-float64(i+1)/trials))
	}
	if limit := 1.63 / math.Sqrt(trials); worst > limit {
		t.Errorf("p is off a uniform distribution by %.3f, more than %.3f", worst, limit)
	}
	if found < trials/10-1 {
		t.Errorf("a clear difference was found in %d of %d trials", found, trials/10)
	}
}

func TestHolm(t *testing.T) {
	// The example of R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("%v", got)
			break
		}
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v", got)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
