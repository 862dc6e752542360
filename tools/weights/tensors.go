package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"
)

// tensor is one of a safetensors file.
type tensor struct {
	name  string
	dtype string
	shape []int
	data  []byte
}

type entry struct {
	Dtype   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// parse reads a file whose checksum is known to be right.
func parse(b []byte) ([]tensor, error) {
	n := binary.LittleEndian.Uint64(b)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &header); err != nil {
		return nil, err
	}
	var out []tensor
	for name, raw := range header {
		if name == "__metadata__" {
			continue
		}
		var e entry
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		out = append(out, tensor{name, e.Dtype, e.Shape, b[8+int(n)+e.Offsets[0] : 8+int(n)+e.Offsets[1]]})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out, nil
}

// group is how many values of a row have a common scale.
const group = 32

// quantised gives a safetensors file with every matrix as I8 and its scales as
// F16 under the name with ".scale"; vectors stay as they are. What an embedding
// does not use is left out.
func quantised(tensors []tensor, metadata map[string]string) ([]byte, error) {
	var out []tensor
	for _, t := range tensors {
		if strings.HasPrefix(t.name, "pooler.") || t.name == "embeddings.position_ids" {
			continue
		}
		if t.dtype != "F32" {
			return nil, fmt.Errorf("%s is of type %s: expected F32", t.name, t.dtype)
		}
		if len(t.shape) != 2 {
			out = append(out, t)
			continue
		}
		if t.shape[1]%group != 0 {
			return nil, fmt.Errorf("%s has rows of %d: not whole groups of %d", t.name, t.shape[1], group)
		}
		values, scales := quantise(t.data)
		out = append(out, tensor{t.name, "I8", t.shape, values},
			tensor{t.name + ".scale", "F16", []int{t.shape[0], t.shape[1] / group}, scales})
	}
	return encode(out, metadata)
}

func encode(tensors []tensor, metadata map[string]string) ([]byte, error) {
	// Wider types first keeps every tensor aligned.
	rank := map[string]int{"F32": 0, "F16": 1, "I8": 2}
	sort.SliceStable(tensors, func(i, j int) bool { return rank[tensors[i].dtype] < rank[tensors[j].dtype] })
	header := map[string]any{"__metadata__": metadata}
	at := 0
	for _, t := range tensors {
		header[t.name] = entry{t.dtype, t.shape, [2]int{at, at + len(t.data)}}
		at += len(t.data)
	}
	h, err := json.Marshal(header) // in the order of the names
	if err != nil {
		return nil, err
	}
	for len(h)%8 != 0 {
		h = append(h, ' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(h)))
	out = append(out, h...)
	for _, t := range tensors {
		out = append(out, t.data...)
	}
	return out, nil
}

// quantise gives, for every group of float32 values, bytes and the scale to
// multiply them by. Of some scales around the one that just holds the largest
// value it takes the one with the least squared error.
func quantise(data []byte) (values, scales []byte) {
	var x [group]float64
	for at := 0; at < len(data); at += 4 * group {
		top := 0.0
		for i := range x {
			x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at+4*i:])))
			top = max(top, math.Abs(x[i]))
		}
		best, least := uint16(0), math.Inf(1)
		for try := -16; try <= 4; try++ {
			h := half(top / 127 * (1 + float64(try)/160))
			scale, sum := fromHalf(h), 0.0
			for _, v := range x {
				d := v - scale*round(v, scale)
				sum += d * d
			}
			if sum < least {
				best, least = h, sum
			}
		}
		for _, v := range x {
			values = append(values, byte(int8(round(v, fromHalf(best)))))
		}
		scales = binary.LittleEndian.AppendUint16(scales, best)
	}
	return values, scales
}

func round(v, scale float64) float64 {
	if scale == 0 {
		return 0
	}
	return max(-127, min(127, math.RoundToEven(v/scale)))
}

// half gives the IEEE 754 binary16 nearest to x, which is at least 0 and below
// 65504; fromHalf is its inverse.
func half(x float64) uint16 {
	if x < 1.0/(1<<14) { // subnormal: multiples of 2^-24
		return uint16(math.RoundToEven(x * (1 << 24)))
	}
	fraction, exponent := math.Frexp(x) // x = fraction * 2^exponent, fraction in [0.5, 1)
	// The leading bit of the fraction, and rounding up to 2048, add to the
	// exponent.
	return uint16(exponent+13)<<10 + uint16(math.RoundToEven(fraction*2048))
}

func fromHalf(h uint16) float64 {
	exponent, fraction := int(h>>10), float64(h&0x3ff)
	if exponent == 0 {
		return fraction / (1 << 24)
	}
	return math.Ldexp(1+fraction/1024, exponent-15)
}
