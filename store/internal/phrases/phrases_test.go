package phrases

import (
	"testing"

	"github.com/seed-d3156d19/quarry/store"
)

// TestPlaces asks the same Places for one passage after the other.
func TestPlaces(t *testing.T) {
	p := New(store.Phrase{{"notice", "varsel"}, {"period"}})
	type places map[store.Field]map[string][]uint32
	for _, c := range []struct {
		what    string
		passage places
		want    float64
	}{
		{"as in the phrase", places{store.Text: {"notice": {4}, "period": {5}}}, 1},
		{"a word is missing", places{store.Text: {"notice": {4}}}, 0},
		{"in the order of another term of the word", places{store.Text: {"notice": {9}, "varsel": {2}, "period": {3}}}, 1},
		{"each word in another field", places{store.Title: {"notice": {0}}, store.Text: {"period": {1}}}, 0},
		{"closer in the title", places{store.Title: {"notice": {0}, "period": {1}}, store.Text: {"notice": {0}, "period": {8}}}, 1},
		{"apart by three", places{store.Text: {"notice": {2}, "period": {6}, "other": {3}}}, 0.25},
		{"nothing", places{}, 0},
	} {
		p.Clear()
		for f, terms := range c.passage {
			for term, at := range terms {
				p.Add(f, []byte(term), at)
			}
		}
		if got := p.Closeness(); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
