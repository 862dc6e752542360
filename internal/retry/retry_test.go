package retry

import "testing"

func TestBackoff(t *testing.T) {
	step := First
	for try := 1; try <= 40; try++ {
		for range 20 {
			if d := Backoff(try); d < step/2 || d > step {
				t.Errorf("after %d tries it waits %s, not %s to %s", try, d, step/2, step)
			}
		}
		step = min(2*step, Longest)
	}
}
