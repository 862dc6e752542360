package quarry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/chunk"
	"github.com/seed-d3156d19/quarry/store"
)

// A batch of passages is embedded and stored at once: what a killed run loses at
// most. It begins small and is as large as a model does in some seconds, so that
// a run shows soon how far it is, also with a slow one. Its bytes are bounded, as
// a passage without spaces may be long.
const (
	firstBatch = 32
	embedBatch = 256
	embedBytes = 1 << 20
	quickBatch = 2 * time.Second
	slowBatch  = 5 * time.Second
)

// maxRefused is how many passages a model may refuse in one run. They are listed
// anew with each batch, and a model that refuses more is not the right one.
const maxRefused = 1000

// ErrEmbedding is what an error of Sync or Put is where the documents are in the
// store, found by their words, and some passages have no vector yet.
var ErrEmbedding = errors.New("embedding")

// embedError is an ErrEmbedding with its own sentence.
type embedError struct{ err error }

func (e embedError) Error() string        { return e.err.Error() }
func (e embedError) Is(target error) bool { return target == ErrEmbedding }
func (e embedError) Unwrap() error        { return e.err }

func embedErrorf(format string, args ...any) error {
	return embedError{fmt.Errorf(format, args...)}
}

// embed gives every passage that has no vector of the configured model one. Text is
// searchable by keyword before; running it again goes on where it stopped, and tries
// again what the model refused.
func (c *Corpus) embed(ctx context.Context, p Progress, report *Report) error {
	if c.options.Embedder == nil {
		return nil
	}
	run := embedRun{Corpus: c, model: c.options.vectors(), progress: p,
		size: firstBatch, refused: map[document.ContentKey]bool{}}
	err := run.all(ctx)
	report.Vectors, report.Unembedded = run.done, run.problems(report.Source)
	return err
}

// embedRun is one run of embed.
type embedRun struct {
	*Corpus
	model    store.Model
	progress Progress
	done     int // passages embedded and stored
	total    int // passages that had no vector when it began
	size     int // of the next batch, in passages

	refused map[document.ContentKey]bool
	lost    []lost // one for each document with a passage that was refused
}

// lost are the passages of one document that the model refused.
type lost struct {
	document document.ID
	passages int
	reason   string // for the first
}

func (r *embedRun) all(ctx context.Context) error {
	if shared, ok := r.store.(store.Sharing); ok {
		return r.share(ctx, shared)
	}
	for {
		// What was refused stays missing, and first in the order.
		missing, err := r.store.MissingVectors(ctx, r.model, embedBatch+len(r.refused))
		if err != nil {
			return err
		}
		if missing = r.untried(missing); len(missing) == 0 {
			return nil
		}
		if err := r.batches(ctx, missing); err != nil {
			return err
		}
	}
}

// batches embeds passages, some after the other.
func (r *embedRun) batches(ctx context.Context, missing []store.Unembedded) (err error) {
	if r.total == 0 {
		if r.total, err = r.store.CountMissing(ctx, r.model); err != nil {
			return err
		}
		r.tell()
	}
	for len(missing) > 0 {
		n, bytes := 0, 0
		for n < min(r.size, len(missing)) && (n == 0 || bytes < embedBytes) {
			bytes += len(missing[n].Context) + len(missing[n].Text)
			n++
		}
		start := time.Now()
		if err := r.batch(ctx, missing[:n]); err != nil {
			return err
		}
		switch took := time.Since(start); {
		case took < quickBatch:
			r.size = min(2*r.size, embedBatch)
		case took > slowBatch:
			r.size = max(r.size/2, firstBatch)
		}
		missing = missing[n:]
		r.tell()
	}
	return nil
}

func (r *embedRun) untried(list []store.Unembedded) (out []store.Unembedded) {
	for _, m := range list {
		if !r.refused[m.Key] {
			out = append(out, m)
		}
	}
	return out
}

func (r *embedRun) tell() {
	if r.progress.Embedded != nil {
		r.progress.Embedded(r.done, max(r.done, r.total)) // others may add passages meanwhile
	}
}

// batch embeds some passages and stores what the model gave, also where it did not
// give all: vectors may be paid for.
func (r *embedRun) batch(ctx context.Context, missing []store.Unembedded) error {
	name := r.options.Embedder.Name()
	texts, owner := embedded(missing)
	each, err := r.options.Embedder.Passages(ctx, texts)
	var partial *embedding.PartialError
	if err != nil && !errors.As(err, &partial) {
		return r.stopped(err)
	}
	if len(each) != len(texts) {
		return embedErrorf("embedding with %s gave %d results for %d passages: the model or its service is faulty", name, len(each), len(texts))
	}
	vectors, partial := gathered(each, owner, len(missing), partial)
	skipped := map[int]bool{}
	if partial != nil {
		for _, x := range partial.Refused {
			if x.Text >= 0 && x.Text < len(missing) && len(vectors[x.Text]) == 0 && !skipped[x.Text] {
				skipped[x.Text] = true
				r.refuse(missing[x.Text], x.Reason)
			}
		}
	}
	var put []store.Vectors
	for i, m := range missing {
		switch {
		case len(vectors[i]) > 0:
			put = append(put, store.Vectors{Key: m.Key, Vectors: vectors[i]})
		case !skipped[i] && (partial == nil || partial.Err == nil):
			return embedErrorf("embedding with %s gave no vector for a passage: the model or its service is faulty", name)
		}
	}
	if err := r.put(ctx, put); err != nil {
		return err
	}
	switch {
	case partial != nil && partial.Err != nil:
		return r.stopped(partial.Err)
	case len(r.refused) > maxRefused:
		return embedErrorf("embedding with %s: it refused %d passages, which is more than can be by chance; the first because %s", name, len(r.refused), r.lost[0].reason)
	}
	return nil
}

// embedded are the texts that are embedded for passages: each with its context, and
// the rows of its tables one by one; owner gives the passage of each text.
func embedded(missing []store.Unembedded) (texts []string, owner []int) {
	for i, m := range missing {
		texts, owner = append(texts, m.Context+"\n"+m.Text), append(owner, i)
		for _, row := range chunk.Rows(m.Context, m.Text) {
			texts, owner = append(texts, row), append(owner, i)
		}
	}
	return texts, owner
}

// gathered gives each of n passages the vectors of its texts. A passage is whole or
// has none: one with a text that the model refused, or did not come to, waits.
func gathered(each [][][]float32, owner []int, n int, partial *embedding.PartialError) ([][][]float32, *embedding.PartialError) {
	out, lacks := make([][][]float32, n), make([]bool, n)
	for t, vectors := range each {
		out[owner[t]] = append(out[owner[t]], vectors...)
		lacks[owner[t]] = lacks[owner[t]] || len(vectors) == 0
	}
	for i := range out {
		if lacks[i] {
			out[i] = nil
		}
	}
	if partial == nil {
		return out, nil
	}
	p := &embedding.PartialError{Err: partial.Err}
	for _, x := range partial.Refused {
		if x.Text >= 0 && x.Text < len(owner) {
			x.Text = owner[x.Text]
			p.Refused = append(p.Refused, x)
		}
	}
	return out, p
}

// put stores vectors, also of a run that was ended: within a moment, as whoever
// ended it waits.
func (r *embedRun) put(ctx context.Context, vectors []store.Vectors) error {
	if len(vectors) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeAfterEnd)
	defer cancel()
	err := r.store.PutVectors(ctx, r.model, vectors)
	if errors.Is(err, ErrModel) { // another one was adopted since the run began
		err = cmp.Or(r.checkModel(ctx), err)
		return embedError{err}
	}
	if err != nil {
		return embedErrorf("storing the vectors of %s: %w", r.options.Embedder.Name(), err)
	}
	r.done += len(vectors)
	return nil
}

const storeAfterEnd = 30 * time.Second

func (r *embedRun) stopped(err error) error {
	return embedErrorf("embedding with %s: %w; what was embedded is kept, run the command again to go on", r.options.Embedder.Name(), err)
}

func (r *embedRun) refuse(m store.Unembedded, reason string) {
	r.refused[m.Key] = true
	for i := range r.lost {
		if r.lost[i].document == m.Document {
			r.lost[i].passages++
			return
		}
	}
	r.lost = append(r.lost, lost{m.Document, 1, reason})
}

// problems are the documents with refused passages, those of the source that is
// synced by their path.
func (r *embedRun) problems(source string) (out []Problem) {
	for _, l := range r.lost {
		name := l.document.Path
		if l.document.Source != source {
			name = l.document.Source + ":" + name
		}
		what := "a passage has no vector"
		if l.passages > 1 {
			what = fmt.Sprintf("%d passages have no vector", l.passages)
		}
		out = append(out, Problem{name, fmt.Sprintf("%s and is found by its words only: %s", what, l.reason)})
	}
	return out
}
