package bert

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

func TestNameAndDims(t *testing.T) {
	if got, want := Default().Name(), "all-MiniLM-L6-v2-int8 mean 256/32"; got != want {
		t.Errorf("name %q, want %q: vectors under the old name would be made again", got, want)
	}
	if got := Default().Dims(); got != 384 {
		t.Errorf("%d dimensions, want 384", got)
	}
}

// TestTexts: what comes out for texts that are none, or hardly.
func TestTexts(t *testing.T) {
	m := Default()
	megabyte := strings.Repeat("a", 1<<20)
	long := strings.Repeat("notice period ", 400) // 800 tokens
	texts := []string{"", " \n", "\x00\a", "\xff\xfe\xc3", "a\xffb", megabyte, long, "plain"}
	vectors := []int{0, 1, 1, 1, 1, 1, 4, 1}
	got, err := m.Passages(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if len(got[i]) != vectors[i] {
			t.Errorf("%.20q gives %d vectors, want %d", text, len(got[i]), vectors[i])
		}
		for _, v := range got[i] {
			if c := cosine(v, v); len(v) != m.Dims() || math.IsNaN(c) || math.Abs(length(v)-1) > 1e-5 {
				t.Errorf("%.20q gives a vector of %d components and length %v", text, len(v), length(v))
			}
		}
	}
	if got, err := m.Passages(context.Background(), nil); err != nil || len(got) != 0 {
		t.Errorf("no texts give %v, %v", got, err)
	}
	for _, text := range []string{"", " \t"} {
		if v, err := m.Question(context.Background(), text); err == nil {
			t.Errorf("the empty question gives %v", v[:2])
		}
	}
	if _, err := m.Question(context.Background(), long); err != nil {
		t.Errorf("a long question: %v", err)
	}
}

func length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// TestOrder: vectors come back in the order of the texts, however these are
// batched, and a text's vector does not depend on its neighbours.
func TestOrder(t *testing.T) {
	var texts []string
	for i := range 60 {
		texts = append(texts, strings.Repeat("word ", i*7%40+1))
	}
	together, err := Default().Passages(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(texts); i += 7 {
		alone, err := Default().Passages(context.Background(), texts[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if c := cosine(alone[0][0], together[i][0]); c < 0.9999999 {
			t.Errorf("text %d: cosine alone to together %v", i, c)
		}
	}
}

// TestThreads: sharing a question among goroutines changes nothing.
func TestThreads(t *testing.T) {
	one, four := builtIn(kernel.Best, 1), builtIn(kernel.Best, 4)
	for _, text := range []string{"a", "How long is the notice period?", strings.Repeat("notice period ", 55)} {
		a, err := one.Question(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := four.Question(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%.20q: cosine of one to four goroutines %v", text, cosine(a, b))
		}
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	want, err := Default().Question(context.Background(), "How long is the notice period?")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if v, err := Default().Question(context.Background(), "How long is the notice period?"); err != nil || !slices.Equal(v, want) {
				t.Errorf("another vector or %v", err)
			}
			if _, err := Default().Passages(context.Background(), []string{"a", "b c", "d"}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Default().Passages(ctx, []string{"a", "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it gives %v", err)
	}
	if _, err := Default().Question(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it gives %v", err)
	}
}
