package local

import (
	"context"
	"errors"

	"github.com/seed-d3156d19/quarry/store"
)

// connect opens the connection that writes. The caller holds the right to write.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer != nil {
		return s.writer, nil
	}
	db, err := s.pool(writePragmas)
	if err != nil {
		return nil, err
	}
	raw, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	s.writeDB, s.writer = db, newConn(raw)
	return s.writer, nil
}

// errNothing ends a write that found nothing to write.
var errNothing = errors.New("nothing to write")

// write runs fn in one transaction that no other writer can come between. An
// error of fn rolls it back; errNothing does so without being an error.
func (s *Store) write(ctx context.Context, doing string, fn func(c *conn) error) error {
	if err := s.still(s.path, s.file); err != nil { // before a lock is made beside it
		return err
	}
	release, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	c, err := s.connect(ctx)
	if err != nil {
		return s.wrap(doing, err)
	}
	if _, err = c.exec(ctx, "BEGIN IMMEDIATE"); err == nil {
		if err = s.begun(); err == nil {
			err = c.migrate(ctx)
		}
		if err == nil {
			err = fn(c)
		}
		if err == nil {
			err = c.sealTables(ctx)
		}
		if err == nil {
			// From here on the outcome must be known: do not stop half-way.
			_, err = c.exec(context.WithoutCancel(ctx), "COMMIT")
		}
		if err == nil {
			return s.inPlace()
		}
	}
	if err != errNothing {
		clear(c.holding) // the ids of segments that were made are given again
	}
	_, undone := c.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if undone != nil || !(err == errNothing || errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrModel)) {
		s.dropWriter() // whatever state it is in, the next write begins afresh
	}
	if err == errNothing {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.wrap(doing, err)
}

// begun notes the log that a new writer has opened, and checks that it and the
// store are in their places.
func (s *Store) begun() error {
	if s.log == nil {
		var err error
		if s.log, err = identify(s.path + walSuffix); err != nil {
			return s.wrap("looking at the store", err)
		}
	}
	return s.inPlace()
}

// read runs fn on a connection that sees one commit throughout.
func (s *Store) reading(ctx context.Context, doing string, fn func(c *conn) error) error {
	p, err := s.pin(ctx)
	if err != nil {
		return err
	}
	defer p.release()
	err = fn(p.conn)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.unsettled(doing, err)
}
