package chunk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

func TestZZ(t *testing.T) {
	dir := os.Getenv("ZZ")
	if dir == "" {
		t.Skip()
	}
	var n, toks, over int
	var hist [12]int
	kinds := map[document.Kind]int{}
	var took time.Duration
	bytes := 0
	filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if fi.IsDir() || !strings.HasSuffix(p, ".md") && !strings.HasSuffix(p, ".txt") && !strings.HasSuffix(p, ".html") {
			return nil
		}
		data, _ := os.ReadFile(p)
		e, err := zzExtract(p, data)
		if err != nil {
			t.Log(p, err)
			return nil
		}
		start := time.Now()
		secs := outline.Build(e.Title, e.Text, e.Blocks)
		ps := Split(document.ID{Source: "s", Path: p}, e.Title, e.Text, e.Blocks, secs, Options{})
		took += time.Since(start)
		bytes += len(e.Text)
		for _, x := range ps {
			n++
			toks += x.Tokens
			hist[min(x.Tokens/50, 11)]++
			kinds[x.Kind]++
			if x.Tokens+wordpiece.Count(x.Context) > 512 {
				over++
			}
			if x.Tokens != wordpiece.Count(x.Text) {
				t.Errorf("%s: tokens %d, count %d: %q", p, x.Tokens, wordpiece.Count(x.Text), x.Text)
			}
		}
		if os.Getenv("ZZV") != "" {
			for i, s := range secs {
				fmt.Printf("  S%d L%d %q %v D=%q\n", i, s.Level, s.Heading, s.Path, s.Description)
			}
			for _, x := range ps {
				fmt.Printf("---- %s sec %d tok %d [%s]\n%s\n", x.Kind, x.Section, x.Tokens, x.Context, x.Text)
			}
		}
		return nil
	})
	t.Logf("%d passages, mean %d, over %d, hist %v, kinds %v; %d bytes in %v", n, toks/max(n, 1), over, hist, kinds, bytes, took)
}
func zzExtract(p string, data []byte) (*extract.Extracted, error) { e, err := extract.Extract(filepath.Base(p), data); return &e, err }
