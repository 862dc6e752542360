package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// zipfCorpus makes documents of 20 passages of 100 words each, whose frequencies fall
// off as in a language (Zipf).
type zipfCorpus struct {
	rnd   *rand.Rand
	zipf  *rand.Zipf
	drawn []uint32 // ranks drawn before
	words []string
}

func newZipfCorpus() *zipfCorpus {
	rnd := rand.New(rand.NewPCG(7, 7))
	z := &zipfCorpus{rnd: rnd, zipf: rand.NewZipf(rnd, 1.07, 8, 499_999), words: make([]string, 500_000)}
	for i := range z.words {
		// About as long as words are, the frequent ones shorter, in no order.
		z.words[i] = strconv.FormatUint(uint64(i*2_654_435_761)%(1<<(18+min(i/40, 20))), 26) + strconv.Itoa(i%7)
	}
	z.drawn = make([]uint32, 1<<18)
	for i := range z.drawn {
		z.drawn[i] = uint32(z.zipf.Uint64())
	}
	return z
}

// rank draws a word. Most are drawn from those drawn before, which is the same
// distribution and faster.
func (z *zipfCorpus) rank() uint32 {
	if n := z.rnd.Uint32(); n>>29 > 0 {
		return z.drawn[n&(1<<18-1)]
	}
	return uint32(z.zipf.Uint64())
}

func (z *zipfCorpus) document(n int) store.Revision {
	const passages = 20
	path := fmt.Sprintf("folder/doc%07d", n)
	r := store.Revision{Revision: document.Revision{Document: document.ID{Source: "docs", Path: path}, Hash: path, Pipeline: "p", Format: "markdown",
		Title: path, Seen: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Metadata: document.Metadata{Access: document.Public()}}}
	var text strings.Builder
	for i := range passages {
		from := text.Len()
		var t store.Terms
		at := map[string][]uint32{}
		for j := range 100 {
			w := z.words[z.rank()]
			at[w] = append(at[w], uint32(j))
			text.WriteString(w)
			text.WriteByte(' ')
		}
		t.Lengths[store.Text] = 70 + z.rnd.IntN(60) // as texts differ in length
		for w, positions := range at {
			t.Postings = append(t.Postings, store.Posting{Term: w, Field: store.Text, Positions: positions})
		}
		slices.SortFunc(t.Postings, func(a, b store.Posting) int { return strings.Compare(a.Term, b.Term) })
		r.Terms = append(r.Terms, t)
		sum := sha256.Sum256([]byte(path + strconv.Itoa(i)))
		id := hex.EncodeToString(sum[:16])
		r.Passages = append(r.Passages, document.Passage{ID: document.PassageID(id), Key: document.ContentKey(id), Kind: document.Paragraph,
			Span: document.Span{From: from, To: text.Len()}, Tokens: 130})
	}
	r.Text = text.String()
	for i := range r.Passages {
		r.Passages[i].Text = r.Passages[i].Span.Of(r.Text)
	}
	whole := document.Span{From: 0, To: len(r.Text)}
	r.Sections, r.Outline = []document.Section{{Parent: -1, Span: whole, Body: whole}}, []store.Terms{{}}
	return r
}

// bareSegment is how many passages stand in one segment of bare.
const bareSegment = 200_000

// bare puts passages into the index alone, without their record: all that a keyword
// question reads, in a fraction of the time.
func (z *zipfCorpus) bare(b *testing.B, s *Store, passages int) {
	ctx := context.Background()
	if err := s.write(ctx, "filling", func(c *conn) error {
		sequence, err := c.bump(ctx)
		if err != nil {
			return err
		}
		a := &applier{conn: c, ctx: ctx, sequence: sequence}
		if err := a.do("INSERT INTO source (name, kind, root) VALUES ('docs', 'folder', '/')"); err != nil {
			return err
		}
		if err := a.do(`INSERT INTO class (id, access) VALUES (1, '{"Everyone":true}')`); err != nil {
			return err
		}
		for doc := 0; doc < passages/20; {
			seg := newBuilder(ctx, c)
			seg.out.classes = []document.Access{document.Public()}
			for len(seg.out.ids) < min(bareSegment, passages) {
				d := z.bareDocument(seg, doc)
				if err := a.do("INSERT INTO document (id, source, path, changed) VALUES (?, ?, ?, ?)", d.row, d.id.Source, d.id.Path, sequence); err != nil {
					return err
				}
				if err := a.do(`INSERT INTO failure (document, hash, pipeline, reason, seen, seen_day, tenant, class) VALUES (?, '', '', '', '', 0, '', 1)`, d.row); err != nil {
					return err
				}
				seg.out.docs = append(seg.out.docs, d)
				doc++
			}
			seg.finish()
			if _, err := a.insertSegment(ctx, sequence, sequence, seg.done[0]); err != nil {
				return err
			}
		}
		return a.do("UPDATE meta SET documents = ?", passages/20)
	}); err != nil {
		b.Fatal(err)
	}
}

func (z *zipfCorpus) bareDocument(seg *builder, n int) doc {
	path := fmt.Sprintf("folder/doc%07d", n)
	d := doc{row: int64(n + 1), id: document.ID{Source: "docs", Path: path}, first: uint32(len(seg.out.ids))}
	r := revision{id: int64(n + 1), hash: path, title: path, standing: standing{Valid: document.Interval{From: 1}, Status: document.Current}}
	ranks := make([]uint32, 100)
	for i := range 20 {
		sum := sha256.Sum256([]byte(path + strconv.Itoa(i)))
		seg.out.ids, seg.out.keys = append(seg.out.ids, string(sum[:16])), append(seg.out.keys, string(sum[:16]))
		row := uint32(len(seg.out.ids) - 1)
		r.passages = append(r.passages, place{row: row})
		length := 70 + z.rnd.IntN(60)
		r.lengths[store.Text] += length
		seg.lists.passages.lengths = append(seg.lists.passages.lengths, code{0, 0, uint32(length)})
		for j := range ranks {
			ranks[j] = z.rank()
		}
		slices.Sort(ranks)
		for from, to := 0, 0; from < len(ranks); from = to {
			for to = from; to < len(ranks) && ranks[to] == ranks[from]; to++ {
			}
			seg.lists.passages.add([]byte(z.words[ranks[from]]), row, store.Text, uint32(to-from))
		}
	}
	d.revisions = []revision{r}
	return d
}

// questions are of n terms, of which a third are among the 40 most frequent.
func (z *zipfCorpus) questions(n int) (out [][]store.QueryTerm) {
	rnd := rand.New(rand.NewPCG(uint64(n), 3))
	for range 50 {
		var q []store.QueryTerm
		for i := range n {
			rank := rnd.IntN(40)
			if i%3 > 0 {
				rank = int(rand.NewZipf(rnd, 1.07, 400, 60_000).Uint64())
			}
			q = append(q, store.QueryTerm{Term: z.words[rank], Weight: 1})
		}
		out = append(out, q)
	}
	return out
}

func (z *zipfCorpus) fill(b *testing.B, s *Store, passages int) {
	var spent, applied time.Duration
	for doc := 0; doc < passages/20; {
		c := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/"}}
		for range 50 {
			c.Put = append(c.Put, z.document(doc))
			doc++
		}
		runtime.GC() // what making the documents left behind
		began, used := time.Now(), cpu()
		if _, err := s.Apply(context.Background(), c); err != nil {
			b.Fatal(err)
		}
		applied, spent = applied+time.Since(began), spent+cpu()-used
	}
	b.Logf("%d passages applied: %.0f a second, %.0f a second of processor time", passages, float64(passages)/applied.Seconds(), float64(passages)/spent.Seconds())
}
