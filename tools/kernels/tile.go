package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Bits of mode, as in the kernel package.
const (
	modeAdd  = 1
	modeGELU = 2
)

// unroll is how many steps over k are written out; every second one prefetches.
const unroll = 4

// tile writes the product of m rows and n panels of 16 columns. The two vectors
// of a row's result stay in registers over all k: of 16 registers 12 for six
// rows, two for a row of the panel, two for the broadcast values of A. Meanwhile it
// prefetches k/2 lines, pace bytes apart, from ahead on.
func tile(m int) {
	TEXT(fmt.Sprintf("tile%d", m), NOSPLIT, "func(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)")
	Doc(fmt.Sprintf("tile%d is Set.tile for %d rows; lda, ldc and pace are in bytes, n and k at least 1.", m, m))
	Pragma("noescape")
	n := Load(Param("n"), GP64())
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	bias := Load(Param("bias"), GP64())

	name := func(s string) string { return fmt.Sprintf("t%d_%s", m, s) }
	acc := make([][2]reg.VecVirtual, m)
	b0, b1 := YMM(), YMM()
	for i := range acc {
		acc[i] = [2]reg.VecVirtual{YMM(), YMM()}
	}
	// Rows 0 to 2 are addressed from a, 3 to 5 from high.
	high := GP64()
	if m > 3 {
		LEAQ(Mem{Base: a, Index: lda, Scale: 2}, high)
		ADDQ(lda, high)
	}
	back := GP64() // bytes that the loop over k moves along A
	MOVQ(k, back)
	SHLQ(Imm(2), back)

	Label(name("panel"))
	VMOVUPS(Mem{Base: bias}, acc[0][0])
	VMOVUPS(Mem{Base: bias, Disp: 32}, acc[0][1])
	for i := 1; i < m; i++ {
		VMOVAPS(acc[0][0], acc[i][0])
		VMOVAPS(acc[0][1], acc[i][1])
	}
	count, ahead, pace := GP64(), GP64(), GP64()
	Load(Param("ahead"), ahead)
	Load(Param("pace"), pace)
	step := func(j int) {
		VMOVUPS(Mem{Base: b, Disp: 64 * j}, b0)
		VMOVUPS(Mem{Base: b, Disp: 64*j + 32}, b1)
		for i := range m {
			base := a
			if i >= 3 {
				base = high
			}
			at := Mem{Base: base, Disp: 4 * j}
			if i%3 > 0 {
				at.Index, at.Scale = lda, uint8(i%3)
			}
			x := YMM()
			VBROADCASTSS(at, x)
			VFMADD231PS(x, b0, acc[i][0])
			VFMADD231PS(x, b1, acc[i][1])
		}
	}
	move := func(steps int) {
		ADDQ(Imm(uint64(4*steps)), a)
		if m > 3 {
			ADDQ(Imm(uint64(4*steps)), high)
		}
		ADDQ(U32(64*steps), b)
	}
	MOVQ(k, count)
	SUBQ(Imm(unroll), count)
	JL(LabelRef(name("rest")))
	Label(name("k"))
	for j := range unroll {
		if j%2 == 0 {
			PREFETCHT1(Mem{Base: ahead})
			ADDQ(pace, ahead)
		}
		step(j)
	}
	move(unroll)
	SUBQ(Imm(unroll), count)
	JGE(LabelRef(name("k")))
	Label(name("rest"))
	ADDQ(Imm(unroll), count)
	JZ(LabelRef(name("done")))
	Label(name("one"))
	step(0)
	move(1)
	DECQ(count)
	JNZ(LabelRef(name("one")))
	Label(name("done"))

	mode := Load(Param("mode"), GP64())
	TESTQ(U32(modeAdd), mode)
	JZ(LabelRef(name("store")))
	rows(m, c, ldc, func(i int, at Mem) {
		VADDPS(at, acc[i][0], acc[i][0])
		VADDPS(at.Offset(32), acc[i][1], acc[i][1])
	})
	Label(name("store"))
	rows(m, c, ldc, func(i int, at Mem) {
		VMOVUPS(acc[i][0], at)
		VMOVUPS(acc[i][1], at.Offset(32))
	})
	TESTQ(U32(modeGELU), mode)
	JZ(LabelRef(name("next")))
	row := GP64()
	MOVQ(c, row)
	MOVQ(U32(m), count)
	Label(name("gelu"))
	for _, disp := range []int{0, 32} {
		x := YMM()
		VMOVUPS(Mem{Base: row, Disp: disp}, x)
		gelu(x)
		VMOVUPS(x, Mem{Base: row, Disp: disp})
	}
	ADDQ(ldc, row)
	DECQ(count)
	JNZ(LabelRef(name("gelu")))

	Label(name("next"))
	SUBQ(back, a)
	if m > 3 {
		SUBQ(back, high)
	}
	ADDQ(Imm(64), c)
	ADDQ(Imm(64), bias)
	DECQ(n)
	JNZ(LabelRef(name("panel")))
	VZEROUPPER()
	RET()
}

// rows calls f with the address of each row's 16 values of C.
func rows(m int, c, ldc reg.Register, f func(i int, at Mem)) {
	at := GP64()
	MOVQ(c.(reg.GPVirtual), at)
	for i := range m {
		f(i, Mem{Base: at})
		if i < m-1 {
			ADDQ(ldc.(reg.GPVirtual), at)
		}
	}
}
