package standard

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source/watch"
)

// Watching is who is told while sources are watched. Its functions are called one at a
// time.
type Watching struct {
	// Due says that a source may have changed: it is to be synced.
	Due func(document.Source)
	// Unwatched says that the system tells of no changes of a source, and why; it is due
	// every now and then instead.
	Unwatched func(document.Source, error)
	// Failed says that the sources could not be listed; those that are known go on.
	Failed func(error)
}

// Watch tells when sources may have changed, all of them first, until ctx ends: folders
// when the system says so, and every source after the times that sources.watch sets.
// Sources that are added meanwhile are taken up.
func (c *Corpus) Watch(ctx context.Context, w Watching) {
	known := map[string]document.Source{}
	var targets []watch.Target
	list := func() []watch.Target {
		sources, err := c.Sources(ctx)
		if err != nil {
			if ctx.Err() == nil {
				w.Failed(err)
			}
			return targets
		}
		targets = nil
		clear(known)
		for _, s := range sources {
			t := watch.Target{Name: s.Name}
			switch s.Kind {
			case "folder", "file":
				t.Path = s.Root
			case "site", "git", "bucket":
			default:
				continue
			}
			known[s.Name] = s
			targets = append(targets, t)
		}
		return targets
	}
	every := c.settings.Sources.Watch
	watch.Loop(ctx, list, watch.Options{
		Poll: time.Duration(every.PollSeconds) * time.Second, Every: time.Duration(every.EverySeconds) * time.Second,
		Ignore: c.own(), Failed: func(name string, err error) { w.Unwatched(known[name], err) },
	}, func(name string) { w.Due(known[name]) })
}

// own reports of a path whether it is the store's or of a file beside it: a store in a
// folder that it indexes would tell of its own writing.
func (c *Corpus) own() func(path string) bool {
	store, err := filepath.Abs(c.beside)
	if dir, failed := filepath.EvalSymlinks(filepath.Dir(store)); failed == nil && err == nil {
		store = filepath.Join(dir, filepath.Base(store))
	}
	return func(path string) bool { return strings.HasPrefix(path, store) }
}
