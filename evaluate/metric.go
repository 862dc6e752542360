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
	gold   bool // of the answer from gold evidence
	k      int  // places; 0 is no such cut
	budget int  // tokens; 0 is no such cut
}

// family is what a metric of a kind looks at, whether it needs a cut, and, of
// an answer's, whether it makes sense from gold evidence.
type family struct {
	of       subject
	needsCut bool
	gold     bool
}

type subject int

const (
	ofRanks subject = iota
	ofStale
	ofTokens
	ofAnswers
)

var families = map[string]family{
	"recall":      {of: ofRanks, needsCut: true},
	"precision":   {of: ofRanks, needsCut: true},
	"all_sources": {of: ofRanks, needsCut: true},
	"mrr":         {of: ofRanks},
	"ndcg":        {of: ofRanks},
	"map":         {of: ofRanks},

	"stale": {of: ofStale, needsCut: true},

	"token_recall":    {of: ofTokens, needsCut: true},
	"token_precision": {of: ofTokens, needsCut: true},
	"token_iou":       {of: ofTokens, needsCut: true},

	"evidence_recall":       {of: ofAnswers},
	"answered":              {of: ofAnswers, gold: true},
	"answer_correct":        {of: ofAnswers, gold: true},
	"answer_exact":          {of: ofAnswers, gold: true},
	"answer_f1":             {of: ofAnswers, gold: true},
	"answer_numbers":        {of: ofAnswers, gold: true},
	"answer_judged":         {of: ofAnswers, gold: true},
	"groundedness":          {of: ofAnswers, gold: true},
	"citation_precision":    {of: ofAnswers, gold: true},
	"citation_recall":       {of: ofAnswers, gold: true},
	"abstention_precision":  {of: ofAnswers},
	"abstention_recall":     {of: ofAnswers},
	"answered_unanswerable": {of: ofAnswers},
	"class_accuracy":        {of: ofAnswers},

	"needs_information_precision":       {of: ofAnswers},
	"needs_information_recall":          {of: ofAnswers},
	"not_a_document_question_precision": {of: ofAnswers},
	"not_a_document_question_recall":    {of: ofAnswers},
}

// DefaultMetrics are those of a run that names none. Those without judgements
// are absent from the report.
func DefaultMetrics() []string {
	return []string{
		"recall@5", "recall@10", "recall@50", "precision@5", "all_sources@5", "all_sources@10",
		"mrr", "ndcg@10", "map", "recall@1500t", "all_sources@1500t", "stale@5",
		"token_recall@5", "token_precision@5", "token_iou@5",
		"token_recall@1500t", "token_precision@1500t", "token_iou@1500t",
		"evidence_recall", "answered", "answer_correct", "answer_exact", "answer_f1", "answer_numbers", "answer_judged", "groundedness",
		"citation_precision", "citation_recall",
		"abstention_precision", "abstention_recall", "answered_unanswerable", "class_accuracy",
		"needs_information_precision", "needs_information_recall",
		"not_a_document_question_precision", "not_a_document_question_recall",
		"gold:answered", "gold:answer_correct", "gold:answer_exact", "gold:answer_f1", "gold:answer_numbers", "gold:answer_judged",
		"gold:groundedness", "gold:citation_precision", "gold:citation_recall",
	}
}

// parseMetric reads [doc:|section:|passage:]name[@k|@Nt] and gold:name.
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
		case "gold":
			m.gold = true
		default:
			return m, fmt.Errorf("evaluate: metric %q: before ':' stands a level, which is doc, section or passage, or gold, for answers from gold evidence", name)
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
	case m.gold && !f.gold:
		return m, fmt.Errorf("evaluate: metric %q: %s is not measured of answers from gold evidence", name, kind)
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
