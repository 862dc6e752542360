package extract

import (
	"errors"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// errHidden refuses a document whose metadata would be read as text.
var errHidden = errors.New("it seems to begin with metadata that is not read as front matter: put --- alone on the first line, " +
	"simple keys below, and --- after the last (HTML and office documents take it from NAME.meta.yaml)")

// fence is a line that opens or closes metadata in one of the forms that people
// and programs write: "---", "----", "+++", a YAML directive.
var fence = lazyregexp.New(`^(?:-{3,}|\+{3,}|%YAML\b.*|!!map|-{3,}\s.*)$`)

// decisive is a line that sets who may read a document or when it holds.
var decisive = lazyregexp.New(`(?i)\b(?:readers?|deny|denied|tenant|status|effective\w*|supersedes)\W{0,4}:`)

// decides is whether a line sets one of these, however its key is spelt.
func decides(line string) bool {
	if decisive.MatchString(line) {
		return true
	}
	key, _, ok := strings.Cut(line, ":")
	if !ok || len(key) > 64 {
		return false
	}
	known := meantBy[plainKey(key)]
	return known != "" && decisive.MatchString(known+":")
}

// head is how many lines of a document are looked at.
const head = 60

// hidesMetadata reports whether a document that has no front matter begins like one
// that was meant to have some, with a key that decides who may read it or when it
// holds: behind a blank line, an indentation, an invisible character, another
// fence, an unusual first key, or as text of a web page. Reading such a
// document as text would publish what it closes.
func hidesMetadata(texts ...string) bool {
	for _, text := range texts {
		opened := false
		for n, line := range strings.SplitN(text, "\n", head+1) {
			line = strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) })
			line = strings.TrimPrefix(line, `\`) // as text of other formats is kept from being structure
			switch {
			case n == head:
			case line == "" || strings.HasPrefix(line, "<"):
				continue // markup and comments before it
			case fence.MatchString(line):
				if opened && !strings.HasPrefix(line, "---") {
					break
				}
				if decisive.MatchString(line) {
					return true // all of it on one line, as HTML folds it
				}
				opened = true
				continue
			case opened && decides(line):
				return true
			case opened:
				continue
			}
			if !opened {
				break // the text has begun
			}
		}
	}
	return false
}

// HidesMetadata reports whether Extract refused a document because it seems to
// hold metadata that was not read: nobody may see it then.
func HidesMetadata(err error) bool { return errors.Is(err, errHidden) }
