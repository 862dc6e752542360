package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// Batches bound what one change holds in memory, about (see weight), and how much a
// killed sync loses.
const (
	batchDocuments = 64
	batchBytes     = 64 << 20
)

// weight is about what a revision takes in memory, in bytes: its terms and sections
// more than its text, above all where few words come again.
func weight(r store.Revision) int {
	const posting, passage, section = 64, 400, 400
	n := len(r.Text) + passage*len(r.Passages) + section*(len(r.Sections)+len(r.Findings.References)+len(r.Findings.Labels)+len(r.Findings.Definitions))
	for _, t := range r.Terms {
		n += posting * (len(t.Postings) + len(t.Identifiers))
	}
	for _, t := range r.Outline {
		n += posting * (len(t.Postings) + len(t.Identifiers))
	}
	return n
}

// SyncOptions say how a sync runs. The zero value is all defaults.
type SyncOptions struct {
	Progress Progress
	// ConfirmRemovals removes what is gone from the source however much it is.
	ConfirmRemovals bool
}

// Sync is SyncFrom for the folder or file at root.
func (c *Corpus) Sync(ctx context.Context, name, root string, p Progress) (Report, error) {
	if err := c.opened(); err != nil {
		return Report{Source: name}, err
	}
	place, err := source.Open(root, c.options.source())
	if err != nil {
		return Report{Source: name}, err
	}
	return c.SyncFrom(ctx, name, place, SyncOptions{Progress: p})
}

// SyncFrom makes the corpus hold what a place holds: new and
// changed documents are indexed, unchanged ones are not touched, renamed ones
// stay what they were under another path, and ones that are gone are removed. Each
// document is whole in the store or not in it at all; a sync that was interrupted goes on
// where it stopped when it is called again. The error is about the sync itself; documents that fail are in
// the report.
func (c *Corpus) SyncFrom(ctx context.Context, name string, place Place, o SyncOptions) (Report, error) {
	if err := c.opened(); err != nil {
		return Report{Source: name}, err
	}
	in, err := c.intake(ctx, document.Source{Name: name, Kind: place.Kind(), Root: place.Root()}, o.Progress)
	if err != nil {
		return in.report, err
	}
	in.removals = c.options.Removals
	if o.ConfirmRemovals {
		in.removals = 1
	}
	if err = in.from(ctx, place, o.ConfirmRemovals); err != nil {
		_ = in.failed(ctx, err) // the error itself counts, whether or not it can be noted
	}
	return in.report, err
}

// from takes in what a place holds.
func (in *intake) from(ctx context.Context, place Place, confirmed bool) error {
	root := place.Root()
	listing, err := place.List(ctx)
	if err != nil {
		return err
	}
	in.report.Incomplete = !listing.Complete
	in.unread = listing.Unread
	in.series.listed = listing.Items
	if place.Kind() == "git" && slices.ContainsFunc(listing.Items, func(it source.Item) bool { return !it.Since.IsZero() }) {
		in.series.basis = gitHistory
	}
	for _, s := range listing.Skipped {
		in.report.Skipped = append(in.report.Skipped, Problem{s.Path, s.Reason})
	}
	switch {
	case len(listing.Items) == 0 && len(in.states) == 0:
		return fmt.Errorf("%s holds no documents: give a folder with documents; quarry add --help lists the formats", root)
	case len(listing.Items) == 0 && listing.Complete && !confirmed:
		// A disk that is not mounted looks like this too.
		return fmt.Errorf("%s is empty now and %d of its documents are indexed: nothing was removed; if it was emptied on purpose, run quarry remove %s", root, len(in.states), in.source)
	}
	call(in.progress.Listed, len(listing.Items))
	if err := in.takePast(ctx, listing.Past); err != nil {
		return err
	}
	in.expectRenames(listing)
	return in.take(ctx, entriesOf(listing.Items, time.Time{}))
}

// entriesOf are the entries of items; since is when those came to be that do not say so.
func entriesOf(items []source.Item, since time.Time) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for _, item := range items {
			e := entry{path: item.Path, name: cmp.Or(item.Name, item.Path), size: item.Size, since: since, read: item.Read}
			if !item.Since.IsZero() {
				e.since = item.Since
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// intake is one source on its way into the store, in batches.
type intake struct {
	corpus   *Corpus
	source   string
	progress Progress
	states   map[string]store.State // what the store knew before
	report   Report

	change  store.Change // the next batch
	size    int          // its weight
	done    int
	kept    int             // documents that the batches before it brought up to date
	present map[string]bool // documents that the source still has
	unread  []string        // archives and messages of which it may have more
	leftOut []source.Skipped
	gone    map[string]bool // documents that the source itself says it has no more

	lacking map[string][]string // see expectRenames
	became  map[string]bool     // documents that were renamed

	removals float64 // the share of the source that may go at once
	series   seriesIntake

	superseding map[string][]string // what the documents that it takes in say that they supersede, by path
}

// intake begins one; the source is written with the first batch. The report of
// an intake that failed to begin names the source.
func (c *Corpus) intake(ctx context.Context, s document.Source, p Progress) (*intake, error) {
	in := &intake{corpus: c, source: s.Name, progress: p, report: Report{Source: s.Name},
		present: map[string]bool{}, gone: map[string]bool{}, became: map[string]bool{}, removals: 1}
	err := c.checkModel(ctx)
	if err != nil {
		return in, err
	}
	if in.change.Source, err = c.register(ctx, s); err != nil {
		return in, err
	}
	in.states, err = c.states(ctx, s.Name)
	return in, err
}

// take indexes the entries and removes what is gone.
func (in *intake) take(ctx context.Context, entries iter.Seq2[entry, error]) error {
	err := in.all(ctx, entries)
	if err != nil && in.kept > 0 && ctx.Err() == nil {
		return fmt.Errorf("%w; what came before it is kept (%d of the source's documents)", err, in.kept)
	}
	return err
}

func (in *intake) all(ctx context.Context, entries iter.Seq2[entry, error]) error {
	err := in.corpus.prepareAll(ctx, in.source, entries, in.states, func(path string, r prepared) error {
		return in.add(ctx, path, r)
	})
	if err != nil {
		return err
	}
	in.removeGone()
	if err := in.inferRest(ctx); err != nil {
		return err
	}
	if err := in.flush(ctx); err != nil {
		return err
	}
	if err := in.forget(ctx); err != nil {
		return err
	}
	if err := in.warn(ctx); err != nil {
		return err
	}
	if err := in.mark(ctx); err != nil {
		return err
	}
	in.report.sort()
	return in.corpus.embed(ctx, in.progress, &in.report)
}

// hidden is whether a document lay in what could not be looked into.
func (in *intake) hidden(path string) bool {
	return slices.ContainsFunc(in.unread, func(archive string) bool { return strings.HasPrefix(path, archive+source.Inside) })
}

const ringNamed = 5 // documents of a ring in a sentence

// warn names the documents that supersede each other in a ring: until that is
// mended all of them stay in force. So does what a document names by a wrong path.
func (in *intake) warn(ctx context.Context) error {
	rings, err := in.corpus.store.Rings(ctx, in.source)
	for _, ring := range rings {
		for i, path := range ring {
			others := slices.Delete(slices.Clone(ring), i, i+1)
			if more := len(others) - ringNamed; more > 0 {
				others = append(others[:ringNamed], fmt.Sprintf("%d more", more))
			}
			in.report.Warned = append(in.report.Warned, Problem{path, fmt.Sprintf("it and %s supersede each other, so none of them ends another: take it away where it is wrong", strings.Join(others, ", "))})
		}
	}
	if err != nil {
		return err
	}
	return in.warnOfUnmet(ctx)
}

// add takes one prepared document into the batch and the report, and with the last of its
// series all of that.
func (in *intake) add(ctx context.Context, path string, r prepared) error {
	if err := in.addOne(ctx, path, r); err != nil {
		return err
	}
	return in.inferAt(ctx, path)
}

func (in *intake) addOne(ctx context.Context, path string, r prepared) error {
	in.done++
	call(in.progress.Prepared, in.done)
	known, before := in.states[path]
	if errors.Is(r.err, source.ErrGone) {
		in.gone[path] = true // removed in the end
		return nil
	}
	if errors.Is(r.err, source.ErrUnavailable) {
		in.present[path] = true
		in.report.Unreached = append(in.report.Unreached, Problem{path, r.err.Error()})
		return nil
	}
	if errors.Is(r.err, extract.ErrUnsupported) {
		in.report.Skipped = append(in.report.Skipped, Problem{path, r.err.Error()})
		return nil
	}
	if r.err != nil {
		return r.err
	}
	in.present[path] = true
	if doubts := r.revision.Extraction.Doubts; len(doubts) > 0 {
		in.report.Suspect = append(in.report.Suspect, Problem{path, strings.Join(doubts, " ")})
	}
	switch {
	case r.unchanged && known.Failed:
		in.report.Failed = append(in.report.Failed, Problem{path, known.Reason})
		return nil
	case r.unchanged:
		in.report.Unchanged++
		return nil
	case r.failure != nil:
		in.report.Failed = append(in.report.Failed, Problem{path, r.failure.Reason})
		in.change.Fail = append(in.change.Fail, *r.failure)
		in.series.touch(path)
	case before:
		in.report.Changed = append(in.report.Changed, path)
		return in.put(ctx, r.revision)
	case in.renamed(path, r.revision.Hash):
		return in.put(ctx, r.revision)
	default:
		in.report.Added = append(in.report.Added, path)
		return in.put(ctx, r.revision)
	}
	return in.flushFull(ctx)
}

func (in *intake) put(ctx context.Context, r store.Revision) error {
	in.supersedes(r.Document.Path, r.Metadata)
	in.undecided(&r)
	in.change.Put = append(in.change.Put, r)
	in.size += weight(r)
	return in.flushFull(ctx)
}

// flushFull applies the batch once it is full.
func (in *intake) flushFull(ctx context.Context) error {
	if n := len(in.change.Put) + len(in.change.Fail) + len(in.change.Date); n >= batchDocuments && !in.series.waits(n) || in.size >= batchBytes {
		return in.flush(ctx)
	}
	return nil
}

func (in *intake) flush(ctx context.Context) error {
	for {
		n := len(in.change.Put) + len(in.change.Fail) + len(in.change.Date) + len(in.change.Forget) + len(in.change.Remove)
		if n == 0 {
			return nil
		}
		commit, err := in.corpus.store.Apply(ctx, in.change)
		if err == nil && commit.Changed {
			in.kept += n
		}
		in.change, in.size = store.Change{Date: in.series.late}, 0
		in.series.late = nil
		if err != nil {
			return err
		}
	}
}

// register checks that the name is free or belongs to the same place; it returns the source if it is to
// be written.
func (c *Corpus) register(ctx context.Context, s document.Source) (*document.Source, error) {
	sources, err := c.store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	for _, have := range sources {
		switch {
		case have.Name == s.Name && have.Root == s.Root:
			return nil, nil
		case have.Name == s.Name:
			return nil, fmt.Errorf("the source name %q belongs to %s already: give this one another name with --name", s.Name, have.Root)
		}
	}
	if err := (document.ID{Source: s.Name, Path: "x"}).Validate(); err != nil {
		return nil, fmt.Errorf("%w; give another with --name", err)
	}
	return &s, nil
}

func (c *Corpus) states(ctx context.Context, name string) (map[string]store.State, error) {
	list, err := c.store.States(ctx, name)
	if err != nil {
		return nil, err
	}
	states := make(map[string]store.State, len(list))
	for _, s := range list {
		states[s.Path] = s
	}
	return states, nil
}

// Remove deletes a document, or all that a source holds, from the corpus.
func (c *Corpus) Remove(ctx context.Context, ids ...document.ID) error {
	if err := c.opened(); err != nil {
		return err
	}
	_, err := c.store.Apply(ctx, store.Change{Remove: ids})
	return err
}

// RemoveSource deletes a source and all its documents from the corpus.
func (c *Corpus) RemoveSource(ctx context.Context, name string) error {
	if err := c.opened(); err != nil {
		return err
	}
	_, err := c.store.Apply(ctx, store.Change{RemoveSource: name})
	return err
}
