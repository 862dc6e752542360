package reference

import (
	"strings"
	"unicode/utf8"
)

// wordAt is the first word of t[at:] and where it stands; a hyphen and a stroke belong
// to it.
func wordAt(t string, at int) (word string, from, to int) {
	for at < len(t) && (t[at] == ' ' || t[at] == '\n') {
		at++
	}
	from = at
	for at < len(t) && (isLetterByte(t[at]) || t[at] >= '0' && t[at] <= '9' || at > from && (t[at] == '-' || t[at] == '/' || t[at] == '\'')) {
		at++
	}
	return t[from:at], from, at
}

// wordBefore is the word that ends at end, from least on, and where it begins.
func wordBefore(t string, end, least int) (word string, from int) {
	from = end
	for from > least && (isLetterByte(t[from-1]) || t[from-1] >= '0' && t[from-1] <= '9' || t[from-1] == '-' || t[from-1] == '\'') {
		from--
	}
	return t[from:end], from
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

var (
	// documentNouns end the name of a document.
	documentNouns = set("policy procedure manual handbook agreement contract guide guideline guidelines standard regulation regulations " +
		"act directive directives code plan charter protocol specification instruction instructions terms treaty convention statute law " +
		"faq checklist decision notice bulletin memorandum richtlinie vertrag vereinbarung gesetz verordnung handbuch")
	// joiningWords stand within names.
	joiningWords = set("of and for on to in de der des du la und")
	// stopWords stand before or after a name and are none of it.
	stopWords = set("the a an our its their your his her this that these those each every any some no such same other new old present current following " +
		"of and or for on to in at by from with without under per as see if when where while which who what is are was were be been has have had " +
		"not but only also than then both into about against between within after before during until applies apply says said call called " +
		"replaces replace supersedes changed read reads contains sets names describes follows follow governs der die das des dem den ein eine einer")
)
