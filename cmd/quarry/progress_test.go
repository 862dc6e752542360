package main

import (
	"fmt"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	var shown string
	p := progressOf("handbook", func(format string, args ...any) { shown = fmt.Sprintf(format, args...) }, func() time.Time { return now })
	p.Listed(1234)
	for _, c := range []struct {
		step func()
		want string
	}{
		{func() { p.Prepared(64) }, "handbook: 64 of 1,234 documents"},
		{func() { p.Embedded(0, 1200) }, "handbook: 0 of 1,200 passages embedded"},
		{func() { now = now.Add(500 * time.Millisecond); p.Embedded(10, 1200) }, "handbook: 10 of 1,200 passages embedded"},
		{func() { now = now.Add(3265 * time.Millisecond); p.Embedded(320, 1200) }, "handbook: 320 of 1,200 passages embedded, 85 passages/s, 10 s left"},
		{func() { now = now.Add(10 * time.Second); p.Embedded(1200, 1200) }, "handbook: 1,200 of 1,200 passages embedded, 87 passages/s"},
	} {
		c.step()
		if shown != c.want {
			t.Errorf("it shows %q, want %q", shown, c.want)
		}
	}
	for _, c := range []struct {
		done, total int
		took        time.Duration
		want        string
	}{
		{1, 1000, 10 * time.Second, "1 of 1,000 passages embedded, 0.1 passages/s, 2 h 47 min left"},
		{999, 1000, 10 * time.Second, "999 of 1,000 passages embedded, 100 passages/s, 1 s left"},
		{100, 1000, 20 * time.Second, "100 of 1,000 passages embedded, 5.0 passages/s, 3 min left"},
		{1234567, 12345678, time.Hour, "1,234,567 of 12,345,678 passages embedded, 343 passages/s, 9 h 0 min left"},
		{0, 10, time.Minute, "0 of 10 passages embedded"},
	} {
		if got := embedded(c.done, c.total, c.took); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
