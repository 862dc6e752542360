package bert

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// BenchmarkQuestion is one sequence; benchmarks/embed compares with ONNX Runtime.
func BenchmarkQuestion(b *testing.B) {
	for _, c := range [][2]int{{1, 16}, {2, 16}, {1, 64}, {2, 64}, {1, 256}, {2, 256}} {
		threads, n := c[0], c[1]
		m := builtIn(kernel.Best, threads)
		text := strings.Repeat("notice ", n-2)
		b.Run(fmt.Sprintf("%d threads, %d tokens", threads, n), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Question(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUnpack is what the first use of the built-in model costs.
func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		if _, err := unpack(kernel.Best); err != nil {
			b.Fatal(err)
		}
	}
}
