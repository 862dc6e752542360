package reference

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// Name is the form in which names of documents are compared: words in small letters
// with one space between them, without the article before them.
func Name(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.TrimPrefix(b.String(), "the ")
}

var (
	inParens = lazyregexp.New(`\s*\([^()]*\)`)
	codes    = lazyregexp.New(`\b` + codeText)
	// What follows the name in many titles and file names: a version, a year.
	dated = lazyregexp.New(` (?:v[0-9]+(?: [0-9]+)*|(?:19|20)[0-9]{2}|version [0-9 ]+)$`)
)

// numberKeys are the keys under which metadata gives a document's own number.
var numberKeys = []string{"number", "document_number", "document number", "doc_number", "id", "document_id", "code", "reference"}

// Names are what other documents call a revision, sorted: its title, whole and without
// what stands in brackets or dates it, the name of its file, its number, the codes that
// its headings begin with (a log of decisions has many), and, for links, its path without
// the ending, behind a stroke, and the anchors that its source names, behind "#".
func Names(r document.Revision) []string {
	var out []string
	docPath, title := r.Document.Path, r.Title
	add := func(s string) {
		name := Name(s)
		out = append(out, name, dated.ReplaceAllString(name, ""))
	}
	stem := strings.TrimSuffix(path.Base(docPath), path.Ext(docPath))
	for _, s := range []string{title, inParens.ReplaceAllString(title, ""), stem} {
		add(s)
	}
	for _, s := range codes.FindAllString(title+" "+stem, -1) {
		add(s)
	}
	for _, key := range numberKeys {
		for _, v := range r.Metadata.Attributes[key] {
			out = append(out, Name(v))
		}
	}
	for _, s := range r.Sections[1:] {
		if code := codeForm.FindString(s.Heading); code != "" {
			out = append(out, Name(code))
		}
	}
	out = append(out, pathName("/"+docPath))
	if lower := strings.ToLower(stem); lower == "index" || lower == "readme" {
		out = append(out, pathName(path.Dir("/"+docPath)))
	}
	out = append(out, anchorNames(r)...)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return len(s) < 3 && !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "#") })
}

var ending = lazyregexp.New(`\.[A-Za-z][A-Za-z0-9]{0,6}$`)

// pathName is a path from the root of a source as a name: a page is linked to under
// the ending that it has when it is published.
func pathName(full string) string { return ending.ReplaceAllString(full, "") }
