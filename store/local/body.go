package local

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
)

// body is what a revision is made of besides its text: sections, and passages
// where they stand. It knows its text by length and checksum.
type body struct {
	length   int
	checksum uint32
	sections []document.Section
	passages []placed
	pages    document.Pages
	lines    document.Lines
}

// placed is a passage of a revision without id, content key and text: those are
// the row's, and the text its span's.
type placed struct {
	row     int64 // in the table of passages
	section int
	span    document.Span
	kind    document.Kind
	tokens  int
	context string
}

func textChecksum(text string) (sum uint32) {
	var part [4096]byte // not the whole text once more
	for len(text) > 0 {
		n := copy(part[:], text)
		sum = crc32.Update(sum, castagnoli, part[:n])
		text = text[n:]
	}
	return sum
}

// encodeBody encodes the body of a revision whose passages have the given rows.
func encodeBody(r *document.Revision, rows []int64) []byte {
	b := binary.AppendUvarint(nil, uint64(len(r.Text)))
	b = binary.LittleEndian.AppendUint32(b, textChecksum(r.Text))
	b = binary.AppendUvarint(b, uint64(len(r.Sections)))
	for _, s := range r.Sections {
		b = binary.AppendUvarint(b, uint64(s.Parent+1))
		b = binary.AppendUvarint(b, uint64(s.Level))
		b = appendString(b, s.Heading)
		b = appendString(b, s.Number)
		b = appendPath(b, r.Sections, s)
		b = appendSpan(b, s.Span)
		b = appendSpan(b, s.Body)
		b = appendString(b, s.Description)
	}
	b = binary.AppendUvarint(b, uint64(len(r.Passages)))
	var last document.Passage
	var lastRow int64
	for i, p := range r.Passages {
		b = binary.AppendVarint(b, rows[i]-lastRow)
		b = binary.AppendUvarint(b, uint64(p.Section))
		b = appendSpan(b, p.Span)
		b = terms.AppendFront(b, string(last.Kind), string(p.Kind))
		b = binary.AppendVarint(b, int64(p.Tokens))
		b = terms.AppendFront(b, last.Context, p.Context)
		last, lastRow = p, rows[i]
	}
	// Only a revision with pages has this part, so that all others stay as they were.
	if len(r.Pages) > 0 {
		b = binary.AppendUvarint(b, uint64(len(r.Pages)))
		for _, p := range r.Pages {
			b = binary.AppendUvarint(b, uint64(p.Page))
			b = binary.AppendUvarint(b, uint64(p.Offset))
		}
	}
	if len(r.Pages) > 0 && len(r.Lines) > 0 {
		b = appendLines(b, r.Lines)
	}
	return seal(b)
}

// appendLines writes lines as differences from the one before, about ten bytes each.
func appendLines(b []byte, lines document.Lines) []byte {
	b = binary.AppendUvarint(b, uint64(len(lines)))
	var last document.Line
	for _, l := range lines {
		b = binary.AppendUvarint(b, uint64(l.Span.From-last.Span.To))
		b = binary.AppendUvarint(b, uint64(l.Span.Len()))
		for _, d := range [...]int{l.Page - last.Page, l.Box.Left - last.Box.Left, l.Box.Top - last.Box.Top, l.Box.Right - l.Box.Left, l.Box.Bottom - l.Box.Top} {
			b = binary.AppendVarint(b, int64(d))
		}
		last = l
	}
	return b
}

func appendSpan(b []byte, s document.Span) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.From)), uint64(s.Len()))
}

// appendPath writes 0 for the path that a section's place gives it, else one more
// than the number of its headings, and those.
func appendPath(b []byte, sections []document.Section, s document.Section) []byte {
	if s.Parent >= 0 && len(s.Path) > 0 && slices.Equal(s.Path[:len(s.Path)-1], sections[s.Parent].Path) && s.Path[len(s.Path)-1] == s.Heading {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(s.Path)+1))
	for _, heading := range s.Path {
		b = appendString(b, heading)
	}
	return b
}

func decodeBody(raw []byte) (*body, error) {
	d, err := unpack(raw)
	if err != nil {
		return nil, err
	}
	out := &body{length: d.number(math.MaxInt32), checksum: d.fixed()}
	n := d.count()
	for i := 0; i < n && !d.bad; i++ {
		s := document.Section{Parent: d.number(uint64(i)) - 1, Level: d.number(math.MaxInt32), Heading: d.text(), Number: d.text()}
		d.bad = d.bad || (i > 0) != (s.Parent >= 0)
		if d.bad {
			break
		}
		s.Path = d.path(out.sections, s)
		s.Span, s.Body = d.span(out.length), d.span(out.length)
		s.Description = d.text()
		out.sections = append(out.sections, s)
	}
	n = d.count()
	out.passages = make([]placed, 0, min(n, 1<<16))
	var p placed
	for i := 0; i < n && !d.bad; i++ {
		p.row += int64(d.signed())
		p.section = d.number(uint64(len(out.sections)))
		p.span = d.span(out.length)
		p.kind = document.Kind(d.same(string(p.kind)))
		p.tokens = d.signed()
		p.context = d.same(p.context)
		d.bad = d.bad || p.section >= len(out.sections)
		out.passages = append(out.passages, p)
	}
	if !d.bad && d.at < len(d.src) {
		n = d.count()
		for i := 0; i < n && !d.bad; i++ {
			out.pages = append(out.pages, document.PageStart{Page: d.number(math.MaxInt32), Offset: d.number(uint64(out.length))})
		}
	}
	if !d.bad && d.at < len(d.src) {
		out.lines = d.lines(out.length)
	}
	return out, d.end()
}

func (d *decoder) lines(length int) document.Lines {
	n := d.count()
	out := make(document.Lines, 0, min(n, 1<<16))
	var l document.Line
	for i := 0; i < n && !d.bad; i++ {
		l.Span.From = l.Span.To + d.number(uint64(length-l.Span.To))
		l.Span.To = l.Span.From + d.number(uint64(length-l.Span.From))
		l.Page += d.signed()
		l.Box.Left += d.signed()
		l.Box.Top += d.signed()
		l.Box.Right = l.Box.Left + d.signed()
		l.Box.Bottom = l.Box.Top + d.signed()
		out = append(out, l)
	}
	return out
}

func (d *decoder) span(length int) document.Span {
	from := d.number(uint64(length))
	return document.Span{From: from, To: from + d.number(uint64(length-from))}
}

func (d *decoder) path(sections []document.Section, s document.Section) []string {
	n := d.count()
	if n == 0 && s.Parent >= 0 {
		above := sections[s.Parent].Path
		return append(slices.Clip(above), s.Heading)
	}
	var path []string
	for i := 1; i < n && !d.bad; i++ {
		path = append(path, d.text())
	}
	return path
}

// fits reports, as store.ErrDamaged, that a text is not the body's.
func (b *body) fits(text string) error {
	if len(text) != b.length || textChecksum(text) != b.checksum {
		return fmt.Errorf("%w: a text is not what was stored", store.ErrDamaged)
	}
	return nil
}
