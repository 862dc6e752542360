package analyze

import (
	"regexp"
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
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

// Passage analyses one passage of a revision.
func Passage(title string, sections []document.Section, p document.Passage) store.Terms {
	section := sections[p.Section]
	var b builder
	b.field(store.Title, title)
	b.field(store.HeadingPath, strings.Join(section.Path, "\n"))
	text := p.Text
	if extra := contextBeyondPath(p.Context); extra != "" {
		text = extra + "\n" + text
	}
	b.field(store.Text, text)

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

// Section analyses one section for the outline lane.
func Section(title string, s document.Section) store.Terms {
	var b builder
	b.field(store.Title, title)
	b.field(store.HeadingPath, strings.Join(s.Path, "\n"))
	b.field(store.Text, s.Description)
	if s.Number != "" {
		b.identifier(Place(s.Number), weightOwn)
	}
	return b.terms()
}

// Revision analyses every passage and section.
func Revision(r document.Revision) store.Revision {
	out := store.Revision{
		Revision: r,
		Terms:    make([]store.Terms, len(r.Passages)),
		Outline:  make([]store.Terms, len(r.Sections)),
	}
	for i, p := range r.Passages {
		out.Terms[i] = Passage(r.Title, r.Sections, p)
	}
	for i, s := range r.Sections {
		out.Outline[i] = Section(r.Title, s)
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
	clauseLine = regexp.MustCompile(`(?m)^[ \t>*_-]*(\d+(?:\.\d+)+)[.)]?[*_]*[ \t]`)
	letterLine = regexp.MustCompile(`(?m)^[ \t>*_-]*\(([a-z]{1,4}|\d{1,2})\)(?:[ \t]*\(([a-z]{1,4})\))?`)
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

// builder gathers the terms of one passage.
type builder struct {
	postings map[posting][]uint32
	lengths  [store.Fields]int
	ids      map[string]float32
}

type posting struct {
	field store.Field
	term  string
}

func (b *builder) field(f store.Field, text string) {
	if b.postings == nil {
		b.postings = map[posting][]uint32{}
	}
	words := Words(text)
	for i, w := range words {
		key := posting{f, w.Term}
		b.postings[key] = append(b.postings[key], uint32(i))
	}
	b.lengths[f] = len(words)
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

func (b *builder) terms() store.Terms {
	t := store.Terms{Lengths: b.lengths, Postings: make([]store.Posting, 0, len(b.postings))}
	for k, at := range b.postings {
		t.Postings = append(t.Postings, store.Posting{Term: k.term, Field: k.field, Positions: at})
	}
	sort.Slice(t.Postings, func(i, j int) bool {
		a, c := t.Postings[i], t.Postings[j]
		if a.Field != c.Field {
			return a.Field < c.Field
		}
		return a.Term < c.Term
	})
	for v, w := range b.ids {
		t.Identifiers = append(t.Identifiers, store.Identifier{Value: v, Weight: w})
	}
	sort.Slice(t.Identifiers, func(i, j int) bool { return t.Identifiers[i].Value < t.Identifiers[j].Value })
	return t
}
