package safetensors

import (
	"encoding/binary"
	"math"
)

// Group is how many values of a tensor of bytes have a common scale.
const Group = 32

func floats(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:]))
	}
}

func halves(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = half(binary.LittleEndian.Uint16(b[i*2:]))
	}
}

// bfloats: a bfloat16 is the upper half of a float32.
func bfloats(dst []float32, b []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[i*2:])) << 16)
	}
}

func scaled(dst []float32, b, scales []byte) {
	for g := 0; g < len(dst); g += Group {
		scale := half(binary.LittleEndian.Uint16(scales[g/Group*2:]))
		to, from := dst[g:][:Group], b[g:][:Group]
		for i, v := range from {
			to[i] = float32(int8(v)) * scale
		}
	}
}

// half decodes IEEE 754 binary16: 1 bit of sign, 5 of exponent (bias 15), 10 of
// fraction.
func half(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero and subnormal: fraction * 2^-24
		return math.Float32frombits(math.Float32bits(float32(fraction)/(1<<24)) | sign)
	case 0x1f: // infinity and not-a-number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
