package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/standard"
)

// maxTries bounds the combinations of one sweep: each is measured on the whole set.
const maxTries = 32

// trial is a configuration to be tried.
type trial struct {
	changes  []change // in the order of the flags
	settings config.Settings
}

type change struct{ key, value string }

func (t trial) String() string {
	parts := make([]string, len(t.changes))
	for i, c := range t.changes {
		parts[i] = c.key + "=" + c.value
	}
	return strings.Join(parts, " ")
}

// index names the index that the trial needs, by the changes that decide what is in it; "" is
// the one that is there.
func (t trial) index() string {
	var parts []string
	for _, c := range t.changes {
		if config.MakesPassages(c.key) {
			parts = append(parts, c.key+"="+c.value)
		}
	}
	return strings.Join(parts, " ")
}

// triesOf reads KEY=VALUE,VALUE... and gives every combination, the last key changing
// first. The first of them is what the others are compared with.
func (a *app) triesOf(given []string) ([]trial, error) {
	if len(given) == 0 {
		return nil, nil
	}
	base, err := a.baseSettings()
	if err != nil {
		return nil, err
	}
	tries := []trial{{settings: base}}
	seen := map[string]bool{}
	for _, text := range given {
		name, values, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(values) == "" {
			return nil, usage("--try %q is not KEY=VALUE,VALUE: write it as retrieval.fusion=weighted,rrf", text)
		}
		key, err := config.Key(strings.TrimSpace(name))
		if err != nil {
			return nil, usage("--try: %s", sentence(err))
		}
		if config.Incidental(key) {
			return nil, usage("--try: %s changes nothing that is measured: try another key", key)
		}
		if seen[key] {
			return nil, usage("--try gives %s twice: write its values after one another, with commas", key)
		}
		seen[key] = true
		var next []trial
		for _, t := range tries {
			for value := range strings.SplitSeq(values, ",") {
				value = strings.TrimSpace(value)
				s, err := config.With(t.settings, key, value)
				if err != nil {
					return nil, usage("--try: %s", sentence(err))
				}
				if slices.ContainsFunc(next, func(n trial) bool {
					return slices.Equal(n.changes, append(slices.Clone(t.changes), change{key, value}))
				}) {
					return nil, usage("--try: %s=%s is given twice", key, value)
				}
				next = append(next, trial{append(slices.Clone(t.changes), change{key, value}), s})
			}
		}
		if tries = next; len(tries) > maxTries {
			return nil, usage("--try makes more than %d combinations: give fewer values, or one key after the other", maxTries)
		}
	}
	for _, t := range tries {
		if err := t.settings.Check(); err != nil {
			return nil, usage("--try %s: %s", t, sentence(err))
		}
	}
	return tries, nil
}

// baseSettings are what the configuration says and no more, so that defaults
// follow from what is tried.
func (a *app) baseSettings() (config.Settings, error) {
	if a.config == "" {
		if _, err := os.Stat(config.File); err != nil {
			return config.Empty(), nil
		}
	}
	return a.settings()
}

// tried is what came of a trial.
type tried struct {
	Settings     map[string]string              `json:"settings"`
	Metrics      map[string]evaluate.Value      `json:"metrics"`
	Cost         *evaluate.Cost                 `json:"cost"`
	Passages     int                            `json:"passages"`
	IndexSeconds float64                        `json:"index_seconds"` // 0 where the index was there
	Against      map[string]evaluate.Difference `json:"against_first,omitempty"`
	// PHolm are the p values corrected for the number of configurations.
	PHolm  map[string]float64 `json:"p_holm,omitempty"`
	label  string
	report evaluate.Report
}

// runTries measures every trial on the set.
func (a *app) runTries(ctx context.Context, set evaluate.Set, scope document.Scope, e evalFlags, tries []trial) error {
	if err := e.measureChanged(tries[0]); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "quarry-try-")
	if err != nil {
		return fmt.Errorf("making a folder for what is tried: %w", err)
	}
	defer os.RemoveAll(folder)
	indexes := map[string]string{} // stores by what is in them
	results := make([]tried, len(tries))
	for i, t := range tries {
		if name := t.index(); name != "" && indexes[name] == "" {
			indexes[name] = filepath.Join(folder, fmt.Sprintf("try-%d.db", len(indexes)))
		}
		if results[i], err = a.try(ctx, set, scope, e, t, indexes[t.index()]); err != nil {
			return fmt.Errorf("trying %s: %w", t, err)
		}
	}
	compareTries(results)
	if a.json {
		return a.writeJSON(struct {
			Set       string  `json:"set"`
			Questions int     `json:"questions"`
			Tries     []tried `json:"tries"`
		}{set.Name, results[0].report.Questions, results})
	}
	a.printTries(set, results)
	return nil
}

// measureChanged sees to it that a metric is measured that what is tried can change.
func (e *evalFlags) measureChanged(t trial) error {
	var keys []string
	for _, c := range t.changes {
		keys = append(keys, c.key)
	}
	metrics, alone := changedMetrics(keys)
	switch {
	case metrics == nil:
		return nil
	case e.answers == answersNo && alone:
		return usage("--try %s changes what goes to the answer and no list, and --answers no measures lists alone: leave it out", strings.Join(keys, " "))
	case e.answers == answersNo:
		return nil
	}
	e.answers = answersYes
	if len(e.metrics) > 0 && !slices.ContainsFunc(metrics, func(m string) bool { return slices.Contains(e.metrics, m) }) {
		e.metrics = append(slices.Clone(e.metrics), metrics[0])
	}
	return nil
}

// try measures one trial, in the store as it is or in one of its own.
func (a *app) try(ctx context.Context, set evaluate.Set, scope document.Scope, e evalFlags, t trial, own string) (tried, error) {
	corpus, took, err := a.openTried(ctx, &set, e.dir, &scope, t, own)
	if err != nil {
		return tried{}, err
	}
	defer corpus.Close()
	test := measure.New(corpus, scope)
	o := e.options(set, test, false)
	if o.Judge, err = standard.Judge(t.settings); err != nil {
		return tried{}, err
	}
	o.Stager = nil // of several runs nobody reads where each question was lost
	report, _, err := a.measured(ctx, set, test, o)
	if err != nil {
		return tried{}, err
	}
	if j := report.Judge; j != nil && j.Failed > 0 {
		a.note("note: trying %s, the judge %s failed: %s without a verdict", t, j.Model, count(j.Failed, "answer"))
	}
	listed, err := corpus.Documents(ctx, scope)
	if err != nil {
		return tried{}, err
	}
	r := tried{Settings: map[string]string{}, Metrics: report.Metrics, Cost: report.Cost, IndexSeconds: took.Seconds(), label: t.String(), report: report}
	for _, c := range t.changes {
		r.Settings[c.key] = c.value
	}
	for _, d := range listed {
		r.Passages += d.Passages
	}
	return r, nil
}

// openTried opens the corpus of a trial; took is the time to index it anew.
func (a *app) openTried(ctx context.Context, set *evaluate.Set, dir string, scope *document.Scope, t trial, own string) (corpus *standard.Corpus, took time.Duration, err error) {
	var sources []document.Source
	asItIs := dir == "" && set.Docs == "" && set.Corpus == nil
	if own != "" && asItIs {
		there, _, err := a.open(ctx)
		if err != nil {
			return nil, 0, err
		}
		sources, err = there.Sources(ctx)
		there.Close()
		if err != nil {
			return nil, 0, err
		}
	}
	store := a.store
	a.tried = &t.settings
	defer func() { a.tried, a.store = nil, store }()
	if own == "" {
		corpus, err = a.openSet(ctx, set, dir, scope)
		return corpus, 0, err
	}
	a.store = own
	_, missing := os.Stat(own)
	start := time.Now()
	if asItIs {
		corpus, err = a.indexAnew(ctx, own, t, sources)
	} else {
		corpus, err = a.openSet(ctx, set, dir, scope)
	}
	if missing != nil {
		took = time.Since(start)
	}
	return corpus, took, err
}

// indexAnew indexes the sources of the store into one of the trial's own.
func (a *app) indexAnew(ctx context.Context, own string, t trial, sources []document.Source) (*standard.Corpus, error) {
	corpus, err := standard.Open(ctx, own, t.settings)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if s.Kind != "folder" && s.Kind != "file" {
			corpus.Close()
			return nil, fmt.Errorf("the source %s (%s) cannot be read again from here: give its documents with --docs", s.Name, s.Kind)
		}
		progress, end := a.progress(s.Name)
		_, err := corpus.Sync(ctx, s.Name, s.Root, progress)
		end()
		if err != nil {
			corpus.Close()
			return nil, fmt.Errorf("indexing %s anew: %w", s.Name, err)
		}
	}
	return corpus, nil
}
