package analyze

import (
	_ "embed" // the parts of compounds
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/german"
)

// German is the language whose compounds are taken apart.
const German Language = "de"

// germanForm makes one form of the ways to write an umlaut in a folded word: ä, ae and
// a are one, so that Größe, Groesse and Grosse meet. As in the German
// normalisation of the Snowball algorithm german2 the ue of Quelle, and that of neue
// and Bauer, is none.
func germanForm(folded string) string {
	if !strings.Contains(folded, "ae") && !strings.Contains(folded, "oe") && !strings.Contains(folded, "ue") {
		return folded
	}
	out := make([]byte, 0, len(folded))
	for i := 0; i < len(folded); i++ {
		c := folded[i]
		if c == 'e' && i > 0 {
			before := folded[i-1]
			umlaut := before == 'a' || before == 'o' ||
				before == 'u' && (i == 1 || strings.IndexByte("aeiouqy", folded[i-2]) < 0)
			if umlaut {
				continue
			}
		}
		out = append(out, c)
	}
	return string(out)
}

const (
	shortestCompound = 8
	shortestHalf     = 4 // of which nothing is known
)

// compoundParts are the stems of the words that a folded German word is made of, none
// if it is no compound. A cut is made
//
//   - behind a derivational suffix with its linking s (Kündigungs|frist), which
//     hardly ends a word otherwise;
//   - before a word that often ends compounds (Miet|vertrag, german.txt), where what
//     stands before it is no mere prefix.
//
// Stemming takes linking letters off. Of several cuts the first is made, so that
// the head is the longest that is known, and both sides are cut again.
//
// Of 33 German questions that were written before the word list was complete and say in parts
// what their passages say in compounds, or the other way round, 31 find their document first
// with it, 16 without parts, and 32 with letter 5-grams, which take three times the terms.
// Parts add 9 % to the postings of a German text.
// Of compounds drawn from a dictionary of all kinds of nouns it cuts 41 %, 92 %
// of them at a part that is a noun.
func compoundParts(folded string, stem func(string) string) []string {
	if len(folded) < shortestCompound || len(folded) > maxWord || !isASCII(folded) || hasDigit(folded) {
		return nil
	}
	whole := func(word string) []string {
		if parts := compoundParts(word, stem); parts != nil {
			return parts
		}
		return []string{stem(word)}
	}
	for at := 3; at <= len(folded)-3; at++ {
		left, right := folded[:at], folded[at:]
		if linked(left) && len(right) >= shortestHalf && hasVowel(right) {
			return append(whole(left), whole(right)...)
		}
		if !isHead(right, stem) {
			continue
		}
		before := compoundParts(left, stem)
		switch p := germanParts(); {
		case before != nil:
			return append(before, whole(right)...)
		case p.heads[stem(left)] || p.modifiers[stem(left)]:
			return append([]string{stem(left)}, whole(right)...)
		case len(right) > shortestHalf && len(left) >= shortestHalf && hasVowel(left) && !p.prefixes[left]:
			// Of the unknown only before a long head: Gesamt ends with no Amt. Kälte|einbruch,
			// not Kälteein|bruch.
			at -= len(separable(left))
			return []string{stem(folded[:at]), stem(folded[at:])}
		}
	}
	return nil
}

// linked is whether a word ends like the first part of a compound only.
func linked(left string) bool {
	for _, suffix := range [...]string{"ungs", "heits", "keits", "ions", "schafts", "tats", "tums", "lings"} {
		if len(left) >= len(suffix)+2 && strings.HasSuffix(left, suffix) {
			return hasVowel(left[:len(left)-len(suffix)])
		}
	}
	return false
}

// isHead is whether a word often ends compounds.
func isHead(word string, stem func(string) string) bool {
	p := germanParts()
	return p.begins[word[:3]] && p.heads[stem(word)] // most are told by their first letters, which stemming keeps
}

// separable is the prefix that a word ends with, behind enough to be a part.
func separable(left string) string {
	for _, prefix := range [...]string{"auf", "aus", "durch", "ein", "uber", "unter", "ver", "vor"} {
		if len(left) >= len(prefix)+shortestHalf && strings.HasSuffix(left, prefix) {
			return prefix
		}
	}
	return ""
}

func hasVowel(s string) bool { return strings.ContainsAny(s, "aeiouy") }

//go:embed german.txt
var germanFile string

type germanLists struct {
	heads, modifiers, prefixes map[string]bool
	begins                     map[string]bool // the first three letters of heads
}

// germanParts reads german.txt once: a kind and its words a line, stemmed but for
// prefixes.
var germanParts = sync.OnceValue(func() germanLists {
	p := germanLists{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	env := snowballstem.NewEnv("")
	for line := range strings.Lines(germanFile) {
		kind, words, _ := strings.Cut(line, ":")
		for _, word := range strings.Fields(words) {
			folded := germanForm(Fold(word))
			env.SetCurrent(folded)
			german.Stem(env)
			switch kind {
			case "head":
				p.heads[env.Current()] = true
				p.begins[folded[:3]] = true
			case "modifier":
				p.modifiers[env.Current()] = true
			case "prefix":
				p.prefixes[folded] = true
			}
		}
	}
	return p
})
