package analyze

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// Found is an identifier in a text.
type Found struct {
	Value    string // normalised, the form that is compared
	Part     bool   // a part of a longer one
	From, To int
}

// An identifier is found by its shape alone; the shapes are those that people
// copy from one system to another:
//
//   - runs of letters and digits joined by - _ / . # : @ that hold a digit
//     (INV-4471, HS-CAL-220/4, HH-DB-017, 10.20.4.17, v2.3.1, E1021);
//   - names joined by _ or . or begun by -- (wal_keep, halden.conf, --dry-run);
//   - addresses (https://…, ops@halden.example, /etc/halden);
//   - a word for a place in a document with its number (clause 7.2,
//     Section 4(b), § 12, Appendix C), written "§7.2" whatever the word.
//
// Plain numbers, dates, times, percentages and ordinals are none.
var (
	flag   = lazyregexp.New(`(?:^|[\s\x60("'|])(--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)`)
	spot   = lazyregexp.New(`^(?:\d+(?:\.\d+)*|[A-Za-z](?:\.\d+)*\b)(?:\([a-z0-9]{1,4}\))*`)
	bare   = lazyregexp.New(`(?:^|[\s("'])(\d+(?:\.\d+)*(?:\([a-z0-9]{1,4}\))+)`)
	spaced = lazyregexp.New(`\b([A-Z]{2,6}) (\d{2,8})\b`)
	digits = lazyregexp.New(`\d{3,}`)

	date    = lazyregexp.New(`^(?:\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}/\d{1,2}/\d{1,2})$`)
	number  = lazyregexp.New(`^\d+(?:[.,:/-]\d+)?$`)
	measure = lazyregexp.New(`^\d+(?:[.,]\d+)?(?:st|nd|rd|th|s|h|hr|hrs|min|m|km|cm|mm|ft|in|kg|g|lb|lbs|kb|mb|gb|tb|kib|mib|gib|ms|am|pm|k|x|c|f|v|w|kw|hz|mhz|ghz|usd|eur|nok|cad|sgd|d|bit|px|pt|l|ml|bar|psi|nm|hpa)$`)
	version = lazyregexp.New(`^v?(\d+(?:\.\d+)+)$`)
	year    = lazyregexp.New(`^(?:19|20)\d\d$`)
)

// Identifiers finds the identifiers of a text in its order: each whole, then
// its parts.
func Identifiers(text string) []Found {
	var out []Found
	for from, to := range joined(text) {
		out = appendIdentifier(out, text, from, to)
		if placeWords[strings.ToLower(text[from:to])] {
			out = appendPlace(out, text, from, to, true)
		}
	}
	for at := 0; ; {
		n := strings.Index(text[at:], "§")
		if n < 0 {
			break
		}
		from := at + n
		at = from
		for strings.HasPrefix(text[at:], "§") {
			at += len("§")
		}
		out = appendPlace(out, text, from, at, false)
	}
	if strings.Contains(text, "--") {
		for _, m := range flag.FindAllStringSubmatchIndex(text, -1) {
			out = append(out, Found{Value: strings.ToLower(text[m[2]:m[3]]), From: m[2], To: m[3]})
		}
	}
	return out
}

// placeWords stand before the number of a place in a document.
var placeWords = set("clause", "clauses", "section", "sections", "article", "articles", "paragraph", "paragraphs", "para", "paras",
	"subclause", "subclauses", "sub-clause", "sub-clauses", "subsection", "subsections", "sub-section", "sub-sections",
	"chapter", "chapters", "schedule", "schedules", "appendix", "annex", "exhibit", "rule", "rules", "step", "steps")

// appendPlace appends the place whose number follows the word or sign at
// [from, to). After a word there must be white space, and a letter counts as a
// number only if it is a capital ("Appendix C", not "section a").
func appendPlace(out []Found, text string, from, to int, word bool) []Found {
	at := to
	for at < len(text) && at-to < 3 && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t') {
		at++
	}
	if at >= len(text) || word && at == to {
		return out
	}
	if c := text[at]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
		return out
	}
	m := spot.FindString(text[at:min(len(text), at+maxWord)])
	if m == "" {
		return out
	}
	return append(out, Found{Value: Place(m), From: from, To: at + len(m)})
}

// joined yields runs of letters and digits, and of several such runs with nothing
// but joints (- _ / . # : @ + ~) between them.
func joined(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(text); {
			r, size := decode(text, i)
			if !isIdentifierRune(r) {
				i += size
				continue
			}
			from, to := i, i+size
			for i = to; i < len(text); {
				r, size = decode(text, i)
				if isIdentifierRune(r) {
					i += size
					to = i
					continue
				}
				if !isJoint(r) {
					break
				}
				i += size
			}
			if !yield(from, to) {
				return
			}
			i = to
			if i < len(text) {
				if r, size = decode(text, i); !isSpaceless(r) {
					i += size
				}
			}
		}
	}
}

func isJoint(r rune) bool {
	return r < utf8.RuneSelf && strings.IndexByte("-_/.#:@+~", byte(r)) >= 0 || r == '\u2010' || r == '\u2011'
}

// hyphens are those that word processors put into a number that must not be broken.
var hyphens = strings.NewReplacer("\u2010", "-", "\u2011", "-")

// isIdentifierRune leaves out letters of scripts without spaces: E1021が holds E1021.
func isIdentifierRune(r rune) bool { return isWordRune(r) && !isSpaceless(r) }

// QuestionIdentifiers finds those of a question, where people also write a
// space for the hyphen (DEC 0054), only the number of a longer one, or a clause's
// number without the word (2.3(c)).
func QuestionIdentifiers(text string) []Found {
	out := Identifiers(text)
	for _, m := range spaced.FindAllStringSubmatchIndex(text, -1) {
		whole := strings.ToLower(text[m[2]:m[3]] + text[m[4]:m[5]])
		out = append(out, Found{Value: whole, From: m[0], To: m[1]})
	}
	for _, m := range bare.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Found{Value: Place(text[m[2]:m[3]]), From: m[2], To: m[3]})
	}
	for from, to := range joined(text) {
		if word := text[from:to]; len(word) >= 3 && len(word) <= 12 && strings.Trim(word, "0123456789") == "" && !year.MatchString(word) {
			out = append(out, Found{Value: word, Part: true, From: from, To: to})
		}
	}
	return out
}

// Place is the normalised number of a clause, section or appendix.
func Place(number string) string {
	return "§" + strings.ToLower(strings.TrimRight(strings.ReplaceAll(number, " ", ""), "."))
}

func appendIdentifier(out []Found, text string, from, to int) []Found {
	if to-from > 4*maxWord {
		return out
	}
	raw := text[from:to]
	if !isASCII(raw) {
		raw = hyphens.Replace(raw)
	}
	if !hasDigit(raw) && !strings.ContainsAny(raw, "_.@:") {
		return out // most words
	}
	lower := strings.ToLower(raw)
	if !looksLikeIdentifier(raw, lower) {
		return out
	}
	whole := normalise(lower)
	out = append(out, Found{Value: whole, From: from, To: to})
	seen := map[string]bool{whole: true}
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("-_/.#:@+~", r) }) {
		// Parts must tell something alone: a number of three digits and more that
		// is no year, or letters with digits.
		alone := digits.FindString(part)
		switch {
		case hasDigit(part) && hasLetter(part) && len(part) > 2:
			out = appendPart(out, seen, part, from, to)
			if alone != "" {
				out = appendPart(out, seen, alone, from, to)
			}
		case len(part) >= 3 && alone == part && !year.MatchString(part):
			out = appendPart(out, seen, part, from, to)
		case strings.ContainsAny(raw, "_.@/") && len(part) > 3 && !hasDigit(part):
			out = appendPart(out, seen, part, from, to)
		}
	}
	return out
}

func appendPart(out []Found, seen map[string]bool, part string, from, to int) []Found {
	if seen[part] {
		return out
	}
	seen[part] = true
	return append(out, Found{Value: part, Part: true, From: from, To: to})
}

func looksLikeIdentifier(raw, lower string) bool {
	digit, letter := hasDigit(lower), hasLetter(lower)
	inner := strings.ContainsAny(raw, "-_/.#:@+~")
	switch {
	case date.MatchString(lower), number.MatchString(lower), measure.MatchString(lower):
		return false
	case digit && letter:
		if !inner {
			return len(raw) >= 3
		}
		return codeLike(raw)
	case digit: // only digits and joints: an address or a version with two points and more
		return strings.Count(raw, ".") >= 2 && !strings.ContainsAny(raw, ":/")
	case !inner:
		return false
	case strings.Contains(raw, "@") && strings.Contains(raw, "."), strings.Contains(raw, "://"), strings.Contains(raw, "_"):
		return true
	case strings.Contains(raw, "."):
		// halden.conf, yes; "end.Next" (a missing space) no; "e.g" no.
		return lower == raw && len(raw) >= 6 && !strings.ContainsAny(raw, "/") && shortestPart(raw, ".") >= 2
	}
	return false
}

// codeLike tells INV-4471, x86_64 and a/b-12 from "30-day", "two-thirds" and
// "24-hour": every part that holds letters is a word in "30-day", so it needs an
// upper-case letter, a joint other than the hyphen, or a part that mixes
// letters and digits, or a number behind letters.
func codeLike(raw string) bool {
	if strings.ContainsAny(raw, "_/.#:@~") {
		return !strings.Contains(raw, ":") || strings.ContainsAny(raw, "_/.#@-") || hasUpper(raw)
	}
	parts := strings.FieldsFunc(raw, func(r rune) bool { return r == '-' || r == '+' })
	for i, p := range parts {
		if hasDigit(p) && hasLetter(p) && !measure.MatchString(strings.ToLower(p)) {
			return true
		}
		if i > 0 && hasDigit(p) && hasLetter(parts[i-1]) {
			return true
		}
	}
	return len(parts) > 1 && hasUpper(parts[len(parts)-1]) && strings.ToUpper(raw) == raw
}

// normalise makes one form of the spellings of an identifier: case and the
// joints - _ / # : do not count, points do (2.31 is not 2.3.1), and the v of a
// version neither.
func normalise(lower string) string {
	if m := version.FindStringSubmatch(lower); m != nil {
		return m[1]
	}
	if strings.Contains(lower, "@") || strings.Contains(lower, "://") {
		return lower
	}
	return joints.Replace(lower)
}

var joints = strings.NewReplacer("-", "", "_", "", "/", "", "#", "", ":", "")

func shortestPart(s, sep string) int {
	shortest := len(s)
	for _, p := range strings.Split(s, sep) {
		shortest = min(shortest, len(p))
	}
	return shortest
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasUpper(s string) bool { return strings.ToLower(s) != s }

func hasLetter(s string) bool {
	for _, r := range s {
		if r != '.' && isWordRune(r) && (r < '0' || r > '9') {
			return true
		}
	}
	return false
}
