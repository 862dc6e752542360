package quarry

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/chunk"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/reference"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// entry is one document that a source has.
type entry struct {
	path  string    // within the source
	name  string    // a file name whose ending says the format
	size  int64     // of the original, in bytes, as far as is known before it is read
	since time.Time // when the original came to be so; zero: not known
	read  func(context.Context) (source.Original, error)
}

// prepared is what became of one entry: unchanged, a revision, a failure, or an
// error: one that means that it is no document, or one that ends the sync.
type prepared struct {
	unchanged bool
	revision  store.Revision
	failure   *store.Failure
	err       error
}

// prepareAll reads and prepares entries on all workers and hands the results to
// each in the order of the entries, from the calling goroutine; entries are
// ranged over in another one. At most twice as many results as workers wait in
// memory, and of large originals no more than maxPreparing allows. An error of the
// entries or of each ends it.
func (c *Corpus) prepareAll(ctx context.Context, sourceName string, entries iter.Seq2[entry, error], states map[string]store.State, each func(string, prepared) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type slot struct {
		path   string
		size   int64
		result chan prepared
	}
	room := newRoom(maxPreparing)
	context.AfterFunc(ctx, room.open)
	queue := make(chan slot, 2*c.options.Workers)
	work := make(chan func(), c.options.Workers)
	var workers sync.WaitGroup
	for range c.options.Workers {
		workers.Go(func() {
			for f := range work {
				f()
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(work)
		for e, err := range entries {
			room.enter(e.size)
			s := slot{e.path, e.size, make(chan prepared, 1)}
			if err != nil {
				s.result <- prepared{err: err}
			}
			select {
			case queue <- s:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
			work <- func() { s.result <- c.prepareEntry(ctx, sourceName, e, states[e.path]) }
		}
	}()
	var failed error
	for s := range queue {
		r := <-s.result
		if failed == nil {
			if failed = ctx.Err(); failed == nil {
				failed = each(s.path, r)
			}
			if failed != nil {
				cancel()
			}
		}
		room.leave(s.size)
	}
	workers.Wait()
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

func (c *Corpus) prepareEntry(ctx context.Context, sourceName string, e entry, known store.State) prepared {
	id := document.ID{Source: sourceName, Path: e.path}
	original, err := e.read(ctx)
	switch {
	case errors.Is(err, source.ErrGone) || errors.Is(err, source.ErrUnavailable) || ctx.Err() != nil:
		return prepared{err: err}
	case source.OfMachine(err):
		return prepared{err: ofMachine(err)}
	case err != nil:
		reason := err.Error()
		if known.Failed && known.Reason == reason && c.current(known.Pipeline) {
			return prepared{unchanged: true}
		}
		return prepared{failure: c.failure(id, "", reason, document.Metadata{})}
	case original.Hash == known.Hash && c.current(known.Pipeline) && !c.leftOut(e.name, original.Bytes) && !store.Ahead(document.DayOf(known.Seen), document.DayOf(c.options.Clock())):
		return prepared{unchanged: true}
	}
	p := c.prepare(ctx, id, e.name, original)
	if p.failure != nil && p.failure.Hash == "" && known.Failed && known.Reason == p.failure.Reason && c.current(known.Pipeline) {
		return prepared{unchanged: true}
	}
	if now := c.options.Clock(); !e.since.IsZero() && e.since.Before(now) && p.failure == nil {
		p.revision.Seen = e.since.UTC()
	}
	return p
}

// prepare takes an original through extract, outline, chunk, reference and analysis. name
// is the file name whose ending says the format.
func (c *Corpus) prepare(ctx context.Context, id document.ID, name string, original source.Original) prepared {
	extracted, err := c.extract(ctx, name, original.Bytes)
	if errors.Is(err, ErrNoRecogniser) {
		return prepared{err: ofMachine(err)}
	}
	p := c.index(ctx, id, original, extracted, err)
	if extracted.Scanned { // it is read again where there is another recogniser
		p.revision.Pipeline = c.scanning()
		if p.failure != nil {
			p.failure.Pipeline = c.scanning()
		}
	}
	return p
}

// index is prepare from the extracted original on; err is why it could not be read.
func (c *Corpus) index(ctx context.Context, id document.ID, original source.Original, extracted extract.Extracted, err error) prepared {
	if errors.Is(err, extract.ErrUnsupported) || ctx.Err() != nil {
		return prepared{err: cmp.Or(ctx.Err(), err)}
	}
	meta, metaErr := metadata(original, &extracted)
	if metaErr == nil {
		meta.Access, metaErr = original.Permitted.Bound(meta.Access)
	}
	switch {
	case metaErr != nil:
		// What could not be understood may have been a restriction: nobody
		// may see the document, not even that it failed.
		return prepared{failure: c.failure(id, original.Hash, metaErr.Error(), document.Metadata{})}
	case errors.Is(err, ErrUnavailable): // without a hash, so that it is tried again
		return prepared{failure: c.failure(id, "", err.Error(), meta)}
	case errors.Is(err, extract.ErrNoText):
		return prepared{failure: c.failure(id, original.Hash, err.Error(), meta)}
	case err != nil:
		if mayHaveFrontMatter(original.Bytes) || extract.HidesMetadata(err) { // which could not be read either
			meta = document.Metadata{}
		}
		return prepared{failure: c.failure(id, original.Hash, err.Error(), meta)}
	}
	report, err := extract.Report(extracted)
	if err != nil {
		return prepared{failure: c.failure(id, original.Hash, err.Error(), meta)}
	}
	r := document.Revision{
		Document: id,
		Hash:     original.Hash,
		Pipeline: c.pipeline,
		Seen:     c.options.Clock().UTC(),
		Format:   extracted.Format,
		Title:    title(meta, extracted, id.Path, original.Carrier),
		Metadata: meta,
		Text:     extracted.Text,
		Pages:    extracted.Pages,
		Lines:    extracted.Lines,
	}
	r.Sections = outline.Build(r.Title, r.Text, extracted.Blocks)
	r.Passages = chunk.Split(id, r.Title, r.Text, extracted.Blocks, r.Sections, c.options.chunking())
	if len(r.Passages) == 0 {
		return prepared{failure: c.failure(id, original.Hash, "it holds no text that can be found", meta)}
	}
	out := analyze.Revision(r)
	out.Extraction, out.Findings, out.Names = report, reference.Find(id.Path, extracted, r.Sections), reference.Names(r)
	return prepared{revision: out}
}

func ofMachine(err error) error {
	return fmt.Errorf("%w: the fault is the machine's and not the document's, so the sync ended here and removed nothing; mend it and run the command again to go on", err)
}

// leftOut is whether an original is a file that is an image, which is not to be read.
func (c *Corpus) leftOut(name string, data []byte) bool {
	return c.options.PagesOnly && extract.IsImage(name, data)
}

// extract reads an original, or has it read by the PageReader where its format is none
// of ours.
func (c *Corpus) extract(ctx context.Context, name string, data []byte) (extract.Extracted, error) {
	by := c.options.Recogniser
	if c.leftOut(name, data) {
		by = nil
	}
	x, err := extract.ExtractScans(ctx, name, data, by)
	if c.options.PageReader == nil || !extract.ByService(name, err) {
		return x, err
	}
	page, err := c.options.PageReader.Page(ctx, name, data)
	if err != nil {
		return extract.Extracted{}, err
	}
	return extract.FromPage(page)
}

// metadata is what a document's sidecars and front matter say, and of what is attached
// its message; a title in the latter's front matter is the text's own.
func metadata(original source.Original, x *extract.Extracted) (document.Metadata, error) {
	if original.Carrier == nil {
		return extract.Metadata(original.Sidecars, x.FrontMatter)
	}
	meta, title, err := extract.AttachedMetadata(original.Sidecars, x.FrontMatter)
	x.Title = cmp.Or(title, x.Title)
	if meta.Date == 0 && err == nil {
		meta.Date = original.Carrier.Date
	}
	return meta, err
}

// mayHaveFrontMatter reports whether an original that could not be read begins
// like one with front matter, in whatever encoding.
func mayHaveFrontMatter(data []byte) bool {
	head := bytes.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError || r == '\uFEFF' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, data[:min(len(data), 64)])
	return bytes.HasPrefix(head, []byte("---"))
}

// title is what names a document: metadata, else the original itself, else its
// file's name. What is attached to a message is named after that as well, whose
// subject often alone says what it is about; its metadata is the message's.
func title(meta document.Metadata, extracted extract.Extracted, docPath string, carrier *source.Carrier) string {
	given, own := oneLine(meta.Title), oneLine(extracted.Title)
	file := strings.TrimSuffix(path.Base(docPath), path.Ext(docPath))
	if carrier == nil {
		return cmp.Or(given, own, file)
	}
	within := cmp.Or(given, oneLine(carrier.Title))
	if within == "" {
		return cmp.Or(own, file)
	}
	return within + ": " + cmp.Or(own, file)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c *Corpus) failure(id document.ID, hash, reason string, meta document.Metadata) *store.Failure {
	return &store.Failure{Document: id, Hash: hash, Pipeline: c.pipeline, Reason: reason,
		Seen: c.options.Clock().UTC(), Tenant: meta.Tenant, Access: meta.Access}
}
