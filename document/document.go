// Package document holds the nouns that every other package shares: sources,
// documents, revisions, sections, passages, spans, days and scopes. It has
// validation and no behaviour beyond it, and imports nothing of this module.
package document

import (
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"
	"time"
)

// ID names a document: the source it comes from and its slash path within that
// source. It survives every change of content.
type ID struct {
	Source string
	Path   string
}

// String gives "source:path", the form that commands accept when a path alone
// would name documents of several sources.
func (id ID) String() string { return id.Source + ":" + id.Path }

// Validate reports whether the id can be stored: a source name without ':' or
// '/', and a clean relative slash path.
func (id ID) Validate() error {
	switch {
	case id.Source == "" || strings.ContainsAny(id.Source, ":/\\\x00"):
		return fmt.Errorf("document: source name %q must be non-empty and hold no ':', '/' or '\\'", id.Source)
	case id.Path == "" || id.Path == "." || path.IsAbs(id.Path) || path.Clean(id.Path) != id.Path ||
		id.Path == ".." || strings.HasPrefix(id.Path, "../") || strings.ContainsRune(id.Path, 0):
		return fmt.Errorf("document: path %q must be relative, slash-separated and clean", id.Path)
	}
	return nil
}

// Source is a named place that documents come from.
type Source struct {
	Name string
	Kind string // "folder", "file", "site", "git", "bucket", or what a program calls it
	Root string // where it is, as its kind understands it: an absolute path, a URL
}

// Span is a half-open range of byte offsets, [From, To), into a revision's
// canonical text. Every passage, citation and highlight is a span.
type Span struct {
	From int
	To   int
}

// Len is the number of bytes that the span covers.
func (s Span) Len() int { return s.To - s.From }

// Contains reports whether all of t lies within s.
func (s Span) Contains(t Span) bool { return s.From <= t.From && t.To <= s.To }

// Overlaps reports whether s and t share at least one byte.
func (s Span) Overlaps(t Span) bool { return s.From < t.To && t.From < s.To }

// Of returns the text that the span covers; a span outside text gives "".
func (s Span) Of(text string) string {
	if s.From < 0 || s.To > len(text) || s.From > s.To {
		return ""
	}
	return text[s.From:s.To]
}

// Status is what a document says of itself.
type Status string

const (
	// Current is the status of a document that says nothing else.
	Current Status = "current"
	// Draft is seen only by a scope that asks for drafts.
	Draft Status = "draft"
	// Superseded is never in force today; it is in force at a past date only
	// where its effective dates say both when it began and when it ended.
	Superseded Status = "superseded"
)

// Metadata is what front matter, sidecars and the API say about a revision.
type Metadata struct {
	Title    string
	Category string
	Date     Day // of the document itself; not its validity
	Version  string
	Status   Status // "" means Current
	// Supersedes names documents of the same source and tenant, by path, whose
	// validity ends where this revision's begins.
	Supersedes []string
	// Effective is the validity that the document states. A zero From or To
	// is open (see Revision.Valid for what then holds).
	Effective Interval
	// Inferred says what Effective was inferred from where the document states nothing of
	// its validity, such as "file names". With a zero Effective it says what the day was
	// inferred from on which the revision counts as seen, such as "Git history". "": nothing
	// was inferred.
	Inferred string `json:",omitempty"`
	// Undecided is set by a sync until it has looked whether validity can be inferred.
	Undecided bool `json:",omitempty"`
	// Authority orders evidence; higher wins. 0 is the default.
	Authority  int
	Tenant     string // "" is the default tenant; MaxTenant bytes at most
	Access     Access
	Attributes map[string][]string // region, product, customer, ...; keys and values as written
	Language   string              // BCP 47; "" when unknown
	// Formerly are the paths that the document had before with this very content, the
	// oldest first. A store notes it (see store.Change); no document says it.
	Formerly []Former `json:",omitempty"`
}

// MaxTenant is how long the name of a tenant may be, in bytes: it stands in every row of a store's
// indexes.
const MaxTenant = 500

// Former is a path that a document had, until the day before Until.
type Former struct {
	Path  string
	Until Day
}

// StatesValidity reports whether the document says something of its own validity; then
// nothing is inferred.
func (m Metadata) StatesValidity() bool {
	return m.Inferred == "" && m.Effective != Interval{} || m.Status != "" || m.Version != "" || m.Date != 0 || len(m.Supersedes) > 0
}

// ScopeAttributes are the attributes that say where a document applies; others describe it.
func ScopeAttributes() []string {
	return []string{"region", "product", "customer", "country", "department", "edition"}
}

// Access says who may read. The zero Access is readable by nobody, so that a
// document whose access was not understood stays closed.
type Access struct {
	// Everyone is true when no readers were named.
	Everyone bool
	Readers  []string // principals, e.g. "group:legal"; any one suffices
	Deny     []string // principals; any one closes the document, whatever Readers says
}

// Public is the access of a document that names neither readers nor denials.
func Public() Access { return Access{Everyone: true} }

// Allows reports whether a caller who is all of principals may read.
func (a Access) Allows(principals []string) bool {
	for _, d := range a.Deny {
		for _, p := range principals {
			if p == d {
				return false
			}
		}
	}
	if a.Everyone {
		return true
	}
	for _, r := range a.Readers {
		for _, p := range principals {
			if p == r {
				return true
			}
		}
	}
	return false
}

// Revision is the content and metadata of a document at one time.
type Revision struct {
	Document ID
	// Hash identifies content and metadata (hex SHA-256 of the original's bytes
	// and of every sidecar that applies). Equal hashes are the same revision.
	Hash string
	// Pipeline identifies the code and settings that made sections, passages
	// and terms. Same hash, other pipeline: the revision is replaced in place.
	Pipeline string
	Seen     time.Time
	Format   string // "markdown", "html", "text"
	Title    string // from metadata, else the first heading, else the file's name
	Metadata Metadata
	// Text is the canonical text: for Markdown and plain text the decoded
	// original (UTF-8, LF), otherwise unchanged; for other formats what
	// extraction makes of it.
	Text     string
	Pages    Pages     // nil for a format without pages
	Lines    Lines     // where lines stand on the pages; nil for a format without pages
	Sections []Section // Sections[0] is the document itself
	Passages []Passage // in the order of the text
}

// PageStart is where a page of the original begins in the canonical text. Pages are
// counted from 1.
type PageStart struct{ Page, Offset int }

// Pages are where the pages of an original begin, in the order of the text. A page
// without text has no start.
type Pages []PageStart

// At is the page that an offset lies on, 0 if there are no pages.
func (p Pages) At(offset int) int {
	if len(p) == 0 {
		return 0
	}
	n := sort.Search(len(p), func(i int) bool { return p[i].Offset > offset })
	return p[max(n-1, 0)].Page
}

// Section is a node of a revision's outline.
type Section struct {
	Parent      int // index into Revision.Sections; -1 for the document itself
	Level       int // 0 is the document itself, 1.. its headings
	Heading     string
	Number      string   // visible numbering: "7.2", "(b)(iv)"; "" if none
	Path        []string // headings from level 1 down to this one; empty for the document itself
	Span        Span     // from its heading to the end of its last subsection
	Body        Span     // from its heading to its first subsection
	Description string   // one line, taken from the text
}

// Kind is what a passage is made of.
type Kind string

// The kinds of passages.
const (
	Paragraph Kind = "paragraph"
	List      Kind = "list"
	Clause    Kind = "clause"
	Table     Kind = "table"
	Code      Kind = "code"
)

// PassageID is hash(document id, heading path, kind, text, n-th equal one), in
// hex: text that a new revision leaves unchanged keeps its id.
type PassageID string

// ContentKey is hash(context, text), in hex: the key under which vectors are
// kept and reused.
type ContentKey string

// Passage is the unit that is found: in exactly one section, at one span.
type Passage struct {
	ID      PassageID
	Key     ContentKey
	Section int // index into Revision.Sections
	Kind    Kind
	// Context is indexed and embedded with the passage but is no part of its
	// span: heading path, caption, units, header row.
	Context string
	Text    string // Span.Of(Revision.Text)
	Span    Span
	Tokens  int // of Text, in tokens of the built-in WordPiece
}

// Scope says who asks and about what. The zero Scope sees public revisions of
// the default tenant that are in force today.
type Scope struct {
	Tenant     string
	Principals []string
	// Administrator reads what any reader of the tenant does, but for what denies one of
	// Principals (see Admits). Who is one is configured and never taken from a question.
	Administrator bool
	// AsOf is the day whose revisions in force are seen; zero is today.
	AsOf Day
	// Where excludes documents that carry one of these attributes with none of
	// the given values. A document that does not carry the attribute is general
	// and stays.
	Where  map[string][]string
	Drafts bool
	// Sources restricts to documents of these sources; empty is all.
	Sources []string
}

// Admits reports whether the scope's principals may read what has this access. An
// administrator counts as one of its readers; so what has none (the zero Access,
// "readers: []") stays closed to everyone, and a denial is a denial.
func (s Scope) Admits(a Access) bool {
	if s.Administrator && !a.Everyone && len(a.Readers) > 0 {
		a.Everyone = true
	}
	return a.Allows(s.Principals)
}

// ErrNotFound is returned for a document that does not exist or that the scope
// may not see; the two are not to be told apart.
var ErrNotFound = errors.New("no such document")
