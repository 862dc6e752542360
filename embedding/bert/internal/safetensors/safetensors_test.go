package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func file(header string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func TestValues(t *testing.T) {
	var data []byte
	for _, v := range []float32{1.5, -2, 0.25, 8} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	data = append(data, 0x00, 0x3e, 0x00, 0xc0) // F16: 1.5 -2
	data = append(data, 0xc0, 0x3f, 0x00, 0xc0) // BF16: 1.5 -2
	for i := range 32 {
		data = append(data, byte(int8(i-16)))
	}
	data = append(data, 0x00, 0x38) // F16: 0.5
	b := file(`{"__metadata__": {"k": "v"}, "f": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
		"h": {"dtype": "F16", "shape": [2], "data_offsets": [16, 20]}, "b": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [20, 24]},
		"q": {"dtype": "I8", "shape": [1, 32], "data_offsets": [24, 56]}, "q.scale": {"dtype": "F16", "shape": [1, 1], "data_offsets": [56, 58]},
		"other": {"dtype": "I64", "shape": [1, 2], "data_offsets": [0, 16]}}`, data...)
	inMemory, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*File{inMemory, onDisk} {
		if f.Metadata["k"] != "v" || !f.Has("q") || f.Has("__metadata__") {
			t.Errorf("metadata %v", f.Metadata)
		}
		for _, c := range []struct {
			name      string
			n, k, row int
			want      []float32
		}{
			{"f", 2, 2, 1, []float32{0.25, 8}}, {"h", 1, 2, 0, []float32{1.5, -2}}, {"b", 1, 2, 0, []float32{1.5, -2}},
		} {
			rows, err := f.Rows(c.name, c.n, c.k)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, c.k)
			if rows(c.row, got); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
		rows, err := f.Rows("q", 1, 32)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, 32)
		if rows(0, got); got[0] != -8 || got[31] != 7.5 {
			t.Errorf("q: %v", got)
		}
		if _, err := f.Rows("absent", 1, 1); !errors.Is(err, ErrAbsent) {
			t.Errorf("absent: %v", err)
		}
		for name, want := range map[string]string{"other": "I64", "f": "shape"} {
			if _, err := f.Rows(name, 3, 2); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want an error with %q", name, err, want)
			}
		}
	}
}

// TestHalf goes through all 65,536 values by the formula of IEEE 754.
func TestHalf(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
		want := math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction/1024, -14)
		case exponent == 31 && fraction == 0:
			want = math.Inf(1)
		case exponent == 31:
			want = math.NaN()
		}
		if h>>15 == 1 {
			want = -want
		}
		if got := float64(half(h)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%04x is %v, want %v", h, got, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing":                 nil,
		"a header of 2^63 bytes":  binary.LittleEndian.AppendUint64(nil, 1<<63),
		"a header of 2^64-1":      binary.LittleEndian.AppendUint64(nil, math.MaxUint64),
		"a header beyond the end": file(`{}`)[:9],
		"no JSON":                 file(`{`),
		"a list":                  file(`[]`),
		"offsets beyond the end":  file(`{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}`, 1, 2, 3),
		"offsets backwards":       file(`{"a": {"dtype": "F32", "shape": [0], "data_offsets": [4, 0]}}`, 1, 2, 3, 4),
		"negative offsets":        file(`{"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}`, 1, 2, 3, 4),
		"a shape of other size":   file(`{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}`, 1, 2, 3, 4),
		"a shape that overflows":  file(`{"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}}`),
		"a negative shape":        file(`{"a": {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]}}`, 1, 2, 3, 4),
		"metadata of numbers":     file(`{"__metadata__": {"a": 1}}`),
	} {
		if _, err := Parse(b); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := Open(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzOpen: any bytes are refused, or their tensors can be read.
func FuzzOpen(f *testing.F) {
	f.Add(file(`{"a": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]}}`, 1, 2, 3, 4, 5, 6, 7, 8), 2, 1)
	f.Add(file(`{"a": {"dtype": "I8", "shape": [1, 32], "data_offsets": [0, 32]}, "a.scale": {"dtype": "F16", "shape": [1, 1], "data_offsets": [0, 2]}}`, make([]byte, 32)...), 1, 32)
	f.Fuzz(func(t *testing.T, b []byte, n, k int) {
		file, err := Parse(b)
		if err != nil {
			return
		}
		rows, err := file.Rows("a", n, k)
		if err != nil || n < 1 || k < 1 || k > 1<<16 {
			return
		}
		rows(0, make([]float32, k))
		rows(n-1, make([]float32, k))
	})
}
