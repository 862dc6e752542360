package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Blames of a wrong answer.
const (
	// BlameRetrieval: a judged unit was not in the evidence.
	BlameRetrieval = "retrieval"
	// BlameGeneration: all were in the evidence, or there was nothing to find.
	BlameGeneration = "generation"
)

// AnswerTable says whose doing the wrong answers are. An answer is right when
// its status is, and, where the question is answerable, it is correct by the rule, or
// cites a judged unit and has the reference's numbers and dates.
type AnswerTable struct {
	AnswerCounts
	ByType map[string]AnswerCounts `json:"by_type"`
}

// AnswerCounts are numbers of questions.
type AnswerCounts struct {
	Questions  int `json:"questions"`
	Right      int `json:"right"`
	Retrieval  int `json:"retrieval"`
	Generation int `json:"generation"`
}

func (c *AnswerCounts) count(blame string) {
	c.Questions++
	switch blame {
	case BlameRetrieval:
		c.Retrieval++
	case BlameGeneration:
		c.Generation++
	default:
		c.Right++
	}
}

// wrong says why an answer is wrong, or gives "".
func wrong(q Question, a Answer, values map[string]float64) string {
	want := q.wantedStatus()
	switch {
	case q.Type == TypeWholeDocument && a.Status == StatusNotForDocuments:
		return "" // so is one that answers
	case want == "" && !answered(a.Status):
		return "status " + a.Status + " instead of " + StatusAnswered
	case want != "" && a.Status != want:
		return "status " + a.Status + " instead of " + want
	}
	if values["answer_correct"] == 1 {
		return ""
	}
	if v, ok := values["citation_recall"]; ok && v == 0 {
		return "the answer cites nothing that is judged"
	}
	if v, ok := values["answer_numbers"]; ok && v == 0 {
		return "the answer lacks a number or date of the reference"
	}
	return ""
}

// blameOf says whose doing a wrong answer is. missing counts the judged units that
// were not in the evidence.
func blameOf(missing int) string {
	if missing > 0 {
		return BlameRetrieval
	}
	return BlameGeneration
}

// missingFrom counts the judged units that the evidence does not hold.
func missingFrom(evidence []Hit, j judgement, c *cache) int {
	_, ranks := collapse(prepare(evidence, c), j)
	missing := 0
	for _, r := range ranks {
		if r == 0 {
			missing++
		}
	}
	return missing
}

func tableOf(results []Result) *AnswerTable {
	t := &AnswerTable{ByType: map[string]AnswerCounts{}}
	for _, r := range results {
		if r.Status == "" {
			continue
		}
		t.count(r.Blame)
		g := t.ByType[r.Type]
		g.count(r.Blame)
		t.ByType[r.Type] = g
	}
	if t.Questions == 0 {
		return nil
	}
	return t
}

// write writes the table of whose doing the wrong answers are; a nil one writes
// nothing.
func (t *AnswerTable) write(b *strings.Builder) {
	if t == nil {
		return
	}
	b.WriteString("\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "answers\tright\tfailed: not in the evidence (retrieval)\tin the evidence (generation)\tn\t\n")
	line := func(kind string, c AnswerCounts) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", kind, c.Right, c.Retrieval, c.Generation, c.Questions)
	}
	line("all", t.AnswerCounts)
	for _, kind := range slices.Sorted(maps.Keys(t.ByType)) {
		line(kind, t.ByType[kind])
	}
	w.Flush()
}
