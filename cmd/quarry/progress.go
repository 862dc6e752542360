package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/seed-d3156d19/quarry"
)

// progress tells a terminal how far a sync is; anything else is told nothing.
// end takes the line away again.
func (a *app) progress(source string) (p quarry.Progress, end func()) {
	show, end := a.line()
	if show == nil {
		return p, end
	}
	return progressOf(source, show, time.Now), end
}

// progressOf is what a sync tells show.
func progressOf(source string, show func(string, ...any), now func() time.Time) (p quarry.Progress) {
	total := 0
	p.Listed = func(n int) { total = n }
	p.Prepared = func(done int) { show("%s: %s of %s documents", source, grouped(done), grouped(total)) }
	var began time.Time
	p.Embedded = func(done, total int) {
		if began.IsZero() {
			began = now()
		}
		show("%s: %s", source, embedded(done, total, now().Sub(began)))
	}
	return p
}

// embedded says how far an embedding is after some time. The rate is that of the
// whole run: batches are few and unlike.
func embedded(done, total int, took time.Duration) string {
	s := fmt.Sprintf("%s of %s passages embedded", grouped(done), grouped(total))
	if done == 0 || took < time.Second {
		return s
	}
	rate := float64(done) / took.Seconds()
	if rate < 9.5 {
		s += fmt.Sprintf(", %.1f passages/s", rate)
	} else {
		s += fmt.Sprintf(", %s passages/s", grouped(int(rate+0.5)))
	}
	if done < total {
		s += ", " + roughly(time.Duration(float64(total-done)/rate*float64(time.Second))) + " left"
	}
	return s
}

// roughly is a time to wait, in its two greatest units at most.
func roughly(d time.Duration) string {
	switch s := int(d.Seconds() + 0.5); {
	case s < 1:
		return "1 s"
	case s < 90:
		return fmt.Sprintf("%d s", s)
	case s < 90*60:
		return fmt.Sprintf("%d min", (s+30)/60)
	default:
		m := (s + 30) / 60
		return fmt.Sprintf("%s h %d min", grouped(m/60), m%60)
	}
}

// grouped writes a number with a comma between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// line is a line of a terminal that is written over; show is nil without one.
func (a *app) line() (show func(string, ...any), end func()) {
	f, ok := a.errs.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return nil, func() {}
	}
	var last time.Time
	shown := false
	show = func(format string, args ...any) {
		if time.Since(last) < 100*time.Millisecond {
			return
		}
		last, shown = time.Now(), true
		fmt.Fprintf(f, "\r\x1b[K%s", oneLine(fmt.Sprintf(format, args...)))
	}
	return show, func() {
		if shown {
			fmt.Fprint(f, "\r\x1b[K")
		}
	}
}
