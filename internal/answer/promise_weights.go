package answer

import "slices"

// The weights of the signals, fitted by benchmarks/promise on one half of clapnq_dev; see
// benchmarks/quality.md for what they give on the other and elsewhere. The last is the constant.
var (
	withVectors = [...]float64{6.462, 3.919, 5.765, -2.033, -0.6381, -0.54, 0.8381, -0.5351, 5.832, -4.904}
	byWords     = [...]float64{1.611, -0.7847, -0.5588, 1.031, -0.819, 4.277, 2.93}
)

// Means there, which stand where the signal is not known: of the lead with too few candidates, of
// the share of function words for tables, code and other languages.
const (
	usualLead  = 0.458
	usualProse = 0.379
)

func sortDescending(x []float64) {
	slices.Sort(x)
	slices.Reverse(x)
}
