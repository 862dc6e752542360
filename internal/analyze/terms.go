package analyze

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/seed-d3156d19/quarry/store"
)

// How strongly a passage is about an identifier, by where it stands. They only
// order passages that hold the same identifier; set on the tuning part of
// examples/handbook.
const (
	weightOwn      = 1.0  // its own clause number, or in its heading
	weightLead     = 0.9  // first on a line, in a table's row or a list: it is defined here
	weightTitle    = 0.7  // in the document's title
	weightAncestor = 0.5  // in a heading further up
	weightMention  = 0.55 // anywhere else in the text
	weightPart     = 0.3  // factor for a part of a longer identifier
)

func (b *builder) passage(title string, sections []document.Section, p document.Passage) store.Terms {
	section := sections[p.Section]
	b.field(store.Title, title, b.languages)
	b.field(store.HeadingPath, strings.Join(section.Path, "\n"), b.languages)
	text := p.Text
	if extra := contextBeyondPath(p.Context); extra != "" {
		text = extra + "\n" + text
	}
	languages := b.languagesOf(text)
	b.field(store.Text, text, languages)
	b.mark(b.languages)
	b.mark(languages)

	b.identifiers(title, func(Found) float32 { return weightTitle })
	for i, heading := range section.Path {
		weight := float32(weightAncestor)
		if i == len(section.Path)-1 {
			weight = weightOwn
		}
		b.identifiers(heading, func(Found) float32 { return weight })
	}
	for at := p.Section; at > 0; at = sections[at].Parent {
		if n := sections[at].Number; n != "" {
			weight := float32(weightAncestor)
			if at == p.Section {
				weight = weightOwn
			}
			b.identifier(Place(n), weight)
		}
	}
	b.identifiers(p.Text, func(f Found) float32 {
		if leads(p.Text, f.From) {
			return weightLead
		}
		return weightMention
	})
	for _, number := range clauseNumbers(section.Number, p.Text) {
		b.identifier(Place(number), weightOwn)
	}
	return b.terms()
}

func (b *builder) section(title string, s document.Section) store.Terms {
	b.field(store.Title, title, b.languages)
	b.field(store.HeadingPath, strings.Join(s.Path, "\n"), b.languages)
	b.field(store.Text, s.Description, b.languagesOf(s.Description))
	if s.Number != "" {
		b.identifier(Place(s.Number), weightOwn)
	}
	return b.terms()
}

// Revision analyses every passage and section in the language that the metadata
// declares; without one in that of the document's text, and a passage or description that
// is clearly in another one in that.
func Revision(r document.Revision) store.Revision {
	b := builders.Get().(*builder)
	defer b.done()
	return b.revision(r)
}

func (b *builder) revision(r document.Revision) store.Revision {
	out := store.Revision{
		Revision: r,
		Terms:    make([]store.Terms, len(r.Passages)),
		Outline:  make([]store.Terms, len(r.Sections)),
	}
	b.languages = weighEvidence(r.Text, maxSampled).choose(byDefault, marginDocument)
	if b.declared = declared(r.Metadata.Language); b.declared != "" {
		b.languages = b.languages.with(b.declared)
	}
	for i, p := range r.Passages {
		out.Terms[i] = b.passage(r.Title, r.Sections, p)
	}
	for i, s := range r.Sections {
		out.Outline[i] = b.section(r.Title, s)
	}
	return out
}

// contextBeyondPath is a context without its first line, the heading path,
// which is a field of its own: caption, units and header row.
func contextBeyondPath(context string) string {
	_, rest, _ := strings.Cut(context, "\n")
	return rest
}

// leads reports whether nothing but markup stands before at on its line.
func leads(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	line = strings.Trim(line, " \t|*_`>#-•[(")
	return line == "" || len(line) < 5 && strings.Trim(line, "0123456789.)") == ""
}

var (
	clauseLine = lazyregexp.New(`(?m)^[ \t>*_-]*(\d+(?:\.\d+)+)[.)]?[*_]*[ \t]`)
	letterLine = lazyregexp.New(`(?m)^[ \t>*_-]*\(([a-z]{1,4}|\d{1,2})\)(?:[ \t]*\(([a-z]{1,4})\))?`)
)

// clauseNumbers are the numbers of the clauses that begin in a text: "7.2", and
// "7.2(b)", "7.2(b)(iv)" for items lettered under the clause before them, or under
// the number of the section they stand in.
func clauseNumbers(section, text string) []string {
	type mark struct {
		at     int
		number string
		inner  string
		letter bool
	}
	if !strings.ContainsAny(text, ".(") { // neither expression fits: most of a large table
		return nil
	}
	var marks []mark
	for _, m := range clauseLine.FindAllStringSubmatchIndex(text, -1) {
		marks = append(marks, mark{at: m[0], number: text[m[2]:m[3]]})
	}
	for _, m := range letterLine.FindAllStringSubmatchIndex(text, -1) {
		k := mark{at: m[0], number: text[m[2]:m[3]], letter: true}
		if m[4] >= 0 {
			k.inner = text[m[4]:m[5]]
		}
		marks = append(marks, k)
	}
	sort.Slice(marks, func(i, j int) bool { return marks[i].at < marks[j].at })

	var out []string
	base, letter := section, ""
	for _, m := range marks {
		switch {
		case !m.letter:
			base, letter = m.number, ""
			out = append(out, base)
		case base == "":
		case letter != "" && isRoman(m.number) && !follows(letter, m.number):
			out = append(out, base+"("+letter+")("+m.number+")")
		default:
			letter = m.number
			out = append(out, base+"("+letter+")")
			if m.inner != "" {
				out = append(out, base+"("+letter+")("+m.inner+")")
			}
		}
	}
	return out
}

// follows tells the letter i after h from the numeral i.
func follows(letter, next string) bool {
	return len(letter) == 1 && len(next) == 1 && next[0] == letter[0]+1
}

func isRoman(s string) bool { return strings.Trim(s, "ivx") == "" }

// builder gathers the terms of one passage after the other.
type builder struct {
	languages Languages // of the document
	declared  Language  // that holds for all of it, if any
	stemmers  map[Languages]*stemmer
	words     []Word
	tokens    []token
	lengths   [store.Fields]int
	ids       map[string]float32
}

// builders are those that are not in use. What one document's words are is mostly what
// the next one's are, too.
var builders = sync.Pool{New: func() any { return newBuilder() }}

func newBuilder() *builder { return &builder{stemmers: map[Languages]*stemmer{}} }

// The most that a builder keeps from one document to the next.
const (
	maxKeptWords    = 1 << 14
	maxKeptStemmers = 4
)

// done gives a builder back, without what holds on to the document.
func (b *builder) done() {
	if cap(b.words) > maxKeptWords || cap(b.tokens) > maxKeptWords {
		b.words, b.tokens = nil, nil
	}
	if len(b.stemmers) > maxKeptStemmers {
		clear(b.stemmers)
	}
	clear(b.words[:cap(b.words)])
	clear(b.tokens)
	clear(b.ids)
	*b = builder{stemmers: b.stemmers, words: b.words[:0], tokens: b.tokens[:0], ids: b.ids}
	builders.Put(b)
}

// languagesOf are those of a part of the document.
func (b *builder) languagesOf(text string) Languages {
	languages := weighEvidence(text, passageSampled).choose(b.languages, marginPassage)
	if b.declared != "" {
		return languages.with(b.declared)
	}
	return languages
}

// token is a term where it stands.
type token struct {
	term  string
	field store.Field
	at    uint32
}

// field adds the words of a field. A part of a compound stands where the compound
// does, and does not make the passage longer.
func (b *builder) field(f store.Field, text string, languages Languages) {
	stems := b.stemmers[languages]
	if stems == nil {
		stems = &stemmer{languages: languages, memory: map[string]stemmed{}}
		b.stemmers[languages] = stems
	}
	b.words = appendWords(b.words[:0], text, stems)
	at := 0
	for _, w := range b.words {
		if !w.Part {
			at++
		}
		b.tokens = append(b.tokens, token{w.Term, f, uint32(at - 1)})
	}
	b.lengths[f] = at
}

// mark adds the terms that tell of languages (see Present).
func (b *builder) mark(languages Languages) {
	for _, l := range languages {
		if mark, ok := marks[l]; ok {
			b.tokens = append(b.tokens, token{mark, store.Text, 0})
		}
	}
}

func (b *builder) identifiers(text string, weight func(Found) float32) {
	for _, f := range Identifiers(text) {
		w := weight(f)
		if f.Part {
			w *= weightPart
		}
		b.identifier(f.Value, w)
	}
}

func (b *builder) identifier(value string, weight float32) {
	if b.ids == nil {
		b.ids = map[string]float32{}
	}
	b.ids[value] = max(b.ids[value], weight)
}

// terms gives what was gathered, in as few pieces of memory as can be, and begins
// anew.
func (b *builder) terms() store.Terms {
	slices.SortFunc(b.tokens, func(a, c token) int {
		return cmp.Or(cmp.Compare(a.field, c.field), strings.Compare(a.term, c.term), cmp.Compare(a.at, c.at))
	})
	distinct := 0
	for i, t := range b.tokens {
		if i == 0 || b.tokens[i-1].term != t.term || b.tokens[i-1].field != t.field {
			distinct++
		}
	}
	t := store.Terms{Lengths: b.lengths, Postings: make([]store.Posting, 0, distinct)}
	positions := make([]uint32, 0, len(b.tokens))
	for i := 0; i < len(b.tokens); {
		from, first := len(positions), b.tokens[i]
		for ; i < len(b.tokens) && b.tokens[i].term == first.term && b.tokens[i].field == first.field; i++ {
			if n := len(positions); n == from || positions[n-1] != b.tokens[i].at { // a compound may have a part twice
				positions = append(positions, b.tokens[i].at)
			}
		}
		n := len(positions)
		t.Postings = append(t.Postings, store.Posting{Term: first.term, Field: first.field, Positions: positions[from:n:n]})
	}
	for v, w := range b.ids {
		t.Identifiers = append(t.Identifiers, store.Identifier{Value: v, Weight: w})
	}
	slices.SortFunc(t.Identifiers, func(a, c store.Identifier) int { return strings.Compare(a.Value, c.Value) })
	clear(b.ids)
	clear(b.tokens)
	b.tokens, b.lengths = b.tokens[:0], [store.Fields]int{}
	return t
}
