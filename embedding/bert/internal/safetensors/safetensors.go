// Package safetensors reads the format in which models are published: eight
// bytes, the little-endian length of a header; the header, JSON; the tensors.
//
// Files come from elsewhere and are not trusted: nothing is allocated by a size
// they state before it is known that they have as many bytes.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// maxHeader bounds the header, as the format's own library does (100 MB there).
// Models have some hundred bytes per tensor.
const maxHeader = 16 << 20

// File is an open file. Its methods may be called concurrently.
type File struct {
	// Metadata are the texts that the header holds beside the tensors.
	Metadata map[string]string

	tensors map[string]tensor
	read    func(from, size int64) ([]byte, error)
	data    int64 // where the tensors begin
}

type tensor struct {
	Dtype   string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // from the end of the header
}

// Open reads the header of a file of the given size. The tensors are read when
// they are asked for.
func Open(r io.ReaderAt, size int64) (*File, error) {
	return open(size, func(from, n int64) ([]byte, error) {
		b := make([]byte, n)
		_, err := r.ReadAt(b, from)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return b, err
	})
}

// Parse is Open for a file in memory; its tensors are used where they are.
func Parse(b []byte) (*File, error) {
	return open(int64(len(b)), func(from, n int64) ([]byte, error) {
		return b[from : from+n : from+n], nil
	})
}

func open(size int64, read func(from, n int64) ([]byte, error)) (*File, error) {
	if size < 8 {
		return nil, fmt.Errorf("it is not a safetensors file: it has %d bytes", size)
	}
	b, err := read(0, 8)
	if err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(b)
	if n > maxHeader || int64(n) > size-8 {
		return nil, fmt.Errorf("it is not a safetensors file or is damaged: its header is to have %d bytes, the file has %d", n, size)
	}
	if b, err = read(8, int64(n)); err != nil {
		return nil, err
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(b, &entries); err != nil {
		return nil, fmt.Errorf("it is not a safetensors file or is damaged: its header is not JSON: %w", err)
	}
	f := &File{tensors: make(map[string]tensor, len(entries)), read: read, data: 8 + int64(n)}
	for name, raw := range entries {
		if name == "__metadata__" {
			if err := json.Unmarshal(raw, &f.Metadata); err != nil {
				return nil, fmt.Errorf("its metadata: %w", err)
			}
			continue
		}
		var t tensor
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if err := t.check(size - f.data); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		f.tensors[name] = t
	}
	return f, nil
}

// check is for any tensor, of types that are not read too; it has to lie in the
// data, whose size is given.
func (t tensor) check(size int64) error {
	from, to := t.Offsets[0], t.Offsets[1]
	if from < 0 || to < from || to > size {
		return fmt.Errorf("it is to stand at bytes %d to %d, and the file has %d", from, to, size)
	}
	width, known := widths[t.Dtype]
	if !known {
		return nil
	}
	bytes := width
	for _, n := range t.Shape {
		if n < 0 || n > 0 && bytes > math.MaxInt64/n {
			return fmt.Errorf("its shape %v cannot be", t.Shape)
		}
		bytes *= n
	}
	if bytes != to-from {
		return fmt.Errorf("its shape %v needs %d bytes, and it has %d", t.Shape, bytes, to-from)
	}
	return nil
}

// widths are the bytes of a value of the types that are read.
var widths = map[string]int64{"F32": 4, "F16": 2, "BF16": 2, "I8": 1}

// ErrAbsent is returned for a tensor that is not in the file.
var ErrAbsent = errors.New("the file has no such tensor")

// Has says whether the file has a tensor of that name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Rows reads a tensor of n rows and k columns; a vector has one row. Row i is had
// by calling what is returned, with a slice of k values; that may be done
// concurrently. A tensor of bytes (I8) is multiplied by a second one, its name
// with ".scale" appended: one value for every 32 of a row.
func (f *File) Rows(name string, n, k int) (func(i int, dst []float32), error) {
	t, err := f.find(name, n, k)
	if err != nil {
		return nil, err
	}
	b, err := f.bytes(name, t)
	if err != nil {
		return nil, err
	}
	switch t.Dtype {
	case "F32":
		return func(i int, dst []float32) { floats(dst, b[i*k*4:][:k*4]) }, nil
	case "F16":
		return func(i int, dst []float32) { halves(dst, b[i*k*2:][:k*2]) }, nil
	case "BF16":
		return func(i int, dst []float32) { bfloats(dst, b[i*k*2:][:k*2]) }, nil
	}
	if k%Group != 0 {
		return nil, fmt.Errorf("tensor %q: rows of %d bytes are not whole groups of %d", name, k, Group)
	}
	groups := k / Group
	s, err := f.find(name+".scale", n, groups)
	if err != nil {
		return nil, err
	}
	if s.Dtype != "F16" {
		return nil, fmt.Errorf("tensor %q is of type %s: it must be F16", name+".scale", s.Dtype)
	}
	scales, err := f.bytes(name+".scale", s)
	if err != nil {
		return nil, err
	}
	return func(i int, dst []float32) { scaled(dst, b[i*k:][:k], scales[i*groups*2:][:groups*2]) }, nil
}

func (f *File) find(name string, n, k int) (tensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return t, fmt.Errorf("tensor %q: %w", name, ErrAbsent)
	}
	if _, ok := widths[t.Dtype]; !ok {
		return t, fmt.Errorf("tensor %q is of type %q: F32, F16 and BF16 are read; convert the model", name, t.Dtype)
	}
	shape := t.Shape
	if len(shape) == 1 && n == 1 {
		shape = []int64{1, shape[0]}
	}
	if len(shape) != 2 || shape[0] != int64(n) || shape[1] != int64(k) {
		return t, fmt.Errorf("tensor %q has the shape %v: the model's configuration wants [%d %d]", name, t.Shape, n, k)
	}
	return t, nil
}

func (f *File) bytes(name string, t tensor) ([]byte, error) {
	b, err := f.read(f.data+t.Offsets[0], t.Offsets[1]-t.Offsets[0])
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	return b, nil
}

// Prefix gives the first of the prefixes under which the file has the tensor.
func (f *File) Prefix(name string, prefixes ...string) (string, error) {
	for _, p := range prefixes {
		if f.Has(p + name) {
			return p, nil
		}
	}
	return "", fmt.Errorf("tensor %q: %w (nor with one of these before its name: %q)", name, ErrAbsent, strings.Join(prefixes, " "))
}
