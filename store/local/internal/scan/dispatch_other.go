//go:build !amd64 && !arm64

package scan

func detect() (string, func(out []int32, slots []uint32, codes []byte, query []int16)) {
	return "portable", sumsGo
}
