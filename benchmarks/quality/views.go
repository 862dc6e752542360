package main

import (
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// view is one way to ask a set: which of its questions, of which of its documents.
type view struct {
	name string // its heading below the set's; "" where the set is asked in one way
	note string
	set  evaluate.Set
	// uploads are the documents with what the view says of them; nil: as they lie there.
	uploads iter.Seq2[quarry.Upload, error]
	series  string // as in quarry.Options
}

// String names the view in progress and problems.
func (v view) String() string {
	if v.name == "" {
		return v.set.Name
	}
	return v.set.Name + ", " + v.name
}

// viewsOf gives the ways to ask a set. Most are asked as they stand; of two the documents
// say less than the questions need, in form of metadata that the set keeps elsewhere.
func viewsOf(set evaluate.Set) ([]view, error) {
	switch set.Name {
	case "tatqa_dev":
		return byDocument(set)
	case "handbook_versions":
		return byDay(set)
	}
	return []view{{set: set}}, nil
}

// documentKey is the attribute by which a question names its document.
const documentKey = "document"

// byDocument asks the questions of all documents, and each of its own document alone, for
// sets whose questions take it for known which one is meant.
func byDocument(set evaluate.Set) ([]view, error) {
	names, err := fs.Glob(os.DirFS(set.Docs), "*.md")
	if err != nil {
		return nil, err
	}
	scoped := set
	scoped.Questions = nil
	for _, q := range set.Questions {
		if len(q.Sources) == 1 && len(q.Passages) > 0 { // of a document alone, that document is no finding
			q.Scope.Where = map[string][]string{documentKey: {q.Sources[0].Document}}
			scoped.Questions = append(scoped.Questions, q)
		}
	}
	uploads := uploadsOf(set.Docs, names, func(name string) document.Metadata {
		return document.Metadata{Access: document.Public(), Attributes: map[string][]string{documentKey: {name}}}
	})
	return []view{
		{name: "of all documents", note: "A question that names no company is asked of all reports as it stands. Where it is judged by " +
			"its document alone, the document is what is to be found, else its paragraphs. Nothing was tuned on this set.", set: set, uploads: uploads},
		{name: "each of its own document", note: "The scope of a question is its document, as a routed question's would be. Only the questions with judged " +
			"paragraphs count: for the others the document is all that is judged.", set: scoped, uploads: uploads},
	}, nil
}

// byDay asks about versions of pages, docs/PAGE/DATE.md, which hold from their date to
// that of the next: once on each question's day, and once with all versions in force at
// once, as a system without dates has them.
func byDay(set evaluate.Set) ([]view, error) {
	valid, err := validities(set.Docs)
	if err != nil {
		return nil, err
	}
	dated, undated := set, set
	dated.Questions, undated.Questions = nil, nil
	for _, q := range set.Questions {
		if q.Type == "change" { // needs two versions that hold on no common day
			continue
		}
		dated.Questions = append(dated.Questions, q)
		q.Scope.AsOf = 0
		undated.Questions = append(undated.Questions, q)
	}
	names := slices.Sorted(maps.Keys(valid))
	public := document.Metadata{Access: document.Public()}
	return []view{
		{name: "on the day of each question", note: "A version holds from its date to that of the next version of its page, and a question is asked of those that hold on its day. " +
			"The questions about a change are left out: each needs two versions that hold on no common day. " +
			fmt.Sprintf("%d versions in all. Nothing was tuned on this set.", len(names)),
			set: dated, uploads: uploadsOf(set.Docs, names, func(name string) document.Metadata {
				dated := public
				dated.Effective = valid[name]
				return dated
			})},
		{name: "of all versions at once", note: "The same questions and versions without a day, as a system has them that knows no dates.",
			set: undated, uploads: uploadsOf(set.Docs, names, func(string) document.Metadata { return public }), series: quarry.SeriesOff},
	}, nil
}

// validities gives the interval in which each version of a page holds, by its path.
func validities(dir string) (map[string]document.Interval, error) {
	names, err := fs.Glob(os.DirFS(dir), "*/*.md")
	if err != nil {
		return nil, err
	}
	slices.Sort(names) // the versions of a page by date
	valid := map[string]document.Interval{}
	for i, name := range names {
		from, err := document.ParseDay(strings.TrimSuffix(path.Base(name), ".md"))
		if err != nil {
			return nil, fmt.Errorf("the version %s is not named by its date: %w", name, err)
		}
		valid[name] = document.Interval{From: from}
		if i > 0 && path.Dir(names[i-1]) == path.Dir(name) {
			before := valid[names[i-1]]
			before.To = from
			valid[names[i-1]] = before
		}
	}
	return valid, nil
}

// uploadsOf gives files of a folder with metadata.
func uploadsOf(dir string, names []string, of func(name string) document.Metadata) iter.Seq2[quarry.Upload, error] {
	return func(yield func(quarry.Upload, error) bool) {
		root := os.DirFS(dir)
		for _, name := range names {
			data, err := fs.ReadFile(root, name)
			if !yield(quarry.Upload{Path: name, Data: data, Metadata: of(name)}, err) || err != nil {
				return
			}
		}
	}
}
