// Package scan compares a question with many vectors at once, by codes of one
// byte for each component. What it computes are whole numbers, so that every CPU
// comes to the same.
package scan

//go:generate go run -C ../../../../tools/kernels ./scan -pkg scan -out ../../store/local/internal/scan/simd_amd64.s -stubs ../../store/local/internal/scan/simd_amd64.go -neon ../../store/local/internal/scan/neon_arm64.s

import "math"

// Stride gives how many codes a row of dims components has: those beyond are 0.
func Stride(dims int) int { return (dims + 31) / 32 * 32 }

// MostQuery is the largest magnitude that a component of a question of so many
// codes may have, so that no sum overflows 32 bits.
func MostQuery(stride int) int { return min(math.MaxInt16, math.MaxInt32/(127*stride)) }

// Name says which instructions Sums uses.
var Name, sums = detect()

// Sums sets out[i] to the dot product of query with row slots[i] of codes. Codes
// are int8 from -127 to 127, rows of len(query) of them stand one behind the other;
// len(query) is a multiple of 32, and its components are within MostQuery.
func Sums(out []int32, slots []uint32, codes []byte, query []int16) {
	if len(slots) == 0 {
		return
	}
	// The assembly trusts these bounds.
	_, rows := out[len(slots)-1], len(codes)/len(query)
	for _, slot := range slots {
		_ = codes[:rows*len(query)][int(slot)*len(query)]
	}
	sums(out, slots, codes, query)
}

func sumsGo(out []int32, slots []uint32, codes []byte, query []int16) {
	n := len(query)
	for i, slot := range slots {
		row := codes[int(slot)*n:][:n]
		var s0, s1, s2, s3 int32
		for j := 0; j+4 <= n; j += 4 {
			c, q := (*[4]byte)(row[j:]), (*[4]int16)(query[j:])
			s0 += int32(int8(c[0])) * int32(q[0])
			s1 += int32(int8(c[1])) * int32(q[1])
			s2 += int32(int8(c[2])) * int32(q[2])
			s3 += int32(int8(c[3])) * int32(q[3])
		}
		out[i] = s0 + s1 + s2 + s3
	}
}
