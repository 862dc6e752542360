package kernel

// Matrix is a matrix of K rows and N columns, packed for multiplication from the
// right: its columns padded with zeros to whole panels, its rows cut into blocks
// of at most blockK, and per block panel after panel, each a row of Width values
// after the other.
type Matrix struct {
	K, N int // N counts the padding
	data []float32
}

const (
	// blockK rows of a panel are 24 KB of float32: they stay in the first-level
	// cache while the rows of A go by.
	blockK = 384
	// blockM rows of A by blockK are 180 KB: they stay in the second-level
	// cache while the panels of B go by.
	blockM = 120
)

// NewMatrix is a packed matrix of zeros. What Place does not fill stays zero.
func NewMatrix(rows, columns int) *Matrix {
	n := Round(columns)
	return &Matrix{K: rows, N: n, data: make([]float32, rows*n)}
}

// Place puts the transpose of w into m, as a linear layer keeps its weights: n
// rows (outputs), given by row, of k values (inputs). column says which column of
// m an output becomes, input which row of m an input becomes; nil means the
// same. All is multiplied by scale. row may give the same slice each time.
func (m *Matrix) Place(n, k int, row func(int) []float32, column, input func(int) int, scale float32) {
	// Input i of panel p stands from base[i] + p*step[i] on.
	base, step := make([]int, k), make([]int, k)
	for i := range k {
		at := i
		if input != nil {
			at = input(i)
		}
		block := at / blockK * blockK
		base[i] = block*m.N + (at-block)*Width
		step[i] = min(blockK, m.K-block) * Width
	}
	for j := range n {
		to := j
		if column != nil {
			to = column(j)
		}
		panel, lane := to/Width, to%Width
		for i, v := range row(j)[:k] {
			m.data[base[i]+panel*step[i]+lane] = v * scale
		}
	}
}
