package scan

//go:noescape
func sumsNEON(out *int32, n int, slots *uint32, codes *byte, stride int, query *int16)

// Every arm64 CPU has NEON.
func detect() (string, func(out []int32, slots []uint32, codes []byte, query []int16)) {
	return "NEON", func(out []int32, slots []uint32, codes []byte, query []int16) {
		sumsNEON(&out[0], len(slots), &slots[0], &codes[0], len(query), &query[0])
	}
}
