package bert

import (
	"testing"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
)

// TestNoAllocations: in the steady state a batch takes no new memory.
func TestNoAllocations(t *testing.T) {
	e, err := Default().load()
	if err != nil {
		t.Fatal(err)
	}
	batch := []encoder.Sequence{{IDs: numbers(30)}, {IDs: numbers(7)}, {IDs: numbers(1)}}
	var a encoder.Arena
	if n := testing.AllocsPerRun(5, func() {
		if _, err := e.Forward(&a, encoder.Job{Batch: batch}); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
}

// TestBadSequences: what no tokenizer gives is refused, not computed.
func TestBadSequences(t *testing.T) {
	e, err := Default().load()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]encoder.Sequence{
		"no token": {}, "too many": {IDs: make([]int32, 513)}, "a negative one": {IDs: []int32{-1}}, "one beyond the vocabulary": {IDs: []int32{30522}},
	} {
		if _, err := e.Forward(new(encoder.Arena), encoder.Job{Batch: []encoder.Sequence{s}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
