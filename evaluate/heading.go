package evaluate

import (
	"regexp"
	"strings"
)

// heading is a heading in the form that headings are compared in.
type heading struct {
	whole  string // lower case, without markup, white space folded, no sign at the end
	number string // "7.2" of "7.2. Terms", "b.iv" of "(b)(iv) Terms", "3" of "Section 3: Terms"
	rest   string // whole without the number
}

var (
	anchor   = regexp.MustCompile(`\{#[^}]*\}`)
	hashes   = regexp.MustCompile(`^#+\s+|\s+#+$|^>\s*`)
	markup   = strings.NewReplacer("*", "", "_", "", "`", "", "|", " ", `\`, "", "’", "'", "‘", "'", "“", `"`, "”", `"`)
	numbered = regexp.MustCompile(`^(?:` +
		`(?:section|sect\.?|article|art\.?|chapter|part|appendix|annex|schedule|clause|§+)` +
		`(\s*\d+(?:\.\d+)*[a-z]?|\s+[a-z]|\s+[ivxlc]+)[.):]?` +
		`|(\d+(?:\.\d+)*[a-z]?[.)]?|(?:\(\w{1,4}\))+|[a-z][.)]|[ivxlc]+[.)])` +
		`)(?:\s*[-–—:]\s*|\s+|$)`)
)

// parseHeading normalises a heading and splits off its number.
func parseHeading(s string) heading {
	s = anchor.ReplaceAllString(plain(s), "")
	s = hashes.ReplaceAllString(strings.TrimSpace(s), "")
	s = strings.Join(strings.Fields(strings.ToLower(markup.Replace(s))), " ")
	s = strings.TrimSpace(strings.TrimRight(s, " .:;,!?…"))
	h := heading{whole: s, rest: s}
	if m := numbered.FindStringSubmatchIndex(s); m != nil {
		n := submatch(s, m, 1) + submatch(s, m, 2)
		n = strings.ReplaceAll(n, ")(", ".")
		h.number, h.rest = strings.Trim(n, " ().:"), s[m[1]:]
	}
	return h
}

func submatch(s string, m []int, i int) string {
	if m[2*i] < 0 {
		return ""
	}
	return s[m[2*i]:m[2*i+1]]
}

// matches reports whether a heading of a document is the one that a judgement
// names: it is the same, with or without its number; or the judgement gives
// the number alone. Two headings that differ in their numbers are two.
func (want heading) matches(have heading) bool {
	switch {
	case want.whole == have.whole:
		return true
	case want.rest == "":
		return want.number != "" && want.number == have.number
	case want.rest != have.rest:
		return false
	}
	return want.number == "" || have.number == "" || want.number == have.number
}
