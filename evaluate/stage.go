package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seed-d3156d19/quarry/document"
)

// Stager is a system under test that also tells what each of its stages passed
// on, of the same run that gave the list and the answer. Run asks it after each question,
// from the same goroutine.
type Stager interface {
	// Stages gives what each stage passed on, in the order of the flow. Of
	// documents, where it is not nil, hits in others need not be given: they hold
	// nothing that is judged, and most hits are such.
	Stages(ctx context.Context, q Query, documents []string) ([]Stage, error)
	// LostAt names the stage that lost a unit; "" where none did. It is asked
	// for failed questions only.
	LostAt(ctx context.Context, q Query, u Unit) (string, error)
}

// Stage is what one stage passed on of a question's passages.
type Stage struct {
	Name string
	Off  bool // not in use for this question: it counts in no recall
	Hits []Hit
	// Citations take the place of Hits for the stage that makes the answer.
	Citations []Citation
}

// StageValue is one row of recall by stage.
type StageValue struct {
	Stage string `json:"stage"`
	// Recall is the share of the judged units that are among what the stage
	// passed on, however long its list; of a lane, among what it gave. It is
	// absent for stages that pass on no list.
	Recall *Value `json:"recall,omitempty"`
	// Lost counts the failed questions that the stage is the first to have lost.
	Lost       int            `json:"lost"`
	LostByType map[string]int `json:"lost_by_type,omitempty"`
}

// Stages are the names that a Stager may use, in the order of the two flows: the first
// that lost a unit is the one to look at.
func Stages() []string { return slices.Clone(stageOrder) }

var stageOrder = []string{"source", "extract", "chunk", "index", "scope", "route", "keyword", "vector", "identifier",
	"fuse", "rerank", "cut", "budget", "cite"}

// stages adds to what was measured of a question the recall after each stage, and
// to a failure the stage that lost it.
func (r *runner) stages(ctx context.Context, q Question, query Query, judged judgement, m *measured, problem func(string)) {
	if r.o.Stager == nil || !q.retrievable() || len(judged.units) == 0 {
		return
	}
	list, err := r.o.Stager.Stages(ctx, query, slices.Collect(maps.Keys(judged.documents)))
	if err != nil {
		problem("its stages are not known: " + err.Error())
		return
	}
	m.result.Stages = map[string]float64{}
	ready := readied{judgement: judged, cache: r.cache, hits: map[readyKey]prepared{}}
	for _, s := range list {
		if !s.Off {
			m.result.Stages[s.Name] = ready.recall(s)
		}
	}
	if m.failure != nil {
		m.failure.LostAt, err = r.firstLost(ctx, query, judged, m.failure.Missing)
		if err != nil {
			problem("the stage that lost it is not known: " + err.Error())
		}
	}
}

// readied are the hits of all stages of a question, each made ready for matching
// once: most stages pass on what the one before did.
type readied struct {
	judgement
	cache *cache
	hits  map[readyKey]prepared
}

type readyKey struct {
	document string
	span     document.Span
}

// recall is the share of the units that a stage passed on.
func (r readied) recall(s Stage) float64 {
	found := make([]bool, len(r.units))
	if s.Citations != nil {
		for _, c := range s.Citations {
			for _, u := range r.citedBy(c) {
				found[u] = true
			}
		}
		return share(found)
	}
	var list []prepared
	for _, h := range s.Hits {
		if len(r.in(cleanPath(h.Document))) == 0 {
			continue // matching is what costs, and it holds nothing
		}
		key := readyKey{h.Document, h.Span}
		ready, ok := r.hits[key]
		if !ok {
			ready = prepare([]Hit{h}, r.cache)[0]
			r.hits[key] = ready
		}
		list = append(list, ready)
	}
	_, ranks := collapse(list, r.judgement)
	for u, rank := range ranks {
		found[u] = rank > 0
	}
	return share(found)
}

func share(found []bool) float64 {
	n := 0
	for _, f := range found {
		if f {
			n++
		}
	}
	return float64(n) / float64(len(found))
}

// firstLost is the earliest stage that lost one of the missing units; where none
// is missing from the list, of any unit.
func (r *runner) firstLost(ctx context.Context, query Query, judged judgement, missing []Unit) (string, error) {
	if len(missing) == 0 {
		for _, u := range judged.units {
			missing = append(missing, u.Unit)
		}
	}
	first, at := "", math.MaxInt
	for _, u := range missing {
		stage, err := r.o.Stager.LostAt(ctx, query, u)
		if err != nil {
			return "", err
		}
		if i := slices.Index(stageOrder, stage); stage != "" && i < at {
			first, at = stage, i
		}
	}
	return first, nil
}

// byStage sums up what the stages passed on and lost.
func (r *Report) byStage(o Options) {
	if o.Stager == nil {
		return
	}
	values := map[string][]float64{}
	for _, q := range r.ByQuestion {
		for name, v := range q.Stages {
			values[name] = append(values[name], v)
		}
	}
	summaries := summarisedLists(values, o)
	lost := map[string]map[string]int{}
	for _, f := range r.Failures {
		if f.LostAt == "" {
			continue
		}
		if lost[f.LostAt] == nil {
			lost[f.LostAt] = map[string]int{}
		}
		lost[f.LostAt][f.Type]++
	}
	for _, name := range stageOrder {
		row := StageValue{Stage: name, LostByType: lost[name]}
		for _, n := range lost[name] {
			row.Lost += n
		}
		if v, ok := summaries[name]; ok {
			row.Recall = &v
		}
		if row.Recall != nil || row.Lost > 0 {
			r.ByStage = append(r.ByStage, row)
		}
	}
}

// writeStages writes the table by stage.
func (r Report) writeStages(b *strings.Builder) {
	if len(r.ByStage) == 0 {
		return
	}
	b.WriteString("\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "stage\trecall after it\tn\tfailed questions lost there\n")
	for _, s := range r.ByStage {
		recall, n := "-", "-"
		if v := s.Recall; v != nil {
			recall, n = fmt.Sprintf("%.3f [%.3f, %.3f]", v.Value, v.Low, v.High), fmt.Sprint(v.N)
		}
		lost := fmt.Sprint(s.Lost)
		kinds := slices.SortedFunc(maps.Keys(s.LostByType), func(a, b string) int {
			return cmp.Or(cmp.Compare(s.LostByType[b], s.LostByType[a]), cmp.Compare(a, b))
		})
		for i, kind := range kinds {
			lost += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprintf("%s %d", kind, s.LostByType[kind])
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Stage, recall, n, lost)
	}
	t.Flush()
}
