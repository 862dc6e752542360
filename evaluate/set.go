package evaluate

import (
	"fmt"
	"iter"

	"github.com/seed-d3156d19/quarry/document"
)

// Set is a question set: questions with their judgements and, where the set
// brings them, the documents to ask them of.
type Set struct {
	Name string
	Dir  string // the folder that the set was read from
	// Questions are in the order of the file.
	Questions []Question
	// Docs is the folder with the set's documents, or "" where the set has
	// none and a store or Corpus is to be used.
	Docs string
	// Corpus yields the documents of a BEIR set, in the order of its file, and
	// is nil for other sets. It may be ranged over more than once.
	Corpus iter.Seq[Doc]
	// Problems are those that Load found; Run copies them to its report.
	Problems []Problem
}

// Question is one question and what is judged of it. All of Sources are
// required, and so are all of Passages.
type Question struct {
	ID       string
	Text     string
	Type     string
	Answers  []string // reference answers; a number is kept as it was written
	Sources  []Source
	Passages []string // quotes that hold the answer
	Spans    []Span   // the same as places, for the metrics that count tokens
	// Unanswerable says that the documents do not hold the answer.
	Unanswerable bool
	Scope        document.Scope
	// Stale are sources that must not be shown: they were right at another time.
	Stale []Source
	// AlsoValid are documents in which the same text stands and is right as well.
	AlsoValid []string
	HeldOut   bool // not to be tuned on
	Reviewed  bool // a person has checked the judgements
	// Unreviewed is set where the question says "reviewed": false; most sets
	// say nothing.
	Unreviewed bool

	file string // that it was read from
	line int
}

// Source is a judged document, or one section of it.
type Source struct {
	Document string // slash path within its source
	Heading  string // "" is the whole document
	// Grade is how relevant it is: 1 in a questions file, the score in a BEIR
	// set. A grade below 1 is judged and not relevant.
	Grade int
}

// String gives "document#heading", the form of a questions file.
func (s Source) String() string {
	if s.Heading == "" {
		return s.Document
	}
	return s.Document + "#" + s.Heading
}

// Span is a half-open range of code points in the text of a file.
type Span struct {
	From int
	To   int
}

// Doc is a document of a BEIR corpus. A Doc with an Err is the last of the
// corpus and holds nothing else: the file could not be read to its end.
type Doc struct {
	Path  string // DocPath of its id
	Title string
	Text  string
	Err   error
}

// Problem is a line of a set that could not be used as it stands. The other
// lines are not affected.
type Problem struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // from 1; 0 when it is no one line's
	ID   string `json:"id,omitempty"`   // of the question or document, where known
	Text string `json:"problem"`
}

// String gives "file:line: id: problem".
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, p.Line)
	}
	if p.ID != "" {
		if s != "" {
			s += ": "
		}
		s += p.ID
	}
	if s != "" {
		s += ": "
	}
	return s + p.Text
}

// Types of questions that retrieval metrics leave out unless they name
// passages, because no list of passages answers them.
const (
	TypeUnanswerable   = "unanswerable"
	TypeWholeDocument  = "whole_document"
	TypeNeedsInfo      = "needs_information"
	TypeNotForDocument = "not_a_document_question"
)

// retrievable reports whether the question counts in retrieval metrics.
func (q Question) retrievable() bool {
	if len(q.Passages) > 0 {
		return true
	}
	switch q.Type {
	case TypeUnanswerable, TypeWholeDocument, TypeNeedsInfo, TypeNotForDocument:
		return false
	}
	return !q.Unanswerable
}

// kind is the group that a report counts the question in.
func (q Question) kind() string {
	switch {
	case q.Type != "":
		return q.Type
	case q.Unanswerable:
		return TypeUnanswerable
	}
	return "untyped"
}
