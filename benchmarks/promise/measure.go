package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// scored is an example with what a classifier gives it.
type scored struct {
	score      float64
	answerable bool
}

// auroc is the share of pairs of a question with an answer and one without that are in the right
// order, ties counting half (Hanley and McNeil, Radiology 1982).
func auroc(list []scored) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	below, pairs, with := 0.0, 0.0, 0.0
	for i := 0; i < len(list); {
		end, yes, no := i, 0.0, 0.0
		for ; end < len(list) && list[end].score == list[i].score; end++ {
			if list[end].answerable {
				yes++
			} else {
				no++
			}
		}
		pairs += yes * (below + no/2)
		below += no
		with += yes
		i = end
	}
	return pairs / (with * below)
}

// balanced is the mean of the shares of both kinds that a threshold puts where they belong.
func balanced(list []scored, threshold float64) float64 {
	var right, all [2]float64
	for _, s := range list {
		kind := 0
		if s.answerable {
			kind = 1
		}
		all[kind]++
		if (s.score >= threshold) == s.answerable {
			right[kind]++
		}
	}
	return (right[0]/all[0] + right[1]/all[1]) / 2
}

// best is a threshold of about the greatest balanced accuracy: the median of those that come
// within a hundredth of it, as the very greatest is that of a few questions.
func best(list []scored) float64 {
	top := 0.0
	for _, s := range list {
		top = max(top, balanced(list, s.score))
	}
	var near []float64
	for _, s := range list {
		if balanced(list, s.score) >= top-0.01 {
			near = append(near, s.score)
		}
	}
	slices.Sort(near)
	return near[len(near)/2]
}

// interval is the 95 % interval of a figure by the bootstrap over questions.
func interval(list []scored, figure func([]scored) float64) (low, high float64) {
	random := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range 1000 {
		drawn := make([]scored, len(list))
		for i := range drawn {
			drawn[i] = list[random.IntN(len(list))]
		}
		if v := figure(drawn); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(values)
	return values[len(values)*25/1000], values[len(values)*975/1000]
}

// report prints the table of a set.
func report(examples []example, vectors bool) {
	halves := [2]string{"set on this half", "the other half"}
	print := func(name string, score func(example) float64) {
		var lists [2][]scored
		for _, e := range examples {
			half := 1
			if e.tuning() {
				half = 0
			}
			lists[half] = append(lists[half], scored{score(e), e.answerable})
		}
		threshold := best(lists[0])
		for half, list := range lists {
			a, b := auroc(list), balanced(list, threshold)
			aLow, aHigh := interval(list, auroc)
			bLow, bHigh := interval(list, func(l []scored) float64 { return balanced(l, threshold) })
			fmt.Printf("| %s, %s | %d | %.3f [%.3f, %.3f] | %.3f [%.3f, %.3f] at %.3f |\n", name, halves[half], len(list), a, aLow, aHigh, b, bLow, bHigh, threshold)
		}
	}
	fmt.Print("| by | questions | AUROC | balanced accuracy at a threshold |\n| --- | --- | --- | --- |\n")
	if vectors {
		print("greatest cosine", func(e example) float64 { return e.cosine })
	}
	print("promise", func(e example) float64 { return e.signals.Promise() })
	fmt.Print("\n| threshold | with an answer: above it | and quoted | without: above it | and quoted | cited first is of a judged document, of the quoted with an answer |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, threshold := range []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6} {
		var above, quoted, all [2]float64
		right := 0.0
		for _, e := range examples {
			if e.tuning() {
				continue
			}
			kind := 0
			if e.answerable {
				kind = 1
			}
			all[kind]++
			if e.signals.Promise() < threshold {
				continue
			}
			above[kind]++
			if e.answered {
				quoted[kind]++
			}
			if kind == 1 && e.right {
				right++
			}
		}
		fmt.Printf("| %.2f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", threshold, above[1]/all[1], quoted[1]/all[1], above[0]/all[0], quoted[0]/all[0], right/quoted[1])
	}
}

// ridge was chosen of 0.3, 1, 3 and 10 by cross-validation on the tuning half of clapnq_dev.
const ridge = 3

// fit fits a logistic regression on the tuning half, by Newton's method with a ridge on the
// standardised signals (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
// section 4.4), and gives the weights for the signals as they are.
func fit(examples []example) []float64 {
	var rows [][]float64
	var y []float64
	for _, e := range examples {
		if e.tuning() {
			rows = append(rows, slices.Clone(e.signals.Values()))
			y = append(y, map[bool]float64{true: 1}[e.answerable])
		}
	}
	n := len(rows[0])
	mean, deviation := make([]float64, n), make([]float64, n)
	for j := range n - 1 { // the last is the constant
		for _, r := range rows {
			mean[j] += r[j] / float64(len(rows))
		}
		for _, r := range rows {
			deviation[j] += (r[j] - mean[j]) * (r[j] - mean[j]) / float64(len(rows))
		}
		deviation[j] = math.Sqrt(deviation[j]) + 1e-9
		for _, r := range rows {
			r[j] = (r[j] - mean[j]) / deviation[j]
		}
	}
	w := make([]float64, n)
	for range 12 {
		gradient, hessian := make([]float64, n), make([][]float64, n)
		for j := range hessian {
			hessian[j] = make([]float64, n)
			if j < n-1 {
				gradient[j], hessian[j][j] = ridge*w[j], ridge
			}
		}
		for i, r := range rows {
			sum := 0.0
			for j, x := range r {
				sum += w[j] * x
			}
			p := 1 / (1 + math.Exp(-sum))
			for j, x := range r {
				gradient[j] += (p - y[i]) * x
				for k := range r {
					hessian[j][k] += p * (1 - p) * x * r[k]
				}
			}
		}
		for j, d := range solve(hessian, gradient) {
			w[j] -= d
		}
	}
	for j := range n - 1 {
		w[j] /= deviation[j]
		w[n-1] -= w[j] * mean[j]
	}
	fmt.Printf("means: %.3g\n", mean[:n-1])
	return w
}

// solve solves a x = b by elimination with pivots.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		pivot := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[pivot][i]) {
				pivot = k
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		b[i], b[pivot] = b[pivot], b[i]
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < n; j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= a[i][j] * b[j]
		}
		b[i] /= a[i][i]
	}
	return b
}
