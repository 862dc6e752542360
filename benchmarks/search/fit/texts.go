package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sets are the folders of the public sets that are read. handbook_versions is left
// out, since it holds the same pages many times, and parser_samples, since most of
// it is no plain text.
var sets = []string{"scifact", "cranfield", "hotpotqa100", "chunking_eval", "clapnq_dev", "llm_api_docs", "tatqa_dev", "corpus_rust_book", "corpus_18f_handbook"}

// passageWords is the length of the passages that are embedded; made ones have it
// on average.
const passageWords = 100

// documents reads every text below dir, set by set and by path.
func documents(dir string) ([]string, error) {
	var texts []string
	for _, set := range sets {
		before := len(texts)
		err := filepath.WalkDir(filepath.Join(dir, set), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			switch {
			case d.Name() == "corpus.jsonl":
				more, err := jsonTexts(path)
				texts = append(texts, more...)
				return err
			case slices.Contains([]string{".md", ".txt"}, filepath.Ext(path)) && d.Name() != "NOTE.md":
				b, err := os.ReadFile(path)
				texts = append(texts, string(b))
				return err
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading the texts of %s: %w", set, err)
		}
		if len(texts) == before {
			return nil, fmt.Errorf("%s holds no text in %s", set, dir)
		}
	}
	return texts, nil
}

func jsonTexts(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var texts []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var entry struct{ Title, Text string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		texts = append(texts, entry.Title+"\n"+entry.Text)
	}
	return texts, lines.Err()
}

// run is some passages that follow each other in one text.
type run []string

// runs cuts passages out of texts, at most longest from each and about n in all,
// spread over the texts.
func runs(texts []string, n, longest int) []run {
	var all []run
	total := 0
	for _, text := range texts {
		var r run
		for words := strings.Fields(text); len(words) >= passageWords && len(r) < longest; words = words[passageWords:] {
			r = append(r, strings.Join(words[:passageWords], " "))
		}
		if len(r) > 0 {
			all = append(all, r)
			total += len(r)
		}
	}
	if total <= n {
		return all
	}
	var some []run
	taken := 0
	for i, r := range all {
		// Taken in proportion, so that the last texts count as much as the first.
		if taken*len(all) <= i*n {
			some = append(some, r)
			taken += len(r)
		}
	}
	return some
}
