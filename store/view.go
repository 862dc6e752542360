package store

import (
	"context"
	"time"

	"github.com/seed-d3156d19/quarry/document"
)

// View is a commit as a scope sees it. What the scope may not see does not
// appear in hits, scores, counts, outlines or errors: it is as if it were not
// there. Methods may be called concurrently until Close.
//
// Of each document one revision at most is in force on the scope's day: the
// latest seen of those whose validity holds that day, drafts aside (or among
// them, where the scope asks for drafts); one that is superseded only on days
// before today, and none from the day on which the document failed. Access, tenant and attributes are
// then asked of that revision; an older one never stands in for one that may
// not be read.
//
// That a document is superseded holds for everyone, also for those who may not
// read the document that supersedes it: a text that is no longer in force is
// wrong whoever asks.
//
// Closing a document closes its past: its newest revision, drafts among them,
// must admit the scope's tenant and principals as well, whatever day is asked
// for.
//
// The day of a scope that names none is Today of the store's clock and the day that
// the newest revision was seen.
//
// # Statistics
//
// BM25's statistics count the passages of revisions in force today, of the
// scope's tenant and of the access classes that the scope admits, one class
// per distinct Access. Day asked for, attributes, sources, drafts and Restrict do not
// change them. Identifier weights use the same population.
type View interface {
	// Commit is the state that the view pins.
	Commit() Commit
	// Day is the day that the view answers for.
	Day() document.Day

	// Model is the model whose vectors are in force at the commit (see Models).
	Model(ctx context.Context) (Model, error)

	// Keyword ranks passages by BM25 over the weighted fields.
	Keyword(ctx context.Context, terms []QueryTerm, k int) (Hits, error)
	// Identifier ranks passages by the identifiers they hold (see IdentifierScore).
	Identifier(ctx context.Context, identifiers []QueryTerm, k int) (Hits, error)
	// Vector ranks passages by the greatest dot product of any of their vectors
	// with the query's; passages without a vector of the model are no hits. A query
	// of other dimensions than the model's, or not finite, is ErrInvalid.
	Vector(ctx context.Context, model Model, query []float32, k int) (Hits, error)
	// Outline ranks sections (never level 0) by BM25 over title, heading path
	// and description, with statistics of its own over sections.
	Outline(ctx context.Context, terms []QueryTerm, k int) (SectionHits, error)

	// The Score methods give, for each passage asked for and in that order, what the lane
	// would score it: 0 where no term matches, and for ScoreVector NaN where
	// the passage has no vector of the model. A passage that the view does not
	// see is ErrNotFound.
	ScoreKeyword(ctx context.Context, terms []QueryTerm, passages []document.PassageID) ([]float64, error)
	ScoreIdentifier(ctx context.Context, identifiers []QueryTerm, passages []document.PassageID) ([]float64, error)
	ScoreVector(ctx context.Context, model Model, query []float32, passages []document.PassageID) ([]float64, error)

	// Similar gives, for each passage asked for and in that order, the greatest dot product of
	// any of its vectors with the first vector of passage to; NaN where one of the two has no
	// vector of the model. A passage that the view does not see, to among them, is ErrNotFound.
	Similar(ctx context.Context, model Model, to document.PassageID, passages []document.PassageID) ([]float64, error)

	// Near lists terms of passages that the view sees which are at most so many edits
	// from a term (see Edits), the term itself among them: the nearest first, then
	// those in more passages, then in the order of the terms; k of them at most.
	// edits is 0 to MaxEdits.
	Near(ctx context.Context, term string, edits, k int) ([]NearTerm, error)

	// Phrase ranks the passages that hold every word of a phrase by Closeness in the field
	// where they stand closest; those that hold them in no field together are no hits.
	// No more than k are looked at: of more, those that Keyword puts first when it is asked for
	// the terms of the phrase. A phrase without words has no hits.
	Phrase(ctx context.Context, phrase Phrase, k int) (PhraseHits, error)

	// Restrict narrows the view to the given places: passages, sections and
	// documents outside all of them are not seen. Statistics stay. Places that
	// the view does not see narrow it to nothing, without an error. The
	// narrowed view pins the same commit and must be closed as well. Restricting
	// it again intersects. Document still gives the whole text and outline of a
	// document of which a section is seen, so that places keep their numbers.
	Restrict(ctx context.Context, to []Place) (View, error)

	// Passages returns passages in the order asked for; one that the view does
	// not see is document.ErrNotFound.
	Passages(ctx context.Context, ids []document.PassageID) ([]Located, error)
	// Document returns the revision in force with its text and outline; without
	// its passages unless asked.
	Document(ctx context.Context, id document.ID, passages bool) (document.Revision, error)
	// Extraction and Findings return what Apply was given with the revision in force;
	// of one that an older version stored without them they are empty. Findings of a
	// view that is restricted to sections are those of the whole document, as its text is.
	Extraction(ctx context.Context, id document.ID) (document.Extraction, error)
	Findings(ctx context.Context, id document.ID) (document.Findings, error)
	// Named lists the documents that the view sees whose revision in force has the
	// name, by source and path.
	Named(ctx context.Context, name string) ([]document.ID, error)
	// Documents lists what the view sees, by source and path.
	Documents(ctx context.Context) ([]Listed, error)
	// History tells what a document was and is, on whatever day and for whichever
	// attributes and sources, drafts among them, to one who may read it: it asks
	// the scope's tenant and principals alone. The newest revision, and the
	// failure where it failed, must admit them; else it is document.ErrNotFound,
	// as where there is no such document. A restricted view has the history of
	// what it sees alone.
	History(ctx context.Context, id document.ID) (History, error)
	// Revision returns a revision of a document by its hash, in force or not, with its
	// passages, under the rules of History: of several with one hash the newest. One that
	// there is not, or that may not be read, is document.ErrNotFound.
	Revision(ctx context.Context, id document.ID, hash string) (document.Revision, error)
	// Attributes lists the values of attributes that documents carry which the view sees,
	// by key; sorted, unique.
	Attributes(ctx context.Context) (map[string][]string, error)
	// Filtered counts what the scope leaves out of the documents that its tenant and
	// principals may read; Restrict does not change it. A document whose newest revision
	// does not admit them, or whose revision in force does not, is counted nowhere, and
	// neither is one that failed.
	Filtered(ctx context.Context) (Filtered, error)
	// Counts counts what the view sees.
	Counts(ctx context.Context) (Counts, error)
	// Statistics returns the statistics that Keyword uses for the terms.
	Statistics(ctx context.Context, terms []string) (Statistics, error)

	Close() error
}

// QueryTerm is a term or identifier of a question, with its weight (1 for a
// plain one).
type QueryTerm struct {
	Term   string
	Weight float64
}

// NearTerm is a term and how far it is from the one asked for.
type NearTerm struct {
	Term     string
	Edits    int
	Passages int // that the view sees and that hold it, in any field
}

// Hits is the result of a lane: the best k, score descending, ties by passage
// id ascending; and what is needed to normalise scores over all that the lane
// scored, not only its best.
type Hits struct {
	Hits []Hit
	// Matched is the number of passages that the lane gave a score.
	Matched int
	// Min and Max bound the scores over every passage that the view sees. A
	// passage without a matching term counts as 0 in the keyword and identifier
	// lanes; in the vector lane passages without a vector do not count.
	Min, Max float64
}

// Hit is a passage and its score in one lane.
type Hit struct {
	Passage document.PassageID
	Score   float64
}

// SectionHits is the result of the outline lane.
type SectionHits struct {
	Hits    []SectionHit
	Matched int
	Max     float64
}

// SectionHit is a section and its score.
type SectionHit struct {
	Document document.ID
	Section  int // index into the revision's sections
	Heading  string
	Path     []string
	Span     document.Span
	Score    float64
}

// Place is a document, or one section of it with all below it. Section is an
// index into the sections of the revision in force; 0 is the whole document.
type Place struct {
	Document document.ID
	Section  int
}

// Located is a passage where it stands in the revision in force.
type Located struct {
	document.Passage
	Document    document.ID
	Title       string
	Revision    string // the revision's hash
	Heading     []string
	SectionSpan document.Span
	Pages       document.Pages // of the whole revision
	Lines       document.Lines // of the whole revision
	Authority   int
	Status      document.Status
	Valid       document.Interval
	Inferred    string // see document.Metadata.Inferred
	Attributes  map[string][]string
}

// Listed is a document as Documents lists it.
type Listed struct {
	Document document.ID
	Title    string
	Revision string
	Status   string // "current", "draft", "superseded" or "failed"
	Valid    document.Interval
	Inferred string // see document.Metadata.Inferred
	Passages int
	Vectors  int    // passages that have a vector of the model in force
	Suspect  bool   // its extraction has doubts
	Error    string // why it failed
}

// History is what a document was and is, for one who may read it.
type History struct {
	Document document.ID
	// Revisions are those that the scope's tenant and principals may read, the oldest first.
	Revisions []Held
	// Failed says why it could not be turned into passages, where that is its
	// newest state, and FailedOn since when.
	Failed   string
	FailedOn document.Day
}

// Held is a revision with the days on which it may be in force.
type Held struct {
	Revision   string
	Title      string
	Status     document.Status
	Valid      document.Interval
	Forgotten  bool // its text is not kept any more
	Attributes map[string][]string
	Seen       time.Time
	Format     string
	// Metadata is what the revision says of itself: Effective is the validity that it
	// states, empty where Valid follows from when it was seen.
	Metadata document.Metadata
}

// Counts counts what a view sees.
type Counts struct {
	Documents int // with a revision in force
	Failed    int // the others that Documents lists
	// Forgotten are documents that are not seen because the revision in force on the day is
	// not kept any more; Documents does not list them. A restricted view counts none.
	Forgotten int
	Sections  int // without the documents themselves
	Passages  int
	// Vectors counts the passages with a vector, by model.
	Vectors map[Model]int
}

// Filtered counts the documents that a scope leaves out, each under the first of its
// filters that does so, in the order of the fields; under Attributes with each key that does.
type Filtered struct {
	Sources    int            // of other sources
	Validity   int            // no revision in force on the day
	Drafts     int            // a draft would be in force
	Attributes map[string]int // by key asked for
	// Values are, by key asked for, those that documents carry which pass all other filters:
	// sorted, unique.
	Values map[string][]string
}
