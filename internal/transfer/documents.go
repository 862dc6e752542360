package transfer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// A batch is written at once: what an interrupted copy loses at most, and what is held
// in memory beside one document.
const (
	batchDocuments = 64
	batchBytes     = 4 << 20 // of text
)

// documents copies those of all sources.
func (c *copier) documents() error {
	for _, s := range c.sources {
		if _, err := c.to.Apply(c.ctx, store.Change{Source: &s.Source}); err != nil {
			return err
		}
		c.sum.source(s.Source)
		for paths := s.paths; len(paths) > 0; {
			batch, n, err := c.read(s.Name, paths)
			if err != nil {
				return err
			}
			if err := c.batch(s.Name, batch); err != nil {
				return err
			}
			paths = paths[n:]
		}
	}
	return nil
}

// errFull ends the reading of a batch.
var errFull = errors.New("the batch is full")

// read reads the next documents of a source, as many as a batch takes, and how many of the
// paths they are of.
func (c *copier) read(source string, paths []string) (batch []store.Whole, n int, err error) {
	n = min(batchDocuments, len(paths))
	size := 0
	err = c.from.Whole(c.ctx, source, paths[:n], func(w store.Whole) error {
		batch = append(batch, w)
		for _, r := range w.Revisions {
			size += len(r.Text)
		}
		if size >= batchBytes {
			return errFull
		}
		return nil
	})
	if errors.Is(err, errFull) {
		return batch, slices.Index(paths, batch[len(batch)-1].Document.Path) + 1, nil
	}
	return batch, n, err
}

// copying is a document of a batch.
type copying struct {
	store.Whole
	sums    []digest // of its revisions, and of its failure
	have    int      // how many revisions are there already
	replace bool     // it is there otherwise
	same    bool     // it is there
	keys    []document.ContentKey
}

// batch brings some documents of one source, and their vectors, to what they are.
func (c *copier) batch(source string, wholes []store.Whole) error {
	list := make([]*copying, len(wholes))
	at := map[string]*copying{}
	var paths []string
	for i, w := range wholes {
		list[i] = &copying{Whole: w, sums: digestsOf(w), keys: keysOf(w)}
		at[w.Document.Path], paths = list[i], append(paths, w.Document.Path)
	}
	if err := c.to.Whole(c.ctx, source, paths, func(w store.Whole) error { return c.compare(at[w.Document.Path], w) }); err != nil {
		return err
	}
	if err := c.put(list); err != nil {
		return err
	}
	vectors, written, err := c.vectors(c.inForce, list)
	if err != nil {
		return err
	}
	if err := c.verify(source, list, len(written) > 0); err != nil {
		return err
	}
	of := make(map[document.ContentKey]store.Vectors, len(vectors))
	for _, v := range vectors {
		of[v.Key] = v
	}
	for _, d := range list {
		c.count(d, of)
	}
	c.done += len(list)
	if c.options.Progress != nil {
		c.options.Progress(c.done, c.report.Documents)
	}
	return nil
}

// count notes what both stores hold of a document now.
func (c *copier) count(d *copying, vectors map[document.ContentKey]store.Vectors) {
	c.report.Revisions += len(d.Revisions)
	for i := range d.Revisions {
		c.report.Passages += len(d.Revisions[i].Passages)
		c.tenants[d.Revisions[i].Metadata.Tenant] = true
	}
	if d.Failure != nil {
		c.report.Failed++
		c.tenants[d.Failure.Tenant] = true
	}
	c.sum.document(d.Document, d.sums)
	for _, key := range d.keys {
		if v, ok := vectors[key]; ok {
			c.report.Vectors++
			c.sum.vectors(v)
		}
	}
}

// compare finds out what of a document is there already.
func (c *copier) compare(d *copying, there store.Whole) error {
	sums, n := digestsOf(there), len(there.Revisions)
	switch {
	case slices.Equal(sums, d.sums):
		d.same = true
		return nil
	case n > len(d.Revisions) || !slices.Equal(sums[:n], d.sums[:n]):
	case there.Failure == nil, d.Failure != nil, n < len(d.Revisions): // a failure ends with what comes after it
		d.have = n
		return nil
	}
	if !c.options.Replace {
		return fmt.Errorf("%w: document %s is another there", ErrOtherwise, d.Document)
	}
	d.replace = true
	return nil
}

// put writes what of the documents is not there: a change names a document once, so it
// is their next revisions, round after round, and then the failures.
func (c *copier) put(list []*copying) error {
	var gone []document.ID
	for _, d := range list {
		switch {
		case d.replace:
			gone = append(gone, d.Document)
			c.report.Replaced++
		case !d.same:
			c.report.Copied++
		}
	}
	if len(gone) > 0 {
		if _, err := c.to.Apply(c.ctx, store.Change{Remove: gone}); err != nil {
			return err
		}
	}
	for {
		var next store.Change
		for _, d := range list {
			switch {
			case d.same || d.have > len(d.Revisions):
				continue
			case d.have < len(d.Revisions):
				next.Put = append(next.Put, d.Revisions[d.have])
			case d.Failure != nil:
				next.Fail = append(next.Fail, *d.Failure)
			}
			d.have++
		}
		if len(next.Put)+len(next.Fail) == 0 {
			return nil
		}
		if _, err := c.to.Apply(c.ctx, next); err != nil {
			return err
		}
	}
}

// verify reads back what was written and compares it with what was read.
func (c *copier) verify(source string, list []*copying, vectors bool) error {
	at := map[string]*copying{}
	var paths []string
	for _, d := range list {
		if !d.same {
			at[d.Document.Path], paths = d, append(paths, d.Document.Path)
		}
	}
	if len(paths) > 0 {
		err := c.to.Whole(c.ctx, source, paths, func(w store.Whole) error {
			d := at[w.Document.Path]
			delete(at, w.Document.Path)
			if !slices.Equal(digestsOf(w), d.sums) {
				return fmt.Errorf("%w: document %s was written and is another; run the command again", errDiffers, w.Document)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, d := range at {
			return fmt.Errorf("%w: document %s was written and is not there; run the command again", errDiffers, d.Document)
		}
	}
	if !vectors {
		return nil
	}
	_, lacking, err := c.lacking(c.inForce, list)
	if err == nil && len(lacking) > 0 {
		err = fmt.Errorf("%w: vectors of content key %s were written and are others; run the command again", errDiffers, lacking[0].Key)
	}
	return err
}

func keysOf(w store.Whole) (keys []document.ContentKey) {
	for _, r := range w.Revisions {
		for _, p := range r.Passages {
			keys = append(keys, p.Key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
