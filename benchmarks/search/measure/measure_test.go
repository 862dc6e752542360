package measure

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		sorted []time.Duration
		q      float64
		want   time.Duration
	}{
		{nil, 0.5, 0},
		{[]time.Duration{7}, 0.01, 7},
		{[]time.Duration{7}, 1, 7},
		{[]time.Duration{1, 2, 3, 4}, 0.5, 2},
		{[]time.Duration{1, 2, 3, 4}, 0.51, 3},
		{[]time.Duration{1, 2, 3, 4, 5}, 0.5, 3},
		{[]time.Duration{1, 2, 3, 4, 5}, 0.99, 5},
		{[]time.Duration{1, 2, 3, 4, 5}, 1, 5},
	} {
		if got := Quantile(c.sorted, c.q); got != c.want {
			t.Errorf("the %v-quantile of %v is %v, not %v", c.q, c.sorted, got, c.want)
		}
	}
}

// TestQuantileByDefinition compares with the least value that a share q does not exceed.
func TestQuantileByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		times := make([]time.Duration, 1+rnd.IntN(30))
		for i := range times {
			times[i] = time.Duration(rnd.IntN(20))
		}
		slices.Sort(times)
		q := float64(1+rnd.IntN(100)) / 100
		want := times[len(times)-1]
		for _, x := range slices.Backward(times) {
			below := 0
			for _, y := range times {
				if y <= x {
					below++
				}
			}
			if float64(below) >= q*float64(len(times)) {
				want = x
			}
		}
		if got := Quantile(times, q); got != want {
			t.Fatalf("the %v-quantile of %v is %v, not %v", q, times, got, want)
		}
	}
}

func TestSummarise(t *testing.T) {
	c := Cell{Wall: 2 * time.Second, Latencies: []time.Duration{4, 1, 3, 2}}
	want := Summary{Questions: 4, PerSecond: 2, P50: 2, P99: 4}
	if got := c.Summarise(); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if !slices.Equal(c.Latencies, []time.Duration{4, 1, 3, 2}) {
		t.Error("the order of the questions is lost")
	}
}

func TestRecall(t *testing.T) {
	passages := func(numbers ...int) []Hit {
		var hits []Hit
		for _, n := range numbers {
			hits = append(hits, Hit{Passage: n})
		}
		return hits
	}
	for _, c := range []struct {
		found, wanted []Hit
		want          float64
	}{
		{passages(), passages(), 1},
		{passages(1, 2), passages(), 1},
		{passages(), passages(1, 2), 0},
		{passages(2, 1), passages(1, 2), 1},
		{passages(1, 9, 8), passages(1, 2), 0.5},
	} {
		if got := Recall(c.found, c.wanted); got != c.want {
			t.Errorf("recall of %v in %v is %v, not %v", c.wanted, c.found, got, c.want)
		}
	}
}

func TestSum(t *testing.T) {
	for n := range 40 {
		data := make([]uint64, n)
		var want uint64
		for i := range data {
			data[i] = uint64(i*i + 1)
			want += data[i]
		}
		if got := sum(data); got != want {
			t.Errorf("the sum of %d words is %d, not %d", n, got, want)
		}
	}
}

// TestReadOnce finds that reading takes time, and what is in the cache less for a word.
func TestSooner(t *testing.T) {
	got := Sooner([]Ready{{Keyword, 5, 9}, {Vector, 3, 4}}, []Ready{{Vector, 4, 2}, {Hybrid, 1, 1}, {Keyword, 5, 8}})
	if want := []Ready{{Keyword, 5, 8}, {Vector, 3, 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReadOnce(t *testing.T) {
	if d := ReadOnce(make([]uint64, 1<<20), 2, 3); d <= 0 {
		t.Errorf("8 MB are read in %v", d)
	}
}

func TestProcess(t *testing.T) {
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = 1
	}
	m := ReadMemory()
	if m.Live < 64<<20 || m.Anonymous < 64<<20 || m.Peak < m.Anonymous {
		t.Errorf("64 MB are held, memory is %+v", m)
	}
	if CPU() <= 0 {
		t.Error("no CPU time was spent")
	}
	if held[0] != 1 {
		t.Error("lost")
	}
}

func TestWriteAndRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "served.json")
	want := Served{
		Ready:   []Ready{{Keyword, 1, 2}},
		Answers: []Answers{{Keyword, "100", [][]Hit{{{3, 0.1}}}}},
		Cells:   []Cell{{Vector, "1", 2, 5, []time.Duration{6}}},
		Memory:  Memory{1, 2, 3, 4},
		Changes: []time.Duration{7},
	}
	if err := Write(file, want); err != nil {
		t.Fatal(err)
	}
	var got Served
	if err := Read(file, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
}
