package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// placeWord is a word that stands before the number of a place.
type placeWord struct {
	name      string // in Reference.Place
	plural    bool   // several numbers may follow
	capital   bool   // only so: the small word is more often something else
	tentative bool
	letters   bool // the number may be a letter alone, or Roman
	figure    bool // a hyphen belongs to the number ("Listing 17-8")
}

// placeWords are English, and those of other languages that stand before the number
// alike.
var placeWords = map[string]placeWord{
	"clause": {name: "clause"}, "clauses": {name: "clause", plural: true},
	"subclause": {name: "clause"}, "subclauses": {name: "clause", plural: true},
	"section": {name: "section", letters: true}, "sections": {name: "section", plural: true}, "sec": {name: "section"},
	"subsection": {name: "section"}, "subsections": {name: "section", plural: true},
	"paragraph": {name: "paragraph"}, "paragraphs": {name: "paragraph", plural: true},
	"article": {name: "article", letters: true}, "articles": {name: "article", plural: true}, "art": {name: "article", capital: true},
	"rule": {name: "rule", tentative: true}, "rules": {name: "rule", plural: true, tentative: true},
	"chapter": {name: "chapter", letters: true}, "chapters": {name: "chapter", plural: true},
	"part":     {name: "part", capital: true, tentative: true, letters: true},
	"appendix": {name: "appendix", letters: true}, "appendices": {name: "appendix", plural: true, letters: true},
	"annex": {name: "annex", letters: true}, "annexes": {name: "annex", plural: true, letters: true},
	"schedule": {name: "schedule", capital: true, letters: true}, "schedules": {name: "schedule", capital: true, plural: true, letters: true},
	"exhibit": {name: "exhibit", capital: true, letters: true}, "exhibits": {name: "exhibit", capital: true, plural: true, letters: true},
	"attachment": {name: "attachment", capital: true, letters: true},
	"table":      {name: "table", figure: true, letters: true}, "tables": {name: "table", figure: true, plural: true},
	"figure": {name: "figure", figure: true}, "figures": {name: "figure", capital: true, figure: true, plural: true}, "fig": {name: "figure", figure: true},
	"listing": {name: "listing", capital: true, figure: true}, "listings": {name: "listing", capital: true, figure: true, plural: true},
	"equation": {name: "equation", figure: true},

	"abschnitt": {name: "section"}, "ziffer": {name: "section"}, "artikel": {name: "article"}, "kapitel": {name: "chapter"},
	"anhang": {name: "appendix", letters: true}, "anlage": {name: "schedule", letters: true}, "tabelle": {name: "table", figure: true}, "abbildung": {name: "figure", figure: true},
	"chapitre": {name: "chapter"}, "annexe": {name: "annex", letters: true}, "tableau": {name: "table", figure: true},
	"sección": {name: "section"}, "artículo": {name: "article"}, "capítulo": {name: "chapter"}, "anexo": {name: "annex", letters: true}, "tabla": {name: "table", figure: true},
}

const longestPlaceWord = len("subsections")

const inBrackets = `(?:\s?\((?:[a-z]{1,2}|[ivxlc]{1,6}|\d{1,3}|[A-Z])\))*`

var (
	plainNumber  = lazyregexp.New(`^\d{1,4}(?:\.\d{1,4})*[a-z]?` + inBrackets)
	letterNumber = lazyregexp.New(`^(?:[IVXLC]{2,6}|[A-Z](?:[.-]?\d{1,3}(?:\.\d{1,3})*)?)` + inBrackets)
	figureNumber = lazyregexp.New(`^(?:[A-Z][.-]?)?\d{1,4}(?:[.–-]\d{1,4})*[A-Za-z]?`)
	// More numbers: "7.2, 7.3 and 8", "4 to 6".
	another = lazyregexp.New(`^(?:\s*,\s*(?:and |or )?|\s+(?:and|or|to|through|und|bis|et|y)\s+|\s*[–&-]\s*)`)
)

// place takes the reference whose number begins at i, and gives where it ends; 0 if
// there is none.
func (f *finder) place(span document.Span, i int) int {
	from, w, ok := f.placeWordBefore(span, i)
	if !ok {
		return 0
	}
	number, end, ok := w.number(f.text[i:min(span.To, i+maxNumber)])
	// A small word before a letter alone is a sentence more often: "the table A".
	if ok && f.text[from] > 'Z' && f.text[i] > '9' && end == 1 && !outerPlaces[w.name] {
		ok = false
	}
	rest := f.text[min(i+end, span.To):span.To]
	if !ok || f.text[from] <= 'Z' && (titleFollows(rest) || w.figure && captionFollows(rest)) && f.opensLine(span, from) {
		return 0
	}
	return f.places(span, w, from, number, i+end)
}

// maxNumber bounds the length of a number.
const maxNumber = 40

// places refers to a place and to those after it.
func (f *finder) places(span document.Span, w placeWord, from int, number string, end int) int {
	type one struct {
		span   document.Span
		number string
	}
	all := []one{{document.Span{From: from, To: end}, number}}
	// "clause 8.1, 8.2 or 8.3" needs no plural.
	for (w.plural || strings.Contains(number, ".")) && len(all) < 20 {
		m := another.FindString(f.text[end:min(span.To, end+maxNumber)])
		next, size, ok := w.number(f.text[end+len(m) : min(span.To, end+len(m)+maxNumber)])
		if m == "" || !ok || !sameForm(next, number) || !w.plural && !strings.Contains(next, ".") {
			break
		}
		at := end + len(m)
		end = at + size
		all = append(all, one{document.Span{From: at, To: end}, next})
	}
	whose := f.whose(span, w.name, from, end)
	for i, o := range all {
		r := document.Reference{Kind: document.ToPlace, Span: o.span, Document: whose.document, Place: whose.within + w.name + " " + o.number, Tentative: w.tentative && whose.document == ""}
		if i == 0 {
			r.Span.From = whose.from
		}
		if i == len(all)-1 {
			r.Span.To = whose.to
		}
		f.refer(r)
	}
	return whose.to
}

// sameForm keeps "sections 4 and 5 days" from being two sections where the first is
// 4.1, and "clause 7, A" from being two.
func sameForm(a, b string) bool {
	digit := func(s string) bool { return s[0] >= '0' && s[0] <= '9' }
	return digit(a) == digit(b) && (strings.Contains(a, ".") || !strings.Contains(b, "."))
}

// number reads the number that s begins with, in the form of Reference.Place.
func (w placeWord) number(s string) (number string, size int, ok bool) {
	m := plainNumber.FindString(s)
	if w.figure {
		m = figureNumber.FindString(s)
	}
	if m == "" && w.letters {
		m = letterNumber.FindString(s)
	}
	if m == "" || !endsNumber(s[len(m):]) {
		return "", 0, false
	}
	return normalNumber(m), len(m), true
}

// endsNumber is whether a number may end before rest: not within 30%, 4th, 1,000.
func endsNumber(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return true
	case strings.HasPrefix(rest, " %"):
		return false
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '%', r == '_', r == '=':
		return false
	case r == '.' || r == ',' || r == '/' || r == '-':
		next, _ := utf8.DecodeRuneInString(rest[size:])
		return !unicode.IsDigit(next) && !(r == '-' && unicode.IsLetter(next))
	}
	return true
}

func normalNumber(s string) string {
	return strings.ToLower(numberMarks.Replace(strings.Trim(s, ".")))
}

var numberMarks = strings.NewReplacer(" ", "", "–", "-")

// placeWordBefore is the word for a place before the number at i, and where it begins.
func (f *finder) placeWordBefore(span document.Span, i int) (from int, w placeWord, ok bool) {
	t := f.text
	end := i
	for end > span.From && end > i-4 && (t[end-1] == ' ' || t[end-1] == '\n' || t[end-1] == '\t') {
		end--
	}
	if nbsp := "\u00a0"; strings.HasSuffix(t[span.From:end], nbsp) {
		end -= len(nbsp)
	}
	if end == i || end <= f.taken {
		return 0, w, false
	}
	stop := end
	if t[end-1] == '.' { // "Sec. 4", "Fig. 2"
		end--
	}
	from = end
	for from > span.From && end-from <= longestPlaceWord && isLetterByte(t[from-1]) {
		from--
	}
	raw := t[from:end]
	if len(raw) < 3 || len(raw) > longestPlaceWord+2 || from < f.taken {
		return 0, w, false
	}
	w, ok = placeWords[strings.ToLower(raw)]
	switch {
	case !ok || stop > end && len(raw) > 3:
		return 0, w, false
	case w.capital && raw[0] >= 'a':
		return 0, w, false
	case strings.HasSuffix(t[span.From:from], "sub-"):
		from -= len("sub-")
	case strings.HasSuffix(t[span.From:from], "-"), strings.HasSuffix(t[span.From:from], "_"):
		return 0, w, false
	}
	return from, w, true
}

func isLetterByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

var afterSign = lazyregexp.New(`^§{1,2}[ \x{a0}]?`)

// paragraphSign takes "§ 12" and "§§ 4, 5".
func (f *finder) paragraphSign(span document.Span, i int) int {
	if i < f.taken {
		return 0
	}
	sign := afterSign.FindString(f.text[i:span.To])
	w := placeWord{name: "section", plural: strings.Count(sign, "§") > 1}
	at := i + len(sign)
	number, size, ok := w.number(f.text[at:min(span.To, at+maxNumber)])
	if !ok || f.opensLine(span, i) && titleFollows(f.text[at+size:span.To]) {
		return 0
	}
	return f.places(span, w, i, number, at+size)
}

// opensLine is whether a line begins at i, but for tags and the marks of lists and
// emphasis.
func (f *finder) opensLine(span document.Span, i int) bool {
	least := max(span.From, i-maxMarks)
	line := f.text[least:i]
	if n := strings.LastIndexByte(line, '\n'); n >= 0 {
		line = line[n+1:]
	} else if least > span.From {
		return false
	}
	if strings.IndexByte(line, '<') < 0 {
		return strings.Trim(line, " \t*_#>-|") == ""
	}
	return strings.Trim(tag.ReplaceAllString(line, ""), " \t*_#>-|") == ""
}

var tag = lazyregexp.New(`<[^<>]{1,200}>`)

// titleFollows is whether what stands before rest, at the beginning of a line, is the
// number of what follows and refers to nothing: "Table 3: Limits", "Article 5" alone,
// "Section 4. Term".
func titleFollows(rest string) bool {
	rest = strings.TrimLeft(rest, "*_")
	if rest == "" || rest[0] == '\n' || strings.IndexByte(".:|", rest[0]) >= 0 {
		return true
	}
	rest = strings.TrimLeft(rest, " ")
	return strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "- ")
}

// captionFollows is whether the line of a number goes on as a caption without a mark:
// "Listing 4-1 A variable and its scope".
func captionFollows(rest string) bool {
	line, _, _ := strings.Cut(rest[:min(len(rest), maxMarks)], "\n")
	words := strings.TrimLeft(line, " ")
	return len(words) < len(line) && unicode.IsUpper(firstRune(words)) && !strings.ContainsAny(words[len(words)-1:], ".:;?!")
}
