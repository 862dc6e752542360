// Package extract turns the bytes of an original into canonical text and the
// blocks it is made of. Blocks say what stands where (headings, paragraphs,
// lists, tables, code); outline makes sections of them and chunk passages.
package extract

import "github.com/seed-d3156d19/quarry/document"

// Extracted is an original as text and structure.
type Extracted struct {
	Format string // "markdown", "html", "text" and the others of formats.go, "docx", "xlsx", "pptx", "odf", "rtf"
	// Text is the canonical text (document.Revision.Text): UTF-8 with LF.
	Text string
	// Title is what the original itself says (front matter aside): an HTML
	// title, the first level-1 heading. "" if nothing.
	Title string
	// FrontMatter is the YAML at the head of a Markdown or text file, without
	// its fences; nil if there is none. It is part of Text, of no block.
	FrontMatter []byte
	// Blocks are in the order of the text, do not overlap, and cover everything
	// a reader would read.
	Blocks []Block
	// Links are those of a page to others of its site, whose addresses are no part of
	// Text; in Markdown they stand in the text itself. In the order of the text.
	Links []Link
	// Pages are where the pages of the original begin; nil for a format without pages.
	Pages document.Pages
	// Lines are where lines of Text stand on those pages.
	Lines document.Lines
	// Slides is how many slides or pages there are, and EmptyPages the numbers, from 1, of
	// slides without text; 0 and none for what has neither.
	Slides     int
	EmptyPages []int
	// Notes say what extraction had to leave out or to guess, a sentence each.
	Notes []string
	// Doubts say why a person should compare the text with the original, a sentence each.
	Doubts []string
	// Scanned is whether text of it is in images: what becomes of it depends on the
	// recogniser. It is said with an error as well.
	Scanned bool
}

// Link is an address that words of the text lead to, relative to the document.
type Link struct {
	Span    document.Span // the words
	Address string
}

// BlockKind says what a block is.
type BlockKind string

// The kinds of blocks.
const (
	Heading   BlockKind = "heading"
	Paragraph BlockKind = "paragraph"
	List      BlockKind = "list"
	Table     BlockKind = "table"
	Code      BlockKind = "code"
	Quote     BlockKind = "quote"
)

// Block is a run of whole lines of the canonical text.
type Block struct {
	Kind BlockKind
	Span document.Span // without blank lines around it
	// Heading: its level (1..), its text without markup and without number, and
	// its visible number ("7.2", "Appendix C"), "" if none. Code with a level opens
	// a section as well, called Text, and is text of it: the function that begins here.
	Level int
	Text  string
	// Number of a heading, or of a paragraph that begins with a clause number
	// ("7.2", "(b)", "12.").
	Number string
	// Items are a list's top-level items, each with everything nested in it.
	Items []document.Span
	// A table's caption, header rows and body rows. Caption is a paragraph that
	// names the table directly before or after it ("Table 3: Limits in MB") and
	// is a block of its own as well.
	Caption string
	Header  []document.Span
	Rows    []document.Span
}

// Opens reports whether a section begins with the block.
func (b Block) Opens() bool { return b.Kind == Heading || b.Level > 0 }
