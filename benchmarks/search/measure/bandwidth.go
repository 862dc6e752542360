package measure

import (
	"runtime"
	"sync"
	"time"
)

// ReadOnce is the least time of several in which so many threads read all of data
// from memory once: no exhaustive search of it can take less. Whole words are added,
// four sums at a time, since a core adds faster than memory delivers.
func ReadOnce(data []uint64, threads, rounds int) time.Duration {
	least := time.Duration(1<<63 - 1)
	sums := make([]uint64, threads)
	for range rounds {
		began := time.Now()
		var all sync.WaitGroup
		for t := range threads {
			all.Go(func() { sums[t] += sum(data[t*len(data)/threads : (t+1)*len(data)/threads]) })
		}
		all.Wait()
		least = min(least, time.Since(began))
	}
	runtime.KeepAlive(sums)
	return least
}

func sum(data []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(data) >= 8; data = data[8:] {
		a += data[0] + data[4]
		b += data[1] + data[5]
		c += data[2] + data[6]
		d += data[3] + data[7]
	}
	for _, x := range data {
		a += x
	}
	return a + b + c + d
}
