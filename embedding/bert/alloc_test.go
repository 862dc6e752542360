package bert

import (
	"runtime"
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

// TestMemory: a batch takes memory in proportion to its tokens. Of long sequences
// only what attention keeps of one, its keys, values and some rows of scores, is
// beside that.
func TestMemory(t *testing.T) {
	e, err := Default().load()
	if err != nil {
		t.Fatal(err)
	}
	taken := func(sequences, tokens int) float64 {
		batch := make([]encoder.Sequence, sequences)
		for i := range batch {
			batch[i].IDs = numbers(tokens)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := e.Forward(new(encoder.Arena), encoder.Job{Batch: batch}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	few, many := taken(4, 16), taken(32, 16)
	if many > 8*few {
		t.Errorf("64 tokens take %.0f bytes and 512 take %.0f: more than 8 times as many", few, many)
	}
	// Per token: its vector, query, key and value, what the heads give, 4 bytes each.
	if long := taken(1, 512); many > 512*8000*1.5 || long > 1.2*many {
		t.Errorf("512 tokens take %.0f bytes, in one sequence %.0f", many, long)
	}
	t.Logf("64 tokens take %.1f MB, 512 tokens %.1f MB", few/1e6, many/1e6)
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
