// Package chunk makes passages, the units that are found, of the blocks of a
// document.
package chunk

import (
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
)

// Split gives the passages of a document in the order of its text. Options must
// be valid. It may be called concurrently; time is linear in the text.
//
//   - A passage lies in one section, the innermost, and its text is what its span
//     covers: whole blocks where they fit, with what stands between them.
//   - Every byte of a block that is not white space is in a passage, except
//     headings: they are context. A section that is nothing but its heading gives
//     a passage of it.
//   - Small neighbours are joined up to TargetTokens. What belongs together stays
//     so up to MaxTokens: a list and the paragraph that leads in, a table with
//     its caption and notes, a clause and its sub-items, a condition and what it
//     qualifies.
//   - What is larger is cut: lists at items, tables at rows (each part with
//     caption and header in its context), code at blank lines and lines, text at
//     sentences, and only then between words.
//   - Where one passage ends and the next begins depends on the text nearby
//     only, so that an edit leaves the passages further away, and their ids,
//     unchanged (see join).
func Split(id document.ID, title, text string, blocks []extract.Block, sections []document.Section, o Options) []document.Passage {
	if len(sections) == 0 {
		sections = []document.Section{{Parent: -1, Heading: title, Span: document.Span{To: len(text)}}}
	}
	s := &splitter{
		title: title, text: text, sections: sections,
		options: o.EnsureDefaults(), ids: newIdentifier(id),
	}
	s.options.OverlapTokens = max(s.options.OverlapTokens, 0)
	s.run(blocks)
	return s.out
}

type splitter struct {
	title, text string
	sections    []document.Section
	options     Options
	ids         *identifier
	out         []document.Passage

	// The section that is being collected.
	section int
	path    string // its heading path as context
	room    int    // tokens that the context leaves for the text
	heading document.Span
	blocks  []extract.Block
	units   []unit
}

func (s *splitter) run(blocks []extract.Block) {
	at, end := 0, 0
	s.begin(0)
	for _, b := range blocks {
		b.Span.From = max(b.Span.From, end)
		if b.Span.From >= b.Span.To || b.Span.To > len(s.text) {
			continue
		}
		end = b.Span.To
		at = s.sectionOf(at, b.Span)
		if at != s.section {
			s.flush()
			s.begin(at)
		}
		if b.Kind == extract.Heading {
			s.flush()
			s.begin(at)
			s.heading = b.Span
		} else if strings.TrimSpace(b.Span.Of(s.text)) != "" {
			s.blocks = append(s.blocks, b)
		}
	}
	s.flush()
}

// sectionOf gives the innermost section that holds span, which does not come
// before those asked for earlier; at is the last answer. Sections are in the
// order of the text, each after the one that holds it.
func (s *splitter) sectionOf(at int, span document.Span) int {
	for at+1 < len(s.sections) && s.sections[at+1].Span.From <= span.From {
		at++
	}
	for at > 0 && !s.sections[at].Span.Contains(span) {
		if at = s.sections[at].Parent; at < 0 {
			return 0
		}
	}
	return at
}

func (s *splitter) begin(section int) {
	s.section = section
	s.path = s.headingContext(section)
	s.room = s.options.MaxTokens - count(s.path)
	s.heading = document.Span{}
	s.blocks = s.blocks[:0]
	s.units = s.units[:0]
}

// flush makes the passages of the section collected.
func (s *splitter) flush() {
	if s.heading.Len() > 0 && s.headingIsText() {
		s.cutText(s.heading, document.Paragraph, nil)
	}
	s.addBlocks()
	s.heading = document.Span{}
	s.blocks = s.blocks[:0]
	prev := 0
	for _, r := range join(s.text, s.units, s.options.TargetTokens, s.room) {
		s.emit(r.from, r.to, prev)
		prev = r.from
	}
	s.units = s.units[:0]
}

// headingIsText reports whether the heading must be a passage of its own: it is
// all that there is of its section, or longer than a context may be.
func (s *splitter) headingIsText() bool {
	if len(s.blocks) == 0 {
		next := s.section + 1
		return next >= len(s.sections) || s.sections[next].Parent != s.section
	}
	return count(s.heading.Of(s.text)) > s.options.MaxTokens/contextShare
}

// emit makes a passage of the units [lo, hi); prev is where the passage before
// it in this section began.
func (s *splitter) emit(lo, hi, prev int) {
	first := &s.units[lo]
	tokens, weight := 0, 0
	var byKind [len(kinds)]int
	for i := lo; i < hi; i++ {
		u := &s.units[i]
		tokens += int(u.tokens)
		weight += int(u.weight)
		if i > lo {
			tokens += int(u.lead)
			weight += int(u.lead)
		}
		byKind[u.kind] += max(int(u.tokens), 1)
	}
	from := first.span.From
	for i := s.overlap(lo, prev, s.room-first.note.size()-weight); i < lo; i++ {
		from = min(from, s.units[i].span.From)
		tokens += int(s.units[i].tokens)
	}
	kind := 0
	for k, n := range byKind {
		if n > byKind[kind] {
			kind = k
		}
	}
	span := document.Span{From: from, To: s.units[hi-1].span.To}
	p := document.Passage{
		Section: s.section,
		Kind:    kinds[kind],
		Context: s.contextOf(lo, hi, span, tokens),
		Text:    span.Of(s.text),
		Span:    span,
		Tokens:  tokens,
	}
	p.ID = s.ids.id(s.sections[s.section].Path, p.Kind, p.Text)
	p.Key = s.ids.key(p.Context, p.Text)
	s.out = append(s.out, p)
}

// overlap gives the first unit that the passage that begins with lo repeats: as
// many sentences of the text that was cut before lo as OverlapTokens and room
// allow, but not all of the passage before, which began with prev.
func (s *splitter) overlap(lo, prev, room int) int {
	room = min(room, s.options.OverlapTokens)
	first := lo
	for i := lo; i-1 > prev && s.units[i].gap == sentenceGap; i-- {
		if room -= int(s.units[i-1].weight); room < 0 {
			break
		}
		if s.units[i-1].gap == wordGap {
			break
		}
		first = i - 1
	}
	return first
}
