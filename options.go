package quarry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/answer"
	"github.com/seed-d3156d19/quarry/internal/chunk"
	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/generate"
	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/internal/rerank"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// Reranker reads question and passage together and scores how well the one
// answers the other. A user may plug one in.
type Reranker = rerank.Reranker

// PageReader turns an original of a format that Quarry does not read into a web page.
// A user may plug one in.
type PageReader interface {
	// Page gives HTML or XHTML. name says the format by its ending. An error is one
	// sentence without text of the document; one that wraps ErrUnavailable says
	// nothing of it, and it is tried again at the next sync. It may be called
	// concurrently.
	Page(ctx context.Context, name string, data []byte) ([]byte, error)
}

// Recogniser recognises the text of images of pages (OCR), and gives a RecognisedPage with
// its lines and words. A user may plug one in; package standard takes tesseract
// where it is installed.
type (
	Recogniser     = ocr.Recogniser
	RecognisedPage = ocr.Page
	RecognisedLine = ocr.Line
	RecognisedWord = ocr.Word
)

// What a Recogniser's errors wrap: that one page cannot be read, or that nothing can be
// read now, which ends a sync.
var (
	ErrUnrecognisable = ocr.ErrPage
	ErrNoRecogniser   = ocr.ErrMissing
)

// ErrUnavailable is wrapped by errors of a PageReader that cannot work now.
var ErrUnavailable = extract.ErrUnavailable

// Place is where the documents of a source come from. A user may plug one in;
// package standard opens folders, sites, repositories and buckets.
type Place = source.Place

// Options configure a Corpus. The zero value of every field but Store is its
// default.
type Options struct {
	// Store holds the corpus. It is required; Close does not close it.
	Store store.Store
	// Embedder makes vectors. nil: keyword and identifier search only.
	Embedder embedding.Embedder
	// Reranker reorders candidates. nil: the fused order stands.
	Reranker Reranker
	// PageReader reads the binary formats of Office before 2007 and other rare ones. nil:
	// they are skipped.
	PageReader PageReader
	// Directory knows the groups of askers. nil: an asker is what a scope says.
	Directory Directory
	// Auditor keeps who asked what and which revisions were shown. nil: nobody does.
	Auditor Auditor
	// AuditFailed is told of a call that could not be recorded and is answered all the
	// same. nil: such a call fails.
	AuditFailed func(error)
	// Recogniser reads the text of images: of pages of a PDF that have no text, or none that
	// can be read, and of files unless PagesOnly. nil: such pages are reported as not
	// read, files of images are skipped.
	Recogniser Recogniser
	// PagesOnly leaves files of images out, such as pictures beside the pages of a site.
	PagesOnly bool
	// Clock says what day and time it is. nil: time.Now.
	Clock func() time.Time
	// Workers prepare documents at once. 0: one per processor.
	Workers int

	// Removals is the share of a source, above 0 and at most 1, that one sync removes
	// unasked (see SyncOptions.ConfirmRemovals); it always removes up to three
	// documents. 0: see DefaultRemovals; 1: everything.
	Removals float64

	// Freshness is how long ago a source may have been compared last before Status
	// calls it late. 0: none ever is.
	Freshness time.Duration

	// Permissions is whether those of files and folders bound who may read documents:
	// "off" or "posix". "": off.
	Permissions string

	// Series is whether validity is inferred of dated and numbered files, such as policy-v2.md
	// and policy-v3.md (see package internal/series): "auto" or "off". "": auto.
	Series string

	// Revisions is which revisions of a document are kept: "all"; "last 3", so many of the
	// newest; or a period such as "90 days", "18 months", "7 years": those that were in force
	// in it. The one in force is always kept. The next sync removes the text of the others, and
	// their vectors; that they were there is kept. "": all.
	Revisions string

	// DocumentBytes bounds a document's original. 0: 32 MiB.
	DocumentBytes int64

	// Chunk sizes, in tokens of the built-in WordPiece (see Chunking).
	Chunk Chunking
	// Retrieval is how candidates are found and ranked.
	Retrieval Retrieval
	// Evidence is what goes to the answer.
	Evidence EvidenceLimits
	// Answer is when an answer is given.
	Answer Answering
	// Chat writes answers from the evidence; what it writes is held against the evidence
	// sentence by sentence. nil: answers are quoted. One that is a chat.Streamer is streamed.
	Chat chat.Model
	// Generate is how it is asked.
	Generate Generating
}

// POSIX is the value of Options.Permissions that maps mode, owner and group of files.
const POSIX = "posix"

// Chunking says how documents are cut into passages.
type Chunking struct {
	Max     int // no passage is longer. 0: 512
	Target  int // small neighbours are joined up to it. 0: see DefaultChunkTarget
	Overlap int // where one unit must itself be cut. 0: 64; negative: none
}

// Retrieval says how candidates are found and ranked.
type Retrieval struct {
	PerLane    int     // candidates that each lane gives. 0: 100
	Candidates int     // that go on from fusion. 0: 50
	Fusion     string  // "weighted" or "rrf". "": weighted
	RRFK       float64 // the constant of reciprocal rank fusion. 0: 60
	// Weights of the lanes in fusion. All 0: DefaultWeights.
	Weights Weights
	// Authority is how far a document's authority lifts its passages: the most
	// authoritative candidate's score counts 1 + Authority times that of one
	// without any. 0: see DefaultAuthority; negative: none.
	Authority float64
	// Attributes is how far what is for the region, product or customer that the scope asks
	// for goes before what is for none, and what is for another than the question names
	// behind it: a score counts 1 + Attributes, 1 or 1 - Attributes times. 0: see
	// DefaultAttributes; negative: none.
	Attributes float64
	// Document is a passage's share, in the keyword lane, of the best score of its document:
	// of passages that fit equally well, the one from the document that is about the
	// question goes first. Not with rrf. 0: see DefaultDocument; negative: none.
	Document float64
	// Related is how far the places behind the fifth are ordered by nearness to the
	// best passage as well, as one part of an answer leads to the next. Not with rrf or
	// without a model. 0: see DefaultRelated; negative: none.
	Related float64
	// Spread is how far a passage stands back for each passage of its section that stands
	// before it, so that other sections have their say. Not with rrf. 0: see
	// DefaultSpread; negative: none.
	Spread float64
	// Order is how far a passage goes ahead in which the question's words follow each other as
	// they do there: its score counts 1 + Order times that of one without any. Not with rrf. 0: see
	// DefaultOrder; negative: none.
	Order float64
	// Coverage is how far words count more beside nearness where one passage holds all words of the
	// question: the keyword lane's weight counts up to 1 + Coverage times. Not with rrf. 0: see
	// DefaultCoverage; negative: none.
	Coverage float64
}

// Weights are the lanes' shares in fusion.
type Weights struct {
	Keyword, Vector, Identifier float64
}

// EvidenceLimits bound what goes to the answer.
type EvidenceLimits struct {
	Passages int // at most. 0: 12
	// Lead is how far a passage behind the third must stand out from the background,
	// which is the mean score of the candidates from rank 21 on: its share of the best one's
	// lead over it must be at least Lead * ln(place * sqrt(tokens / 128)), where place is the
	// best that a lane or the ranking gives it. So a question with one clear answer takes few
	// passages, and a long passage must promise more. The first passage of a document
	// that one of the first three names by its title goes on as well. A question of one
	// topic and no identifier takes as many as Passages says. 0: see DefaultLead;
	// negative: all questions do.
	Lead   float64
	Tokens int // 0: 3000
	// Section: a passage is replaced by its section where that has at most so many
	// tokens. 0: 400; negative: never.
	Section int
}

// Answering says when an answer is given.
type Answering struct {
	// Threshold is the least support, 0 to 1, that a sentence needs to be an
	// answer (see internal/answer). 0: DefaultThreshold.
	Threshold float64
	// Sentences is the most that an answer quotes for each requirement. 0: 3.
	Sentences int
	// Promise is the least, 0 to 1, that the candidates must promise of an answer for one to be
	// quoted. 0: anything; benchmarks/quality.md says what it gives.
	Promise float64
}

// Generating says how a model is asked for an answer.
type Generating struct {
	// Threshold is the least that the evidence must promise, 0 to 1, for the model to be
	// asked at all. 0: see DefaultPromise; negative: it is asked whatever was found.
	Threshold float64
	// Words is how long one answer of the model may be, in its tokens. 0: 1000.
	Words int
	// Tokens bounds what all calls for one question take, in and out. 0: 20000.
	Tokens int
	// Time bounds how long all of them take. 0: a minute.
	Time time.Duration
	// Prices are those of chat models, by the names that their services give them, so that
	// the trace tells what an answer costs. Of a model without one no cost is told.
	Prices map[string]Price
	// Currency is that of the prices. "": USD.
	Currency string
	// Verify is who scores, as a second witness, how far passages support the sentences that
	// held by the rules: "none", "reranker" or "model". What it says is recorded and decides
	// nothing. "": none.
	Verify string
}

// Price is what a million tokens cost that a model reads, and that it writes.
type Price struct{ Input, Output float64 }

func (p Price) absurd() bool {
	return !(p.Input >= 0 && p.Output >= 0 && max(p.Input, p.Output) <= 1_000_000)
}

// Defaults that were measured; benchmarks/quality.md says on what.
var (
	DefaultChunkTarget = 200
	DefaultWeights     = Weights{Keyword: 0.35, Vector: 0.65, Identifier: 0.5}
	DefaultAuthority   = 0.6
	DefaultAttributes  = 0.25
	DefaultDocument    = 0.1
	DefaultRelated     = 0.2
	DefaultSpread      = 0.4
	DefaultOrder       = 0.15
	DefaultCoverage    = 2.0
	DefaultLead        = 0.33
	DefaultThreshold   = 0.5
	DefaultPromise     = 0.1
)

// ensureDefaults fills in what was left at zero.
func (o Options) ensureDefaults() Options {
	set(&o.Workers, runtime.GOMAXPROCS(0))
	set(&o.DocumentBytes, 32<<20)
	set(&o.Removals, DefaultRemovals)
	set(&o.Permissions, "off")
	set(&o.Series, SeriesAuto)
	set(&o.Revisions, keepAll)
	set(&o.Chunk.Max, 512)
	set(&o.Chunk.Target, min(DefaultChunkTarget, o.Chunk.Max/2))
	set(&o.Chunk.Overlap, min(64, o.Chunk.Max/8))
	set(&o.Retrieval.PerLane, 100)
	set(&o.Retrieval.Candidates, 50)
	set(&o.Retrieval.Fusion, "weighted")
	set(&o.Retrieval.RRFK, 60)
	set(&o.Retrieval.Weights, DefaultWeights)
	set(&o.Retrieval.Authority, DefaultAuthority)
	set(&o.Retrieval.Attributes, DefaultAttributes)
	set(&o.Retrieval.Document, DefaultDocument)
	set(&o.Retrieval.Related, DefaultRelated)
	set(&o.Retrieval.Spread, DefaultSpread)
	set(&o.Retrieval.Order, DefaultOrder)
	set(&o.Retrieval.Coverage, DefaultCoverage)
	set(&o.Evidence.Passages, 12)
	set(&o.Evidence.Lead, DefaultLead)
	set(&o.Evidence.Tokens, 3000)
	set(&o.Evidence.Section, 400)
	set(&o.Answer.Threshold, DefaultThreshold)
	set(&o.Answer.Sentences, 3)
	set(&o.Generate.Threshold, DefaultPromise)
	set(&o.Generate.Words, 1000)
	set(&o.Generate.Tokens, 20_000)
	set(&o.Generate.Time, time.Minute)
	set(&o.Generate.Currency, "USD")
	set(&o.Generate.Verify, "none")
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Validate reports the first option that cannot be used, by its name in
// quarry.yaml.
func (o Options) Validate() error {
	w := o.Retrieval.Weights
	switch {
	case o.Store == nil:
		return errors.New("quarry: Options.Store is required: open one with standard.Open or a package below store")
	case o.Chunk.Max < 64 || o.Chunk.Max > 4096:
		return fmt.Errorf("chunk.max is %d: give 64 to 4096 tokens", o.Chunk.Max)
	case o.Chunk.Target < 1 || o.Chunk.Target > o.Chunk.Max:
		return fmt.Errorf("chunk.target is %d: give 1 to chunk.max (%d) tokens", o.Chunk.Target, o.Chunk.Max)
	case o.Chunk.Overlap > o.Chunk.Max/4:
		return fmt.Errorf("chunk.overlap is %d: give at most a quarter of chunk.max (%d) tokens", o.Chunk.Overlap, o.Chunk.Max)
	case o.Retrieval.Fusion != "weighted" && o.Retrieval.Fusion != "rrf":
		return fmt.Errorf("retrieval.fusion is %q: give weighted or rrf", o.Retrieval.Fusion)
	case o.Retrieval.PerLane < 1 || o.Retrieval.PerLane > 10_000:
		return fmt.Errorf("retrieval.per_lane is %d: give 1 to 10000", o.Retrieval.PerLane)
	case o.Retrieval.Candidates < 1 || o.Retrieval.Candidates > 10_000:
		return fmt.Errorf("retrieval.candidates is %d: give 1 to 10000", o.Retrieval.Candidates)
	case o.Retrieval.RRFK < 0 || o.Retrieval.RRFK > 1_000_000:
		return fmt.Errorf("retrieval.rrf_k is %g: give a number above 0, at most 1000000", o.Retrieval.RRFK)
	case min(w.Keyword, w.Vector, w.Identifier) < 0 || max(w.Keyword, w.Vector, w.Identifier) > 1000:
		return errors.New("retrieval.weights: give numbers between 0 and 1000")
	case o.Retrieval.Authority > 100:
		return fmt.Errorf("retrieval.authority is %g: give a number between 0 and 100", o.Retrieval.Authority)
	case o.Retrieval.Attributes > 1:
		return fmt.Errorf("retrieval.attributes is %g: give a number between 0 and 1", o.Retrieval.Attributes)
	case o.Retrieval.Related > 10:
		return fmt.Errorf("retrieval.related is %g: give a number between 0 and 10", o.Retrieval.Related)
	case o.Retrieval.Spread > 10:
		return fmt.Errorf("retrieval.spread is %g: give a number between 0 and 10", o.Retrieval.Spread)
	case o.Retrieval.Order > 10:
		return fmt.Errorf("retrieval.order is %g: give a number between 0 and 10", o.Retrieval.Order)
	case o.Retrieval.Coverage > 100:
		return fmt.Errorf("retrieval.coverage is %g: give a number between 0 and 100", o.Retrieval.Coverage)
	case o.Retrieval.Document > 1:
		return fmt.Errorf("retrieval.document is %g: give a number between 0 and 1", o.Retrieval.Document)
	case o.Evidence.Passages < 1 || o.Evidence.Passages > 1000:
		return fmt.Errorf("evidence.passages is %d: give 1 to 1000", o.Evidence.Passages)
	case o.Evidence.Lead >= 1:
		return fmt.Errorf("evidence.lead is %g: give a number from 0 to below 1", o.Evidence.Lead)
	case o.Evidence.Tokens < 1 || o.Evidence.Tokens > 1_000_000:
		return fmt.Errorf("evidence.tokens is %d: give 1 to 1000000", o.Evidence.Tokens)
	case o.Answer.Threshold < 0 || o.Answer.Threshold > 1:
		return fmt.Errorf("answer.threshold is %g: give a number between 0 and 1", o.Answer.Threshold)
	case o.Answer.Sentences < 1 || o.Answer.Sentences > 50:
		return fmt.Errorf("answer.sentences is %d: give 1 to 50", o.Answer.Sentences)
	case o.Answer.Promise < 0 || o.Answer.Promise > 1:
		return fmt.Errorf("answer.promise is %g: give a number between 0 and 1", o.Answer.Promise)
	case o.Generate.Threshold > 1:
		return fmt.Errorf("generate.threshold is %g: give a number between 0 and 1", o.Generate.Threshold)
	case o.Generate.Words < 1 || o.Generate.Words > 100_000:
		return fmt.Errorf("generate.words is %d: give 1 to 100000", o.Generate.Words)
	case o.Generate.Tokens < 1 || o.Generate.Tokens > 100_000_000:
		return fmt.Errorf("generate.tokens is %d: give 1 to 100000000", o.Generate.Tokens)
	case o.Generate.Time < 0 || o.Generate.Time > time.Hour:
		return fmt.Errorf("generate.time is %s: give at most an hour", o.Generate.Time)
	case o.Generate.Verify != "none" && o.Generate.Verify != "reranker" && o.Generate.Verify != "model":
		return fmt.Errorf("generate.verify is %q: give none, reranker or model", o.Generate.Verify)
	case slices.ContainsFunc(slices.Collect(maps.Values(o.Generate.Prices)), Price.absurd):
		return errors.New("generate.prices: give numbers between 0 and 1000000")
	case o.Workers < 1 || o.Workers > 1024:
		return fmt.Errorf("workers is %d: give 1 to 1024", o.Workers)
	case o.Removals <= 0 || o.Removals > 1:
		return fmt.Errorf("sources.removals is %g: give a number above 0, at most 1", o.Removals)
	case o.Freshness < 0:
		return fmt.Errorf("sources.freshness is %g: give 0 or more seconds", o.Freshness.Seconds())
	case o.Permissions != "off" && o.Permissions != POSIX:
		return fmt.Errorf("sources.permissions is %q: give off or posix", o.Permissions)
	case o.Series != SeriesAuto && o.Series != SeriesOff:
		return fmt.Errorf("sources.series is %q: give auto or off", o.Series)
	case !validRetention(o.Revisions):
		return fmt.Errorf("sources.revisions is %q: give all, or last 3, or a period such as 90 days, 18 months or 7 years", o.Revisions)
	case o.DocumentBytes < 1:
		return fmt.Errorf("limits.document_bytes is %d: give a positive number", o.DocumentBytes)
	}
	return nil
}

// The stages take their own options, so that none of them sees more than its own.

func (o Options) source() source.Options {
	return source.Options{MaxBytes: o.DocumentBytes, Permissions: o.Permissions == POSIX, Attachments: extract.Attachments}
}

func (o Options) chunking() chunk.Options {
	return chunk.Options{MaxTokens: o.Chunk.Max, TargetTokens: o.Chunk.Target, OverlapTokens: max(-1, o.Chunk.Overlap)}
}

func (o Options) retrieval() retrieve.Options {
	r := o.Retrieval
	return retrieve.Options{PerLane: r.PerLane, Candidates: r.Candidates, Fusion: r.Fusion, RRFK: r.RRFK,
		Keyword: r.Weights.Keyword, Vector: r.Weights.Vector, Model: o.vectors(), Identifier: r.Weights.Identifier, Authority: max(0, r.Authority), Attributes: max(0, r.Attributes),
		Document: max(0, r.Document), Related: max(0, r.Related), Spread: max(0, r.Spread),
		Order: max(0, r.Order), Coverage: max(0, r.Coverage)}
}

// vectors names what a store keeps vectors under: the model, and what of a passage is
// embedded, as vectors of two forms are not compared.
func (o Options) vectors() store.Model {
	if o.Embedder == nil {
		return store.Model{}
	}
	return store.Model{Name: o.Embedder.Name() + ", " + chunk.RowsVersion, Dims: o.Embedder.Dims()}
}

// evidence gives a vague question as many passages as may go: that each document has its
// own case shows in many of them alone.
func (o Options) evidence(plan query.Plan) evidence.Options {
	lead := max(0, o.Evidence.Lead)
	if plan.Vague() {
		lead = 0
	}
	return evidence.Options{Passages: o.Evidence.Passages, Lead: lead, Budget: o.Evidence.Tokens, Section: max(0, o.Evidence.Section), Asked: plan.Asked()}
}

func (o Options) answering() answer.Options {
	return answer.Options{Threshold: o.Answer.Threshold, Sentences: o.Answer.Sentences, Promise: o.Answer.Promise}
}

func (o Options) writing() answer.Writing {
	g := o.Generate
	var verifier generate.Verifier
	switch {
	case g.Verify == "reranker" && o.Reranker != nil:
		verifier = generate.ByRanking(o.Reranker.Name(), o.Reranker.Rerank)
	case g.Verify == "model" && o.Chat != nil:
		verifier = generate.ByModel(o.Chat)
	}
	w := answer.Writing{Promise: max(0, g.Threshold), Options: generate.Options{Model: o.Chat, Verifier: verifier, Words: g.Words, Tokens: g.Tokens, Time: g.Time}}
	if o.Chat != nil {
		if price, known := g.Prices[o.Chat.Name()]; known {
			w.Price = &generate.Price{Input: price.Input, Output: price.Output, Currency: g.Currency}
		}
	}
	return w
}
