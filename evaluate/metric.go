package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// metric is a parsed name: what is measured, at which level, how far down.
type metric struct {
	name   string // as it was given and as it is reported
	level  level
	kind   string
	k      int // places; 0 is no such cut
	budget int // tokens; 0 is no such cut
}

// family is what a metric of a kind looks at, and whether it needs a cut.
type family struct {
	of       subject
	needsCut bool
}

type subject int

const (
	ofRanks subject = iota
	ofStale
	ofTokens
	ofAnswers
)

var families = map[string]family{
	"recall":      {ofRanks, true},
	"precision":   {ofRanks, true},
	"all_sources": {ofRanks, true},
	"mrr":         {ofRanks, false},
	"ndcg":        {ofRanks, false},
	"map":         {ofRanks, false},

	"stale": {ofStale, true},

	"token_recall":    {ofTokens, true},
	"token_precision": {ofTokens, true},
	"token_iou":       {ofTokens, true},

	"abstention_precision":  {ofAnswers, false},
	"abstention_recall":     {ofAnswers, false},
	"answered_unanswerable": {ofAnswers, false},
	"class_accuracy":        {ofAnswers, false},
	"citation_precision":    {ofAnswers, false},
	"citation_recall":       {ofAnswers, false},
}

// DefaultMetrics are those of a run that names none. Those without judgements
// are absent from the report.
func DefaultMetrics() []string {
	return []string{
		"recall@5", "recall@10", "recall@50", "precision@5", "all_sources@5", "all_sources@10",
		"mrr", "ndcg@10", "map", "recall@1500t", "all_sources@1500t", "stale@5",
		"token_recall@5", "token_precision@5", "token_iou@5", "token_recall@1500t",
		"abstention_precision", "abstention_recall", "answered_unanswerable", "class_accuracy",
		"citation_precision", "citation_recall",
	}
}

// parseMetric reads [doc:|section:|passage:]name[@k|@Nt].
func parseMetric(name string) (metric, error) {
	m := metric{name: name}
	rest := name
	if prefix, after, ok := strings.Cut(name, ":"); ok {
		rest = after
		switch prefix {
		case "doc":
			m.level = docLevel
		case "section":
			m.level = sectionLevel
		case "passage":
			m.level = passageLevel
		default:
			return m, fmt.Errorf("evaluate: metric %q: the level before ':' is doc, section or passage", name)
		}
	}
	kind, cut, hasCut := strings.Cut(rest, "@")
	f, known := families[kind]
	m.kind = kind
	switch {
	case !known:
		return m, fmt.Errorf("evaluate: metric %q is not known; there are %s", name, strings.Join(kinds(), ", "))
	case m.level != finest && f.of != ofRanks:
		return m, fmt.Errorf("evaluate: metric %q: %s has no levels", name, kind)
	case f.of == ofAnswers && hasCut:
		return m, fmt.Errorf("evaluate: metric %q: %s has no cut", name, kind)
	case f.needsCut && !hasCut:
		return m, fmt.Errorf("evaluate: metric %q needs a cut: %s@5, or %s@1500t for a budget of tokens", name, kind, kind)
	case !hasCut:
		return m, nil
	}
	digits, isBudget := strings.CutSuffix(cut, "t")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || strconv.Itoa(n) != digits {
		return m, fmt.Errorf("evaluate: metric %q: the cut after '@' is a number from 1, or one with 't' for tokens", name)
	}
	if isBudget {
		m.budget = n
	} else {
		m.k = n
	}
	return m, nil
}

func kinds() []string {
	var list []string
	for k := range families {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// parseMetrics reads names, each once; none are the defaults.
func parseMetrics(names []string) ([]metric, error) {
	if len(names) == 0 {
		names = DefaultMetrics()
	}
	var list []metric
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		m, err := parseMetric(name)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// inBudget is the number of hits, from the first on, whose tokens sum to at
// most the budget.
func inBudget(hits []prepared, budget int) int {
	sum := 0
	for i := range hits {
		if sum += hits[i].Tokens; sum > budget {
			return i
		}
	}
	return len(hits)
}
