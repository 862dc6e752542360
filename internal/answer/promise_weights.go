package answer

import "slices"

// The weights of the signals, fitted by benchmarks/promise on one half of clapnq_dev; see
// benchmarks/quality.md for what they give on the other and elsewhere. The last is the constant.
var (
	withVectors = [...]float64{5.476, 4.042, 6.821, -2.133, -0.5601, -0.5403, 0.873, 5.339, -7.277}
	byWords     = [...]float64{1.308, -0.1128, -0.5076, 0.8913, 4.162, -1.334}
)

// Means there, which stand where the signal is not known: of the lead with too few candidates, of
// the share of function words for tables, code and other languages.
const (
	usualLead  = 0.455
	usualProse = 0.379
)

func sortDescending(x []float64) {
	slices.Sort(x)
	slices.Reverse(x)
}
