package reference

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/grid"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const glossaryWords = `glossary|abbreviations?|acronyms|list of (?:abbreviations|acronyms|terms)|begriffe|abkürzungen|glossar|abréviations`

var (
	// A whole chapter is one, and all that is below its heading.
	glossaryChapter = lazyregexp.New(`(?i)^` + beforeTitle + `(?:` + glossaryWords + `)\b`)
	// Below "Definitions" of an agreement there is more than definitions.
	glossaryHeading = lazyregexp.New(`(?i)^` + beforeTitle + `(?:(?:key |common )?(?:terms and |abbreviations and )?definitions?(?: of terms)?|terms(?: used)?|words used|terminology|begriffsbestimmungen|définitions|definiciones|` + glossaryWords + `)\b`)
)

const beforeTitle = `(?:[\d.]+ )?(?:(?:appendix|annex|anhang|annexe)(?: [a-z0-9]+)?[:. –-]+)?`

// isGlossary is whether the section of a heading path says what terms mean.
func isGlossary(path []string) bool {
	for i, heading := range path {
		if !hasGlossaryWord(heading) {
			continue
		}
		if i == len(path)-1 && glossaryHeading.MatchString(heading) || glossaryChapter.MatchString(heading) {
			return true
		}
	}
	return false
}

// hasGlossaryWord tells most headings apart at little cost.
func hasGlossaryWord(heading string) bool {
	for _, word := range []string{"efinit", "erm", "bbreviation", "BBREVIATION", "EFINIT", "lossa", "LOSSA", "cronym", "CRONYM", "ords used", "ERM", "egriff", "bkürz", "bréviation", "éfinition"} {
		if strings.Contains(heading, word) {
			return true
		}
	}
	return false
}

var (
	termHeads    = set("term terms abbreviation abbreviations acronym acronyms expression begriff abkürzung")
	meaningHeads = set("meaning meanings definition definitions explanation bedeutung description expansion")
)

// glossaryHeader is whether a table's header row names terms and their meanings.
func glossaryHeader(row string) bool {
	cells := grid.Cells(row)
	return len(cells) >= 2 && termHeads[strings.ToLower(plainTerm(cells[0]))] &&
		(meaningHeads[strings.ToLower(plainTerm(cells[1]))] || strings.HasPrefix(strings.ToLower(plainTerm(cells[1])), "stands for"))
}

// glossaryEntries takes the terms of a block in a glossary: rows, items and paragraphs of
// a term and its meaning. A table of terms is one anywhere.
func (f *finder) glossaryEntries(b extract.Block) {
	switch {
	case b.Kind == extract.Table:
		if f.glossary || len(b.Header) == 1 && glossaryHeader(b.Header[0].Of(f.text)) {
			f.glossaryRows(b)
		}
	case !f.glossary:
	case b.Kind == extract.List:
		for _, item := range b.Items {
			f.glossaryEntry(item)
		}
	case b.Kind == extract.Paragraph:
		f.glossaryEntry(b.Span)
	}
}

// glossaryRows takes the first cell of each row as a term and the second as its meaning.
func (f *finder) glossaryRows(b extract.Block) {
	for _, row := range b.Rows {
		text := row.Of(f.text)
		cells := grid.Cells(text)
		if len(cells) < 2 || cells[0] == "" || cells[1] == "" || !isTerm(cells[0]) {
			continue
		}
		from := strings.Index(text, cells[0])
		to := from + len(cells[0])
		meaning := strings.Index(text[to:], cells[1])
		if from < 0 || meaning < 0 {
			continue
		}
		at := row.From + to + meaning
		f.define(document.OfTerm, document.Span{From: row.From + from, To: row.From + to}, document.Span{From: at, To: at + len(cells[1])})
	}
}

// entryForm is a term, a mark, and its meaning: "**Term**: meaning", "**Term.** Meaning",
// "Term – meaning".
var entryForm = lazyregexp.New(`^((?:\*\*|__|["“„])?[^\s:–—|*_"“„](?:[^:–—|\n]{0,70}[^\s:–—|])?)(?:[:.]\s*(?:\*\*|__)\s+|:\s+|\s+[–—-]\s+)\S`)

// glossaryEntry takes an item or a paragraph that begins with a term.
func (f *finder) glossaryEntry(span document.Span) {
	text := span.Of(f.text)
	start := len(itemStart.FindString(text))
	m := entryForm.FindStringSubmatchIndex(text[start:])
	if m == nil || strings.Contains(text[start:start+m[3]], " means") || !isEntry(plainTerm(text[start:start+m[3]])) {
		return
	}
	_, size := utf8.DecodeLastRuneInString(text[:start+m[1]])
	f.define(document.OfTerm, document.Span{From: span.From + start, To: span.From + start + m[3]}, document.Span{From: span.From + start + m[1] - size, To: span.To})
}

// isEntry is whether a glossary may have an entry of that name: no clause of a sentence.
func isEntry(s string) bool {
	if !isTerm(s) || len(strings.Fields(s)) > 6 {
		return false
	}
	for w := range strings.FieldsSeq(s) {
		if clauseWords[strings.ToLower(w)] {
			return false
		}
	}
	return true
}

var clauseWords = set("is are was were applies apply has have following must may shall should this these note example see")
