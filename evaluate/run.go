package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Choices of Options.Only.
const (
	All     = "all"
	Tuning  = "tuning"   // questions that are not held out
	HeldOut = "held-out" // only those
)

// Options of Run. The zero value measures every question with DefaultMetrics.
type Options struct {
	// Only chooses questions: All (also ""), Tuning or HeldOut.
	Only string
	// Asker, where given, is asked every question as well, for the metrics of
	// answers.
	Asker Asker
	// Gold, where given beside Asker, answers the questions with judged units
	// from the passages that hold them, for the metrics that begin with "gold:".
	Gold GoldAsker
	// Judge, where given beside Asker, gives answer_judged.
	Judge Judge
	// Library, where given, lets Run say what the corpus has outgrown, and
	// measure groundedness.
	Library Library
	// Metrics are names as the package comment defines them; none is
	// DefaultMetrics.
	Metrics []string
	// Text returns the canonical text of a document, for spans. Without it the
	// files below Set.Docs are read.
	Text func(document string) (string, error)
	// Stager, where given, adds recall after each stage to the report and the
	// stage that lost it to each failure.
	Stager Stager
	// FailAt is how many places of the collapsed list a failure looks at; 0 is 10.
	FailAt int
	// Resamples of the bootstrap; 0 is 2000.
	Resamples int
	// Seed of the bootstrap. The same seed gives the same intervals.
	Seed uint64
	// Now, where given, is a clock: Run then measures how long questions take.
	Now func() time.Time
	// Progress, where given, is called after each question.
	Progress func(done, total int)
}

// Run puts the questions of a set to a searcher and measures the lists. It
// fails when a metric is unknown, no question is chosen, ctx ends, or every
// search failed; one failed search counts as an empty list and is reported.
func Run(ctx context.Context, set Set, searcher Searcher, o Options) (Report, error) {
	metrics, err := parseMetrics(o.Metrics)
	if err != nil {
		return Report{}, err
	}
	questions, err := choose(set, o.Only)
	if err != nil {
		return Report{}, err
	}
	if o.FailAt <= 0 {
		o.FailAt = 10
	}
	if o.Resamples <= 0 {
		o.Resamples = defaultResamples
	}
	if o.Text == nil {
		o.Text = textOf(set.Docs)
	}
	r := runner{o: o, searcher: searcher, metrics: metrics, texts: texts{read: o.Text, cache: map[string]*located{}},
		library: newLibrary(o.Library), cache: newCache()}
	if o.Asker != nil {
		r.panel = newPanel(o.Judge)
	}
	report := Report{Set: set.Name, Only: o.Only, Questions: len(questions), Failures: []Failure{}, Problems: []Problem{}}
	report.Problems = append(report.Problems, set.Problems...)
	var firstError error
	searchErrors := 0
	for i, q := range questions {
		m, err := r.ask(ctx, q)
		if ctx.Err() != nil {
			return Report{}, fmt.Errorf("evaluate: stopped at question %d of %d: %w", i+1, len(questions), ctx.Err())
		}
		if err != nil {
			searchErrors++
			if firstError == nil {
				firstError = err
			}
		}
		if q.Unreviewed {
			report.Unreviewed++
		}
		if m.outgrown {
			report.Outgrown++
		}
		report.ByQuestion = append(report.ByQuestion, m.result)
		report.Problems = append(report.Problems, m.problems...)
		if m.failure != nil {
			report.Failures = append(report.Failures, *m.failure)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(questions))
		}
	}
	if searchErrors == len(questions) {
		return Report{}, fmt.Errorf("evaluate: every search failed: %w", firstError)
	}
	summary(&report, metrics, o)
	report.byStage(o)
	r.panel.report(&report)
	report.Answers = tableOf(report.ByQuestion)
	report.Cost = costOf(report.ByQuestion)
	return report, nil
}

func choose(set Set, only string) ([]Question, error) {
	var list []Question
	for _, q := range set.Questions {
		switch only {
		case "", All:
			list = append(list, q)
		case Tuning, HeldOut:
			if q.HeldOut == (only == HeldOut) {
				list = append(list, q)
			}
		default:
			return nil, fmt.Errorf("evaluate: questions %q: choose %s, %s or %s", only, All, Tuning, HeldOut)
		}
	}
	switch {
	case len(list) > 0:
		return list, nil
	case len(set.Questions) == 0:
		return nil, errors.New("evaluate: the set has no question")
	}
	return nil, fmt.Errorf("evaluate: set %q has no question that is %s", set.Name, only)
}

// summary fills in the metrics over all questions and by type.
func summary(report *Report, metrics []metric, o Options) {
	report.Metrics = summarised(report.ByQuestion, metrics, o)
	groups := map[string][]Result{}
	for _, r := range report.ByQuestion {
		groups[r.Type] = append(groups[r.Type], r)
	}
	report.ByType = map[string]Group{}
	for kind, results := range groups {
		report.ByType[kind] = Group{Questions: len(results), Metrics: summarised(results, metrics, o)}
	}
}

func summarised(results []Result, metrics []metric, o Options) map[string]Value {
	lists := map[string][]float64{}
	for _, m := range metrics {
		for _, r := range results {
			if v, ok := r.Metrics[m.name]; ok {
				lists[m.name] = append(lists[m.name], v)
			}
		}
	}
	return summarisedLists(lists, o)
}

// summarisedLists summarises lists, none of them empty, those of one length together.
func summarisedLists(lists map[string][]float64, o Options) map[string]Value {
	type group struct {
		names []string
		lists [][]float64
	}
	groups := map[int]*group{}
	for name, list := range lists {
		g := groups[len(list)]
		if g == nil {
			g = &group{}
			groups[len(list)] = g
		}
		g.names, g.lists = append(g.names, name), append(g.lists, list)
	}
	values := map[string]Value{}
	for _, g := range groups {
		for i, v := range summariseAll(g.lists, o.Resamples, source(o.Seed)) {
			values[g.names[i]] = v
		}
	}
	return values
}

// Parts gives the figures of the tuning and of the held-out questions of a report
// over all of them, by the names of the choices; a part without questions is
// absent.
func Parts(set Set, all Report, o Options) (map[string]Group, error) {
	metrics, err := parseMetrics(o.Metrics)
	if err != nil {
		return nil, err
	}
	if o.Resamples <= 0 {
		o.Resamples = defaultResamples
	}
	heldOut := map[string]bool{}
	for _, q := range set.Questions {
		heldOut[q.ID] = q.HeldOut
	}
	results := map[string][]Result{}
	for _, r := range all.ByQuestion {
		part := Tuning
		if heldOut[r.ID] {
			part = HeldOut
		}
		results[part] = append(results[part], r)
	}
	parts := map[string]Group{}
	for part, list := range results {
		parts[part] = Group{Questions: len(list), Metrics: summarised(list, metrics, o)}
	}
	return parts, nil
}

// JudgesAnswers reports whether answers to the set's questions are worth their cost,
// which is several times that of a search: those of a BEIR set are made to be
// ranked for, and judge nothing that an answer says.
func (s Set) JudgesAnswers() bool {
	return slices.ContainsFunc(s.Questions, func(q Question) bool { return q.file != queriesFile })
}

// OfAnswers reports whether a metric that is named is of answers, and whether one
// is of answers from gold evidence.
func OfAnswers(named []string) (answers, gold bool) {
	for _, name := range named {
		m, err := parseMetric(name)
		answers = answers || err == nil && families[m.kind].of == ofAnswers
		gold = gold || err == nil && m.gold
	}
	return answers, gold
}
