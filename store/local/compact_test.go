package local

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Merging keeps segments few and writes each byte a few times.
func TestNewest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		what             string
		size             func() int
		commits, largest int
		most             int // extents
		written          float64
	}{
		{"batches of 35 KB", func() int { return 35_000 }, 3_000, largestSegment, 35, 5},
		{"changes of 2 KB", func() int { return 2_000 }, 20_000, largestSegment, 45, 10},
		{"changes of any size", func() int { return 1 << rnd.IntN(22) }, 2_000, largestSegment, 60, 6},
		{"codes of 256 vectors", func() int { return 99_300 }, 4_000, largestBlock, 520, 2.5},
		{"codes of one vector", func() int { return 388 }, 20_000, largestBlock, 50, 9},
	} {
		t.Run(c.what, func(t *testing.T) {
			var list []extent
			smallest := smallestSegment
			if c.largest == largestBlock {
				smallest = smallestBlock
			}
			text, written, most := 0, 0, 0
			for range c.commits {
				x := extent{size: c.size()}
				text += x.size
				list = append(list, x)
				if from := newest(list, smallest, c.largest); from < len(list) {
					sum := 0
					for _, x := range list[from:] {
						sum += x.size
					}
					if sum > c.largest {
						t.Fatalf("%d extents of %d bytes become one", len(list)-from, sum)
					}
					list = append(list[:from], extent{size: sum})
				}
				written += list[len(list)-1].size
				most = max(most, len(list))
			}
			ratio := float64(written) / float64(text)
			summary := fmt.Sprintf("%d bytes in %d extents, at most %d; %.1f bytes written for each", text, len(list), most, ratio)
			if t.Log(summary); most > c.most || ratio > c.written {
				t.Errorf("want at most %d and %.1f", c.most, c.written)
			}
		})
	}
}
