package local

import (
	"context"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
)

// contentCache remembers decoded bodies and texts of revisions, for all snapshots:
// a revision in a segment has one content for ever.
type contentCache struct {
	mu    sync.Mutex
	size  int
	items map[contentKey]*heldContent
}

type contentKey struct{ segment, revision int64 }

// heldContent is what a revision is made of; the text is read when first asked for.
type heldContent struct {
	body *body
	text *string
	size int
}

// maxContents bounds what contentCache holds, in bytes, beside the newest item,
// which is held whatever its size: of a large document many passages are read one
// after another. The cache is emptied when it is full: what is in use comes back with
// a read each.
const maxContents = 32 << 20

func (c *contentCache) get(key contentKey) (heldContent, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h, ok := c.items[key]; ok {
		return *h, true
	}
	return heldContent{}, false
}

func (c *contentCache) put(key contentKey, h heldContent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.items[key]; old != nil {
		c.size -= old.size
	}
	if c.items == nil || c.size+h.size > maxContents {
		c.items, c.size = map[contentKey]*heldContent{}, 0
	}
	c.items[key] = &h
	c.size += h.size
}

// content returns the body of a revision, and its text if asked.
func (v *view) content(ctx context.Context, c *conn, g *segment, r *revision, text bool) (*body, string, error) {
	key := contentKey{g.id, r.id}
	cache := &v.store.index.contents
	h, _ := cache.get(key)
	changed := false
	if h.body == nil {
		var raw []byte
		found, err := c.get(ctx, "SELECT body FROM content WHERE revision = ?", []any{r.id}, &raw)
		if err != nil {
			return nil, "", err
		}
		if !found {
			return nil, "", dangling("a revision")
		}
		if h.body, err = decodeBody(raw); err != nil {
			return nil, "", err
		}
		if len(h.body.sections) != r.count+1 || len(h.body.passages) != len(r.passages) {
			return nil, "", dangling("a passage")
		}
		changed, h.size = true, 256*(len(h.body.sections)+len(h.body.passages))+16*len(h.body.pages)+len(raw)
	}
	if text && h.text == nil {
		var s string
		if _, err := c.get(ctx, "SELECT text FROM content WHERE revision = ?", []any{r.id}, &s); err != nil {
			return nil, "", err
		}
		if err := h.body.fits(s); err != nil {
			return nil, "", err
		}
		changed, h.text, h.size = true, &s, h.size+len(s)
	}
	if changed {
		cache.put(key, h)
	}
	if !text {
		return h.body, "", nil
	}
	return h.body, *h.text, nil
}

// passageAt is the n-th passage of a revision.
func (b *body) passageAt(n int, id, key, text string) document.Passage {
	p := b.passages[n]
	return document.Passage{ID: passageID(id), Key: contentKeyOf(key), Section: p.section, Kind: p.kind, Context: p.context,
		Text: p.span.Of(text), Span: p.span, Tokens: p.tokens}
}
