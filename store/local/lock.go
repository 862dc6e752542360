package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// started tells, with the process id, one run of a program from a later one that
// was given the same id.
var started = time.Now().UTC().Truncate(time.Second)

// acquire takes the right to write, first within this process and then among
// processes, and returns what gives it back. The operating system gives it back
// for a process that was killed.
func (s *Store) acquire(ctx context.Context) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.wait, store.ErrBusy)
	defer cancel()
	select {
	case s.writing <- struct{}{}:
	default:
		select {
		case s.writing <- struct{}{}:
		case <-ctx.Done():
			return nil, s.gaveUp(ctx)
		}
	}
	if err := s.alive(); err != nil {
		<-s.writing
		return nil, err
	}
	held, err := s.lock.TryLock() // what is free is taken, also by a process that stood still for as long as it waits
	if err == nil && !held {
		held, err = s.lock.TryLockContext(ctx, 10*time.Millisecond)
	}
	switch {
	case !held && errors.Is(err, ctx.Err()):
		<-s.writing
		return nil, s.gaveUp(ctx)
	case err != nil || !held:
		<-s.writing
		return nil, s.wrap("locking", err)
	}
	s.sign()
	return func() {
		s.lock.Unlock()
		<-s.writing
	}, nil
}

// sign writes who holds the lock into its file, for the message of who waits. It
// is a courtesy: where it fails the lock still holds.
func (s *Store) sign() {
	text := fmt.Sprintf("process %d, started %s", os.Getpid(), started.Format(time.RFC3339))
	_ = os.WriteFile(s.path+".lock", []byte(text), 0o644)
}

func (s *Store) gaveUp(ctx context.Context) error {
	if context.Cause(ctx) != store.ErrBusy {
		return context.Cause(ctx)
	}
	holder := "another process"
	if text, err := os.ReadFile(s.path + ".lock"); err == nil && len(text) > 0 && len(text) < 100 {
		holder = strings.TrimSpace(string(text))
	}
	return &failure{
		sentence: fmt.Sprintf("%s: %v (%s, lock file %s.lock); wait for it to end and run the command again", s.path, store.ErrBusy, holder, s.path),
		kind:     store.ErrBusy,
	}
}
