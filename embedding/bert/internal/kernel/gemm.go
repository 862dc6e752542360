package kernel

// Multiply computes panels [first, last) of C = A*B + bias, then mode, for m rows:
// row i of A is a[i*lda:][:B.K], row i of C is c[i*ldc:][:B.N]. bias has B.N values.
func (s *Set) Multiply(m int, a []float32, lda int, b *Matrix, first, last int, c []float32, ldc int, bias []float32, mode Mode) {
	// Blocks are as long as each other: a short one would read B for few rows.
	for blocks := (m + blockM - 1) / blockM; blocks > 0; blocks-- {
		rows := min(m, Tiled((m+blocks-1)/blocks))
		s.block(rows, a, lda, b, first, last, c, ldc, bias, mode)
		if m -= rows; m == 0 {
			return
		}
		a, c = a[rows*lda:], c[rows*ldc:]
	}
}

func (s *Set) block(m int, a []float32, lda int, b *Matrix, from, to int, c []float32, ldc int, bias []float32, mode Mode) {
	tiles := (m + s.rows - 1) / s.rows
	// Together the tiles prefetch the next panel: depth/2 times Width of its
	// values each.
	pace := (2*Width + tiles - 1) / tiles
	for block := 0; block < b.K; block += blockK {
		depth := min(blockK, b.K-block)
		now := mode &^ GELU
		if block+depth == b.K {
			now |= mode & GELU
		}
		start := bias
		if block > 0 {
			now |= Add
			start = nil
		}
		for p := from; p < to; p++ {
			panel, after := b.data[block*b.N+p*depth*Width:], b.data[block*b.N+(p+1)*depth*Width:]
			shift := zeros[:]
			if start != nil {
				shift = start[p*Width:]
			}
			// Rows are shared out evenly: a tile of few rows leaves the
			// multipliers waiting for each other's results.
			for t, row := 0, 0; t < tiles; t++ {
				rows := (m - row + tiles - t - 1) / (tiles - t)
				ahead := after[min(t*pace*depth/2, len(after)):]
				s.tile(rows, 1, depth, a[row*lda+block:], lda, panel, c[row*ldc+p*Width:], ldc, shift, now, ahead, pace)
				row += rows
			}
		}
	}
}

var zeros [Width]float32

// MultiplySmall is C = A*B + bias for a B that fits the first- or second-level
// cache, as those of attention do: n panels of k rows each, packed by the caller.
func (s *Set) MultiplySmall(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32) {
	tiles := (m + s.rows - 1) / s.rows
	for t, row := 0, 0; t < tiles; t++ {
		rows := (m - row + tiles - t - 1) / (tiles - t)
		s.tile(rows, n, k, a[row*lda:], lda, b, c[row*ldc:], ldc, bias, 0, nil, 0)
		row += rows
	}
}

// tileGo keeps 4 rows by 4 columns in registers: what a compiler that does not
// vectorise can do best.
func tileGo(m, n, k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode, _ []float32, _ int) {
	for p := range n {
		panel := b[p*k*Width:][:k*Width]
		reads(panel)
		reads(bias[p*Width:][:Width])
		for row := range m {
			reads(a[row*lda:][:k])
			writes(c[row*ldc+p*Width:][:Width])
		}
		for row := 0; row < m; row += 4 {
			rows := min(4, m-row)
			for q := 0; q < Width; q += 4 {
				out := c[row*ldc+p*Width+q:]
				if rows == 4 {
					tile4x4(k, a[row*lda:], lda, panel[q:], out, ldc, bias[p*Width+q:][:4], mode)
					continue
				}
				for i := range rows {
					tile1x4(k, a[(row+i)*lda:], panel[q:], out[i*ldc:], bias[p*Width+q:][:4], mode)
				}
			}
		}
	}
}

//go:norace
func tile4x4(k int, a []float32, lda int, b, c []float32, ldc int, bias []float32, mode Mode) {
	a0, a1, a2, a3 := a[:k], a[lda:][:k], a[2*lda:][:k], a[3*lda:][:k]
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	var s20, s21, s22, s23, s30, s31, s32, s33 float32
	for i, x0 := range a0 {
		x1, x2, x3 := a1[i], a2[i], a3[i]
		r := b[i*Width : i*Width+4 : i*Width+4]
		b0, b1, b2, b3 := r[0], r[1], r[2], r[3]
		s00, s01, s02, s03 = s00+x0*b0, s01+x0*b1, s02+x0*b2, s03+x0*b3
		s10, s11, s12, s13 = s10+x1*b0, s11+x1*b1, s12+x1*b2, s13+x1*b3
		s20, s21, s22, s23 = s20+x2*b0, s21+x2*b1, s22+x2*b2, s23+x2*b3
		s30, s31, s32, s33 = s30+x3*b0, s31+x3*b1, s32+x3*b2, s33+x3*b3
	}
	finish(c, bias, mode, s00, s01, s02, s03)
	finish(c[ldc:], bias, mode, s10, s11, s12, s13)
	finish(c[2*ldc:], bias, mode, s20, s21, s22, s23)
	finish(c[3*ldc:], bias, mode, s30, s31, s32, s33)
}

//go:norace
func tile1x4(k int, a, b, c []float32, bias []float32, mode Mode) {
	var s0, s1, s2, s3 float32
	for i, x := range a[:k] {
		r := b[i*Width : i*Width+4 : i*Width+4]
		s0, s1, s2, s3 = s0+x*r[0], s1+x*r[1], s2+x*r[2], s3+x*r[3]
	}
	finish(c, bias, mode, s0, s1, s2, s3)
}

//go:norace
func finish(c, bias []float32, mode Mode, s0, s1, s2, s3 float32) {
	c, bias = c[:4], bias[:4]
	s := [4]float32{s0 + bias[0], s1 + bias[1], s2 + bias[2], s3 + bias[3]}
	if mode&Add != 0 {
		for i := range s {
			s[i] += c[i]
		}
	}
	if mode&GELU != 0 {
		for i := range s {
			s[i] = geluGo(s[i])
		}
	}
	copy(c, s[:])
}
