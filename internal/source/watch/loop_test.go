package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fake is a folder whose events a test makes.
type fake struct {
	changed chan struct{}
	failed  chan error
}

func (f fake) Changed() <-chan struct{} { return f.changed }
func (f fake) Failed() <-chan error     { return f.failed }

// TestLoop has a folder that gives events, one that gives none for a while, and a site;
// the log says at which second each was looked at.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		var mu sync.Mutex
		var log []string
		note := func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, fmt.Sprintf("%d ", int(time.Since(began).Seconds()))+fmt.Sprintf(format, args...))
		}
		targets := []Target{{"docs", "/docs"}, {"remote", "/remote"}, {"site", ""}}
		docs, blind := fake{make(chan struct{}, 1), make(chan error, 1)}, true
		o := Options{Poll: 10 * time.Second, Every: 100 * time.Second, Failed: func(name string, err error) { note("%s: %v", name, err) },
			folder: func(_ context.Context, path string, _ func(string) bool) (watcher, error) {
				if path == "/docs" {
					return docs, nil
				}
				mu.Lock()
				defer mu.Unlock()
				if blind {
					return nil, errors.New("no watches are left")
				}
				return fake{make(chan struct{}), make(chan error)}, nil
			}}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			Loop(ctx, func() []Target { mu.Lock(); defer mu.Unlock(); return slices.Clone(targets) }, o, func(name string) { note("%s", name) })
		}()
		at := func(second int, do func()) {
			time.Sleep(time.Until(began.Add(time.Duration(second)*time.Second + 500*time.Millisecond)))
			mu.Lock()
			do()
			mu.Unlock()
			synctest.Wait()
		}
		at(3, func() { docs.changed <- struct{}{} })
		at(15, func() { targets = append(targets, Target{"new", ""}) })
		at(25, func() { blind = false })
		at(40, func() { docs.failed <- errors.New("events were lost") })
		at(50, func() { targets = targets[:2] })
		at(135, cancel)
		<-ended
		slices.SortStableFunc(log, func(a, b string) int { return second(a) - second(b) })
		for _, group := range [][]string{
			{"0 docs", "0 remote", "0 remote: no watches are left", "0 site"},
			{"3 docs"}, {"10 remote"}, {"20 new", "20 remote"}, {"30 remote"}, {"40 docs", "40 docs: events were lost"},
			{"130 remote"},
		} {
			n := min(len(group), len(log))
			have := slices.Sorted(slices.Values(log[:n]))
			if !slices.Equal(have, group) {
				t.Fatalf("it says %q and not %q, then %q", have, group, log[n:])
			}
			log = log[n:]
		}
		if len(log) > 0 {
			t.Errorf("then it says %q", log)
		}
	})
}

func second(line string) (n int) {
	fmt.Sscan(line, &n)
	return n
}
