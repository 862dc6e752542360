package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectors are the registers of an instruction set, and what is said in another way
// with each.
type vectors struct {
	name     string
	bytes    int
	register func() reg.VecVirtual
	// multiply adds the value at a times row to sum.
	multiply func(a Mem, row, sum []reg.VecVirtual)
	// round rounds to the nearest whole number.
	round func(x reg.VecVirtual)
}

var avx2 = vectors{"AVX2x", 32, YMM,
	func(a Mem, row, sum []reg.VecVirtual) {
		x := YMM()
		VBROADCASTSS(a, x)
		for p := range row {
			VFMADD231PS(x, row[p], sum[p])
		}
	},
	func(x reg.VecVirtual) { VROUNDPS(Imm(8), x, x) },
}

// avx512 needs the foundation and DQ (bitwise operations on floats), which every
// CPU for servers with AVX-512 has.
var avx512 = vectors{"AVX512x", 64, ZMM,
	func(a Mem, row, sum []reg.VecVirtual) { VFMADD231PS_BCST(a, row[0], sum[0]) },
	func(x reg.VecVirtual) { VRNDSCALEPS(Imm(8), x, x) },
}
