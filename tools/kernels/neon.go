package main

import (
	"fmt"
	"math"
	"os"
	"strings"
)

// neon collects assembly for arm64, which avo does not write.
type neon struct{ strings.Builder }

func (n *neon) line(format string, args ...any) { fmt.Fprintf(n, "\t"+format+"\n", args...) }

// Instructions on four float32 that Go's assembler lacks, by their encodings in
// the Arm Architecture Reference Manual (A64, Advanced SIMD). The operands are in
// Go's order: sources, then destination.
const (
	fadd   = 0x4e20d400
	fsub   = 0x4ea0d400
	fmul   = 0x6e20dc00
	fdiv   = 0x6e20fc00
	fmax   = 0x4e20f400
	faddp  = 0x6e20d400
	fabs   = 0x4ea0f800
	fsqrt  = 0x6ea1f800
	frintn = 0x4e218800 // to nearest integer
	fcvtns = 0x4e21a800 // to nearest integer, as an integer
	fmaxv  = 0x6e30f800 // the largest lane
)

var names = map[uint32]string{fadd: "FADD", fsub: "FSUB", fmul: "FMUL", fdiv: "FDIV", fmax: "FMAX", faddp: "FADDP", fabs: "FABS",
	fsqrt: "FSQRT", frintn: "FRINTN", fcvtns: "FCVTNS", fmaxv: "FMAXV"}

// three is d = n op m, two is d = op n.
func (n *neon) three(op uint32, vm, vn, vd int) {
	n.line("WORD $%#08x // %s V%d.S4, V%d.S4, V%d.S4", op|uint32(vm)<<16|uint32(vn)<<5|uint32(vd), names[op], vm, vn, vd)
}

func (n *neon) two(op uint32, vn, vd int) {
	n.line("WORD $%#08x // %s V%d.S4, V%d.S4", op|uint32(vn)<<5|uint32(vd), names[op], vn, vd)
}

// set fills a register with a constant.
func (n *neon) set(v int, x float64) {
	n.line("MOVW $%#08x, R19 // %v", math.Float32bits(float32(x)), float32(x))
	n.line("VDUP R19, V%d.S4", v)
}

func (n *neon) move(from, to int) { n.line("VMOV V%d.B16, V%d.B16", from, to) }

// Registers that exp takes its constants from, and that it uses.
const (
	expLeast, expLog2e, expHigh, expLow = 22, 23, 24, 25
	expFactors                          = 26 // 1/720, 1/120, 1/24, 1/6, 1/2
	expOne                              = 31
	expN, expP, expQ                    = 19, 20, 21
)

var factors = []float64{1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1}

func (n *neon) expConstants() {
	high := math.Float32frombits(math.Float32bits(math.Ln2) &^ 0xfff)
	n.set(expLeast, -87)
	n.set(expLog2e, math.Log2E)
	n.set(expHigh, float64(high))
	n.set(expLow, math.Ln2-float64(high))
	for i, f := range factors {
		n.set(expFactors+i, f)
	}
}

// exp is as exp in math.go says.
func (n *neon) exp(x int) {
	n.three(fmax, expLeast, x, x)
	n.three(fmul, expLog2e, x, expN)
	n.two(frintn, expN, expN)
	n.line("VFMLS V%d.S4, V%d.S4, V%d.S4", expHigh, expN, x)
	n.line("VFMLS V%d.S4, V%d.S4, V%d.S4", expLow, expN, x)
	p, q := expFactors, expP
	for i := 1; i <= len(factors); i++ {
		n.move(min(expFactors+i, expOne), q)
		n.line("VFMLA V%d.S4, V%d.S4, V%d.S4", x, p, q)
		p, q = q, expP+expQ-q
	}
	n.two(fcvtns, expN, expN)
	n.line("VSHL $23, V%d.S4, V%d.S4", expN, expN)
	n.line("VADD V%d.S4, V%d.S4, V%d.S4", expN, p, x)
}

// gelu is as gelu in math.go says; its constants are in V0 to V6, it uses V7 to
// V18 beside those of exp.
func (n *neon) geluConstants() {
	a := []float64{1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592}
	n.expConstants()
	n.set(0, 0.3275911/math.Sqrt2)
	for i, c := range a {
		n.set(1+i, c/2)
	}
	n.set(6, -0.5)
	n.line("VEOR V7.B16, V7.B16, V7.B16")
}

func (n *neon) gelu(x int) {
	const y, t, p, q, e = 8, 9, 10, 11, 12
	n.two(fabs, x, y)
	n.move(expOne, t)
	n.line("VFMLA V0.S4, V%d.S4, V%d.S4", y, t)
	n.three(fdiv, t, expOne, t)
	from, to := 1, p
	for i := 2; i <= 5; i++ {
		n.move(i, to)
		n.line("VFMLA V%d.S4, V%d.S4, V%d.S4", t, from, to)
		from, to = to, p+q-to
	}
	n.three(fmul, t, from, from)
	n.three(fmul, y, from, from)
	n.three(fmul, y, y, e)
	n.three(fmul, 6, e, e)
	n.exp(e)
	n.three(fmax, 7, x, x)
	n.line("VFMLS V%d.S4, V%d.S4, V%d.S4", e, from, x)
}

// tile writes the product of m rows and n panels of 16 columns: four vectors of
// result per row, four for a row of the panel, one per broadcast value of A.
func (n *neon) tile(m int) {
	name := func(s string) string { return fmt.Sprintf("t%d_%s", m, s) }
	fmt.Fprintf(n, "\n// func neon%d(n, k int, a *float32, lda int, b, c *float32, ldc int, bias *float32, mode int, ahead *float32, pace int)\n", m)
	fmt.Fprintf(n, "TEXT ·neon%d(SB), NOSPLIT, $0-88\n", m)
	for i, arg := range []string{"n", "k", "a", "lda", "b", "c", "ldc", "bias", "mode", "ahead", "pace"} {
		n.line("MOVD %s+%d(FP), R%d", arg, 8*i, i)
	}
	n.line("LSR $1, R10, R10")
	fmt.Fprintf(n, "%s:\n", name("panel"))
	n.line("MOVD R2, R12")
	for i := 1; i < m; i++ {
		n.line("ADD R3, R%d, R%d", 11+i, 12+i)
	}
	n.line("VLD1 (R7), [V0.S4, V1.S4, V2.S4, V3.S4]")
	for i := 4; i < 4*m; i++ {
		n.move(i%4, i)
	}
	n.line("MOVD R1, R11")
	fmt.Fprintf(n, "%s:\n", name("k"))
	n.line("PRFM (R9), PLDL2KEEP")
	n.line("ADD R10, R9, R9")
	n.line("VLD1.P 64(R4), [V16.S4, V17.S4, V18.S4, V19.S4]")
	for i := range m {
		n.line("VLD1R.P 4(R%d), [V%d.S4]", 12+i, 20+i)
	}
	for i := range m {
		for j := range 4 {
			n.line("VFMLA V%d.S4, V%d.S4, V%d.S4", 16+j, 20+i, 4*i+j)
		}
	}
	n.line("SUBS $1, R11, R11")
	n.line("BNE %s", name("k"))
	n.line("TBZ $0, R8, %s", name("store"))
	n.line("MOVD R5, R20")
	for i := range m {
		n.line("VLD1 (R20), [V16.S4, V17.S4, V18.S4, V19.S4]")
		n.line("ADD R6, R20, R20")
		for j := range 4 {
			n.three(fadd, 16+j, 4*i+j, 4*i+j)
		}
	}
	fmt.Fprintf(n, "%s:\n", name("store"))
	n.line("MOVD R5, R20")
	for i := range m {
		n.line("VST1 [V%d.S4, V%d.S4, V%d.S4, V%d.S4], (R20)", 4*i, 4*i+1, 4*i+2, 4*i+3)
		n.line("ADD R6, R20, R20")
	}
	n.line("TBZ $1, R8, %s", name("next"))
	n.geluConstants()
	n.line("MOVD R5, R20")
	n.line("MOVD $%d, R11", m)
	fmt.Fprintf(n, "%s:\n", name("gelu"))
	n.line("VLD1 (R20), [V13.S4, V14.S4, V15.S4, V16.S4]")
	for x := 13; x <= 16; x++ {
		n.gelu(x)
	}
	n.line("VST1 [V13.S4, V14.S4, V15.S4, V16.S4], (R20)")
	n.line("ADD R6, R20, R20")
	n.line("SUBS $1, R11, R11")
	n.line("BNE %s", name("gelu"))
	fmt.Fprintf(n, "%s:\n", name("next"))
	n.line("ADD $64, R5, R5")
	n.line("ADD $64, R7, R7")
	n.line("SUBS $1, R0, R0")
	n.line("BNE %s", name("panel"))
	n.line("RET")
}

// loop runs body over R1 pairs of vectors from R0 on, in V0 and V1; R2 points to
// them, and past them when they were stored with post-increment.
func (n *neon) loop(name string, store bool, body func()) {
	n.line("MOVD R0, R2")
	n.line("MOVD R1, R3")
	fmt.Fprintf(n, "%s:\n", name)
	if store {
		n.line("VLD1 (R2), [V0.S4, V1.S4]")
	} else {
		n.line("VLD1.P 32(R2), [V0.S4, V1.S4]")
	}
	body()
	if store {
		n.line("VST1.P [V0.S4, V1.S4], 32(R2)")
	}
	n.line("SUBS $1, R3, R3")
	n.line("BNE %s", name)
}

// sum folds the lanes of v into all of its lanes.
func (n *neon) sum(v int) {
	n.three(faddp, v, v, v)
	n.three(faddp, v, v, v)
}

func (n *neon) softmax() {
	n.WriteString("\n// func neonSoftmax(x *float32, n int)\nTEXT ·neonSoftmax(SB), NOSPLIT, $0-16\n")
	n.line("MOVD x+0(FP), R0")
	n.line("MOVD n+8(FP), R1")
	n.expConstants()
	n.line("VLD1 (R0), [V4.S4]")
	n.loop("softmax_max", false, func() {
		n.three(fmax, 0, 4, 4)
		n.three(fmax, 1, 4, 4)
	})
	n.two(fmaxv, 4, 4)
	n.line("VDUP V4.S[0], V4.S4")
	n.line("VEOR V5.B16, V5.B16, V5.B16")
	n.loop("softmax_exp", true, func() {
		for v := range 2 {
			n.three(fsub, 4, v, v)
			n.exp(v)
			n.three(fadd, v, 5, 5)
		}
	})
	n.sum(5)
	n.three(fdiv, 5, expOne, 5)
	n.loop("softmax_scale", true, func() {
		n.three(fmul, 5, 0, 0)
		n.three(fmul, 5, 1, 1)
	})
	n.line("RET")
}

func (n *neon) norm() {
	n.WriteString("\n// func neonNorm(x, gamma, beta *float32, n int, share, eps float32)\nTEXT ·neonNorm(SB), NOSPLIT, $0-40\n")
	n.line("MOVD x+0(FP), R0")
	n.line("MOVD gamma+8(FP), R4")
	n.line("MOVD beta+16(FP), R5")
	n.line("MOVD n+24(FP), R1")
	n.line("MOVW share+32(FP), R6")
	n.line("VDUP R6, V8.S4")
	n.line("MOVW eps+36(FP), R6")
	n.line("VDUP R6, V9.S4")
	n.set(expOne, 1)
	n.line("VEOR V4.B16, V4.B16, V4.B16")
	n.loop("norm_mean", false, func() {
		n.three(fadd, 0, 4, 4)
		n.three(fadd, 1, 4, 4)
	})
	n.sum(4)
	n.three(fmul, 8, 4, 4)
	n.line("VEOR V5.B16, V5.B16, V5.B16")
	n.loop("norm_variance", false, func() {
		for v := range 2 {
			n.three(fsub, 4, v, v)
			n.line("VFMLA V%d.S4, V%d.S4, V5.S4", v, v)
		}
	})
	n.sum(5)
	n.three(fmul, 8, 5, 5)
	n.three(fadd, 9, 5, 5)
	n.two(fsqrt, 5, 5)
	n.three(fdiv, 5, expOne, 5)
	n.loop("norm_out", true, func() {
		n.line("VLD1.P 32(R4), [V10.S4, V11.S4]")
		n.line("VLD1.P 32(R5), [V12.S4, V13.S4]")
		for v := range 2 {
			n.three(fsub, 4, v, v)
			n.three(fmul, 5, v, v)
			n.line("VFMLA V%d.S4, V%d.S4, V%d.S4", v, 10+v, 12+v)
			n.move(12+v, v)
		}
	})
	n.line("RET")
}

func writeNeon(path string) error {
	var n neon
	n.WriteString("// Code generated by tools/kernels. DO NOT EDIT.\n\n#include \"textflag.h\"\n")
	for m := 1; m <= 4; m++ {
		n.tile(m)
	}
	n.softmax()
	n.norm()
	return os.WriteFile(path, []byte(n.String()), 0o644)
}
