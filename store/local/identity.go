package local

import (
	"bytes"
	"context"
	"crypto/rand"
)

// A store draws an identity when it is made, or when it is brought to the format that
// has one, and its backups have it too: by it a backup of the store is told from another
// store, which a backup does not replace unasked.

// drawIdentity gives a new store its identity.
func (c *conn) drawIdentity(ctx context.Context) error {
	drawn := make([]byte, 16)
	rand.Read(drawn) // never fails
	_, err := c.exec(ctx, "INSERT INTO identity (one, bytes) VALUES (1, ?)", seal(drawn))
	return err
}

// identity is nil where the store was made before there were any.
func (c *conn) identity(ctx context.Context) ([]byte, error) {
	known, err := c.get(ctx, "SELECT 1 FROM sqlite_schema WHERE name = 'identity'", nil, new(int))
	if err != nil || !known {
		return nil, err
	}
	var sealed []byte
	if _, err = c.get(ctx, "SELECT bytes FROM identity", nil, &sealed); err != nil {
		return nil, err
	}
	return unseal(sealed)
}

// sameAs reports whether other is this store or a backup of it.
func (s *Store) sameAs(ctx context.Context, other *Store) (same bool, err error) {
	var own, others []byte
	if err := s.reading(ctx, "reading its identity", func(c *conn) (err error) { own, err = c.identity(ctx); return err }); err != nil {
		return false, err
	}
	err = other.reading(ctx, "reading its identity", func(c *conn) (err error) { others, err = c.identity(ctx); return err })
	return err == nil && own != nil && bytes.Equal(own, others), err
}
