package watch

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// When changes are told, in milliseconds, for events at certain times.
func TestGather(t *testing.T) {
	every := func(step, until int) (at []int) {
		for ms := 0; ms <= until; ms += step {
			at = append(at, ms)
		}
		return at
	}
	for _, c := range []struct {
		what     string
		happened []int
		told     []int
	}{
		{"one", []int{0}, []int{100}},
		{"two, soon after each other", []int{0, 60}, []int{160}},
		{"two apart", []int{0, 200}, []int{100, 300}},
		{"without end", every(70, 1200), []int{500, 1060, 1290}},
		{"none", nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			happened, changed := make(chan struct{}), make(chan struct{}, 1)
			go gather(t.Context(), happened, changed)
			began := time.Now()
			var told []int
			go func() {
				for range changed {
					told = append(told, int(time.Since(began).Milliseconds()))
				}
			}()
			for _, ms := range c.happened {
				time.Sleep(time.Until(began.Add(time.Duration(ms) * time.Millisecond))) // of the bubble: nobody waits
				happened <- struct{}{}
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if !slices.Equal(told, c.told) {
				t.Errorf("%s: told at %v, not %v", c.what, told, c.told)
			}
			close(changed)
		})
	}
}
