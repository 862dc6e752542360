package evaluate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// runner measures one question after the other.
type runner struct {
	o        Options
	searcher Searcher
	metrics  []metric
	texts    texts
	library  *library
	cache    *cache
	panel    *panel // nil without a judge
}

// measured is what came of one question.
type measured struct {
	result   Result
	failure  *Failure
	problems []Problem
	outgrown bool
}

// ask puts one question and measures what comes. The error is the search's.
func (r *runner) ask(ctx context.Context, q Question) (measured, error) {
	m := measured{result: Result{ID: q.ID, Question: q.Text, Type: q.kind(), Metrics: map[string]float64{}}}
	problem := func(text string) {
		m.problems = append(m.problems, Problem{File: q.file, Line: q.line, ID: q.ID, Text: text})
	}
	for _, fault := range r.outgrown(ctx, q) {
		m.outgrown = true
		problem(fault)
	}
	spans, err := r.texts.spans(q)
	if err != nil {
		problem(err.Error() + "; token metrics leave the question out")
	}
	query := Query{Text: q.Text, Scope: q.Scope}
	start := r.now()
	var answer Answer
	var answerErr error
	if r.o.Asker != nil {
		answer, answerErr = r.o.Asker.Ask(ctx, query)
	}
	found, searchErr := r.searcher.Search(ctx, query)
	m.result.Seconds, m.result.Tokens, m.result.Calls = r.now().Sub(start).Seconds(), answer.Tokens, answer.Calls
	if searchErr != nil {
		found = nil
		m.result.Error = "search failed: " + searchErr.Error()
	}
	hits := prepare(found, r.cache)
	quotes := r.quotes(q, spans)
	judged := judge(q, quotes, finest)
	if q.retrievable() {
		m.result.Ranks = r.ranked(q, quotes, hits, judged, m.result.Metrics)
		r.tokens(hits, spans, m.result.Metrics)
	}
	r.stale(q, hits, m.result.Metrics)
	fault := ""
	if r.o.Asker != nil {
		fault = r.answer(ctx, q, judged, answer, answerErr, &m.result, problem)
	}
	if m.result.Error != "" {
		problem(m.result.Error)
	}
	m.failure = r.failure(q, m.result, fault)
	if m.result.Error == "" {
		r.stages(ctx, q, query, judged, &m, problem)
	}
	return m, searchErr
}

// answer measures an answer and, where there is a GoldAsker, the one from gold
// evidence. It gives what is wrong with the former.
func (r *runner) answer(ctx context.Context, q Question, j judgement, a Answer, err error, res *Result, problem func(string)) (fault string) {
	if err != nil {
		a = Answer{}
		res.Error = join(res.Error, "answer failed: "+err.Error())
	}
	res.Status = a.Status
	values := r.valuesOf(ctx, q, a, j)
	res.Verdict = r.judged(ctx, q, a, values, problem)
	if a.Status != "" {
		fault = wrong(q, a, values)
	}
	missing := 0
	if q.wantedStatus() == "" && len(j.units) > 0 && err == nil {
		missing = missingFrom(a.Evidence, j, r.cache)
		values["evidence_recall"] = 1 - float64(missing)/float64(len(j.units))
	}
	if fault != "" {
		res.Blame = blameOf(missing)
	}
	r.keep(values, false, res.Metrics)
	if r.o.Gold == nil || q.wantedStatus() != "" || len(j.units) == 0 {
		return fault
	}
	gold, err := r.o.Gold.AskFrom(ctx, Query{Text: q.Text, Scope: q.Scope}, j.places())
	switch {
	case errors.Is(err, ErrNoEvidence):
	case err != nil:
		problem("the answer from gold evidence failed: " + err.Error())
	default:
		values := r.valuesOf(ctx, q, gold, j)
		res.GoldStatus, res.GoldVerdict = gold.Status, r.judged(ctx, q, gold, values, problem)
		r.keep(values, true, res.Metrics)
	}
	return fault
}

// valuesOf are the metrics of an answer that follow rules, but for what it was made from.
func (r *runner) valuesOf(ctx context.Context, q Question, a Answer, j judgement) map[string]float64 {
	values := answerValues(q, a, j)
	if share, ok := r.groundedness(ctx, Query{Text: q.Text, Scope: q.Scope}, a); ok {
		values["groundedness"] = share
	}
	if q.hasReference() {
		for name, v := range correctness(q.Answers, given(a)) {
			values[name] = v
		}
	}
	return values
}

// judged adds what the judge says of an answer, and gives its verdict; nil where it
// was not asked or failed. An answer that was not given is wrong without asking.
func (r *runner) judged(ctx context.Context, q Question, a Answer, values map[string]float64, problem func(string)) *Verdict {
	if r.panel == nil || !q.hasReference() {
		return nil
	}
	text := given(a)
	if strings.TrimSpace(text) == "" {
		values["answer_judged"] = 0
		return nil
	}
	v, err := r.panel.verdict(ctx, Case{Question: q.Text, Expected: q.Answers, Given: strings.TrimSpace(citationMark.ReplaceAllString(text, ""))})
	switch {
	case errors.Is(err, errNotAsked):
		return nil
	case err != nil:
		problem(err.Error())
		return nil
	}
	values["answer_judged"] = truth(v.Correct)
	return &v
}

// hasReference reports whether there is an answer to compare with, and none is right to
// be missing.
func (q Question) hasReference() bool { return q.wantedStatus() == "" && len(q.Answers) > 0 }

// given is the text of an answer, "" where its status says that there is none.
func given(a Answer) string {
	if !answered(a.Status) {
		return ""
	}
	return a.Text
}

// keep takes over the values that the run's metrics name.
func (r *runner) keep(values map[string]float64, gold bool, into map[string]float64) {
	for _, m := range r.metrics {
		if v, ok := values[m.kind]; ok && m.gold == gold {
			into[m.name] = v
		}
	}
}

func (r *runner) now() time.Time {
	if r.o.Now == nil {
		return time.Time{}
	}
	return r.o.Now()
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

// failure says what went wrong with a question, or is nil. wrong is what is
// wrong with its answer.
func (r *runner) failure(q Question, res Result, wrong string) *Failure {
	f := Failure{ID: q.ID, Question: q.Text, Type: res.Type, Blame: res.Blame, Missing: []Unit{}, Ranks: res.Ranks}
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
	}
	if wrong != "" {
		reasons = append(reasons, wrong)
	}
	if len(reasons) == 0 {
		return nil
	}
	f.Reason = strings.Join(reasons, "; ")
	return &f
}
