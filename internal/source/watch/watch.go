// Package watch tells when something in a folder may have changed. What did is for a sync
// to find: events name too little, come late and get lost, so they say when to look and
// never what is there.
package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches one folder with all below it, or one file.
type Watcher struct {
	root    string
	file    string // the file that is watched; "" is a folder
	ignore  func(path string) bool
	events  *fsnotify.Watcher
	changed chan struct{}
	failed  chan error
}

// Folder watches a folder or a file until ctx ends. ignore says of a path that what
// happens to it does not count. An error means that the system gives no events for it, as
// where a limit of watches is reached.
func Folder(ctx context.Context, root string, ignore func(path string) bool) (*Watcher, error) {
	info, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", root, err)
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", root, err)
	}
	w := &Watcher{root: root, ignore: ignore, events: events, changed: make(chan struct{}, 1), failed: make(chan error, 1)}
	if info.IsDir() {
		err = w.add(root)
	} else {
		w.file, w.root = root, filepath.Dir(root)
		err = events.Add(w.root) // of a file alone, the events end when it is saved anew
	}
	if err != nil {
		events.Close()
		return nil, fmt.Errorf("watching %s: %w", root, err)
	}
	go w.run(ctx)
	return w, nil
}

// Changed is sent to when something may have changed since it was last sent to.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Failed is sent to once, when the system gives no more events. The watcher is over then.
func (w *Watcher) Failed() <-chan error { return w.failed }

// add watches a folder and those in it. It is watched before it is read, so that of what
// is made meanwhile there is an event, or it is read.
func (w *Watcher) add(dir string) error {
	if err := w.events.Add(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // a sync says so
	}
	for _, e := range entries {
		if e.IsDir() && !hidden(e.Name()) {
			path := filepath.Join(dir, e.Name())
			if err := w.add(path); err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
				return err
			}
		}
	}
	return nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

func (w *Watcher) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer w.events.Close()
	happened := make(chan struct{})
	go gather(ctx, happened, w.changed)
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.events.Events:
			if !ok {
				w.failed <- fmt.Errorf("watching %s: there are no more events", w.root)
				return
			}
			if !w.counts(e) {
				continue
			}
			if err := w.follow(e); err != nil {
				w.failed <- err
				return
			}
			select {
			case happened <- struct{}{}:
			case <-ctx.Done():
			}
		case err := <-w.events.Errors: // events were lost
			w.failed <- fmt.Errorf("watching %s: %w", w.root, err)
			return
		}
	}
}

// counts reports whether an event may be of a document or a sidecar.
func (w *Watcher) counts(e fsnotify.Event) bool {
	if w.file != "" { // its folder holds its sidecars, which begin like it or with _meta
		name, base := filepath.Base(e.Name), filepath.Base(w.file)
		return strings.HasPrefix(name, base) || strings.HasPrefix(strings.ToLower(name), "_meta.") || e.Name == w.root
	}
	return e.Name == w.root || !hidden(filepath.Base(e.Name)) && !w.ignore(e.Name)
}

// follow watches a folder that is new, and fails where the watched one is gone.
func (w *Watcher) follow(e fsnotify.Event) error {
	if e.Name == w.root && e.Has(fsnotify.Remove|fsnotify.Rename) {
		return fmt.Errorf("watching %s: it is gone", w.root)
	}
	if w.file != "" || !e.Has(fsnotify.Create) {
		return nil
	}
	if info, err := os.Lstat(e.Name); err != nil || !info.IsDir() {
		return nil
	}
	if err := w.add(e.Name); err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
		return fmt.Errorf("watching %s: %w", e.Name, err)
	}
	return nil
}
