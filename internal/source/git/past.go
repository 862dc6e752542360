package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source"
)

// state is what a file was since a commit.
type state struct {
	since  time.Time
	commit int // its place in the log
	file   file
}

// commit is one of the log.
type commit struct {
	id string
	at time.Time
}

// log lists the commits that were fetched, the oldest first, by the first parent, which is
// the line of the branch itself. A commit counts from its committer's date, but not before
// the one it follows: dates are whatever a clock said.
func (r *repository) log(ctx context.Context) ([]commit, error) {
	out, err := r.run(ctx, "log", "--first-parent", "--reverse", "--format=%H %ct", tip)
	if err != nil {
		return nil, err
	}
	var all []commit
	for line := range strings.Lines(string(out)) {
		id, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return nil, errors.New("git log gives what it should not")
		}
		c := commit{id, time.Unix(seconds, 0).UTC()}
		if n := len(all); n > 0 && c.at.Before(all[n-1].at) {
			c.at = all[n-1].at
		}
		all = append(all, c)
	}
	return all, nil
}

// states gives what each file of the tip was, the oldest first. That a file was away for a
// while is not told: it is taken to have stayed what it was.
func (r *repository) states(ctx context.Context, log []commit) (map[string][]state, error) {
	out := map[string][]state{}
	for i, c := range log {
		tree, err := r.tree(ctx, c.id)
		if err != nil {
			return nil, err
		}
		for _, f := range tree {
			was := out[f.path]
			if len(was) == 0 || was[len(was)-1].file.id != f.id {
				out[f.path] = append(was, state{c.at, i, f})
			}
		}
	}
	return out, nil
}

// past adds to a listing of the tip since when its files are what they are, and what they
// were before.
func (s *Repository) past(ctx context.Context, repo *repository, l *source.Listing) error {
	log, err := repo.log(ctx)
	if err != nil {
		return err
	}
	states, err := repo.states(ctx, log)
	if err != nil {
		return err
	}
	days := make([][]source.Item, len(log))
	for i, it := range l.Items {
		was := states[it.Path]
		if len(was) == 0 {
			continue
		}
		l.Items[i].Since = was[len(was)-1].since
		for _, w := range was[:len(was)-1] {
			regular := w.file.mode == "100644" || w.file.mode == "100755"
			if !regular || w.file.size > s.options.MaxBytes {
				continue
			}
			before := source.NewItem(it.Path, it.Path, w.file.size, func(ctx context.Context) (source.Original, error) {
				now, err := it.Read(ctx) // for the sidecars of today, which say who may read it
				if err != nil {
					return source.Original{}, err
				}
				data, err := repo.run(ctx, "cat-file", "blob", w.file.id)
				if err != nil {
					return source.Original{}, fmt.Errorf("%w: %w", err, source.ErrUnavailable)
				}
				return now.Of(data), nil
			})
			days[w.commit] = append(days[w.commit], before)
		}
	}
	for i, items := range days {
		if len(items) > 0 {
			l.Past = append(l.Past, source.Past{Since: log[i].at, Items: items})
		}
	}
	return nil
}
