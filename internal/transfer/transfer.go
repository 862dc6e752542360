// Package transfer brings one store to what another holds: documents with all their
// revisions, access and failures, vectors, and how their sources were last synced. It
// knows both through the contract of package store alone, so whichever kinds they are.
package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// ErrOtherwise is wrapped where a store holds what the one that is copied does not, or
// holds it otherwise, and nothing was to be replaced.
var ErrOtherwise = errors.New("holds what the store that is copied does not")

// Options of a copy.
type Options struct {
	// Replace lets documents and vectors of the store that is written go which the store
	// that is read does not hold, or holds otherwise.
	Replace bool
	// Progress, where it is not nil, is told after every batch how many of how many
	// documents are done.
	Progress func(done, total int)
}

// Report is what a copy did and what both stores hold after it.
type Report struct {
	Sources   int
	Documents int // failed ones among them
	Failed    int
	Revisions int
	Passages  int // of all revisions; one that several share counts once in each
	Vectors   int // content keys that have vectors of the model in force; one that several documents share counts in each

	Copied   int // documents that were not there, or not all of them
	Replaced int // documents that were there otherwise
	Removed  int // documents that were there and are not in the store that is read

	// Checksum is equal for stores that hold the same documents and vectors: SHA-256, in hex.
	Checksum string
	// Moved is whether the store that is read has changed meanwhile.
	Moved bool
}

// Copy brings the store to to what from holds. It writes batch by batch, each a commit:
// one that is interrupted goes on when it is called again, and one that finds everything
// there writes nothing. Documents that it wrote are read back from both and compared, and so is what
// both count of those in force. An error leaves what was written, which is as it is in from.
//
// Neither store need be at rest: of documents that change meanwhile the copy has what
// they were when they were read, and Report.Moved says so.
func Copy(ctx context.Context, from, to store.Store, o Options) (Report, error) {
	before, err := sequence(ctx, from)
	if err != nil {
		return Report{}, err
	}
	c := &copier{ctx: ctx, from: from, to: to, options: o, sum: newChecksum(), tenants: map[string]bool{"": true}}
	for _, step := range []func() error{c.list, c.clear, c.models, c.documents, c.beside, c.notes, c.counts} {
		if err := step(); err != nil {
			return c.report, err
		}
	}
	c.report.Checksum = c.sum.hex()
	after, err := sequence(ctx, from)
	c.report.Moved = after != before
	return c.report, err
}

// copier is one run of Copy.
type copier struct {
	ctx      context.Context
	from, to store.Store
	options  Options
	report   Report
	sources  []listed
	inForce  store.Model // of the store that is read
	others   []store.Model
	sum      *checksum
	tenants  map[string]bool // whose documents there are
	done     int
}

// listed is a source of the store that is read.
type listed struct {
	document.Source
	paths []string
}

// list finds out what there is to copy.
func (c *copier) list() error {
	sources, err := c.from.Sources(c.ctx)
	if err != nil {
		return err
	}
	for _, s := range sources {
		paths, err := pathsOf(c.ctx, c.from, s.Name)
		if err != nil {
			return err
		}
		c.sources = append(c.sources, listed{s, paths})
		c.report.Documents += len(paths)
	}
	c.report.Sources = len(sources)
	return nil
}

// clear takes from the store that is written what the other does not hold, or refuses
// before anything is written.
func (c *copier) clear() error {
	held := map[document.ID]bool{}
	known := map[string]bool{}
	for _, s := range c.sources {
		known[s.Name] = true
		for _, path := range s.paths {
			held[document.ID{Source: s.Name, Path: path}] = true
		}
	}
	sources, err := c.to.Sources(c.ctx)
	if err != nil {
		return err
	}
	var extra []document.ID
	var gone []string
	for _, s := range sources {
		paths, err := pathsOf(c.ctx, c.to, s.Name)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if id := (document.ID{Source: s.Name, Path: path}); !held[id] {
				extra = append(extra, id)
			}
		}
		if !known[s.Name] {
			gone = append(gone, s.Name)
		}
	}
	switch {
	case len(extra) > 0 && !c.options.Replace:
		return fmt.Errorf("%w: %d of its documents, such as %s", ErrOtherwise, len(extra), extra[0])
	case len(gone) > 0 && !c.options.Replace:
		return fmt.Errorf("%w: the source %s", ErrOtherwise, gone[0])
	}
	for _, name := range gone {
		if _, err := c.to.Apply(c.ctx, store.Change{RemoveSource: name}); err != nil {
			return err
		}
	}
	for len(extra) > 0 {
		n := min(len(extra), batchDocuments)
		if err := c.remove(extra[:n]); err != nil {
			return err
		}
		extra = extra[n:]
	}
	return nil
}

// remove deletes documents; those of a source that is gone are gone with it.
func (c *copier) remove(ids []document.ID) error {
	_, err := c.to.Apply(c.ctx, store.Change{Remove: ids})
	c.report.Removed += len(ids)
	return err
}

// notes copies how sources were last synced, and no job: those of documents that have
// all their vectors end when they are taken.
func (c *copier) notes() error {
	notes, err := c.from.Synced(c.ctx)
	if err != nil {
		return err
	}
	for _, s := range c.sources {
		if note, ok := notes[s.Name]; ok {
			if err := c.to.MarkSynced(c.ctx, s.Name, note); err != nil {
				return err
			}
		}
	}
	return nil
}

// counts compares what both stores count of what is in force, tenant by tenant: it
// follows from the documents together, which are compared one by one.
func (c *copier) counts() error {
	for tenant := range c.tenants {
		scope := document.Scope{Tenant: tenant, Administrator: true}
		have, err := countsOf(c.ctx, c.to, scope)
		if err != nil {
			return err
		}
		want, err := countsOf(c.ctx, c.from, scope)
		if err != nil {
			return err
		}
		if have != want {
			return fmt.Errorf("%w: of tenant %q it has in force %s, and the other %s; run the command again if one of them was written meanwhile", errDiffers, tenant, have, want)
		}
	}
	return nil
}

// errDiffers is wrapped where what was written is not what was read.
var errDiffers = errors.New("the copy differs from the store that was copied")

// countsOf is what a view of a scope counts, but for vectors.
func countsOf(ctx context.Context, s store.Store, scope document.Scope) (string, error) {
	v, err := s.View(ctx, scope)
	if err != nil {
		return "", err
	}
	defer v.Close()
	n, err := v.Counts(ctx)
	return fmt.Sprintf("%d documents, %d sections and %d passages, %d failed and %d forgotten", n.Documents, n.Sections, n.Passages, n.Failed, n.Forgotten), err
}

func sequence(ctx context.Context, s store.Store) (int64, error) {
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		return 0, err
	}
	defer v.Close()
	return v.Commit().Sequence, nil
}

func pathsOf(ctx context.Context, s store.Store, source string) ([]string, error) {
	states, err := s.States(ctx, source)
	paths := make([]string, len(states))
	for i, st := range states {
		paths[i] = st.Path
	}
	return paths, err
}
