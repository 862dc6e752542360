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

// tile writes the product of m rows and n panels of 16 columns. The result of a row
// stays in registers over all k: two of AVX2, where six rows take 12 of 16 registers
// and a row of the panel two, or one of AVX-512, where A is broadcast by the
// multiplication itself. Meanwhile it prefetches k/2 lines, pace bytes apart, from
// ahead on.
func tile(v vectors, m int) {
	name := fmt.Sprintf("tile%s%d", v.name, m)
	TEXT(name, NOSPLIT, "func(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)")
	Doc(fmt.Sprintf("%s is Set.tile for %d rows; lda, ldc and pace are in bytes, n and k at least 1.", name, m))
	Pragma("noescape")
	n := Load(Param("n"), GP64())
	a := make([]reg.Register, (m+2)/3) // the rows 3i to 3i+2 are addressed from a[i]
	a[0] = Load(Param("a"), GP64())
	lda := Load(Param("lda"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	bias := Load(Param("bias"), GP64())

	label := func(s string) string { return name + "_" + s }
	parts := 64 / v.bytes
	row, acc := make([]reg.VecVirtual, parts), make([][]reg.VecVirtual, m)
	for p := range row {
		row[p] = v.register()
	}
	for i := range acc {
		acc[i] = make([]reg.VecVirtual, parts)
		for p := range acc[i] {
			acc[i][p] = v.register()
		}
	}
	for i := 1; i < len(a); i++ {
		a[i] = GP64()
		LEAQ(Mem{Base: a[i-1], Index: lda, Scale: 2}, a[i])
		ADDQ(lda, a[i])
	}
	back := Load(Param("k"), GP64()) // bytes that the loop over k moves along A
	SHLQ(Imm(2), back)

	Label(label("panel"))
	for p := range parts {
		VMOVUPS(Mem{Base: bias, Disp: p * v.bytes}, acc[0][p])
		for i := 1; i < m; i++ {
			VMOVAPS(acc[0][p], acc[i][p])
		}
	}
	count, ahead, pace := GP64(), GP64(), GP64()
	Load(Param("ahead"), ahead)
	Load(Param("pace"), pace)
	step := func(j int) {
		for p := range parts {
			VMOVUPS(Mem{Base: b, Disp: 64*j + p*v.bytes}, row[p])
		}
		for i := range m {
			at := Mem{Base: a[i/3], Disp: 4 * j}
			if i%3 > 0 {
				at.Index, at.Scale = lda, uint8(i%3)
			}
			v.multiply(at, row, acc[i])
		}
	}
	move := func(steps int) {
		for i := range a {
			ADDQ(Imm(uint64(4*steps)), a[i])
		}
		ADDQ(U32(64*steps), b)
	}
	Load(Param("k"), count)
	SUBQ(Imm(unroll), count)
	JL(LabelRef(label("rest")))
	Label(label("k"))
	for j := range unroll {
		if j%2 == 0 {
			PREFETCHT1(Mem{Base: ahead})
			ADDQ(pace, ahead)
		}
		step(j)
	}
	move(unroll)
	SUBQ(Imm(unroll), count)
	JGE(LabelRef(label("k")))
	Label(label("rest"))
	ADDQ(Imm(unroll), count)
	JZ(LabelRef(label("done")))
	Label(label("one"))
	step(0)
	move(1)
	DECQ(count)
	JNZ(LabelRef(label("one")))
	Label(label("done"))

	mode, ldc := Load(Param("mode"), GP64()), Load(Param("ldc"), GP64())
	TESTQ(U32(modeAdd), mode)
	JZ(LabelRef(label("store")))
	rows(m, c, ldc, func(i int, at Mem) {
		for p := range parts {
			VADDPS(at.Offset(p*v.bytes), acc[i][p], acc[i][p])
		}
	})
	Label(label("store"))
	rows(m, c, ldc, func(i int, at Mem) {
		for p := range parts {
			VMOVUPS(acc[i][p], at.Offset(p*v.bytes))
		}
	})
	TESTQ(U32(modeGELU), mode)
	JZ(LabelRef(label("next")))
	at := GP64()
	MOVQ(c, at)
	MOVQ(U32(m), count)
	Label(label("gelu"))
	for p := range parts {
		x := v.register()
		VMOVUPS(Mem{Base: at, Disp: p * v.bytes}, x)
		v.gelu(x)
		VMOVUPS(x, Mem{Base: at, Disp: p * v.bytes})
	}
	ADDQ(ldc, at)
	DECQ(count)
	JNZ(LabelRef(label("gelu")))

	Label(label("next"))
	for i := range a {
		SUBQ(back, a[i])
	}
	ADDQ(Imm(64), c)
	ADDQ(Imm(64), bias)
	DECQ(n)
	JNZ(LabelRef(label("panel")))
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
