// Package query understands a question before anything is searched: its terms
// and identifiers, and whether documents can answer it at all.
package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
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
	Languages   []analyze.Language // that the passages have, besides those of the default
	Terms       []store.QueryTerm
	Identifiers []store.QueryTerm
	// Whole are the identifiers that the question gives whole: passages that
	// hold one have a sure place among the candidates.
	Whole []string
	// Quotes are the quoted parts of the question: passages that hold one as it stands
	// rank before those that do not.
	Quotes []Quote
	// Where are the attributes that the scope asks for, and Named those that the
	// question itself names (see NamedIn); Ask fills them in.
	Where, Named map[string][]string
	// Requirements are the facts to be established, one for each question
	// that the text asks.
	Requirements []Requirement
}

// Requirement is one fact that must be established before the answer is
// complete.
type Requirement struct {
	Text        string
	Terms       []store.QueryTerm
	Identifiers []store.QueryTerm
}

// Vague reports whether several documents may answer a question, each for its own case,
// as it asks for one fact, names one topic and no identifier. To see that takes passages
// of many documents, and the words of one do not say which is meant.
func (p Plan) Vague() bool {
	return len(p.Whole) == 0 && len(p.Requirements) == 1 && topicTerms(p.Requirements[0].Text) == 1
}

// Errors of Understand.
var (
	ErrEmpty   = errors.New("the question is empty: ask something")
	ErrTooLong = fmt.Errorf("the question is longer than %d bytes: ask something shorter", MaxQuestion)
)

// Understand makes the plan of a question to passages that are in these languages
// besides those of the default (see analyze.Present). Its text is data: no word of it
// is an operator.
func Understand(question string, t *trace.Trace, languages ...analyze.Language) (Plan, error) {
	question = clean(question)
	if strings.IndexFunc(question, says) < 0 {
		return Plan{}, ErrEmpty
	}
	if len(question) > MaxQuestion {
		return Plan{}, ErrTooLong
	}
	q := analyze.ForQuestion(question, languages...)
	p := Plan{
		Question:    question,
		Intent:      intent(question),
		Languages:   languages,
		Terms:       q.Terms,
		Identifiers: q.Identifiers,
		Whole:       q.Whole,
		Quotes:      quotes(question, languages),
	}
	for _, part := range split(question) {
		fact := analyze.ForQuestion(part)
		p.Requirements = append(p.Requirements, Requirement{part, fact.Terms, fact.Identifiers})
	}
	t.Question = question
	for _, term := range p.Terms {
		t.Terms = append(t.Terms, term.Term)
	}
	return p, nil
}

func clean(question string) string { return strings.TrimSpace(strings.ToValidUTF8(question, " ")) }

// says is whether a sign may be seen; what is not asks nothing.
func says(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r)
}

// maxRequirements bounds the work that one question can ask for.
const maxRequirements = 5

// boundary is where one question of a text ends and the next begins: a question
// mark, or "and" (or ";") before another question word.
var boundary = lazyregexp.New(`[?？]+|(?i)(?:[,;]\s*|\s+)(?:and\s+)?(?:what|which|who|whom|whose|when|where|why|how)\s`)

// joint tells a boundary before a question word from a mere question word:
// "the day on which ..." goes on, "and which ..." and "; which ..." begin anew.
var joint = lazyregexp.New(`(?i)^(?:[,;]?\s*and\s|;)`)

// split cuts a text into the questions that it asks. What asks nothing (a
// statement around the question) and what has too few terms to be looked for alone
// ("and who got it?") stays with its neighbour.
func split(question string) []string {
	var parts []string
	from := 0
	cut := func(to int) {
		part := leadingAnd.ReplaceAllString(strings.TrimSpace(strings.TrimLeft(question[from:to], " ,;")), "")
		from = to
		if part == "" {
			return
		}
		if n := len(parts); n > 0 && (topicTerms(part) < alone || topicTerms(parts[n-1]) < alone || !asks.MatchString(part)) {
			parts[n-1] += " " + part
			return
		}
		parts = append(parts, part)
	}
	for _, m := range boundary.FindAllStringIndex(question, -1) {
		text := question[m[0]:m[1]]
		switch {
		case strings.HasPrefix(text, "?") || strings.HasPrefix(text, "？"):
			cut(m[1])
		case joint.MatchString(text):
			cut(m[0])
		}
	}
	cut(len(question))
	if len(parts) > maxRequirements {
		parts = append(parts[:maxRequirements-1], strings.Join(parts[maxRequirements-1:], " "))
	}
	if len(parts) <= 1 {
		return []string{question}
	}
	return parts
}

// alone is how many terms of its own a question needs to be looked for alone.
const alone = 2

// asks recognises a part that asks: by its mark or its question word.
var asks = lazyregexp.New(`[?？]$|(?i)^(?:what|which|who|whom|whose|when|where|why|how)\b`)

// topicTerms counts the terms that name a topic.
func topicTerms(s string) int {
	seen := map[string]bool{}
	for _, w := range analyze.Words(s) {
		if !analyze.IsFunctionWord(w.Folded) && !analyze.IsGeneralWord(w.Folded) {
			seen[w.Term] = true
		}
	}
	return len(seen)
}

var leadingAnd = lazyregexp.New(`(?i)^and\s+`)
