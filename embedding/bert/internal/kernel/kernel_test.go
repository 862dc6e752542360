package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func random(r *rand.Rand, n int, size float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64() * size)
	}
	return out
}

// TestSets says which kernels the tests of this package do not reach on this CPU.
func TestSets(t *testing.T) {
	var names []string
	for _, s := range Sets {
		names = append(names, s.Name)
	}
	t.Logf("tested: %s", strings.Join(names, ", "))
	if runtime.GOARCH == "amd64" && Best.Name != "AVX-512" {
		t.Skipf("SKIPPED: this CPU has no AVX-512: its kernels are not tested here, the best that are: %s", Best.Name)
	}
}

func gelu(x float64) float64 { return x * 0.5 * math.Erfc(-x/math.Sqrt2) }

// TestMultiply compares with sums in float64, for shapes that leave every kind
// of rest, and looks that nothing outside the result is written.
func TestMultiply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := [][3]int{{1, 16, 1}, {2, 16, 7}, {3, 32, 26}, {4, 48, 32}, {5, 16, 384}, {6, 20, 385}, {7, 384, 384},
		{13, 40, 800}, {130, 32, 64}, {241, 16, 33}, {25, 64, 1536}}
	for _, s := range Sets {
		for _, shape := range shapes {
			for _, mode := range []Mode{0, Add, GELU, Add | GELU} {
				m, n, k := shape[0], shape[1], shape[2]
				w := random(r, n*k, 0.1)
				b := NewMatrix(k, n)
				b.Place(n, k, func(i int) []float32 { return w[i*k : (i+1)*k] }, nil, nil, 2)
				lda, ldc := k+3, b.N+5
				a := random(r, m*lda, 1)
				c := random(r, m*ldc, 1)
				before := append([]float32(nil), c...)
				bias := random(r, b.N, 1)
				s.Multiply(m, a, lda, b, 0, b.N/Width, c, ldc, bias, mode)
				for i := range m {
					for j := range ldc {
						want := float64(before[i*ldc+j])
						if j < b.N {
							sum := float64(bias[j])
							if mode&Add != 0 {
								sum += want
							}
							if j < n {
								for x := range k {
									sum += float64(a[i*lda+x]) * float64(w[j*k+x]) * 2
								}
							}
							if mode&GELU != 0 {
								sum = gelu(sum)
							}
							want = sum
						}
						if got := float64(c[i*ldc+j]); math.Abs(got-want) > 2e-5*(1+math.Abs(want)) {
							t.Fatalf("%s, %dx%dx%d, mode %d: C[%d][%d] is %v, want %v", s.Name, m, n, k, mode, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

// TestPlace puts outputs and inputs elsewhere and leaves gaps.
func TestPlace(t *testing.T) {
	w := []float32{1, 2, 3, 4, 5, 6} // 2 outputs of 3 inputs
	b := NewMatrix(400, 40)
	b.Place(2, 3, func(i int) []float32 { return w[i*3 : i*3+3] }, func(j int) int { return 17 + 20*j }, func(i int) int { return 390 - 100*i }, 1)
	a := make([]float32, 400)
	a[390], a[290], a[190], a[0] = 1, 10, 100, 1000
	c := make([]float32, 48)
	Portable.Multiply(1, a, 400, b, 0, b.N/Width, c, 48, make([]float32, 48), 0)
	for j, got := range c {
		want := map[int]float32{17: 321, 37: 654}[j]
		if got != want {
			t.Errorf("column %d is %v, want %v", j, got, want)
		}
	}
}

func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range Sets {
		for _, n := range []int{1, 7, 8, 16, 24, 264, 512} {
			x := random(r, n, 8)
			if n > 2 {
				x[n-1] = -1e30 // as masked values are
			}
			want := make([]float64, n)
			top, sum := slices.Max(x), 0.0
			for i, v := range x {
				want[i] = math.Exp(float64(v - top))
				sum += want[i]
			}
			s.Softmax(x)
			for i := range x {
				if got := float64(x[i]); math.Abs(got-want[i]/sum) > 1e-6*want[i]/sum+1e-30 {
					t.Fatalf("%s, %d values: x[%d] is %v, want %v", s.Name, n, i, got, want[i]/sum)
				}
			}
		}
	}
}

func TestLayerNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range Sets {
		for _, n := range []int{1, 8, 26, 384, 1024} {
			x, gamma, beta := random(r, n, 3), random(r, n, 1), random(r, n, 1)
			want := append([]float32(nil), x...)
			normGo(want, gamma, beta, 1e-12)
			if n == 1 {
				want[0] = beta[0]
			}
			s.LayerNorm(x, gamma, beta, 1e-12)
			for i := range x {
				if math.Abs(float64(x[i]-want[i])) > 1e-5 {
					t.Fatalf("%s, %d values: x[%d] is %v, want %v", s.Name, n, i, x[i], want[i])
				}
			}
		}
	}
}

// TestGELU covers the range with its tails; the error is a few 1e-7 of 1.
func TestGELU(t *testing.T) {
	one := NewMatrix(1, Width)
	for _, s := range Sets {
		worst := 0.0
		for x := float32(-30); x <= 30; x += 0.0137 {
			bias := make([]float32, Width)
			for i := range bias {
				bias[i] = x + float32(i)*0.0007
			}
			c := make([]float32, Width)
			s.Multiply(1, []float32{0}, 1, one, 0, one.N/Width, c, Width, bias, GELU)
			for i := range c {
				worst = max(worst, math.Abs(float64(c[i])-gelu(float64(bias[i])))/(1+math.Abs(float64(bias[i]))))
			}
		}
		if worst > 3e-7 {
			t.Errorf("%s: error of GELU %v", s.Name, worst)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	b := NewMatrix(384, 64)
	a, c, bias := make([]float32, 7*384), make([]float32, 7*64), make([]float32, 64)
	for _, s := range Sets {
		if n := testing.AllocsPerRun(10, func() {
			s.Multiply(7, a, 384, b, 0, b.N/Width, c, 64, bias, GELU)
			s.Softmax(c[:64])
			s.LayerNorm(c[:64], bias, bias, 1e-12)
		}); n != 0 {
			t.Errorf("%s: %v allocations", s.Name, n)
		}
	}
}

func BenchmarkMultiply(bench *testing.B) {
	for _, s := range Sets {
		for _, m := range []int{4, 16, 120, 480} {
			for _, shape := range [][2]int{{384, 1152}, {1536, 384}} {
				k, n := shape[0], shape[1]
				bench.Run(fmt.Sprintf("%s/%dx%dx%d", s.Name, m, n, k), func(bench *testing.B) {
					b := NewMatrix(k, n)
					lda := k + Width
					a, c, bias := make([]float32, m*lda), make([]float32, m*n), make([]float32, n)
					for bench.Loop() {
						s.Multiply(m, a, lda, b, 0, b.N/Width, c, n, bias, 0)
					}
					bench.ReportMetric(float64(m*n*k)*float64(bench.N)/bench.Elapsed().Seconds()/1e9, "GMAC/s")
				})
			}
		}
	}
}
