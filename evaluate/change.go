package evaluate

import (
	"cmp"
	"slices"
)

// Change is what became of one question between two runs.
type Change struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Type     string `json:"type"`
	// Metrics are those that differ: before and after.
	Metrics map[string][2]float64 `json:"metrics"`
	// Ranks are the units that moved, and where to; 0 is nowhere.
	Ranks  []RankChange `json:"ranks,omitempty"`
	Status [2]string    `json:"status"` // of the answer, "" where not asked for
	gained int
	lost   int
}

// RankChange is where a unit came before and after.
type RankChange struct {
	Unit
	Before int `json:"before"`
	After  int `json:"after"`
}

// deciding are the kinds of metrics by which a question got better or worse, and
// whether more of it is better: those that say whether something was found or
// answered. A passage that went from the first to the third place is lost to
// nobody; MRR and nDCG show it, and the p value whether it is more than chance.
var deciding = map[string]bool{
	"recall": true, "all_sources": true, "stale": false, "token_recall": true,
	"evidence_recall": true, "answer_correct": true, "citation_recall": true,
	"abstention_recall": true, "answered_unanswerable": false, "class_accuracy": true,
}

// changeOf compares a question's results.
func changeOf(before, after Result) Change {
	c := Change{ID: after.ID, Question: after.Question, Type: after.Type, Metrics: map[string][2]float64{}, Status: [2]string{before.Status, after.Status}}
	for name, v := range after.Metrics {
		old, ok := before.Metrics[name]
		if !ok || old == v {
			continue
		}
		c.Metrics[name] = [2]float64{old, v}
		m, err := parseMetric(name)
		more, decides := deciding[m.kind]
		switch {
		case err != nil || !decides || m.gold:
		case (v > old) == more:
			c.gained++
		default:
			c.lost++
		}
	}
	places := map[Unit]int{}
	for _, u := range before.Ranks {
		places[u.Unit] = u.Rank
	}
	for _, u := range after.Ranks {
		if old, ok := places[u.Unit]; ok && old != u.Rank {
			c.Ranks = append(c.Ranks, RankChange{u.Unit, old, u.Rank})
		}
	}
	return c
}

func (c *Comparison) add(change Change) {
	switch {
	case change.lost > 0:
		c.Worse = append(c.Worse, change)
	case change.gained > 0:
		c.Better = append(c.Better, change)
	}
}

func (c *Comparison) sort() {
	by := func(n func(Change) int) func(a, b Change) int {
		return func(a, b Change) int { return cmp.Or(cmp.Compare(n(b), n(a)), cmp.Compare(a.ID, b.ID)) }
	}
	slices.SortFunc(c.Better, by(func(c Change) int { return c.gained }))
	slices.SortFunc(c.Worse, by(func(c Change) int { return c.lost }))
}
