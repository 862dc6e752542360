package local

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// BenchmarkPhrase looks for phrases in 20,000 passages, which it reads from the record: of
// frequent words, which most of the passages hold, as many as are looked at; of scarce
// ones few.
func BenchmarkPhrase(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "quarry.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	z := newZipfCorpus()
	z.fill(b, s, 20_000)
	v, err := s.View(ctx, document.Scope{})
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	for _, c := range []struct {
		name  string
		ranks []int
	}{{"frequent words", []int{0, 1, 2}}, {"a frequent and a scarce word", []int{0, 300}}, {"scarce words", []int{300, 301}}} {
		b.Run(c.name, func(b *testing.B) {
			var phrase store.Phrase
			for _, rank := range c.ranks {
				phrase = append(phrase, []string{z.words[rank]})
			}
			var hits store.PhraseHits
			used := cpu()
			for b.Loop() {
				if hits, err = v.Phrase(ctx, phrase, 2000); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpu()-used).Nanoseconds())/float64(b.N), "cpu-ns")
			b.ReportMetric(float64(hits.Matched), "matched")
			b.ReportMetric(float64(min(hits.Matched, 2000)), "looked-at")
		})
	}
}
