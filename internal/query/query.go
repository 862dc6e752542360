// Package query understands a question before anything is searched: its terms
// and identifiers, and whether documents can answer it at all.
package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// MaxQuestion bounds a question, in bytes. Longer ones are documents.
const MaxQuestion = 16 << 10

// Intent is what a question asks for.
type Intent string

// The intents.
const (
	Fact          Intent = "fact"           // something that a passage can say
	WholeDocument Intent = "whole document" // a task over all of a document: summarise, translate
	LiveData      Intent = "live data"      // a state of the world at this moment
	Action        Intent = "action"         // something to be done
)

// Plan is a question as the stages take it.
type Plan struct {
	Question    string
	Intent      Intent
	Terms       []store.QueryTerm
	Identifiers []store.QueryTerm
	// Whole are the identifiers that the question gives whole: passages that
	// hold one have a sure place among the candidates.
	Whole []string
	// Requirements are the facts to be established, one for each question
	// that the text asks.
	Requirements []Requirement
}

// Requirement is one fact that must be established before the answer is
// complete.
type Requirement struct {
	Text  string
	Terms []store.QueryTerm
}

// Errors of Understand.
var (
	ErrEmpty   = errors.New("the question is empty: ask something")
	ErrTooLong = fmt.Errorf("the question is longer than %d bytes: ask something shorter", MaxQuestion)
)

// Understand makes the plan of a question. Its text is data: no word of it is an operator.
func Understand(question string, t *trace.Trace) (Plan, error) {
	question = strings.TrimSpace(strings.ToValidUTF8(question, " "))
	if question == "" {
		return Plan{}, ErrEmpty
	}
	if len(question) > MaxQuestion {
		return Plan{}, ErrTooLong
	}
	q := analyze.ForQuestion(question)
	p := Plan{
		Question:    question,
		Intent:      intent(question),
		Terms:       q.Terms,
		Identifiers: q.Identifiers,
		Whole:       q.Whole,
	}
	for _, part := range split(question) {
		p.Requirements = append(p.Requirements, Requirement{Text: part, Terms: analyze.ForQuestion(part).Terms})
	}
	t.Question = question
	for _, term := range p.Terms {
		t.Terms = append(t.Terms, term.Term)
	}
	return p, nil
}

// split cuts a text that asks several questions at its question marks, and at
// ", and" or ";" before another question word. A part without a content term
// of its own stays with the one before.
func split(question string) []string {
	var parts []string
	rest := question
	for rest != "" {
		cut := nextQuestion(rest)
		part := strings.TrimSpace(rest[:cut])
		rest = strings.TrimLeft(strings.TrimSpace(rest[cut:]), ",; ")
		if low := strings.ToLower(rest); strings.HasPrefix(low, "and ") && len(parts) >= 0 && startsQuestion(rest[4:]) {
			rest = rest[4:]
		}
		if part == "" {
			continue
		}
		if len(contentTerms(part)) < 2 && len(parts) > 0 {
			parts[len(parts)-1] += " " + part
			continue
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return []string{question}
	}
	if len(parts) > 1 && len(contentTerms(parts[0])) < 2 {
		parts[1] = parts[0] + " " + parts[1]
		parts = parts[1:]
	}
	if len(parts) > maxRequirements {
		parts = append(parts[:maxRequirements-1], strings.Join(parts[maxRequirements-1:], " "))
	}
	return parts
}

// maxRequirements bounds the work that one question can ask for.
const maxRequirements = 5

func contentTerms(s string) []store.QueryTerm {
	terms := analyze.ForQuestion(s).Terms
	var out []store.QueryTerm
	for _, t := range terms {
		if !analyze.IsFunctionWord(t.Term) {
			out = append(out, t)
		}
	}
	return out
}

// nextQuestion is the offset behind the first question in s.
func nextQuestion(s string) int {
	for i, r := range s {
		switch r {
		case '?', '？':
			return i + utf8.RuneLen(r)
		case ',', ';':
			next := strings.TrimSpace(s[i+1:])
			low := strings.ToLower(next)
			if strings.HasPrefix(low, "and ") && startsQuestion(next[4:]) || r == ';' && startsQuestion(next) {
				return i + 1
			}
		case ' ':
			if next := s[i+1:]; strings.HasPrefix(strings.ToLower(next), "and ") && startsQuestion(next[4:]) && i > 0 {
				return i
			}
		}
	}
	return len(s)
}

var questionWords = map[string]bool{"what": true, "which": true, "who": true, "whom": true, "whose": true, "when": true, "where": true, "why": true, "how": true}

func startsQuestion(s string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(s)), " ")
	return questionWords[strings.Trim(word, "’'s,")] || questionWords[word]
}
