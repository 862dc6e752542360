package document

// Findings are the places in a revision's text that lead elsewhere or are led to.
// Each list is in the order of the text. They are kept as they stand in the text;
// what a reference leads to is looked up when it is asked for, so that it is right
// whatever was added and removed since.
type Findings struct {
	References  []Reference
	Labels      []Label
	Definitions []Definition
}

// ReferenceKind says how a text refers to something.
type ReferenceKind string

// The kinds of references.
const (
	ToPlace    ReferenceKind = "place"    // "clause 7.2", "Table 3", "RF-204 section 2"
	ToDocument ReferenceKind = "document" // "Policy RF-204", "the Data Retention Policy"
	ToLink     ReferenceKind = "link"     // an address of another document, or of a place in one
	ToFootnote ReferenceKind = "footnote" // the mark of a footnote
)

// Reference is a place in the text that refers to another place or document.
type Reference struct {
	Kind    ReferenceKind
	Span    Span // the words that refer
	Section int  // in which they stand
	// Document is the name of the document that is meant, in the form of
	// Revision names in package store; "" is this one.
	Document string
	// Place is the place that is meant, "" the whole document: a word and a number
	// in lower case ("clause 7.2", "table 3", "footnote 1"), the heading's anchor
	// of a link ("#notice"), and of a place within another both, the outer first
	// ("schedule a / paragraph 3").
	Place string
	// Tentative is one that is a reference only if there is what it names: most
	// codes in a text name no document.
	Tentative bool
}

// Label is the name of a place that is no section: a numbered clause or item, a
// caption, a footnote.
type Label struct {
	Name    string // "7.2", "4(b)", "table 3", "footnote 1"
	Span    Span   // of what has the name
	Section int
}

// DefinitionKind says what a definition is of.
type DefinitionKind string

// The kinds of definitions.
const (
	OfTerm         DefinitionKind = "term"         // "Business Day" means ...
	OfAbbreviation DefinitionKind = "abbreviation" // Minimum Equipment List (MEL)
)

// Definition is a place that says what a term means or an abbreviation stands for.
type Definition struct {
	Kind    DefinitionKind
	Term    string
	Span    Span // all of it, the term included
	Meaning Span // what is said of the term
	Section int
}
