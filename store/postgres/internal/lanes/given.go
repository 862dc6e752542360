package lanes

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// ScoreKeyword is store.View's.
func (r *Reader) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return r.score(ctx, words, terms, passages)
}

// ScoreIdentifier is store.View's.
func (r *Reader) ScoreIdentifier(ctx context.Context, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	return r.score(ctx, identifiers, terms, passages)
}

func (r *Reader) score(ctx context.Context, of lane, terms []store.QueryTerm, passages []document.PassageID) ([]float64, error) {
	rows, err := r.find(ctx, passages)
	if err != nil {
		return nil, err
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return nil, err
	}
	q, err := r.prepare(ctx, of, terms)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(rows))
	return out, r.apart(func() (err error) {
		for i, p := range rows {
			if out[i], err = r.index.score(q, sees, p.row); err != nil {
				return err
			}
		}
		return nil
	})
}

// passage is a row of table passage.
type passage struct {
	row int64
	key string // content key, as bytes
}

// note keeps a passage that is seen, and gives its id.
func (r *Read) note(name []byte, row int64, key string) document.PassageID {
	if r.names == nil || len(r.names) >= mostNamed {
		r.names = map[document.PassageID]passage{}
	}
	id := document.PassageID(hex.EncodeToString(name))
	r.names[id] = passage{row, key}
	return id
}

// mostNamed is of how many passages a view keeps rows and keys: those that one lane finds the others
// are asked to score.
const mostNamed = 10000

// find gives passages in their order; one that the view does not see is document.ErrNotFound.
func (r *Reader) find(ctx context.Context, passages []document.PassageID) ([]passage, error) {
	out := make([]passage, len(passages))
	var names [][]byte
	at := map[string][]int{} // in out, of those that are not known
	for i, id := range passages {
		if p, ok := r.names[id]; ok {
			out[i] = p
			continue
		}
		name := rawName(id)
		if at[string(name)] == nil {
			names = append(names, name)
		}
		at[string(name)] = append(at[string(name)], i)
	}
	if len(names) == 0 {
		return out, nil
	}
	sees, err := r.seen(ctx, false)
	if err != nil {
		return nil, err
	}
	var row int64
	var name, key []byte
	if err := r.each(ctx, lookups, `SELECT id, name, key FROM passage WHERE tenant = $1 AND name = ANY($2)`, []any{r.scope.Tenant, names}, []any{&row, &name, &key}, func() error {
		if sees.has(row) { // one of a name at most
			for _, i := range at[string(name)] {
				out[i] = passage{row, string(key)}
			}
			delete(at, string(name))
			r.note(name, row, string(key))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, places := range at {
		return nil, fmt.Errorf("passage %s: %w", passages[places[0]], document.ErrNotFound)
	}
	return out, nil
}

// rawName is a passage id as the table holds it; that of an id which no passage can have is empty.
func rawName(id document.PassageID) []byte {
	raw, err := hex.DecodeString(string(id))
	if err != nil || hex.EncodeToString(raw) != string(id) {
		return nil
	}
	return raw
}
