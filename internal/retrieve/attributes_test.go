package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

func TestAttributePrior(t *testing.T) {
	doc := func(id string, attributes map[string][]string) (c Candidate) {
		c.ID, c.Attributes, c.Score = document.PassageID(id), attributes, 0.8
		return c
	}
	norway, france := map[string][]string{"region": {"norway"}}, map[string][]string{"region": {"france"}}
	list := []Candidate{
		doc("france", france), doc("general", nil), doc("norway", norway),
		doc("norway pro", map[string][]string{"region": {"norway"}, "product": {"pro"}}),
		doc("france pro", map[string][]string{"region": {"france"}, "product": {"pro"}}),
		doc("category", map[string][]string{"category": {"norway"}}),
	}
	for _, c := range []struct {
		name   string
		where  map[string][]string
		weight float64
		named  map[string][]string
		want   string // ids by rank, those of equal score by id
	}{
		{"nothing asked for", nil, 0.25, nil, "[category france france pro general norway norway pro]"},
		{"off", norway, 0, nil, "[category france france pro general norway norway pro]"},
		{"for the case before the others", norway, 0.25, nil, "[norway norway pro category france france pro general]"},
		{"named by the question: for another case last, and none forward", nil, 0.25, norway, "[category general norway norway pro france france pro]"},
		{"the scope asks for one key and the question names another", map[string][]string{"product": {"pro"}}, 0.25, norway, "[france pro norway pro category general norway france]"},
		{"any of several values", map[string][]string{"region": {"norway", "france"}}, 0.25, nil, "[france france pro norway norway pro category general]"},
		{"two keys: any of them", map[string][]string{"region": {"norway"}, "product": {"pro"}}, 0.25, nil, "[norway norway pro category france france pro general]"},
		{"a key that nothing carries", map[string][]string{"planet": {"mars"}}, 0.25, nil, "[category france france pro general norway norway pro]"},
	} {
		got := slices.Clone(list)
		attributePrior(got, c.where, c.named, c.weight)
		byScore(got)
		var ids []document.PassageID
		for _, x := range got {
			ids = append(ids, x.ID)
			if x.Score > 0.8 || x.Score <= 0 {
				t.Errorf("%s: %s scores %g", c.name, x.ID, x.Score)
			}
		}
		if fmt.Sprint(ids) != c.want {
			t.Errorf("%s: %v, want %s", c.name, ids, c.want)
		}
	}
	// A passage that fits much worse is not lifted over one that fits.
	poor, good := doc("norway", norway), doc("general", nil)
	poor.Score = 0.5
	pair := []Candidate{poor, good}
	attributePrior(pair, norway, nil, 0.25)
	if byScore(pair); pair[0].ID != "general" {
		t.Error("a passage that does not fit goes first")
	}
}
