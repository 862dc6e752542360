package extract

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

const (
	// maxColumns and maxTableRows are above what spreadsheets hold (16,384 by
	// 1,048,576): a table beyond them was not made to be read.
	maxColumns   = 1 << 14
	maxTableRows = 1 << 21
)

// extractCSV makes a table of pipes of records (RFC 4180, with any of the four
// delimiters in use). The canonical text is that table and not the file: rows
// are read again by all that cuts, embeds and quotes tables, in that one form,
// and a record may run over several lines.
func extractCSV(text string) (Extracted, error) {
	comma, text := delimiterOf(text)
	t := &recordTable{}
	broken, err := t.read(text, comma)
	if err != nil {
		return Extracted{}, err
	}
	x := Extracted{Format: formatCSV}
	if broken {
		x.Notes = append(x.Notes, "The quotes do not match: each line was read as a row.")
	}
	if len(t.block.Rows) > 0 && len(t.block.Header) == 0 {
		x.Notes = append(x.Notes, "No header row was found.")
	}
	x.Text, x.Blocks = t.b.String(), t.blocks
	return x, nil
}

// recordTable writes records as a table, the first of them held back until it is
// known which is the header.
type recordTable struct {
	b      strings.Builder
	blocks []Block
	block  Block // the table, as far as it is written
	held   [][]string
	width  int // of the widest record that was held back
}

// headRecords are the records by which header and delimiter are told.
const headRecords = 50

func (t *recordTable) read(text string, comma rune) (broken bool, err error) {
	err = records(text, comma, t.add)
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		// A quote that is not closed would make a cell of the rest of the file.
		*t = recordTable{}
		broken, err = true, lineRecords(text, comma, t.add)
	}
	if err == nil {
		err = t.finish()
	}
	return broken, err
}

// records calls add with each record, which is add's only until it returns.
func records(text string, comma rune, add func([]string) error) error {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	for {
		rec, err := r.Read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := add(rec); err != nil {
			return err
		}
	}
}

// lineRecords reads each line for itself, with quotes where they match.
func lineRecords(text string, comma rune, add func([]string) error) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if blank(line) {
			continue
		}
		r := csv.NewReader(strings.NewReader(line))
		r.Comma, r.FieldsPerRecord = comma, -1
		rec, err := r.Read()
		if err != nil {
			rec = strings.Split(line, string(comma))
		}
		if err := add(rec); err != nil {
			return err
		}
	}
	return nil
}

func (t *recordTable) add(rec []string) error {
	if len(rec) > maxColumns {
		return fmt.Errorf("a row has more than %d columns", maxColumns)
	}
	if strings.TrimSpace(strings.Join(rec, "")) == "" {
		return nil
	}
	if len(t.held) < headRecords && t.block.Span.To == 0 {
		t.held = append(t.held, append([]string(nil), rec...))
		t.width = max(t.width, len(rec))
		return nil
	}
	t.begin()
	t.row(rec)
	if len(t.block.Rows) > maxTableRows {
		return fmt.Errorf("the table has more than %d rows: split it", maxTableRows)
	}
	return nil
}

// begin writes what was held back: lines above the table, its header, its rows.
func (t *recordTable) begin() {
	if len(t.held) == 0 {
		return
	}
	held := t.held
	t.held = nil
	for len(held) > 1 && t.width > 1 && filled(held[0]) == 1 && filled(held[1]) != 0 && !isHeader(held) {
		from := t.b.Len()
		t.b.WriteString(escapeStart(oneLine(strings.Join(held[0], " "))))
		t.blocks = append(t.blocks, Block{Kind: Paragraph, Span: document.Span{From: from, To: t.b.Len()}})
		t.b.WriteString("\n\n")
		held = held[1:]
	}
	t.block = Block{Kind: Table, Span: document.Span{From: t.b.Len()}}
	header := make([]string, t.width)
	if isHeader(held) {
		copy(header, held[0])
		held = held[1:]
		t.block.Header = []document.Span{t.line(header)}
	} else {
		t.line(header) // Markdown has no table without one
	}
	t.b.WriteString("|" + strings.Repeat(" --- |", t.width) + "\n")
	for _, rec := range held {
		t.row(rec)
	}
}

func (t *recordTable) row(rec []string) { t.block.Rows = append(t.block.Rows, t.line(rec)) }

func (t *recordTable) line(cells []string) document.Span {
	from := t.b.Len()
	t.b.WriteByte('|')
	for _, c := range cells {
		t.b.WriteByte(' ')
		t.b.WriteString(tableCell(c))
		t.b.WriteString(" |")
	}
	t.block.Span.To = t.b.Len()
	t.b.WriteByte('\n')
	return document.Span{From: from, To: t.block.Span.To}
}

func (t *recordTable) finish() error {
	t.begin()
	if t.block.Span.Len() > 0 {
		t.blocks = append(t.blocks, t.block)
	}
	return nil
}

var cellEscapes = strings.NewReplacer(`\|`, `\\\|`, "|", `\|`)

// tableCell is a value on one line, its bars escaped.
func tableCell(s string) string {
	if strings.ContainsAny(s, "\n\t") || strings.Contains(s, "  ") {
		s = oneLine(s)
	} else {
		s = strings.TrimSpace(s)
	}
	if strings.Contains(s, "|") {
		s = cellEscapes.Replace(s)
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func filled(rec []string) int {
	n := 0
	for _, c := range rec {
		if !blank(c) {
			n++
		}
	}
	return n
}
