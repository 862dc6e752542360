package evaluate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Load reads a set: a folder with questions.jsonl and docs/, a BEIR folder
// (corpus.jsonl, queries.jsonl and qrels.tsv or qrels/test.tsv), or a
// questions file (.jsonl). Lines that cannot be used are returned as problems
// and the rest goes on; a set without any usable question is an error.
func Load(path string) (Set, []Problem, error) {
	info, err := os.Stat(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return Set{}, nil, fmt.Errorf("evaluate: the question set %s cannot be read: %w; give a folder that holds questions.jsonl, or such a file", path, err)
	}
	var set Set
	switch {
	case !info.IsDir():
		set, err = loadFile(path)
	case isFile(filepath.Join(path, questionsFile)):
		set, err = loadFolder(path)
	case isFile(filepath.Join(path, queriesFile)):
		set, err = loadBEIR(path)
	default:
		err = fmt.Errorf("evaluate: %s is no question set: it needs questions.jsonl (and docs/), "+
			"or corpus.jsonl, queries.jsonl and qrels.tsv", path)
	}
	if err != nil {
		return Set{}, set.Problems, err
	}
	if len(set.Questions) == 0 {
		return Set{}, set.Problems, fmt.Errorf("evaluate: %s has no usable question: %s", path, noneUsable(set))
	}
	return set, set.Problems, nil
}

// noneUsable says why a set has no usable question, and what to do.
func noneUsable(set Set) string {
	switch {
	case len(set.Problems) > 0:
		return fmt.Sprintf("the first problem is %s; correct it", set.Problems[0])
	case set.Corpus != nil:
		return queriesFile + " is empty; write one query a line"
	default:
		return "the file is empty; write one question a line, or make a first set with quarry eval init"
	}
}

const questionsFile = "questions.jsonl"

func loadFolder(dir string) (Set, error) {
	set, err := loadFile(filepath.Join(dir, questionsFile))
	set.Name, set.Dir = nameOf(dir), dir
	if docs := filepath.Join(dir, "docs"); isDir(docs) {
		set.Docs = docs
	}
	return set, err
}

func loadFile(name string) (Set, error) {
	set := Set{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Dir: filepath.Dir(name)}
	var p problems
	seen := map[string]bool{}
	err := eachObject(name, &p, func(n int, o object) {
		q, err := parseQuestion(o)
		if q.ID == "" {
			q.ID = fmt.Sprintf("line-%d", n)
		}
		if err == nil && seen[q.ID] {
			err = errors.New("has an id that an earlier question has")
		}
		if err != nil {
			p.add(n, q.ID, "%v; the question is left out", err)
			return
		}
		seen[q.ID] = true
		q.file, q.line = p.file, n
		for _, w := range q.weaknesses() {
			p.add(n, q.ID, "%s", w)
		}
		set.Questions = append(set.Questions, q)
	})
	set.Problems = p.list
	return set, err
}

// nameOf is the last element of a folder's path, also of ".".
func nameOf(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
