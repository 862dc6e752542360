package document

// Extraction is the report of how well the original of a revision could be read.
// Characters are those that a reader sees: white space does not count.
type Extraction struct {
	Pages      int   // 0 where the format has none
	EmptyPages []int // the numbers, from 1, of pages without text
	Characters int
	Headings   int
	Tables     int
	// Unreadable counts the characters that stand for what could not be read:
	// replacement characters, private use, controls, and numbers of glyphs that
	// a file gives no meaning.
	Unreadable int
	// Outside counts the characters before the first heading.
	Outside int
	// Notes say what was left out or guessed, and Doubts why a person should compare the
	// text with the original; a sentence each, without text of the document.
	Notes  []string
	Doubts []string
}

// Suspect reports whether a person should compare the text with the original.
func (e Extraction) Suspect() bool { return len(e.Doubts) > 0 }
