package quarry

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/chunk"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// Report is what a sync did. The same document is in one list only.
type Report struct {
	Source    string    `json:"source"`
	Added     []string  `json:"added,omitempty"`
	Changed   []string  `json:"changed,omitempty"`
	Removed   []string  `json:"removed,omitempty"`
	Failed    []Problem `json:"failed,omitempty"`  // could not be turned into passages, now or at an earlier sync and unchanged since
	Skipped   []Problem `json:"skipped,omitempty"` // not documents, or of a type that is not supported
	Unchanged int       `json:"unchanged"`
	Vectors   int       `json:"vectors"` // passages embedded
	// Incomplete is set when a part of the source could not be listed: then
	// nothing was removed.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Problem is a document or file and one sentence about it.
type Problem struct {
	Document string `json:"document"`
	Error    string `json:"error"`
}

// Progress is told about a running sync; any of its functions may be nil. They are called
// from one goroutine at a time.
type Progress struct {
	Listed   func(documents int)
	Prepared func(done int)
	Embedded func(done, total int)
}

// Batches bound what one change holds in memory and how much a killed sync loses.
const (
	batchDocuments = 64
	batchBytes     = 8 << 20
)

// Sync makes the corpus hold what the folder or file at root holds: new and
// changed documents are indexed, unchanged ones are not touched, and ones
// that are gone are removed. Each document is whole in the store or not in it
// at all; a sync that was interrupted goes on where it stopped when it is
// called again. The error is about the sync itself; documents that fail are in
// the report.
func (c *Corpus) Sync(ctx context.Context, name, root string, p Progress) (Report, error) {
	report := Report{Source: name}
	place, err := source.Open(root, source.Options{MaxBytes: c.options.DocumentBytes})
	if err != nil {
		return report, err
	}
	registered, err := c.register(ctx, document.Source{Name: name, Kind: place.Kind(), Root: place.Root()})
	if err != nil {
		return report, err
	}
	listing, err := place.List(ctx)
	if err != nil {
		return report, err
	}
	report.Incomplete = !listing.Complete
	for _, s := range listing.Skipped {
		report.Skipped = append(report.Skipped, Problem{s.Path, s.Reason})
	}
	states, err := c.states(ctx, name)
	if err != nil {
		return report, err
	}
	if len(listing.Items) == 0 && len(states) == 0 {
		return report, fmt.Errorf("%s holds no documents: give a folder with Markdown, HTML or text files", root)
	}
	call(p.Listed, len(listing.Items))

	change := store.Change{Source: registered}
	size := 0
	flush := func() error {
		if len(change.Put)+len(change.Fail)+len(change.Remove) == 0 {
			return nil
		}
		_, err := c.store.Apply(ctx, change)
		change, size = store.Change{}, 0
		return err
	}
	done := 0
	present := map[string]bool{}
	err = c.prepareAll(ctx, name, listing.Items, states, func(path string, r prepared) error {
		done++
		call(p.Prepared, done)
		known, before := states[path]
		switch {
		case r.err == nil || !errors.Is(r.err, source.ErrGone) && !errors.Is(r.err, extract.ErrUnsupported):
			present[path] = true
		}
		switch {
		case errors.Is(r.err, source.ErrGone):
			return nil // removed below, if the listing is complete
		case errors.Is(r.err, extract.ErrUnsupported):
			report.Skipped = append(report.Skipped, Problem{path, r.err.Error()})
			return nil
		case r.unchanged:
			if known.Failed {
				report.Failed = append(report.Failed, Problem{path, known.Reason})
			} else {
				report.Unchanged++
			}
			return nil
		case r.failure != nil:
			report.Failed = append(report.Failed, Problem{path, r.failure.Reason})
			change.Fail = append(change.Fail, *r.failure)
		case before:
			report.Changed = append(report.Changed, path)
			change.Put = append(change.Put, r.revision)
		default:
			report.Added = append(report.Added, path)
			change.Put = append(change.Put, r.revision)
		}
		size += len(r.revision.Text)
		if len(change.Put)+len(change.Fail) >= batchDocuments || size >= batchBytes {
			return flush()
		}
		return nil
	})
	if err != nil {
		return report, err
	}
	if listing.Complete {
		for path := range states {
			if !present[path] {
				report.Removed = append(report.Removed, path)
				change.Remove = append(change.Remove, document.ID{Source: name, Path: path})
			}
		}
		sort.Strings(report.Removed)
	}
	if err := flush(); err != nil {
		return report, err
	}
	report.sort()
	report.Vectors, err = c.embed(ctx, p)
	return report, err
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

// prepared is what became of one item: unchanged, a revision, a failure, or an
// error that means it is no document.
type prepared struct {
	unchanged bool
	revision  store.Revision
	failure   *store.Failure
	err       error
}

// prepareAll reads and prepares items on all workers and hands the results to
// each in the order of the items, from the calling goroutine. At most twice as
// many results as workers wait in memory.
func (c *Corpus) prepareAll(ctx context.Context, name string, items []source.Item, states map[string]store.State, each func(string, prepared) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type slot chan prepared
	queue := make(chan slot, 2*c.options.Workers)
	work := make(chan func(), c.options.Workers)
	var workers sync.WaitGroup
	for range c.options.Workers {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for f := range work {
				f()
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(work)
		for _, item := range items {
			s := make(slot, 1)
			select {
			case queue <- s:
			case <-ctx.Done():
				return
			}
			work <- func() { s <- c.prepareItem(ctx, name, item, states[item.Path]) }
		}
	}()
	var failed error
	at := 0
	for s := range queue {
		r := <-s
		if failed == nil {
			if failed = ctx.Err(); failed == nil {
				failed = each(items[at].Path, r)
			}
			if failed != nil {
				cancel()
			}
		}
		at++
	}
	workers.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

func (c *Corpus) prepareItem(ctx context.Context, name string, item source.Item, known store.State) prepared {
	id := document.ID{Source: name, Path: item.Path}
	original, err := item.Read(ctx)
	switch {
	case errors.Is(err, source.ErrGone) || ctx.Err() != nil:
		return prepared{err: err}
	case err != nil:
		reason := err.Error()
		if known.Failed && known.Reason == reason && known.Pipeline == c.pipeline {
			return prepared{unchanged: true}
		}
		return prepared{failure: c.failure(id, "", reason, document.Metadata{})}
	case original.Hash == known.Hash && c.pipeline == known.Pipeline:
		return prepared{unchanged: true}
	}
	return c.prepare(id, original)
}

// prepare takes an original through extract, outline, chunk and analysis.
func (c *Corpus) prepare(id document.ID, original source.Original) prepared {
	extracted, err := extract.Extract(id.Path, original.Bytes)
	if errors.Is(err, extract.ErrUnsupported) {
		return prepared{err: err}
	}
	meta, metaErr := extract.Metadata(original.Sidecars, extracted.FrontMatter)
	if metaErr != nil {
		// What could not be understood may have been a restriction: nobody
		// may read it, and nobody may see that it failed.
		return prepared{failure: c.failure(id, original.Hash, metaErr.Error(), document.Metadata{})}
	}
	if err != nil {
		return prepared{failure: c.failure(id, original.Hash, err.Error(), meta)}
	}
	r := document.Revision{
		Document: id,
		Hash:     original.Hash,
		Pipeline: c.pipeline,
		Seen:     c.options.Clock().UTC(),
		Format:   extracted.Format,
		Title:    title(meta, extracted, id.Path),
		Metadata: meta,
		Text:     extracted.Text,
	}
	r.Sections = outline.Build(r.Title, r.Text, extracted.Blocks)
	r.Passages = chunk.Split(id, r.Title, r.Text, extracted.Blocks, r.Sections, c.options.chunking())
	if len(r.Passages) == 0 {
		return prepared{failure: c.failure(id, original.Hash, "it holds no text that can be found", meta)}
	}
	return prepared{revision: analyze.Revision(r)}
}

func (c *Corpus) failure(id document.ID, hash, reason string, meta document.Metadata) *store.Failure {
	return &store.Failure{Document: id, Hash: hash, Pipeline: c.pipeline, Reason: reason,
		Seen: c.options.Clock().UTC(), Tenant: meta.Tenant, Access: meta.Access}
}

// Remove deletes a document, or all that a source holds, from the corpus.
func (c *Corpus) Remove(ctx context.Context, ids ...document.ID) error {
	_, err := c.store.Apply(ctx, store.Change{Remove: ids})
	return err
}

// RemoveSource deletes a source and all its documents from the corpus.
func (c *Corpus) RemoveSource(ctx context.Context, name string) error {
	_, err := c.store.Apply(ctx, store.Change{RemoveSource: name})
	return err
}

func (r *Report) sort() {
	sort.Strings(r.Added)
	sort.Strings(r.Changed)
	sort.Slice(r.Failed, func(i, j int) bool { return r.Failed[i].Document < r.Failed[j].Document })
	sort.Slice(r.Skipped, func(i, j int) bool { return r.Skipped[i].Document < r.Skipped[j].Document })
}

func call(f func(int), n int) {
	if f != nil {
		f(n)
	}
}
