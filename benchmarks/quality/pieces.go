package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// pieceTokens is the size of a piece, in tokens of the built-in WordPiece.
const pieceTokens = 512

// listed is how many pieces a list holds: as many as candidates that Quarry's fusion
// passes on.
const listed = 50

// piece is a part of a document's canonical text, cut without regard to its structure.
type piece struct {
	hit     evaluate.Hit
	indexed string // what is searched: the text, after the title where the text does not hold it
	terms   map[string]int
	length  int         // in terms
	vectors [][]float32 // one for each window of the model
}

// cut gives the spans of pieces of at most n tokens, which end at white space; only a
// run without any that is longer is itself cut.
func cut(text string, n int) []document.Span {
	var spans []document.Span
	var now document.Span
	sum := 0
	flush := func() {
		if sum > 0 {
			spans = append(spans, now)
		}
		sum = 0
	}
	add := func(from, to int) {
		tokens := max(1, wordpiece.Count(text[from:to])) // signs that the vocabulary drops take a place as well
		if sum > 0 && sum+tokens > n {
			flush()
		}
		if sum == 0 {
			now.From = from
		}
		now.To = to
		sum += tokens
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += size
			continue
		}
		end := len(text)
		if i := strings.IndexFunc(text[at:], unicode.IsSpace); i >= 0 {
			end = at + i
		}
		for wordpiece.Count(text[at:end]) > n {
			to := at + wordpiece.Cut(text[at:end], n)
			add(at, to)
			at = to
		}
		if at < end {
			add(at, end)
		}
		at = end
	}
	flush()
	return spans
}

// pieces are those of all documents of a corpus, searched under the scope of each
// question as Quarry does: what the asker does not see is not in the index.
type pieces struct {
	corpus   *quarry.Corpus
	embedder embedding.Embedder
	titled   bool // the title is no part of the text, as in a BEIR corpus
	embedded func(done, total int)

	cut     map[string][]*piece // by document and revision
	indexes map[string]*index   // by scope
}

func newPieces(corpus *quarry.Corpus, e embedding.Embedder, titled bool, embedded func(done, total int)) *pieces {
	return &pieces{corpus: corpus, embedder: e, titled: titled, embedded: embedded, cut: map[string][]*piece{}, indexes: map[string]*index{}}
}

// index is what one scope sees.
type index struct {
	pieces    []*piece
	documents map[string]int // pieces that hold a term
	average   float64        // length of a piece, in terms
}

// of gives the index of a scope.
func (p *pieces) of(ctx context.Context, scope document.Scope) (*index, error) {
	key := fmt.Sprintf("%+v", scope)
	if ix := p.indexes[key]; ix != nil {
		return ix, nil
	}
	list, err := p.corpus.Documents(ctx, scope)
	if err != nil {
		return nil, err
	}
	var all []*piece
	for _, d := range list {
		if d.Error != "" {
			continue
		}
		key := d.Document.String() + "\x00" + d.Revision
		if _, ok := p.cut[key]; !ok {
			r, err := p.corpus.Document(ctx, d.Document, scope)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", d.Document, err)
			}
			p.cut[key] = cutDocument(r, p.titled)
		}
		all = append(all, p.cut[key]...)
	}
	ix := newIndex(all)
	p.indexes[key] = ix
	return ix, nil
}

func newIndex(all []*piece) *index {
	ix := &index{pieces: all, documents: map[string]int{}}
	for _, piece := range all {
		for term := range piece.terms {
			ix.documents[term]++
		}
		ix.average += float64(piece.length) / float64(len(all))
	}
	return ix
}

func cutDocument(r document.Revision, titled bool) []*piece {
	var list []*piece
	for i, span := range cut(r.Text, pieceTokens) {
		text := span.Of(r.Text)
		p := &piece{indexed: text, terms: map[string]int{}, hit: evaluate.Hit{Document: r.Document.Path, Title: r.Title,
			Heading: headings(r.Sections, span), Span: span, Text: text, Tokens: wordpiece.Count(text)}}
		if titled && i == 0 && r.Title != text {
			p.indexed = r.Title + "\n" + text
		}
		for _, w := range analyze.Words(p.indexed) {
			p.terms[w.Term]++
			p.length++
		}
		list = append(list, p)
	}
	return list
}

// headings are those of every section that a piece touches: where sections are judged, it
// counts for all of them, in one place.
func headings(sections []document.Section, span document.Span) []string {
	var list []string
	for _, s := range sections {
		touched := min(s.Span.To, span.To) > max(s.Span.From, span.From)
		if n := len(s.Path); n > 0 && touched {
			list = append(list, s.Path[n-1])
		}
	}
	return list
}

// byWords is BM25 over pieces.
type byWords struct{ *pieces }

// Search implements evaluate.Searcher.
func (b byWords) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	ix, err := b.of(ctx, q.Scope)
	if err != nil {
		return nil, err
	}
	question := analyze.ForQuestion(q.Text)
	return ix.best(func(p *piece) float64 {
		score := 0.0
		for _, t := range question.Terms {
			score += ix.bm25(p, t.Term)
		}
		return score
	}), nil
}

// bm25 is Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with the
// usual k1 = 1.2 and b = 0.75 and an idf that is never negative.
func (ix *index) bm25(p *piece, term string) float64 {
	const k1, b = 1.2, 0.75
	tf, df := float64(p.terms[term]), float64(ix.documents[term])
	if tf == 0 {
		return 0
	}
	idf := math.Log(1 + (float64(len(ix.pieces))-df+0.5)/(df+0.5))
	return idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(p.length)/ix.average))
}

// byVectors is the cosine of the question and the nearest window of each piece.
type byVectors struct{ *pieces }

// Search implements evaluate.Searcher.
func (b byVectors) Search(ctx context.Context, q evaluate.Query) ([]evaluate.Hit, error) {
	ix, err := b.of(ctx, q.Scope)
	if err != nil {
		return nil, err
	}
	if err := b.embed(ctx, ix.pieces); err != nil {
		return nil, err
	}
	question, err := b.embedder.Question(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	return ix.best(func(p *piece) float64 {
		best := 0.0
		for _, v := range p.vectors {
			best = max(best, dot(v, question))
		}
		return best
	}), nil
}

// embed gives vectors to the pieces that have none.
func (b byVectors) embed(ctx context.Context, all []*piece) error {
	var left []*piece
	for _, p := range all {
		if p.vectors == nil {
			left = append(left, p)
		}
	}
	const batch = 64
	for from := 0; from < len(left); from += batch {
		now := left[from:min(from+batch, len(left))]
		texts := make([]string, len(now))
		for i, p := range now {
			texts[i] = p.indexed
		}
		vectors, err := b.embedder.Passages(ctx, texts)
		if err != nil {
			return fmt.Errorf("embedding pieces: %w", err)
		}
		for i, p := range now {
			p.vectors = vectors[i]
			if p.vectors == nil {
				p.vectors = [][]float32{}
			}
		}
		b.embedded(from+len(now), len(left))
	}
	return nil
}

// dot is the cosine of vectors of unit length.
func dot(a, b []float32) float64 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// best lists the pieces of the highest scores above 0; of equal ones the first.
func (ix *index) best(score func(*piece) float64) []evaluate.Hit {
	var hits []evaluate.Hit
	for _, p := range ix.pieces {
		if s := score(p); s > 0 {
			hit := p.hit
			hit.Score = s
			hits = append(hits, hit)
		}
	}
	slices.SortStableFunc(hits, func(a, b evaluate.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return hits[:min(listed, len(hits))]
}
