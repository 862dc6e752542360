package encoder

// Sequence is the tokens of one text, or of a pair of texts: from Second on they
// are of type 1, where Second is above 0.
type Sequence struct {
	IDs    []int32
	Second int
}

// Arena is the memory of one computation. It grows to what the largest batch
// needs and is used again, so that in the steady state nothing is allocated. It
// serves one call at a time.
type Arena struct {
	starts []int // where the sequences begin, and the end
	// Row by row, a row per token: token vectors, queries with keys and
	// values, what the heads give, the feed-forward layer of some rows.
	x, projected, attended, inner []float32
	parts                         []scratch
	work                          work
	team                          team
}

// scratch is what attention needs for one sequence and head.
type scratch struct {
	keys   []float32 // transposed, in panels of 16 keys
	values []float32 // in panels of 16 columns
	scores []float32 // rowsAtOnce rows, a column per key
}

// grow gives s with n values, which need not be zero.
func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
