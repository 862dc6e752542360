package main

import (
	"context"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

// watch syncs sources whenever they may have changed, until it is interrupted, which is
// how it is meant to end. Removals are confirmed for the first sync of each source only:
// nobody looks at those that follow.
func (a *app) watch(ctx context.Context, corpus *standard.Corpus, confirm bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var broken error // standard output
	w := watching{app: a, first: map[string]bool{}, said: map[string]string{}}
	corpus.Watch(ctx, standard.Watching{
		Due: func(s document.Source) {
			report, err := a.syncFrom(ctx, corpus, s, confirm && !w.first[s.Name])
			if ctx.Err() != nil {
				return
			}
			w.told(report, err)
			if broken = a.flush(); broken != nil {
				stop()
			}
		},
		Unwatched: func(s document.Source, err error) {
			a.note("note: no changes of %s are told (%s); it is compared every now and then", s.Name, sentence(err))
		},
		Failed: func(err error) { a.note("note: %s", sentence(err)) },
	})
	return broken
}

// watching is what was said of the sources.
type watching struct {
	*app
	first map[string]bool   // sources that were synced once
	said  map[string]string // what was wrong with one, so that it is said once
}

func (w watching) told(r quarry.Report, err error) {
	if err == nil {
		err = outcome([]quarry.Report{r})
	}
	wrong := ""
	if err != nil {
		wrong = sentence(err)
	}
	if changed := len(r.Added)+len(r.Changed)+len(r.Renamed)+len(r.Removed) > 0; changed || !w.first[r.Source] || wrong != w.said[r.Source] {
		if failed := w.report([]quarry.Report{r}); failed != nil {
			w.note("%s", sentence(failed))
		}
		if wrong != "" {
			w.note("%s: %s", r.Source, wrong)
		}
	}
	w.first[r.Source], w.said[r.Source] = true, wrong
}
