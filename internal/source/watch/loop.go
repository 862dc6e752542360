package watch

import (
	"context"
	"time"
)

// Target is a source that is watched.
type Target struct {
	Name string
	// Path is the folder or file that tells of changes; "" where nothing does, as of
	// what is elsewhere.
	Path string
}

// Options of a loop.
type Options struct {
	// Poll is after how long a folder is looked at that gives no events.
	Poll time.Duration
	// Every is after how long any target is looked at, whether or not something was told.
	Every time.Duration
	// Ignore says of a path that what happens to it does not count.
	Ignore func(path string) bool
	// Failed is told, once until there are events again, why a target has none.
	Failed func(name string, err error)

	folder func(ctx context.Context, path string, ignore func(string) bool) (watcher, error) // Folder; for tests
}

type watcher interface {
	Changed() <-chan struct{}
	Failed() <-chan error
}

// watched is a target on its way through the loop.
type watched struct {
	target Target
	events watcher // nil: it is looked at after Poll
	stop   context.CancelFunc
	next   time.Time // when it is looked at anyhow
	said   bool      // that it has no events
}

// Loop calls due for every target that may have changed, one at a time, until ctx ends.
// targets is asked for what there is before each look; what is new is looked at once it is
// watched, so no change before that is missed.
func Loop(ctx context.Context, targets func() []Target, o Options, due func(name string)) {
	if o.folder == nil {
		o.folder = func(ctx context.Context, path string, ignore func(string) bool) (watcher, error) {
			return Folder(ctx, path, ignore)
		}
	}
	l := &loop{Options: o, ctx: ctx, all: map[string]*watched{}, changed: make(chan string), failed: make(chan fault)}
	timer := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-l.changed:
			if l.all[name] != nil {
				due(name)
			}
		case f := <-l.failed:
			if w := l.all[f.name]; w != nil {
				w.events, w.next = nil, time.Now() // look at once: events were lost
				l.say(w, f.err)
			}
		case <-timer.C:
		}
		l.refresh(targets())
		now, earliest := time.Now(), time.Now().Add(o.Every)
		for _, w := range l.all {
			if !w.next.After(now) && ctx.Err() == nil {
				l.watch(w)
				due(w.target.Name)
				w.next = time.Now().Add(o.Every)
				if w.events == nil && w.target.Path != "" {
					w.next = time.Now().Add(o.Poll)
				}
			}
			if w.next.Before(earliest) {
				earliest = w.next
			}
		}
		timer.Reset(time.Until(earliest))
	}
}

type fault struct {
	name string
	err  error
}

type loop struct {
	Options
	ctx     context.Context
	all     map[string]*watched
	changed chan string
	failed  chan fault
}

// refresh takes up targets that are new and lets go of those that are no more.
func (l *loop) refresh(targets []Target) {
	there := map[string]bool{}
	for _, t := range targets {
		there[t.Name] = true
		if w := l.all[t.Name]; w == nil || w.target != t {
			if w != nil && w.stop != nil {
				w.stop()
			}
			l.all[t.Name] = &watched{target: t}
		}
	}
	for name, w := range l.all {
		if !there[name] {
			if w.stop != nil {
				w.stop()
			}
			delete(l.all, name)
		}
	}
}

// watch has the system tell of a target's changes, where it does not yet.
func (l *loop) watch(w *watched) {
	if w.events != nil || w.target.Path == "" {
		return
	}
	ctx, stop := context.WithCancel(l.ctx)
	events, err := l.folder(ctx, w.target.Path, l.Ignore)
	if err != nil {
		stop()
		l.say(w, err)
		return
	}
	w.events, w.stop, w.said = events, stop, false
	go func() {
		defer stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-events.Changed():
				select {
				case l.changed <- w.target.Name:
				case <-ctx.Done():
					return
				}
			case err := <-events.Failed():
				select {
				case l.failed <- fault{w.target.Name, err}:
				case <-ctx.Done():
				}
				return
			}
		}
	}()
}

func (l *loop) say(w *watched, err error) {
	if !w.said && l.Options.Failed != nil {
		l.Options.Failed(w.target.Name, err)
	}
	w.said = true
}
