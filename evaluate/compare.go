package evaluate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Comparison of a report with a baseline over the questions that both measured.
// The p values are not corrected for the number of metrics.
type Comparison struct {
	Baseline string                `json:"baseline"` // what it is called, or the name of its set
	Metrics  map[string]Difference `json:"metrics"`
	// Better and Worse are the questions that gained or lost something that was found or
	// answered, most first; one that did both is in Worse.
	Better []Change `json:"better"`
	Worse  []Change `json:"worse"`
	// Settings are what was set otherwise in the two runs, as "key: before -> after".
	Settings []string `json:"settings,omitempty"`
	// Fixed and Broken are questions that failed only in the baseline, and only now.
	Fixed  []string `json:"fixed"`
	Broken []string `json:"broken"`
	// Unpaired counts questions that only one of the two reports has.
	Unpaired int `json:"unpaired"`
}

// Difference is report minus baseline in one metric, over the N questions that
// have a value in both.
type Difference struct {
	Baseline   float64 `json:"baseline"`
	Value      float64 `json:"value"`
	Difference float64 `json:"difference"`
	// Low and High bound the difference with 95 % confidence (bootstrap over questions).
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// P is the chance of a difference at least as large, either way, if the
	// two did not differ (paired randomisation test).
	P float64 `json:"p"`
	N int     `json:"n"`
}

// permutations of the randomisation test: p is then known to about 0.002 at 0.05.
const permutations = 10000

// Compare tests a report against a baseline, question by question, by their
// ids. Both must still have their ByQuestion. Equal seeds give equal results.
func Compare(baseline, report Report, seed uint64) Comparison {
	c := Comparison{Baseline: baseline.Set, Metrics: map[string]Difference{}, Better: []Change{}, Worse: []Change{}, Fixed: []string{}, Broken: []string{}}
	oneJudge := report.Judge.comparable(baseline.Judge)
	before := map[string]Result{}
	for _, r := range baseline.ByQuestion {
		before[r.ID] = r
	}
	type pair struct{ old, new []float64 }
	pairs := map[string]*pair{}
	both := map[string]bool{}
	for _, r := range report.ByQuestion {
		b, ok := before[r.ID]
		if !ok {
			c.Unpaired++
			continue
		}
		both[r.ID] = true
		c.add(changeOf(b, r))
		for name, v := range r.Metrics {
			old, ok := b.Metrics[name]
			if !ok || isJudged(name) && !oneJudge {
				continue
			}
			if pairs[name] == nil {
				pairs[name] = &pair{}
			}
			pairs[name].old = append(pairs[name].old, old)
			pairs[name].new = append(pairs[name].new, v)
		}
	}
	c.Unpaired += len(before) - len(both)
	c.sort()
	for name, p := range pairs {
		c.Metrics[name] = difference(p.old, p.new, source(seed))
	}
	c.Fixed = append(c.Fixed, onlyIn(baseline.Failures, report.Failures, both)...)
	c.Broken = append(c.Broken, onlyIn(report.Failures, baseline.Failures, both)...)
	return c
}

// onlyIn gives the ids, among those of both reports, that failed in a and not in b.
func onlyIn(a, b []Failure, both map[string]bool) []string {
	in := map[string]bool{}
	for _, f := range b {
		in[f.ID] = true
	}
	var ids []string
	for _, f := range a {
		if both[f.ID] && !in[f.ID] {
			ids = append(ids, f.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func difference(old, new []float64, r *rand.Rand) Difference {
	d := make([]float64, len(old))
	for i := range d {
		d[i] = new[i] - old[i]
	}
	low, high := interval(d, defaultResamples, r)
	return Difference{
		Baseline: mean(old), Value: mean(new), Difference: mean(d),
		Low: low, High: high, P: randomisation(d, r), N: len(d),
	}
}

// randomisation is the two-sided p value of the paired randomisation test:
// under the null hypothesis the sign of each difference is a coin's. The
// observed assignment counts as one (Phipson, Smyth 2010), so p is never 0.
func randomisation(d []float64, r *rand.Rand) float64 {
	d = slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 }) // no sign matters
	sum := func(sign func() bool) float64 {
		s := 0.0
		for _, v := range d {
			if sign() {
				v = -v
			}
			s += v
		}
		return math.Abs(s)
	}
	const rounding = 1e-12
	observed := sum(func() bool { return false }) - rounding*float64(len(d))
	extreme := 1
	for range permutations {
		var bits uint64
		left := 0
		coin := func() bool {
			if left == 0 {
				bits, left = r.Uint64(), 64
			}
			b := bits&1 == 1
			bits, left = bits>>1, left-1
			return b
		}
		if sum(coin) >= observed {
			extreme++
		}
	}
	return float64(extreme) / float64(permutations+1)
}

// Holm adjusts the p values of several comparisons made at once, so that the chance of
// any false alarm among them stays what one alone would have (Holm, Scandinavian
// Journal of Statistics 6, 1979). They stay in their order.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
