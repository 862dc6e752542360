package evaluate

import (
	"context"
	"fmt"
	"strings"
)

// runner measures one question after the other.
type runner struct {
	o        Options
	searcher Searcher
	metrics  []metric
	texts    texts
}

// measured is what came of one question.
type measured struct {
	result   Result
	failure  *Failure
	problems []Problem
}

// ask puts one question and measures what comes. The error is the search's.
func (r *runner) ask(ctx context.Context, q Question) (measured, error) {
	m := measured{result: Result{ID: q.ID, Type: q.kind(), Metrics: map[string]float64{}}}
	spans, err := r.texts.spans(q)
	if err != nil {
		m.problems = append(m.problems, Problem{ID: q.ID, Text: err.Error() + "; token metrics leave the question out"})
	}
	query := Query{Text: q.Text, Scope: q.Scope}
	found, searchErr := r.searcher.Search(ctx, query)
	if searchErr != nil {
		found = nil
		m.result.Error = "search failed: " + searchErr.Error()
	}
	hits := prepare(found)
	quotes := r.quotes(q, spans)
	judged := judge(q, quotes, finest)
	if q.retrievable() {
		m.result.Ranks = r.ranked(q, quotes, hits, judged, m.result.Metrics)
		r.tokens(hits, spans, m.result.Metrics)
	}
	r.stale(q, hits, m.result.Metrics)
	if r.o.Asker != nil {
		a, err := r.o.Asker.Ask(ctx, query)
		if err != nil {
			a = Answer{}
			m.result.Error = join(m.result.Error, "answer failed: "+err.Error())
		}
		m.result.Status = a.Status
		values := answerValues(q, a, judged)
		for _, metric := range r.metrics {
			if v, ok := values[metric.kind]; ok {
				m.result.Metrics[metric.name] = v
			}
		}
	}
	if m.result.Error != "" {
		m.problems = append(m.problems, Problem{ID: q.ID, Text: m.result.Error})
	}
	m.failure = r.failure(ctx, q, m.result)
	return m, searchErr
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// quotes are the passages of a question, or else the texts of its spans.
func (r *runner) quotes(q Question, spans []judgedSpan) []string {
	if len(q.Passages) > 0 {
		return q.Passages
	}
	var list []string
	for _, s := range spans {
		if l, err := r.texts.get(s.document); err == nil {
			list = append(list, s.span.Of(l.text))
		}
	}
	return list
}

// ranked adds the metrics of ranks and returns the ranks of the units at the
// finest level.
func (r *runner) ranked(q Question, quotes []string, hits []prepared, judged judgement, into map[string]float64) []UnitRank {
	rankings := map[level]ranking{}
	var ranks []UnitRank
	add := func(at level, j judgement) {
		entries, places := collapse(hits, j)
		grades := make([]int, len(j.units))
		for i, u := range j.units {
			grades[i] = u.grade
			if at == finest {
				ranks = append(ranks, UnitRank{Unit: u.Unit, Rank: places[i]})
			}
		}
		rankings[at] = ranking{entries: entries, grades: grades}
	}
	add(finest, judged)
	for _, m := range r.metrics {
		if families[m.kind].of != ofRanks {
			continue
		}
		if _, ok := rankings[m.level]; !ok {
			add(m.level, judge(q, quotes, m.level))
		}
		ranking := rankings[m.level]
		if len(ranking.grades) == 0 {
			continue
		}
		into[m.name] = ranking.value(m, inBudget(hits, m.budget))
	}
	return ranks
}

func (r *runner) tokens(hits []prepared, spans []judgedSpan, into map[string]float64) {
	if len(spans) == 0 {
		return
	}
	for _, m := range r.metrics {
		if families[m.kind].of != ofTokens {
			continue
		}
		looked := hits
		if m.budget > 0 {
			looked = hits[:inBudget(hits, m.budget)]
		}
		into[m.name] = r.texts.countTokens(spans, distinct(looked, m.k)).value(m.kind)
	}
}

func (r *runner) stale(q Question, hits []prepared, into map[string]float64) {
	if len(q.Stale) == 0 {
		return
	}
	stale := judgeSources(Question{Sources: q.Stale}, sectionLevel)
	for _, m := range r.metrics {
		if families[m.kind].of != ofStale {
			continue
		}
		looked := hits
		if m.budget > 0 {
			looked = hits[:inBudget(hits, m.budget)]
		}
		into[m.name] = truth(showsStale(looked, stale, m.k))
	}
}

// failure says what went wrong with a question, or is nil.
func (r *runner) failure(ctx context.Context, q Question, res Result) *Failure {
	f := Failure{ID: q.ID, Question: q.Text, Type: res.Type, Missing: []Unit{}, Ranks: res.Ranks}
	var reasons []string
	if res.Error != "" {
		reasons = append(reasons, res.Error)
	}
	for _, u := range res.Ranks {
		if u.Rank == 0 || u.Rank > r.o.FailAt {
			f.Missing = append(f.Missing, u.Unit)
		}
	}
	if len(f.Missing) > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of %d not among the first %d", len(f.Missing), len(res.Ranks), r.o.FailAt))
		if r.o.LostAt != nil && res.Error == "" {
			f.LostAt = r.o.LostAt(ctx, q, f.Missing)
		}
	}
	if want := q.wantedStatus(); res.Status != "" && (want != "" && res.Status != want || want == "" && !answered(res.Status)) {
		if want == "" {
			want = StatusAnswered
		}
		reasons = append(reasons, fmt.Sprintf("status %s instead of %s", res.Status, want))
	}
	if len(reasons) == 0 {
		return nil
	}
	f.Reason = strings.Join(reasons, "; ")
	return &f
}
