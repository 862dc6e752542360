package postgres

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
)

// Claim implements store.Catalog. Jobs are taken in the order they were enqueued; those that
// another worker is taking are passed over, and workers wait neither for each other nor for
// who writes.
func (s *Store) Claim(ctx context.Context, kind store.JobKind, n int, lease time.Duration) ([]store.Job, error) {
	if n <= 0 {
		return nil, s.alive()
	}
	var jobs []store.Job
	token, now := rand.Text(), s.options.Clock()
	err := s.work(ctx, "claiming work", func(tx pgx.Tx) error {
		jobs = nil
		job := store.Job{Kind: kind, Token: token}
		return query(ctx, tx, `WITH free AS (
				SELECT id FROM job WHERE kind = $1 AND until <= $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
			UPDATE job j SET token = $4, until = $5 FROM free, document d WHERE j.id = free.id AND d.id = j.document
			RETURNING j.id, d.source, d.path`, []any{string(kind), now, n, token, now.Add(lease)},
			[]any{&job.ID, &job.Document.Source, &job.Document.Path}, func() error {
				jobs = append(jobs, job)
				return nil
			})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(jobs, func(a, b store.Job) int { return int(a.ID - b.ID) })
	return jobs, nil
}

// Extend implements store.Sharing.
func (s *Store) Extend(ctx context.Context, jobs []store.Job, lease time.Duration) error {
	if len(jobs) == 0 {
		return s.alive()
	}
	ids, tokens := columnsOf(jobs)
	return s.work(ctx, "holding work", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE job j SET until = $3 FROM unnest($1::bigint[], $2::text[]) a (id, token)
			WHERE j.id = a.id AND j.token = a.token AND j.token <> ''`, ids, tokens, s.options.Clock().Add(lease))
		return err
	})
}

// Held implements store.Sharing.
func (s *Store) Held(ctx context.Context, kind store.JobKind) (n int, err error) {
	err = s.reading(ctx, "counting work", func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT count(*) FROM job WHERE kind = $1 AND until > $2", string(kind), s.options.Clock()).Scan(&n)
	})
	return n, err
}

func columnsOf(jobs []store.Job) (ids []int64, tokens []string) {
	ids, tokens = make([]int64, len(jobs)), make([]string, len(jobs))
	for i, j := range jobs {
		ids[i], tokens[i] = j.ID, clean(j.Token)
	}
	return ids, tokens
}

// Done implements store.Catalog. Only the token that claimed a job last ends it.
func (s *Store) Done(ctx context.Context, jobs []store.Job) error {
	if len(jobs) == 0 {
		return s.alive()
	}
	ids, tokens := columnsOf(jobs)
	return s.work(ctx, "ending work", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM job j USING unnest($1::bigint[], $2::text[]) a (id, token)
			WHERE j.id = a.id AND j.token = a.token AND j.token <> ''`, ids, tokens)
		return err
	})
}

// work runs fn in a transaction that changes jobs alone and so is no commit: it does not
// wait for the writer.
func (s *Store) work(ctx context.Context, doing string, fn func(tx pgx.Tx) error) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	for attempt := 1; ; attempt++ {
		err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, fn)
		if attempt == attempts || ctx.Err() != nil || !transient(err) {
			break
		}
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap(doing, err)
}
