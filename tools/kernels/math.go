package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants are vectors of sixteen equal values in read-only memory.
var constants = map[uint32]Mem{}

func constant(bits uint32) Mem {
	at, ok := constants[bits]
	if !ok {
		at = GLOBL(fmt.Sprintf("c%08x", bits), RODATA|NOPTR)
		for i := range 16 {
			DATA(4*i, U32(bits))
		}
		constants[bits] = at
	}
	return at
}

func float(x float64) Mem { return constant(math.Float32bits(float32(x))) }

// exp replaces x, at most 0, by e^x to about 2e-7 of its value. e^x = 2^n e^r, n
// being x/ln 2 rounded, so |r| <= ln(2)/2; e^r by its Taylor series up to r^6/6!.
// ln 2 is taken off in two parts, the first short enough that n times it is exact
// (Cody and Waite, "Software Manual for the Elementary Functions", 1980).
func (v vectors) exp(x reg.VecVirtual) {
	n, p := v.register(), v.register()
	VMAXPS(float(-87), x, x) // below it 2^n is no normal number
	VMULPS(float(math.Log2E), x, n)
	v.round(n)
	high := math.Float32frombits(math.Float32bits(math.Ln2) &^ 0xfff)
	VFNMADD231PS(float(float64(high)), n, x)
	VFNMADD231PS(float(math.Ln2-float64(high)), n, x)
	VMOVUPS(float(1.0/720), p)
	for _, f := range []float64{120, 24, 6, 2, 1, 1} {
		VFMADD213PS(float(1/f), x, p)
	}
	VCVTPS2DQ(n, n)
	VPSLLD(Imm(23), n, n)
	VPADDD(n, p, x)
}

// gelu replaces x by x*Phi(x) = max(x,0) - |x|*Q(|x|), Q being the upper tail of
// the normal distribution: Q(y) = t*(a1+t*(a2+...))/2*exp(-y^2/2) with
// t = 1/(1+p*y/sqrt 2) (Abramowitz and Stegun, "Handbook of Mathematical
// Functions", 7.1.26; error below 1.5e-7).
func (v vectors) gelu(x reg.VecVirtual) {
	const p = 0.3275911
	a := []float64{1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592}
	y, t, one, q := v.register(), v.register(), v.register(), v.register()
	VANDPS(constant(0x7fffffff), x, y)
	VMOVUPS(float(1), one)
	VMOVUPS(float(p/math.Sqrt2), t)
	VFMADD213PS(one, y, t)
	VDIVPS(t, one, t)
	VMOVUPS(float(a[0]/2), q)
	for _, c := range a[1:] {
		VFMADD213PS(float(c/2), t, q)
	}
	VMULPS(t, q, q)
	VMULPS(y, q, q)
	e := v.register()
	VMULPS(y, y, e)
	VMULPS(float(-0.5), e, e)
	v.exp(e)
	zero := v.register()
	VXORPS(zero, zero, zero)
	VMAXPS(zero, x, x)
	VFNMADD231PS(e, q, x)
}

// across folds the eight lanes of x into its first one by op.
func across(x reg.VecVirtual, op func(a, b reg.VecVirtual)) {
	y := YMM()
	VPERM2F128(Imm(1), x, x, y)
	op(y, x)
	VPERMILPS(Imm(0x4e), x, y)
	op(y, x)
	VPERMILPS(Imm(0xb1), x, y)
	op(y, x)
}

// loop runs body over n vectors from base on, n at least 1; base and n survive.
func loop(name string, base, n reg.GPVirtual, body func(at Mem)) {
	at, count := GP64(), GP64()
	MOVQ(base, at)
	MOVQ(n, count)
	Label(name)
	body(Mem{Base: at})
	ADDQ(Imm(32), at)
	DECQ(count)
	JNZ(LabelRef(name))
}

func softmax() {
	TEXT("softmaxAVX2", NOSPLIT, "func(x *float32, n int)")
	Doc("softmaxAVX2 is Set.softmax of n vectors of eight values, n at least 1.")
	Pragma("noescape")
	x := Load(Param("x"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	top, sum, v := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: x}, top)
	loop("softmax_max", x, n, func(at Mem) { VMAXPS(at, top, top) })
	across(top, func(a, b reg.VecVirtual) { VMAXPS(a, b, b) })
	VXORPS(sum, sum, sum)
	loop("softmax_exp", x, n, func(at Mem) {
		VMOVUPS(at, v)
		VSUBPS(top, v, v)
		avx2.exp(v)
		VMOVUPS(v, at)
		VADDPS(v, sum, sum)
	})
	across(sum, func(a, b reg.VecVirtual) { VADDPS(a, b, b) })
	VMOVUPS(float(1), v)
	VDIVPS(sum, v, sum)
	loop("softmax_scale", x, n, func(at Mem) {
		VMULPS(at, sum, v)
		VMOVUPS(v, at)
	})
	VZEROUPPER()
	RET()
}

func norm() {
	TEXT("normAVX2", NOSPLIT, "func(x, gamma, beta *float32, n int, share, eps float32)")
	Doc("normAVX2 is Set.norm of n vectors of eight values, n at least 1; share is 1/(8n).")
	Pragma("noescape")
	x := Load(Param("x"), GP64()).(reg.GPVirtual)
	gamma := Load(Param("gamma"), GP64()).(reg.GPVirtual)
	beta := Load(Param("beta"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	share, eps, mean, scale, v := YMM(), YMM(), YMM(), YMM(), YMM()
	at, err := Param("share").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(at.Addr, share)
	if at, err = Param("eps").Resolve(); err != nil {
		panic(err)
	}
	VBROADCASTSS(at.Addr, eps)
	VXORPS(mean, mean, mean)
	loop("norm_mean", x, n, func(at Mem) { VADDPS(at, mean, mean) })
	across(mean, func(a, b reg.VecVirtual) { VADDPS(a, b, b) })
	VMULPS(share, mean, mean)
	VXORPS(scale, scale, scale)
	loop("norm_variance", x, n, func(at Mem) {
		VMOVUPS(at, v)
		VSUBPS(mean, v, v)
		VFMADD231PS(v, v, scale)
	})
	across(scale, func(a, b reg.VecVirtual) { VADDPS(a, b, b) })
	VMULPS(share, scale, scale)
	VADDPS(eps, scale, scale)
	VSQRTPS(scale, scale)
	VMOVUPS(float(1), v)
	VDIVPS(scale, v, scale)
	loop("norm_out", x, n, func(at Mem) {
		VMOVUPS(at, v)
		VSUBPS(mean, v, v)
		VMULPS(scale, v, v)
		w := YMM()
		VMOVUPS(Mem{Base: gamma}, w)
		VFMADD213PS(Mem{Base: beta}, w, v)
		VMOVUPS(v, at)
		ADDQ(Imm(32), gamma)
		ADDQ(Imm(32), beta)
	})
	VZEROUPPER()
	RET()
}
