package scan

import "golang.org/x/sys/cpu"

func detect() (string, func(out []int32, slots []uint32, codes []byte, query []int16)) {
	if cpu.X86.HasAVX2 {
		return "AVX2", func(out []int32, slots []uint32, codes []byte, query []int16) {
			sumsAVX2(&out[0], len(slots), &slots[0], &codes[0], len(query), &query[0])
		}
	}
	return "portable", sumsGo
}
