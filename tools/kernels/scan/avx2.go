package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ahead is how many rows before its turn a row is prefetched: rows that a filter
// chose lie apart, where the CPU foresees nothing.
const ahead = 4

// sums writes the dot products of a question with chosen rows. 16 codes become 16
// bits wide, are multiplied with 16 values of the question and added in pairs; two
// sums run beside each other so that an addition need not wait for the one before.
func sums() {
	TEXT("sumsAVX2", NOSPLIT, "func(out *int32, n int, slots *uint32, codes *byte, stride int, query *int16)")
	Doc("sumsAVX2 is Sums for n rows, n at least 1; stride is a multiple of 32.")
	Pragma("noescape")
	out := Load(Param("out"), GP64())
	n := Load(Param("n"), GP64())
	slots := Load(Param("slots"), GP64())
	codes := Load(Param("codes"), GP64())
	stride := Load(Param("stride"), GP64())
	query := Load(Param("query"), GP64())
	last := GP64() // where the last slot stands
	LEAQ(Mem{Base: slots, Index: n, Scale: 4, Disp: -4}, last)

	Label("row")
	at, next, q, count := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: slots, Disp: 4 * ahead}, next)
	CMPQ(next, last)
	CMOVQHI(last, next)
	row(next, stride, codes, next)
	row(slots, stride, codes, at)
	MOVQ(query, q)
	sum, other := YMM(), YMM()
	VPXOR(sum, sum, sum)
	VPXOR(other, other, other)
	half := func(disp int) {
		a, b := YMM(), YMM()
		VPMOVSXBW(Mem{Base: at, Disp: disp}, a)
		VPMOVSXBW(Mem{Base: at, Disp: disp + 16}, b)
		VPMADDWD(Mem{Base: q, Disp: 2 * disp}, a, a)
		VPMADDWD(Mem{Base: q, Disp: 2*disp + 32}, b, b)
		VPADDD(a, sum, sum)
		VPADDD(b, other, other)
	}
	MOVQ(stride, count)
	SHRQ(Imm(6), count)
	JZ(LabelRef("half"))
	Label("line")
	PREFETCHT0(Mem{Base: next})
	half(0)
	half(32)
	ADDQ(Imm(64), at)
	ADDQ(Imm(64), next)
	ADDQ(Imm(128), q)
	DECQ(count)
	JNZ(LabelRef("line"))
	Label("half")
	TESTQ(U32(32), stride)
	JZ(LabelRef("done"))
	half(0)
	Label("done")
	VPADDD(other, sum, sum)
	across(sum)
	VMOVD(sum.AsX(), Mem{Base: out})
	ADDQ(Imm(4), out)
	ADDQ(Imm(4), slots)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// row sets at to where the row of a slot begins.
func row(slot, stride, codes reg.Register, at reg.GPVirtual) {
	number := GP64()
	MOVL(Mem{Base: slot}, number.As32())
	IMULQ(stride, number)
	LEAQ(Mem{Base: codes, Index: number, Scale: 1}, at)
}

// across folds the eight numbers of x into its first one.
func across(x reg.VecVirtual) {
	y := XMM()
	VEXTRACTI128(Imm(1), x, y)
	VPADDD(y, x.AsX(), x.AsX())
	VPSHUFD(Imm(0x4e), x.AsX(), y)
	VPADDD(y, x.AsX(), x.AsX())
	VPSHUFD(Imm(0xb1), x.AsX(), y)
	VPADDD(y, x.AsX(), x.AsX())
}
