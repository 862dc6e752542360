package scan

import (
	"math/rand/v2"
	"testing"
)

// reference is the definition.
func reference(slots []uint32, codes []byte, query []int16) []int64 {
	out := make([]int64, len(slots))
	for i, slot := range slots {
		for j, q := range query {
			out[i] += int64(q) * int64(int8(codes[int(slot)*len(query)+j]))
		}
	}
	return out
}

func TestSums(t *testing.T) {
	t.Log(Name)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, dims := range []int{1, 31, 32, 33, 64, 70, 96, 384, 768, 1000, 1536, 4096} {
		stride := Stride(dims)
		most := MostQuery(stride)
		const rows = 9
		codes, query := make([]byte, rows*stride), make([]int16, stride)
		for _, extreme := range []bool{false, true} {
			for i := range codes {
				codes[i] = byte(int8(rnd.IntN(255) - 127))
				if extreme {
					codes[i] = byte(127)
				}
			}
			for i := range query {
				query[i] = int16(rnd.IntN(2*most+1) - most)
				if extreme {
					query[i] = int16(-most)
				}
			}
			for n := range 2 * rows {
				slots := make([]uint32, n)
				for i := range slots {
					slots[i] = uint32(rnd.IntN(rows))
				}
				want := reference(slots, codes, query)
				got, plain := make([]int32, n), make([]int32, n)
				Sums(got, slots, codes, query)
				sumsGo(plain, slots, codes, query)
				for i := range want {
					if int64(got[i]) != want[i] || int64(plain[i]) != want[i] {
						t.Fatalf("%d dimensions, extreme %v, row %d of %d: %s %d, plain Go %d, want %d", dims, extreme, i, n, Name, got[i], plain[i], want[i])
					}
				}
			}
		}
	}
}

// A slot behind the last row must not read foreign memory.
func TestBounds(t *testing.T) {
	for name, ask := range map[string]func(){
		"slot":  func() { Sums(make([]int32, 1), []uint32{2}, make([]byte, 64), make([]int16, 32)) },
		"part":  func() { Sums(make([]int32, 1), []uint32{1}, make([]byte, 63), make([]int16, 32)) },
		"codes": func() { Sums(make([]int32, 1), []uint32{0}, nil, make([]int16, 32)) },
		"out":   func() { Sums(make([]int32, 1), []uint32{0, 0}, make([]byte, 64), make([]int16, 32)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s out of bounds is read", name)
				}
			}()
			ask()
		}()
	}
}

func BenchmarkSums(b *testing.B) {
	const rows, stride = 1 << 17, 384 // 50 MB: more than the caches of a core
	codes, query, out := make([]byte, rows*stride), make([]int16, stride), make([]int32, 256)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range codes {
		codes[i] = byte(rnd.Uint32())
	}
	for _, set := range []struct {
		name string
		sums func([]int32, []uint32, []byte, []int16)
	}{{Name, Sums}, {"plain Go", sumsGo}} {
		b.Run(set.name, func(b *testing.B) {
			b.SetBytes(rows * stride)
			slots := make([]uint32, len(out))
			for b.Loop() {
				for from := 0; from < rows; from += len(slots) {
					for i := range slots {
						slots[i] = uint32(from + i)
					}
					set.sums(out, slots, codes, query)
				}
			}
		})
	}
}
