package evaluate

// Quote is a text that is looked for as judged passages are: by its letters and
// digits alone, and held where the edge of a passage leaves enough of it. What
// says why a passage was not found goes by the same rules as what measures it.
type Quote struct{ letters letters }

// NewQuote readies a text to be looked for.
func NewQuote(text string) Quote { return Quote{compact(text)} }

// Len is the number of bytes of its letters; 0 where it has none, and cannot be
// looked for.
func (q Quote) Len() int { return len(q.letters.text) }

// In reports whether a text holds all of the quote.
func (q Quote) In(text string) bool { return q.Len() > 0 && holds(q.letters, compact(text)) }

// Part is the stretch of its letters, from..to in bytes, that a passage holds.
func (q Quote) Part(passage string) (from, to int) {
	s := within(q.letters, compact(passage))
	return s.from, s.to
}

// Enough reports whether so many bytes of its letters count as holding it.
func (q Quote) Enough(n int) bool { return q.Len() > 0 && float64(n) >= enough*float64(q.Len()) }

// CitedBy reports whether a citation with this quote is one of it.
func (q Quote) CitedBy(cited string) bool { return quotes(q.letters, compact(cited)) }

// SameHeading reports whether a heading of a document is the one that an
// expectation names: the same but for markup, case and its number, or the number alone.
func SameHeading(want, have string) bool { return parseHeading(want).matches(parseHeading(have)) }
