package main

import (
	"fmt"
	"os"
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
	total := 0
	p.Listed = func(n int) { total = n }
	p.Prepared = func(done int) { show("%s: %d of %d documents", source, done, total) }
	p.Embedded = func(done, _ int) { show("%s: %d passages embedded", source, done) }
	return p, end
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
