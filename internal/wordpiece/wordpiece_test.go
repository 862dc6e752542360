package wordpiece

import (
	"strings"
	"testing"
)

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("The quick brown fox, aged 7.5 years, jumps over the lazy dog's unquestionably uncomfortable mat. Größe überall; Привет мир. ", 1000)
	Count("a")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Count(text)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		r, err := parseRunes(runesText)
		if err != nil {
			b.Fatal(err)
		}
		_ = r
		var bl builder
		bl.init(len(vocabText))
		id := int32(0)
		for e := range strings.Lines(vocabText) {
			bl.add(strings.TrimSuffix(e, "\n"), id)
			id++
		}
		t := bl.build()
		b.ReportMetric(float64(len(t)), "slots")
		b.ReportMetric(float64(len(bl.nodes)), "nodes")
	}
}
