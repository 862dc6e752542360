package evaluate

import (
	"context"
	"errors"
	"fmt"
)

// Judge decides whether an answer says what the expected one says, as a person who reads
// both would. Its verdict is a metric of its own, answer_judged, beside those that follow
// rules. See JudgeBy for one that is a chat model.
type Judge interface {
	// About says who judges and by which prompt; the report records it.
	About() JudgedBy
	// Judge gives its verdict. Run calls it from one goroutine. An error leaves the
	// answer without one, is reported, and stops nothing.
	Judge(ctx context.Context, c Case) (Verdict, error)
}

// Case is what a judge is given.
type Case struct {
	Question string
	Expected []string // answers of which any one suffices
	Given    string   // without the marks of its citations
}

// Verdict is what a judge decided, and why.
type Verdict struct {
	Correct bool   `json:"correct"`
	Reason  string `json:"reason"`
	Tokens  int    `json:"tokens,omitempty"` // that it took, of the judge's model
}

// JudgedBy records who judged answers. Figures of two models, or of two versions of a
// prompt, are not to be compared, and Compare does not.
type JudgedBy struct {
	Model         string `json:"model"`
	PromptVersion string `json:"prompt_version"`
	Prompt        string `json:"prompt"`
	// Answers were judged; Failed have no verdict, as the judge failed or was asked no
	// more. Both count answers from gold evidence too.
	Answers int `json:"answers"`
	Failed  int `json:"failed"`
	Tokens  int `json:"tokens"`
}

// comparable reports whether verdicts of two runs are by one measure.
func (j *JudgedBy) comparable(other *JudgedBy) bool {
	return j != nil && other != nil && j.Model == other.Model && j.PromptVersion == other.PromptVersion && j.Prompt == other.Prompt
}

// isJudged reports whether a metric is a judge's word.
func isJudged(name string) bool {
	m, err := parseMetric(name)
	return err == nil && m.kind == "answer_judged"
}

// panel asks the judge of a run, until it fails too often.
type panel struct {
	judge  Judge
	record JudgedBy
	row    int // failures in a row
}

// patience is how many failures in a row show that a judge is out of order. Each may
// have cost minutes of trying again.
const patience = 3

var errNotAsked = errors.New("the judge is asked no more")

func newPanel(j Judge) *panel {
	if j == nil {
		return nil
	}
	record := j.About()
	record.Answers, record.Failed, record.Tokens = 0, 0, 0
	return &panel{judge: j, record: record}
}

// verdict asks the judge. errNotAsked is its error once the judge has failed too often.
func (p *panel) verdict(ctx context.Context, c Case) (Verdict, error) {
	if p.row >= patience {
		p.record.Failed++
		return Verdict{}, errNotAsked
	}
	v, err := p.judge.Judge(ctx, c)
	p.record.Tokens += v.Tokens
	if err != nil {
		p.row++
		p.record.Failed++
		return Verdict{}, fmt.Errorf("the answer has no verdict, as the judge %s failed: %w", p.record.Model, err)
	}
	p.row = 0
	p.record.Answers++
	return v, nil
}

// report adds to a report who judged, and that the judge was given up.
func (p *panel) report(r *Report) {
	if p == nil {
		return
	}
	r.Judge = &p.record
	if p.row >= patience {
		r.Problems = append(r.Problems, Problem{Text: fmt.Sprintf("the judge %s failed %d times in a row and was asked no more: %s without a verdict",
			p.record.Model, patience, plural(p.record.Failed, "answer"))})
	}
}
