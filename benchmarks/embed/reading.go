package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// weights is what a text reads of all-MiniLM-L6-v2, however short it is: the matrices of
// its six layers in float32, bytes.
const weights = 6 * (4*384*384 + 2*384*1536) * 4

// reading prints how long memory takes to give the weights once, to one thread and to
// two. It bounds what a second thread can gain on a text so short that its arithmetic
// takes no longer than that.
func reading() {
	words := make([]uint64, weights/8)
	for i := range words {
		words[i] = 1
	}
	var least [2]time.Duration
	for range 50 {
		for i := range least {
			size := len(words) / (i + 1)
			var all sync.WaitGroup
			began := time.Now()
			for part := range i + 1 {
				all.Go(func() { read.Add(sum(words[part*size : (part+1)*size])) })
			}
			all.Wait()
			if took := time.Since(began); least[i] == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	fmt.Printf("%-28s %10.2f %10.2f %10.2f\n", "reading the weights once", least[0].Seconds()*1e3, least[1].Seconds()*1e3, least[0].Seconds()/least[1].Seconds())
}

var read atomic.Uint64 // so that no sum is left out as unused

// sum adds up words, eight at a time, so that memory and not the additions take the time.
func sum(words []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(words) >= 8; words = words[8:] {
		a += words[0] + words[1]
		b += words[2] + words[3]
		c += words[4] + words[5]
		d += words[6] + words[7]
	}
	return a + b + c + d
}
