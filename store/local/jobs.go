package local

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/seed-d3156d19/quarry/store"
)

// claimable selects the jobs of a kind that nobody works on.
const claimable = "SELECT j.id, d.source, d.path FROM job j JOIN document d ON d.id = j.document WHERE j.kind = ? AND j.until <= ? ORDER BY j.id LIMIT ?"

// Claim implements store.Catalog. Jobs are taken in the order they were enqueued.
func (s *Store) Claim(ctx context.Context, kind store.JobKind, n int, lease time.Duration) ([]store.Job, error) {
	if n <= 0 {
		return nil, s.alive()
	}
	find := func(c *conn, now int64) ([]store.Job, error) {
		var out []store.Job
		job := store.Job{Kind: kind}
		err := c.each(ctx, claimable, []any{string(kind), now, n}, []any{&job.ID, &job.Document.Source, &job.Document.Path},
			func() error { out = append(out, job); return nil })
		return out, err
	}
	var jobs []store.Job
	// Look before asking for the right to write: most often there is nothing.
	err := s.reading(ctx, "looking for work", func(c *conn) (err error) {
		jobs, err = find(c, s.clock().UnixMilli())
		return err
	})
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	err = s.write(ctx, "claiming work", func(c *conn) error {
		now := s.clock()
		var err error
		if jobs, err = find(c, now.UnixMilli()); err != nil {
			return err
		}
		if len(jobs) == 0 {
			return errNothing
		}
		for i := range jobs {
			jobs[i].Token = rand.Text()
			if _, err := c.exec(ctx, "UPDATE job SET token = ?, until = ? WHERE id = ?", jobs[i].Token, now.Add(lease).UnixMilli(), jobs[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

// Done implements store.Catalog. Only the token that claimed a job last ends it.
func (s *Store) Done(ctx context.Context, jobs []store.Job) error {
	if len(jobs) == 0 {
		return s.alive()
	}
	return s.write(ctx, "ending work", func(c *conn) error {
		for _, j := range jobs {
			if _, err := c.exec(ctx, "DELETE FROM job WHERE id = ? AND token = ? AND token <> ''", j.ID, j.Token); err != nil {
				return err
			}
		}
		return nil
	})
}
