package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// shortestName is the least length in letters of a title that is looked for in texts.
const shortestName = 4

// introductions finds the documents that the first passages speak of by name. What
// such a name leads to is often the other half of an answer and shares few words with the
// question (Asai et al., "Learning to Retrieve Reasoning Paths over Wikipedia Graph for
// Question Answering", ICLR 2020, follow links for that; a name needs no link).
type introductions struct {
	heard []retrieve.Candidate // their texts with single spaces
	seen  map[document.ID]bool // of each document the best passage alone is introduced
}

// hear takes in a passage whose text may introduce others.
func (n *introductions) hear(c retrieve.Candidate) {
	c.Text = spaced(c.Text)
	n.heard = append(n.heard, c)
}

// introduce takes the candidates in their order and reports whether one is the first of
// its document and a passage of another one names that by its title.
func (n *introductions) introduce(c retrieve.Candidate) bool {
	if n.seen[c.Document] {
		return false
	}
	if n.seen == nil {
		n.seen = map[document.ID]bool{}
	}
	n.seen[c.Document] = true
	title := spaced(c.Title)
	return isName(title) && slices.ContainsFunc(n.heard, func(h retrieve.Candidate) bool {
		return h.Document != c.Document && mentions(h.Text, title)
	})
}

func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// isName reports whether a title can be told from the words of a sentence: it is not
// short, nor all in small letters where the script has others, as a file's name is.
func isName(title string) bool {
	return utf8.RuneCountInString(title) >= shortestName && (title != strings.ToLower(title) || title == strings.ToUpper(title))
}

// mentions reports whether a text holds a name as it stands, in its case and between the
// edges of words.
func mentions(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(name):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
	}
}

// inWord reports whether a letter or digit beside a name makes it part of a longer word.
// From Thai on the scripts put no space between words or only between words with
// their particles, and say nothing of it.
func inWord(r rune) bool { return r < 0x0E00 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
