// Package trace records what every stage did with a question: counts, times,
// scores, drops and their reasons. It is passed along the flow by pointer and
// written only by the stage that runs; lanes that run at once hand theirs back
// as values.
package trace

import (
	"encoding/json"
	"time"
)

// Stage is the name of a stage; traces, why and eval use these names only.
type Stage string

// The stages, in the order of the two flows.
const (
	Source     Stage = "source"
	Extract    Stage = "extract"
	Chunk      Stage = "chunk"
	Index      Stage = "index"
	Scope      Stage = "scope"
	Route      Stage = "route"
	Keyword    Stage = "keyword"
	Vector     Stage = "vector"
	Identifier Stage = "identifier"
	Fuse       Stage = "fuse"
	Rerank     Stage = "rerank"
	Cut        Stage = "cut"
	Budget     Stage = "budget"
	Generate   Stage = "generate" // only where a model writes answers
	Cite       Stage = "cite"
)

// Trace is what happened to one question.
type Trace struct {
	Question string   `json:"question"`
	Terms    []string `json:"terms,omitempty"`
	Records  []Record `json:"stages"`
	// Notices are sentences on what the scope leaves out that the asker should know: a
	// filter that leaves nothing, a value that no document carries.
	Notices []string `json:"notices,omitempty"`
}

// Record is what one stage did.
type Record struct {
	Stage Stage         `json:"stage"`
	Took  time.Duration `json:"-"`
	In    int           `json:"in"`  // candidates, passages or sections that came in
	Out   int           `json:"out"` // and went on
	// Notes are sentences a person can read: what was used, what was off and why.
	Notes []string `json:"notes,omitempty"`
	// Error is set when the stage failed and the flow went on without it.
	Error string `json:"error,omitempty"`
	// Drops are what the stage took out, each with its reason.
	Drops []Drop `json:"drops,omitempty"`
	// Filtered counts the documents that a scope leaves out, by filter: of those alone that
	// the asker may read.
	Filtered map[string]int `json:"filtered,omitempty"`
	// Tokens in and out, and calls to models.
	Tokens int `json:"tokens,omitempty"`
	Calls  int `json:"calls,omitempty"`
	// Model says more of them where a model wrote something.
	Model *ModelUse `json:"model,omitempty"`
}

// ModelUse is what a model was asked with and what that took.
type ModelUse struct {
	Name   string `json:"name"`
	Prompt string `json:"prompt_version"`
	Input  int    `json:"input_tokens"` // as the service counts them; 0 where it does not say
	Output int    `json:"output_tokens"`
	// Cost is by the prices of the configuration; nil where none are given.
	Cost     *float64 `json:"cost,omitempty"`
	Currency string   `json:"currency,omitempty"`
}

// MarshalJSON writes the duration as milliseconds.
func (r Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return json.Marshal(struct {
		plain
		MS float64 `json:"ms"`
	}{plain(r), float64(r.Took.Microseconds()) / 1000})
}

// Drop is a passage that a stage took out.
type Drop struct {
	Passage string `json:"passage"` // its id
	Reason  string `json:"reason"`
}

// Add appends a record.
func (t *Trace) Add(r Record) { t.Records = append(t.Records, r) }

// Failed lists the stages that failed, as "stage: error".
func (t *Trace) Failed() []string {
	var out []string
	for _, r := range t.Records {
		if r.Error != "" {
			out = append(out, string(r.Stage)+": "+r.Error)
		}
	}
	return out
}
