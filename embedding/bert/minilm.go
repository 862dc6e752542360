package bert

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/safetensors"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// The weights of sentence-transformers/all-MiniLM-L6-v2, as bytes with one scale
// per 32 values, made by tools/weights; Apache-2.0.
//
//go:embed minilm.safetensors
var minilm []byte

// The built-in model's name and use. It was trained on texts of up to 256 tokens.
const (
	minilmName    = "all-MiniLM-L6-v2-int8"
	minilmDims    = 384
	minilmWindow  = 256
	minilmOverlap = 32
)

// Default is the built-in model, all-MiniLM-L6-v2: 384 dimensions, mean pooling,
// windows of 256 tokens. Its weights are unpacked at first use, once; that takes
// some tens of milliseconds and 60 MB.
var Default = sync.OnceValue(func() *Model {
	return builtIn(kernel.Best, 0)
})

func builtIn(kernels *kernel.Set, threads int) *Model {
	o := Options{Pooling: Mean, Window: minilmWindow, Overlap: minilmOverlap, Threads: threads}
	m, err := newModel(minilmName, minilmDims, o, wordpiece.BuiltIn, sync.OnceValues(func() (*encoder.Encoder, error) {
		e, err := unpack(kernels)
		if err != nil {
			return nil, fmt.Errorf("the built-in model: %w", err)
		}
		return e, nil
	}))
	if err != nil {
		return &Model{load: func() (*encoder.Encoder, error) { return nil, err }}
	}
	return m
}

func unpack(kernels *kernel.Set) (*encoder.Encoder, error) {
	file, err := safetensors.Parse(minilm)
	if err != nil {
		return nil, err
	}
	c, err := parseConfig([]byte(file.Metadata["config"]))
	if err != nil {
		return nil, err
	}
	return encoder.New(c.shape, file, "", kernels)
}
