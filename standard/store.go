package standard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
	"github.com/seed-d3156d19/quarry/store/postgres"
)

// openStore opens the store that a path or an address names, of whichever kind it is.
func openStore(ctx context.Context, path string, s Settings, existing bool) (store.Store, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if !Served(path) {
		opened, err := local.Open(ctx, path, local.Options{BM25: s.BM25, Clock: s.Quarry.Clock, Existing: existing})
		if err != nil {
			return nil, err // and no nil *local.Store in the interface
		}
		return opened, nil
	}
	p := s.Postgres
	opened, err := postgres.Open(ctx, path, postgres.Options{BM25: s.BM25, Clock: s.Quarry.Clock, Existing: existing, Schema: p.Schema, Reader: p.Reader,
		Connections: p.Connections, StatementTimeout: time.Duration(p.TimeoutSeconds) * time.Second})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// Served reports whether a store is named by the address of a server, and not by the
// path of a file.
func Served(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (scheme == "postgres" || scheme == "postgresql")
}

// checkPath refuses what no store is named by; an address of another kind may hold a
// password and is not repeated.
func checkPath(path string) error {
	if path == "" {
		return errors.New("the store's path is empty: name a file with --store")
	}
	if scheme, _, ok := strings.Cut(path, "://"); ok && !Served(path) {
		return fmt.Errorf("a store of the kind %q is not supported: give the path of a file, such as %s, or an address that begins with postgres://", scheme, config.DefaultStore)
	}
	return nil
}

// StoreName is a store's path or address as it may be shown: without the password, and
// without parameters, which may hold one.
func StoreName(path string) string {
	if !Served(path) {
		return path
	}
	u, err := url.Parse(path)
	if err != nil {
		return "a store in Postgres"
	}
	shown := url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path}
	if name := u.User.Username(); name != "" {
		shown.User = url.User(name)
	}
	return shown.String()
}

// Beside is the path that files beside a store are named by, such as PATH.runs: that of
// the store itself, or, where the store is no file, one in the user's cache folder.
func Beside(path string) (string, error) {
	if !Served(path) {
		return path, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder for what is kept beside %s: set XDG_CACHE_HOME or HOME", StoreName(path))
	}
	sum := sha256.Sum256([]byte(StoreName(path)))
	return filepath.Join(cache, "quarry", hex.EncodeToString(sum[:8])), nil
}
