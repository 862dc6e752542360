package openai

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// item is one text to embed: a window of a passage.
type item struct {
	text    int    // the passage it is of
	input   string // without prefix
	tokens  int
	vectors [][]float32 // one, or some where the service found it too long
	again   bool        // a vector of no use was given for it before
	refused string      // why the service does not take it
}

// Passages implements embedding.Embedder. A text that the service refuses while it
// takes others is found by halving the request, and left out; when the service
// gives nothing more, what it gave is returned with a *embedding.PartialError.
func (c *Client) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	var items []*item
	size := room(c.options.Window, c.options.PassagePrefix)
	for i, text := range texts {
		if text == "" {
			continue
		}
		for _, w := range windows(text, size, c.options.Overlap) {
			items = append(items, &item{text: i, input: w, tokens: count(w) + c.options.Window - size})
		}
	}
	err := c.all(ctx, c.requests(items))
	return collect(texts, items, err)
}

// requests shares out the items in their order.
func (c *Client) requests(items []*item) (out [][]*item) {
	most := int(c.items.Load())
	for len(items) > 0 {
		n, tokens := 1, items[0].tokens
		for n < len(items) && n < most && tokens+items[n].tokens <= c.options.BatchTokens {
			tokens += items[n].tokens
			n++
		}
		out, items = append(out, items[:n]), items[n:]
	}
	return out
}

// all embeds the requests, some at once, until one finds that nothing helps.
func (c *Client) all(ctx context.Context, requests [][]*item) error {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan []*item, len(requests))
	for _, r := range requests {
		queue <- r
	}
	close(queue)
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for range min(c.options.Requests, len(requests)) {
		wg.Go(func() {
			for items := range queue {
				if waiting.Err() != nil {
					return
				}
				r := run{Client: c, ctx: ctx, waiting: waiting}
				r.progressed()
				if err := r.embed(items); err != nil {
					once.Do(func() { failed = err })
					stop()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return failed
}

// collect makes the result of what was embedded.
func collect(texts []string, items []*item, err error) ([][][]float32, error) {
	out := make([][][]float32, len(texts))
	var refused []embedding.Refusal
	got := false
	for from, to := 0, 0; from < len(items); from = to {
		i := items[from].text
		whole, reason := true, ""
		for to = from; to < len(items) && items[to].text == i; to++ {
			out[i] = append(out[i], items[to].vectors...)
			whole = whole && len(items[to].vectors) > 0
			if reason == "" {
				reason = items[to].refused
			}
		}
		if !whole {
			out[i] = nil
		}
		if reason != "" {
			refused = append(refused, embedding.Refusal{Text: i, Reason: reason})
		}
		got = got || whole
	}
	switch {
	case err == nil && refused == nil:
		return out, nil
	case err != nil && refused == nil && !got:
		return nil, err
	}
	return out, &embedding.PartialError{Refused: refused, Err: err}
}

// run is one request, with the smaller ones that come of it.
type run struct {
	*Client
	ctx, waiting context.Context
	until        time.Time // when patience ends, unless something is embedded before
}

func (r *run) progressed() { r.until = r.service.Now().Add(r.options.Patience) }

// embed fills in the vectors of items, or why they are refused. The error is one that
// concerns all that is still to be embedded.
func (r *run) embed(items []*item) error {
	inputs := make([]string, len(items))
	for i, it := range items {
		inputs[i] = r.options.PassagePrefix + it.input
	}
	vectors, err := r.send(r.ctx, r.waiting, inputs, r.until)
	if err == nil {
		return r.place(items, vectors)
	}
	var f *service.Failure
	if !errors.As(err, &f) || !f.Divisible() || f.Kind == service.Slow && len(items) == 1 {
		return err
	}
	if err := r.atFault(f); err != nil {
		return err
	}
	if half := len(items) / 2; half > 0 {
		if err := r.embed(items[:half]); err != nil {
			return err
		}
		return r.embed(items[half:])
	}
	if parts := halves(items[0].input); f.Long && parts != nil {
		return r.shorter(items[0], parts)
	}
	items[0].refused = f.Error()
	return nil
}

// atFault tells a service that fails on a text from one that fails on all: a
// short plain one must do. Without it, each passage of a corpus would be tried by
// itself at a service that knows no such model.
func (r *run) atFault(f *service.Failure) error {
	switch {
	case f.Kind == service.Slow: // fewer are quicker
		for n := r.items.Load(); n > 1 && !r.items.CompareAndSwap(n, n/2); n = r.items.Load() {
		}
		return nil
	case f.Kind == service.Refused && r.worked.Load():
		return nil
	}
	vectors, err := r.send(r.ctx, r.waiting, []string{r.options.PassagePrefix + "quarry"}, r.until)
	if err == nil && vectors[0] == nil {
		f.Hint = "the service is faulty"
		err = f
	}
	return err
}

// place takes the vectors that were given; an item whose own is of no use is tried
// once more by itself.
func (r *run) place(items []*item, vectors [][]float32) error {
	r.progressed()
	for i, it := range items {
		if vectors[i] != nil {
			it.vectors = [][]float32{vectors[i]}
		}
	}
	for i, it := range items {
		switch {
		case vectors[i] != nil:
		case it.again:
			it.refused = r.service.Host() + " gave a vector that " + useless
		default:
			it.again = true
			if err := r.embed(items[i : i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// shorter embeds an item in parts.
func (r *run) shorter(it *item, parts []string) error {
	cut := make([]*item, len(parts))
	for i, part := range parts {
		cut[i] = &item{text: it.text, input: part}
	}
	if err := r.embed(cut); err != nil {
		return err
	}
	var all [][]float32
	for _, part := range cut {
		if part.refused != "" {
			it.refused = part.refused
			return nil
		}
		all = slices.Concat(all, part.vectors)
	}
	it.vectors = all
	return nil
}
