package local

import (
	"context"
	"errors"

	"github.com/seed-d3156d19/quarry/store"
)

// remainsPragma has SQLite open a file that is shorter than its header says, or whose
// list of tables is damaged, as far as it goes
// (https://sqlite.org/pragma.html#pragma_writable_schema). Nothing is written so.
const remainsPragma = "writable_schema(1)"

// openRemains opens an existing store to be looked at or repaired: what is left of it,
// where the file is refused as it stands.
func openRemains(ctx context.Context, path string, opts Options) (*Store, error) {
	opts.Existing = true
	s, err := Open(ctx, path, opts)
	if !errors.Is(err, store.ErrDamaged) {
		return s, err
	}
	opts.remains = true
	left, refused := Open(ctx, path, opts)
	if refused == nil {
		return left, nil
	}
	var f *failure
	if errors.As(err, &f) && f.advice != "" { // the doctor has nothing to say of it
		return nil, &failure{sentence: f.sentence, advice: repair, kind: f.kind, cause: f.cause}
	}
	return nil, err
}

// Inspect is Store.Inspect of the store at path, also of what is left of one that Open
// refuses as damaged.
func Inspect(ctx context.Context, path string) ([]store.Damage, error) {
	s, err := openRemains(ctx, path, Options{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Inspect(ctx)
}
