package answer

import "slices"

// The weights of the signals, fitted by benchmarks/promise on one half of clapnq_dev; see
// benchmarks/quality.md for what they give on the other and elsewhere. The last is the constant.
var (
	withVectors = [...]float64{6.547, 4.094, 5.902, -2.142, -0.5068, -0.5209, 0.7672, 5.443, -7.602}
	byWords     = [...]float64{1.407, -0.2045, -0.5201, 0.8303, 4.124, -1.269}
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
