// Package firstset makes a first question set from documents, without a model:
// questions whose answer has a form that can be recognised, from headings,
// definitions, tables and identifiers. A person is to check them. They share words
// with their passages, as a reader's questions do not, so that figures over them
// are too good; what they show is what is not found at all, and what a change breaks.
package firstset

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// Types of the questions that are made.
const (
	Heading    = "heading"
	Definition = "definition"
	Table      = "table"
	Identifier = "exact_identifier"
)

// heldOut is one in so many questions that are held out from tuning.
const heldOut = 3

// Maker gathers what questions can be made of, a document at a time.
type Maker struct {
	made     []made
	mentions map[string]*mention // of identifiers
	passed   map[string]int      // headings, by why they make no question
}

// made is a question that can be asked, before it is chosen.
type made struct {
	kind     string
	document string
	question evaluate.Question
	order    string // a hash: chance, the same each time
}

// New is a Maker of nothing yet.
func New() *Maker { return &Maker{mentions: map[string]*mention{}, passed: map[string]int{}} }

// Add takes in a document in force, with its passages.
func (m *Maker) Add(r document.Revision) {
	m.headings(r)
	for _, p := range r.Passages {
		m.definitions(r, p)
		m.tables(r, p)
		m.identifiers(r, p)
	}
}

// add keeps a question. Its id is of what it asks of which document, and so
// survives a second making.
func (m *Maker) add(kind string, r document.Revision, section int, text, answer, quote string) {
	q := evaluate.Question{Text: text, Type: kind, Sources: []evaluate.Source{{Document: r.Document.Path, Grade: 1}}}
	if section > 0 && section < len(r.Sections) {
		if path := r.Sections[section].Path; len(path) > 0 && len(path[len(path)-1]) <= maxHeading {
			q.Sources[0].Heading = path[len(path)-1]
		}
	}
	if answer != "" {
		q.Answers = []string{answer}
	}
	if quote != "" {
		q.Passages = []string{quote}
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + r.Document.String() + "\x00" + text))
	hash := hex.EncodeToString(sum[:])
	q.ID, q.Unreviewed, q.HeldOut = kind+"-"+hash[:8], true, int(sum[31])%heldOut == 0
	m.made = append(m.made, made{kind, r.Document.String(), q, hash})
}

// Questions gives at most n of what was found, of every kind about as many, of as many
// documents as can be. What would be asked in the same words of two places is not
// asked: nobody could say which is meant.
func (m *Maker) Questions(n int, scope document.Scope) []evaluate.Question {
	m.addIdentifiers()
	asked := map[string]int{}
	for _, q := range m.made {
		asked[fold(q.question.Text)]++
	}
	byKind := map[string][]made{}
	for _, q := range m.made {
		if asked[fold(q.question.Text)] == 1 {
			byKind[q.kind] = append(byKind[q.kind], q)
		} else if q.kind == Heading {
			m.passed[ambiguous]++
		}
	}
	for kind, list := range byKind {
		byKind[kind] = spread(list)
	}
	var chosen []evaluate.Question
	for i := 0; len(chosen) < n; i++ {
		more := false
		for _, kind := range []string{Definition, Table, Identifier, Heading} {
			if i < len(byKind[kind]) && len(chosen) < n {
				more = true
				q := byKind[kind][i].question
				q.Scope = document.Scope{Tenant: scope.Tenant, Principals: scope.Principals, AsOf: scope.AsOf}
				chosen = append(chosen, q)
			}
		}
		if !more {
			break
		}
	}
	slices.SortFunc(chosen, func(a, b evaluate.Question) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Sources[0].String(), b.Sources[0].String()), cmp.Compare(a.ID, b.ID))
	})
	return chosen
}

// spread orders questions so that the first of every document come first, then
// the second ones, and so on; by chance among these.
func spread(list []made) []made {
	slices.SortFunc(list, func(a, b made) int { return cmp.Compare(a.order, b.order) })
	nth := map[string]int{}
	turn := make(map[string]int, len(list))
	for _, q := range list {
		turn[q.order] = nth[q.document]
		nth[q.document]++
	}
	slices.SortStableFunc(list, func(a, b made) int { return cmp.Compare(turn[a.order], turn[b.order]) })
	return list
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
