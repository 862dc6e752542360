package evaluate

import (
	"encoding/json"
	"fmt"
	"io"
)

// line is a question as a questions file holds it.
type line struct {
	ID           string   `json:"id"`
	Question     string   `json:"question"`
	Answer       any      `json:"answer,omitempty"`
	Sources      []string `json:"sources"`
	Passages     []string `json:"passages,omitempty"`
	Spans        [][2]int `json:"spans,omitempty"`
	Unanswerable bool     `json:"unanswerable"`
	Type         string   `json:"type,omitempty"`
	AsOf         string   `json:"as_of,omitempty"`
	Tenant       string   `json:"tenant,omitempty"`
	As           []string `json:"as,omitempty"`
	Stale        []string `json:"stale,omitempty"`
	AlsoValid    []string `json:"also_valid_text_in,omitempty"`
	HeldOut      bool     `json:"held_out"`
	Reviewed     bool     `json:"reviewed"`
}

// WriteQuestions writes questions as the questions file that Load reads, one a
// line. Grades of sources, and of a scope Where, Drafts and Sources, have no place there.
func WriteQuestions(w io.Writer, questions []Question) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	names := func(sources []Source) []string {
		var list []string
		for _, s := range sources {
			list = append(list, s.String())
		}
		return list
	}
	for _, q := range questions {
		l := line{ID: q.ID, Question: q.Text, Sources: append([]string{}, names(q.Sources)...), Passages: q.Passages, Unanswerable: q.Unanswerable, Type: q.Type,
			Tenant: q.Scope.Tenant, As: q.Scope.Principals, Stale: names(q.Stale), AlsoValid: q.AlsoValid, HeldOut: q.HeldOut, Reviewed: q.Reviewed}
		switch len(q.Answers) {
		case 0:
		case 1:
			l.Answer = q.Answers[0]
		default:
			l.Answer = q.Answers
		}
		for _, s := range q.Spans {
			l.Spans = append(l.Spans, [2]int{s.From, s.To})
		}
		if q.Scope.AsOf != 0 {
			l.AsOf = q.Scope.AsOf.String()
		}
		if err := enc.Encode(l); err != nil {
			return fmt.Errorf("evaluate: writing the question %s: %w", q.ID, err)
		}
	}
	return nil
}
