package chunk

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// check reports what is wrong with passages that were made of blocks.
func check(text string, blocks []extract.Block, sections []document.Section, got []document.Passage, o Options) error {
	o = o.EnsureDefaults()
	covered := make([]bool, len(text))
	ids := map[document.PassageID]bool{}
	from, to := 0, 0
	for i, p := range got {
		if p.Text == "" || p.Text != p.Span.Of(text) {
			return fmt.Errorf("passage %d: text is not its span %v", i, p.Span)
		}
		if p.Span.From < from || p.Span.To <= to {
			return fmt.Errorf("passage %d: span %v is out of order", i, p.Span)
		}
		from, to = p.Span.From, p.Span.To
		if ids[p.ID] {
			return fmt.Errorf("passage %d: id %s twice", i, p.ID)
		}
		ids[p.ID] = true
		if len(p.ID) != 32 || len(p.Key) != 32 {
			return fmt.Errorf("passage %d: id %q, key %q", i, p.ID, p.Key)
		}
		if n := wordpiece.Count(p.Text); n != p.Tokens {
			return fmt.Errorf("passage %d: %d tokens, counted %d: %q", i, p.Tokens, n, p.Text)
		}
		if n := p.Tokens + wordpiece.Count(p.Context); n > o.MaxTokens {
			return fmt.Errorf("passage %d: %d tokens with its context: %q\n%q", i, n, p.Context, p.Text)
		}
		if len(p.Text) > 2*o.MaxTokens*bytesPerToken {
			return fmt.Errorf("passage %d: %d bytes", i, len(p.Text))
		}
		s := sections[p.Section]
		if !s.Span.Contains(p.Span) {
			return fmt.Errorf("passage %d: span %v outside its section's, %v", i, p.Span, s.Span)
		}
		for j := p.Section + 1; j < len(sections) && sections[j].Span.From < p.Span.To; j++ {
			if sections[j].Span.Overlaps(p.Span) {
				return fmt.Errorf("passage %d: in section %d, but section %d is further in", i, p.Section, j)
			}
		}
		for k := p.Span.From; k < p.Span.To; k++ {
			covered[k] = true
		}
	}
	for _, b := range blocks {
		if b.Kind == extract.Heading {
			continue
		}
		for k, r := range b.Span.Of(text) {
			if !unicode.IsSpace(r) && !covered[b.Span.From+k] {
				return fmt.Errorf("%q at %d is in no passage", r, b.Span.From+k)
			}
		}
	}
	return nil
}

func TestProperties(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := manual(r, 5+r.IntN(60))
		blocks := blocksOf(text)
		sections := outline.Build("Manual", text, blocks)
		for _, o := range []Options{{}, {MaxTokens: 64}, {MaxTokens: 128, TargetTokens: 128}, {TargetTokens: 60, OverlapTokens: -1}, {MaxTokens: 256, TargetTokens: 20, OverlapTokens: 64}} {
			if err := o.Validate(); err != nil {
				t.Fatal(err)
			}
			got := Split(document.ID{Source: "s", Path: "p"}, "Manual", text, blocks, sections, o)
			if err := check(text, blocks, sections, got, o); err != nil {
				t.Fatalf("seed %d, %v: %v", seed, o, err)
			}
			if again := Split(document.ID{Source: "s", Path: "p"}, "Manual", text, blocks, sections, o); !reflect.DeepEqual(got, again) {
				t.Fatalf("seed %d: two runs differ", seed)
			}
		}
	}
}

// An edit of a paragraph must leave passages alone that are further away than a
// passage is long.
func TestEditsStayLocal(t *testing.T) {
	var edits, changed, far int
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		paras := make([]string, 120)
		for i := range paras {
			paras[i] = prose(r, 8+r.IntN(90))
		}
		before := split(strings.Join(paras, "\n\n"), Options{})
		for range 10 {
			edited := append([]string(nil), paras...)
			k := r.IntN(len(edited))
			switch r.IntN(4) {
			case 0:
				edited[k] += " " + prose(r, 10)
			case 1:
				edited[k] = prose(r, 8+r.IntN(90))
			case 2:
				edited = append(edited[:k], edited[k+1:]...)
			case 3:
				edited = append(edited[:k], append([]string{prose(r, 40)}, edited[k:]...)...)
			}
			text := strings.Join(edited, "\n\n")
			at := len(strings.Join(edited[:min(k, len(edited)-1)], "\n\n"))
			had := map[document.PassageID]bool{}
			for _, p := range before {
				had[p.ID] = true
			}
			edits++
			after := split(text, Options{})
			for i, p := range after {
				if had[p.ID] {
					continue
				}
				changed++
				if gap := max(p.Span.From-at, at-p.Span.To); gap > 0 {
					lo, hi := min(at, p.Span.From), max(at, p.Span.To)
					if n := wordpiece.Count(text[lo:hi]); n > 5*DefaultTargetTokens {
						far++
						t.Logf("seed %d: passage %d changed, %d tokens from the edit", seed, i, n)
					}
				}
			}
		}
	}
	t.Logf("%d edits: %.2f passages changed each, %d far away", edits, float64(changed)/float64(edits), far)
	if float64(changed)/float64(edits) > 2.5 || far > 0 {
		t.Errorf("%d passages changed by %d edits, %d of them far away", changed, edits, far)
	}
}
