package standard

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/seed-d3156d19/quarry/internal/transfer"
)

// Copied is what CopyStore did and what both stores hold after it.
type Copied = transfer.Report

// ErrOtherwise is wrapped by CopyStore where it would have to remove something.
var ErrOtherwise = transfer.ErrOtherwise

// CopyStore brings the store that to names, which is made if it is not there, to what the
// one holds that from names: documents with all their revisions and access, failures,
// vectors. Both may be in use. What to holds otherwise or besides goes only with replace, else it is
// ErrOtherwise before that is touched. It can be interrupted and called again.
func CopyStore(ctx context.Context, from, to string, s Settings, replace bool, progress func(done, total int)) (done Copied, err error) {
	if same(from, to) {
		return done, fmt.Errorf("%s would be copied to itself: name another store to copy to", StoreName(from))
	}
	read, err := openStore(ctx, from, s, true)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, read.Close()) }()
	written, err := openStore(ctx, to, s, false)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, written.Close()) }()
	done, err = transfer.Copy(ctx, read, written, transfer.Options{Replace: replace, Progress: progress})
	if errors.Is(err, transfer.ErrOtherwise) {
		err = fmt.Errorf("%s %w", StoreName(to), err)
	}
	return done, err
}

// same reports whether two names are of one store.
func same(a, b string) bool {
	if Served(a) || Served(b) {
		return StoreName(a) == StoreName(b)
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
