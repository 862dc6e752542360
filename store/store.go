// Package store declares what Quarry asks of a store: the contract that
// store/local, store/postgres and every later engine implement and that
// store/storetest proves.
//
// A store is a Catalog and an Index. The Catalog is the transactional truth:
// documents, revisions, outlines, texts, access, validity, work to share. The
// Index finds passages by term, identifier, vector and outline under a scope.
// One engine may be both (SQLite, Postgres), or an Index may stand beside a
// Catalog (a vector database).
//
// A store never analyses text: terms and identifiers come with the change, and
// come with the question, made by the same analyser, so that a question ranks
// the same on every exact store.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/seed-d3156d19/quarry/document"
)

// Store is everything. Its methods may be called concurrently.
type Store interface {
	Catalog
	Index
	// View pins one commit, compiles the scope once, and is the only way to
	// read. The view stays what it was while later commits land; Close it.
	View(ctx context.Context, scope document.Scope) (View, error)
	Close() error
}

// Catalog is the transactional truth.
type Catalog interface {
	// Apply makes a change durable and visible as one: a reader sees all of it
	// or none, and so does whoever opens the store after a crash. Applying the
	// same change again changes nothing (Commit.Changed is false). Changes are
	// ordered: the returned sequence grows with every change that changed
	// something. Vectors of content keys that survive are kept.
	//
	// An error leaves the old state. ErrBusy says who holds the store for
	// writing; ErrInvalid that the change breaks the contract (a span outside
	// its text, a section without a parent, an id that is not valid).
	Apply(ctx context.Context, change Change) (Commit, error)

	// States lists every document of a source with the hash and pipeline of its
	// latest revision, or of its failure with the reason, for a sync to compare with
	// what the source holds. It is the writer's view: it knows no scope and is never
	// shown to one who asks questions.
	States(ctx context.Context, source string) ([]State, error)

	// Newest gives the newest revision, or the failure, of documents of a source, in the
	// order of the paths; those that are not there are left out. An error of each ends it. It is the writer's view, for a
	// sync to infer validity from.
	Newest(ctx context.Context, source string, paths []string, each func(Newest) error) error

	// Rings lists the documents of a source that supersede each other in a ring,
	// tenant by tenant (see package function Rings), for a sync to name: a ring is
	// a mistake that only who wrote the documents can mend. It is the writer's view.
	Rings(ctx context.Context, source string) ([][]string, error)

	// Sources lists the sources that have been added.
	Sources(ctx context.Context) ([]document.Source, error)

	// Synced tells, by source, how its last syncs went; a source that never was synced
	// is left out. MarkSynced notes it, in the place of what was noted before. It is for
	// people and no part of the commits: no sequence grows and no view sees it. A source
	// that was not added is ErrInvalid.
	Synced(ctx context.Context) (map[string]Sync, error)
	MarkSynced(ctx context.Context, source string, s Sync) error

	// Remains counts what the store still holds of a document, in whatever revision
	// and whoever may read it, to prove that it was removed. It is the operator's view.
	Remains(ctx context.Context, id document.ID) (Remains, error)

	// Whole gives all that the store keeps of documents of a source, in the order of the
	// paths and of one commit; those that are not there are left out. An error of each ends
	// it. Applied to another store in their order, the revisions and then the failure make
	// the document there what it is here. It is the operator's view, for a copy: it knows no
	// scope and is never shown to one who asks questions.
	Whole(ctx context.Context, source string, paths []string, each func(Whole) error) error

	// Claim takes up to n jobs of a kind for the lease; a job whose worker does
	// not call Done within it may be claimed again. Jobs are enqueued by Change.
	Claim(ctx context.Context, kind JobKind, n int, lease time.Duration) ([]Job, error)

	// Done ends jobs that this worker claimed. A job whose lease ran out and
	// that another worker holds now is left to that worker.
	Done(ctx context.Context, jobs []Job) error
}

// Index is the part of a store that is written apart from documents.
type Index interface {
	// PutVectors stores vectors by content key: of the model in force, or of one that
	// stands beside it (see AddModel). Keys already there are replaced; keys of no passage
	// are dropped. Where there are no vectors yet, the call puts the model in force.
	// Any other model is ErrModel, so that a process with an old configuration adds
	// nothing that no question would see.
	PutVectors(ctx context.Context, model Model, vectors []Vectors) error

	// VectorsOf gives the vectors of a model by content key, as they were put and in the
	// order of the keys; keys without vectors are left out, and of a model without a place
	// there are none. It is the operator's view, for a copy.
	VectorsOf(ctx context.Context, model Model, keys []document.ContentKey) ([]Vectors, error)

	// Models tells of which model the vectors are that questions are compared with,
	// and of which others there is a place for vectors, in the order they were added.
	Models(ctx context.Context) (Models, error)

	// AddModel makes a place for vectors of a model beside those in force, which
	// questions do not see. A model that has one keeps its vectors. Where no model is in
	// force it changes nothing, as the first vectors need no place.
	AddModel(ctx context.Context, model Model) error

	// AdoptModel puts a model that stands beside in force and removes the vectors of
	// all others, as one: a view sees all of it or none. It does so where at most
	// lacking passages have no vector of the model, and else changes nothing and is
	// false: passages may be added meanwhile. Of the model in force it is true and
	// changes nothing; of one without a place it is ErrModel.
	AdoptModel(ctx context.Context, model Model, lacking int) (bool, error)

	// DropModel removes a model that stands beside, with its vectors. Of one without a
	// place it changes nothing; of the one in force it is ErrModel.
	DropModel(ctx context.Context, model Model) error

	// MissingVectors lists, in a stable order and at most limit of them, the
	// passages of revisions that are kept which have no vector of the model.
	MissingVectors(ctx context.Context, model Model, limit int) ([]Unembedded, error)

	// CountMissing is how many MissingVectors would list without a limit.
	CountMissing(ctx context.Context, model Model) (int, error)
}

// Sharing is what a store that several processes write can do besides, so that they share the work of
// embedding: each document is embedded by who has claimed its Embed job.
type Sharing interface {
	// EnqueueMissing enqueues an Embed job for each document with a passage that MissingVectors
	// lists, unless it has one, claimed or not.
	EnqueueMissing(ctx context.Context, model Model) error

	// MissingOf is MissingVectors of the documents that jobs are of. A content key that an
	// earlier document lacks as well which has an Embed job is left to that one.
	MissingOf(ctx context.Context, model Model, jobs []Job, limit int) ([]Unembedded, error)

	// Extend lets jobs that this worker claimed last for the lease from now on; with a lease of
	// 0 they may be claimed again at once. One that another worker holds now is left alone.
	Extend(ctx context.Context, jobs []Job, lease time.Duration) error

	// Held counts the jobs of a kind that are claimed by any worker and whose lease is not over.
	Held(ctx context.Context, kind JobKind) (int, error)
}

// Change is what Apply applies, whole revisions only. It names a document at most
// once, and documents only of sources that were added before or with it (see
// Validate).
type Change struct {
	// Source registers or updates the source that the documents belong to.
	Source *document.Source
	// Put adds revisions, each the newest of its document. One with the hash of the
	// newest there is replaces it in place, and was seen when that was; but when it says
	// itself where that lies in the future (see Ahead) and it says earlier.
	Put []Revision
	// Fail records documents that could not be turned into passages. A document
	// that failed keeps no revision in force: a stale text never answers for a
	// file that could not be read. Days before the failure was seen still see the
	// revisions that held then.
	Fail []Failure
	// Date gives documents the validity that was inferred for them.
	Date []Dated
	// Forget takes the text from revisions that are not to be kept any longer.
	Forget []Forgotten
	// Remove deletes documents with all their revisions, texts and terms.
	Remove []document.ID
	// Renamed says of documents in Put that another document of their source has become
	// them. Where the one put is new and has the hash of the other's newest revision, the
	// other goes on under the new id, with all its revisions, seen when they were:
	// Metadata.Formerly of the newest names its old path, and the passages of the older
	// ones get other ids. Else the other is removed.
	Renamed []Renamed
	// RemoveSource deletes a source and all its documents.
	RemoveSource string
}

// Dated is the validity that was inferred for a document: Effective and Inferred of the
// metadata of all its revisions that state none (see document.Metadata.StatesValidity). Zero
// ones take it back. A document that is not there is left alone.
type Dated struct {
	Document  document.ID
	Effective document.Interval
	Inferred  string
}

// Forgotten are revisions of a document that are not to be kept: all but the Keep newest of
// it that hold on no day from Since on; of drafts those that a newer revision has replaced
// by then. Their passages, terms, vectors,
// text, outline and findings are removed. What stays is that there was a revision, and when
// it held: on its days the document is not in force, and no other revision stands in for
// it (see Counts.Forgotten). A document that is not there is left alone.
type Forgotten struct {
	Document document.ID
	Keep     int // 1 or more
	Since    document.Day
}

// Newest is what a sync infers validity from: the newest revision of a document, or its
// failure, of which Metadata has tenant and access alone.
type Newest struct {
	Path     string
	Title    string
	Text     string
	Metadata document.Metadata
	First    document.Day // on which its first revision was seen, or that it failed
	Failed   bool
}

// Revision is a document's revision with what analyze made of it: Terms[i]
// belongs to Passages[i], Outline[i] to Sections[i].
type Revision struct {
	document.Revision
	Terms   []Terms
	Outline []Terms
	// Extraction is how well the original could be read.
	Extraction document.Extraction
	Findings   document.Findings
	// Names are what other documents call this one, in a form that the caller of
	// Apply and of Named shares; sorted, unique, not empty.
	Names []string
	// Forgotten is one whose text is not kept any more (see Forgotten): it has no text, no
	// passages, and no section but the document itself. It is put where a document is copied.
	Forgotten bool
}

// Whole is all that a store keeps of one document, but for its vectors and for what follows
// from the rest.
type Whole struct {
	Document  document.ID
	Revisions []Revision // the oldest first; Outline[0] is empty, as it is not searched
	Failure   *Failure   // where that is its latest state
}

// Terms is the analysed form of one passage or section.
type Terms struct {
	Postings    []Posting    // sorted by Field, then Term; unique
	Lengths     [Fields]int  // number of tokens per field
	Identifiers []Identifier // sorted by Value; unique
}

// Field is the part of a passage that a term stands in.
type Field uint8

// The fields of a passage. A section has its document's title, its heading path
// with numbering, and its description as text.
const (
	Title Field = iota
	HeadingPath
	Text
	Fields = 3
)

// Posting is one term of one field of one passage.
type Posting struct {
	Term      string
	Field     Field
	Positions []uint32 // token positions within the field, ascending; its length is the frequency
}

// Identifier is an identifier of a passage, kept whole or as a part of one.
type Identifier struct {
	Value string
	// Weight is how strongly the passage is about it, in (0, 1]: 1 where it
	// names the passage's own clause or heading, less for a mention, less again
	// for a part of a longer identifier.
	Weight float32
}

// Failure is a document that yielded no passages, and why.
type Failure struct {
	Document document.ID
	Hash     string // of what failed, so that it is tried again only when changed
	Pipeline string
	Reason   string // one sentence, without text of the document
	Seen     time.Time
	// Tenant and Access decide who may see that it failed; the zero Access is
	// seen by nobody but the writer.
	Tenant string
	Access document.Access
}

// Renamed is a document that is found under another path.
type Renamed struct{ From, To document.ID }

// Sync is how the last syncs of a source went.
type Sync struct {
	// Whole is when one last compared the source whole with what it holds, to the hour
	// where nothing had changed; the zero Time where none did.
	Whole time.Time
	// At is when one last changed something or went wrong, the zero Time where that is
	// not known, and the numbers are the documents of that one.
	At                                                                                time.Time
	Added, Changed, Renamed, Removed, Unchanged, Failed, Unreached, Withheld, Skipped int
	// Error says why it ended before its end, in one sentence; "" where it did not.
	Error string
}

// Remains is what a store still holds of a document: all 0 where it was removed.
type Remains struct {
	Revisions int
	Failures  int // that it could not be turned into passages, with the reason
	Texts     int // of revisions
	Passages  int
	Terms     int // passages with their terms in the index, those that are out of date too
	Vectors   int // passages' contents that have vectors, in all models
	// Unowned counts texts, passages, terms and vectors that belong to no document:
	// what a removal would have left behind of whichever document. It is always 0.
	Unowned int
	// Log is how many bytes of the store's past may still lie in a file beside it,
	// which is emptied once nobody reads what was before: 0 where there are none.
	Log int64
}

// State is what a sync needs to know of a document it has seen before.
type State struct {
	Path     string
	Hash     string
	Pipeline string
	Failed   bool
	Reason   string    // why it failed
	Seen     time.Time // when the revision or the failure was
	// Undecided is that of the newest revision's metadata.
	Undecided bool
	// Revisions is how many there are with their text.
	Revisions int
}

// Commit identifies a state of the store.
type Commit struct {
	Sequence int64
	Changed  bool
}

// JobKind names a kind of shared work.
type JobKind string

// Embed is the work of computing the vectors of a document's passages. Apply
// enqueues one such job for each revision put that has a text.
const Embed JobKind = "embed"

// Job is one claimed piece of work.
type Job struct {
	ID       int64
	Kind     JobKind
	Document document.ID
	Token    string // proves the claim
}

// Model identifies an embedding model as it was used: another name or another
// number of dimensions is another model, and vectors of two are never compared.
type Model struct {
	Name string
	Dims int
}

// Models are the models that a store has vectors of, or a place for them.
type Models struct {
	InForce Model // the zero Model where there are no vectors yet
	Beside  []Model
}

// Vectors are the vectors of one content key: one, or one per window of a
// passage longer than the model's limit, and those of the rows of its tables. Each has Model.Dims components and
// unit length.
type Vectors struct {
	Key     document.ContentKey
	Vectors [][]float32
}

// Unembedded is a passage that waits for its vector.
type Unembedded struct {
	Key document.ContentKey
	// Document is one that holds the passage, or held it; others may too.
	Document document.ID
	Context  string
	Text     string
}

// Errors that callers tell apart with errors.Is. Their messages are sentences
// that say what to do.
var (
	ErrNoStore = errors.New("there is no store yet")
	// ErrReadOnly is wrapped where this user may not write the store.
	ErrReadOnly = errors.New("the store may not be written by this user")
	ErrBusy     = errors.New("the store is being written by another process")
	ErrInvalid  = errors.New("invalid change")
	// ErrModel is wrapped where vectors are of a model that the store has none of.
	ErrModel   = errors.New("the vectors of the store are of another model")
	ErrNewer   = errors.New("the store was written by a newer version")
	ErrDamaged = errors.New("the store is damaged")
	ErrClosed  = errors.New("the store is closed")
)
