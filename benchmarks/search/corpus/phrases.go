package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// PhraseKinds are the kinds of phrases that are looked for, as they stand in a passage:
// "frequent" are two of the frequentWords most frequent words.
var PhraseKinds = []string{"2 words", "3 words", "frequent"}

const (
	phrasesMade   = 200 // of each kind
	phrasesFile   = "phrases.txt"
	frequentWords = 40
)

// MakePhrases writes the phrases of a corpus, one a line, kind by kind, unless it has them.
// They stand in passages that are spread over all of it.
func (f Files) MakePhrases() error {
	path := filepath.Join(f.Dir, phrasesFile)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	counts := map[string]int{}
	if err := f.Documents(false, func(d Document) error {
		for _, text := range d.Passages {
			for word := range strings.FieldsSeq(text) {
				counts[word]++
			}
		}
		return nil
	}); err != nil {
		return err
	}
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	frequent := map[string]bool{}
	for _, word := range words[:min(len(words), frequentWords)] {
		frequent[word] = true
	}
	phrases := make([][]string, len(PhraseKinds))
	every := max(1, f.Passages/PassagesPerDocument/phrasesMade)
	if err := f.Documents(false, func(d Document) error {
		if d.Number%every > 0 {
			return nil
		}
		text := strings.Fields(d.Passages[d.Number%PassagesPerDocument])
		at := len(text) / 2
		found := [][]string{text[at : at+2], text[at : at+3], nil}
		for i := range len(text) - 1 {
			if frequent[text[i]] && frequent[text[i+1]] {
				found[2] = text[i : i+2]
			}
		}
		for kind, words := range found {
			if len(words) > 0 && len(phrases[kind]) < phrasesMade {
				phrases[kind] = append(phrases[kind], strings.Join(words, " "))
			}
		}
		return nil
	}); err != nil {
		return err
	}
	var b strings.Builder
	for kind, list := range phrases {
		for _, p := range list {
			fmt.Fprintf(&b, "%s\t%s\n", PhraseKinds[kind], p)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// Phrases reads the phrases of a kind.
func (f Files) Phrases(kind string) ([]Question, error) {
	b, err := os.ReadFile(filepath.Join(f.Dir, phrasesFile))
	if err != nil {
		return nil, err
	}
	var phrases []Question
	for line := range strings.Lines(string(b)) {
		if of, words, _ := strings.Cut(strings.TrimSpace(line), "\t"); of == kind {
			phrases = append(phrases, Question{Terms: strings.Fields(words)})
		}
	}
	if len(phrases) == 0 {
		err = fmt.Errorf("%s has no phrases of %s: delete the folder", f.Dir, kind)
	}
	return phrases, err
}
