package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The files of a BEIR folder (Thakur et al., BEIR, NeurIPS Datasets 2021).
const (
	corpusFile  = "corpus.jsonl"
	queriesFile = "queries.jsonl"
	qrelsFile   = "qrels.tsv"
)

// loadBEIR reads a BEIR folder. Queries that no judgement names belong to
// another split and are counted in one problem.
func loadBEIR(dir string) (Set, error) {
	set := Set{Name: nameOf(dir), Dir: dir, Corpus: corpus(filepath.Join(dir, corpusFile))}
	judgements := filepath.Join(dir, qrelsFile)
	if alt := filepath.Join(dir, "qrels", "test.tsv"); !isFile(judgements) && isFile(alt) {
		judgements = alt
	}
	if !isFile(filepath.Join(dir, corpusFile)) {
		return set, fmt.Errorf("evaluate: the BEIR folder %s has no %s: put the documents there, one a line with _id, title and text", dir, corpusFile)
	}
	if !isFile(judgements) {
		return set, fmt.Errorf("evaluate: the BEIR folder %s has no judgements: put them into %s or qrels/test.tsv, with the columns query-id, corpus-id and score",
			dir, qrelsFile)
	}
	documents, ps, err := corpusIDs(filepath.Join(dir, corpusFile))
	set.Problems = ps
	if err != nil {
		return set, err
	}
	questions, byID, ps, err := queries(filepath.Join(dir, queriesFile))
	set.Problems = append(set.Problems, ps...)
	if err != nil {
		return set, err
	}
	ps, err = qrels(judgements, questions, byID, documents)
	set.Problems = append(set.Problems, ps...)
	unjudged := 0
	for _, q := range questions {
		if len(q.Sources) == 0 {
			unjudged++
			continue
		}
		set.Questions = append(set.Questions, q)
	}
	if unjudged > 0 {
		set.Problems = append(set.Problems, Problem{File: queriesFile,
			Text: fmt.Sprintf("%d queries have no judgement in %s and are left out", unjudged, filepath.Base(judgements))})
	}
	return set, err
}

// corpusIDs checks the corpus and returns the ids of its usable documents.
func corpusIDs(name string) (map[string]bool, []Problem, error) {
	var p problems
	ids := map[string]bool{}
	err := eachObject(name, &p, func(n int, o object) {
		id, d, err := parseDoc(o)
		switch {
		case err != nil:
			p.add(n, id, "%v; the document is left out", err)
		case ids[id]:
			p.add(n, id, "has an id that an earlier document has; it is left out")
		default:
			ids[id] = true
			if strings.TrimSpace(d.Title+d.Text) == "" {
				p.add(n, id, "is empty")
			}
		}
	})
	return ids, p.list, err
}

// corpus yields the documents that corpusIDs accepts.
func corpus(name string) iter.Seq[Doc] {
	return func(yield func(Doc) bool) {
		seen := map[string]bool{}
		more := true
		err := eachLine(name, func(_ int, line []byte) bool {
			var o object
			if !utf8.Valid(line) || json.Unmarshal(line, &o) != nil {
				return true // Load has reported it
			}
			id, d, err := parseDoc(o)
			if err != nil || seen[id] {
				return true
			}
			seen[id] = true
			more = yield(d)
			return more
		})
		if err != nil && more {
			yield(Doc{Err: err})
		}
	}
}

func parseDoc(o object) (id string, d Doc, err error) {
	if id, err = text(o, "_id"); err != nil {
		return id, d, err
	}
	if id == "" {
		return id, d, errors.New(`has no "_id"`)
	}
	if d.Title, err = field[string](o, "title", "a string"); err != nil {
		return id, d, err
	}
	if d.Text, err = field[string](o, "text", "a string"); err != nil {
		return id, d, err
	}
	d.Path = DocPath(id)
	return id, d, nil
}

func queries(name string) ([]Question, map[string]int, []Problem, error) {
	var p problems
	var list []Question
	byID := map[string]int{}
	err := eachObject(name, &p, func(n int, o object) {
		id, err := text(o, "_id")
		if err != nil || id == "" {
			p.add(n, "", `"_id" must be a string that is not empty; the query is left out`)
			return
		}
		q, err := field[string](o, "text", "a string")
		_, twice := byID[id]
		switch {
		case err != nil:
			p.add(n, id, "%v; the query is left out", err)
		case strings.TrimSpace(q) == "":
			p.add(n, id, `has no "text"; the query is left out`)
		case twice:
			p.add(n, id, "has an id that an earlier query has; it is left out")
		default:
			byID[id] = len(list)
			list = append(list, Question{ID: id, Text: q, file: p.file, line: n})
		}
	})
	return list, byID, p.list, err
}

// qrels adds the judgements of a file with the columns query-id, corpus-id and
// score, and a heading or none, to the questions that they name.
func qrels(name string, questions []Question, byID map[string]int, documents map[string]bool) ([]Problem, error) {
	p := problems{file: filepath.Base(name)}
	seen := map[[2]string]bool{}
	err := eachLine(name, func(n int, line []byte) bool {
		cols := strings.Split(string(line), "\t")
		if len(cols) != 3 {
			p.add(n, "", "has %d columns: it must have query-id, corpus-id and score, with tabs between", len(cols))
			return true
		}
		query, doc := strings.TrimSpace(cols[0]), strings.TrimSpace(cols[1])
		grade, err := strconv.Atoi(strings.TrimSpace(cols[2]))
		if err != nil {
			if n > 1 {
				p.add(n, query, "score %q is no whole number", cols[2])
			}
			return true
		}
		i, known := byID[query]
		switch {
		case !known:
			p.add(n, query, "names a query that %s does not have", queriesFile)
		case doc == "":
			p.add(n, query, "names no document; it is left out")
		case seen[[2]string{query, doc}]:
			p.add(n, query, "judges document %q a second time; the first counts", doc)
		default:
			seen[[2]string{query, doc}] = true
			if !documents[doc] {
				p.add(n, query, "names document %q, which %s does not have; it counts as not found", doc, corpusFile)
			}
			questions[i].Sources = append(questions[i].Sources, Source{Document: DocPath(doc), Grade: grade})
		}
		return true
	})
	return p.list, err
}
