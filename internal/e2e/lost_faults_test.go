package e2e

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/store"
)

// faulty is a store whose views have what the world does to them.
type faulty struct {
	store.Store
	world *world
}

func (f faulty) View(ctx context.Context, scope document.Scope) (store.View, error) {
	v, err := f.Store.View(ctx, scope)
	if err == nil && f.world.wrap != nil {
		v = f.world.wrap(v)
	}
	return v, err
}

// unindexed is a view of an index that lacks a document's entries, which the
// catalog has.
type unindexed struct {
	store.View
	path string
}

func (v unindexed) without(ctx context.Context, h store.Hits, err error) (store.Hits, error) {
	if err != nil {
		return h, err
	}
	h.Hits = slices.DeleteFunc(h.Hits, func(hit store.Hit) bool { return v.lacks(ctx, hit.Passage) })
	h.Matched = len(h.Hits)
	return h, nil
}

func (v unindexed) lacks(ctx context.Context, id document.PassageID) bool {
	located, err := v.Passages(ctx, []document.PassageID{id})
	return err == nil && located[0].Document.Path == v.path
}

func (v unindexed) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	h, err := v.View.Keyword(ctx, terms, k)
	return v.without(ctx, h, err)
}

func (v unindexed) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, ids []document.PassageID) ([]float64, error) {
	scores, err := v.View.ScoreKeyword(ctx, terms, ids)
	for i, id := range ids {
		if err == nil && v.lacks(ctx, id) {
			scores[i] = 0
		}
	}
	return scores, err
}

// deaf is a view whose identifier lane gives nothing.
type deaf struct{ store.View }

func (deaf) Identifier(context.Context, []store.QueryTerm, int) (store.Hits, error) {
	return store.Hits{}, nil
}

// thesaurus is a model to which words of one meaning are the same word.
type thesaurus map[string]string

func (thesaurus) Name() string { return "thesaurus" }
func (thesaurus) Dims() int    { return 256 }

func (m thesaurus) vector(text string) []float32 {
	out := make([]float32, m.Dims())
	out[0] = 0.01
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if same, ok := m[word]; ok {
			word = same
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		out[h.Sum32()%uint32(m.Dims())]++
	}
	var squares float64
	for _, x := range out {
		squares += float64(x * x)
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(squares))
	}
	return out
}

func (m thesaurus) Question(_ context.Context, text string) ([]float32, error) {
	return m.vector(text), nil
}

func (m thesaurus) Passages(_ context.Context, texts []string) ([][][]float32, error) {
	out := make([][][]float32, len(texts))
	for i, text := range texts {
		out[i] = [][]float32{m.vector(text)}
	}
	return out, nil
}

var _ embedding.Embedder = thesaurus{}

// upsideDown is a reranker that turns the order round.
type upsideDown struct{}

func (upsideDown) Name() string { return "upside-down" }
func (upsideDown) Rerank(_ context.Context, _ string, passages []string) ([]float64, error) {
	out := make([]float64, len(passages))
	for i := range out {
		out[i] = float64(i)
	}
	return out, nil
}
