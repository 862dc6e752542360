// Package directory reads who is in which group from a file: users and groups in
// groups and roles, nested as deep as they are, tenant by tenant, and who administers a
// tenant.
package directory

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
)

// Limits of a file: one that exceeds them is refused whole.
const (
	maxBytes   = 16 << 20
	maxMembers = 1_000_000 // in all groups together
	// maxPrincipals bounds what one asker may be, since each question compares them
	// with every access class.
	maxPrincipals = 10_000
)

// Directory is a file of groups. It is read again whenever its content has changed, so
// that a change holds for the next question of every process. It may be used
// concurrently.
type Directory struct {
	file string

	mu   sync.Mutex
	hash [sha256.Size]byte
	read *groups // nil: nothing was read yet
}

// New is the directory in a file, which is read when it is asked.
func New(file string) *Directory { return &Directory{file: file} }

// Check reads the file, to say a mistake in it.
func (d *Directory) Check() error {
	_, err := d.groups()
	return err
}

// Resolve implements quarry.Directory. A principal that the file does not know is no
// more than itself.
func (d *Directory) Resolve(_ context.Context, scope document.Scope) (document.Scope, error) {
	g, err := d.groups()
	if err != nil {
		return document.Scope{}, err
	}
	t := g.tenants[scope.Tenant]
	if t == nil { // no tenant has another's groups
		return scope, nil
	}
	if scope.Principals, err = t.closure(scope.Principals); err != nil {
		return document.Scope{}, err
	}
	scope.Administrator = scope.Administrator ||
		slices.ContainsFunc(scope.Principals, func(p string) bool { return t.administrators[p] })
	return scope, nil
}

// closure is principals with all that they are members of, directly or through others:
// what was given first, as it was given, then the rest sorted. Groups that hold each other
// end it like any others, since each is followed once.
func (t *tenant) closure(principals []string) ([]string, error) {
	seen := make(map[string]bool, len(principals))
	for _, p := range principals {
		seen[p] = true
	}
	out := slices.Clone(principals)
	for at := 0; at < len(out); at++ {
		for _, in := range t.memberOf[out[at]] {
			if seen[in] {
				continue
			}
			seen[in] = true
			if out = append(out, in); len(out) > maxPrincipals {
				return nil, fmt.Errorf("the asker is in more than %d groups: put him into fewer in the file of groups (access.groups)", maxPrincipals)
			}
		}
	}
	slices.Sort(out[len(principals):])
	return out, nil
}

// groups are those of the file as it is now. A file that cannot be read or understood is
// an error, whatever it said before: it may have taken somebody out of a group.
func (d *Directory) groups() (*groups, error) {
	data, err := read(d.file)
	if err != nil {
		return nil, fmt.Errorf("the file of groups %s cannot be read: %w; name it with access.groups", d.file, err)
	}
	hash := sha256.Sum256(data)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read != nil && d.hash == hash {
		return d.read, nil
	}
	g, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("the file of groups %s: %w", d.file, err)
	}
	d.hash, d.read = hash, g
	return g, nil
}

func read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, errors.New("it is not a file")
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(name)
	}
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("it has more than %d bytes", maxBytes)
	}
	return data, err
}
