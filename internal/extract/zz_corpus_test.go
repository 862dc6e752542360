package extract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"bytes"
	"github.com/seed-d3156d19/quarry/internal/source"
	"context"
)

func TestCorpora(t *testing.T) {
	dirs := strings.Fields(os.Getenv("CORPORA"))
	for _, d := range dirs {
		src, err := source.Open(d, source.Options{})
		if err != nil { t.Fatal(err) }
		l, err := src.List(context.Background())
		if err != nil { t.Fatal(err) }
		start := time.Now()
		kinds := map[BlockKind]int{}
		unsup, n, nbytes := 0, 0, 0
		unc := map[string]int{}
		for _, it := range l.Items {
			o, err := it.Read(context.Background())
			if err != nil { fmt.Println(err); continue }
			x, err := Extract(it.Path, o.Bytes)
			if err != nil {
				if strings.Contains(err.Error(), "not read") { unsup++ } else { fmt.Println(it.Path, err) }
				continue
			}
			n++; nbytes += len(o.Bytes)
			checkBlocks(t, x)
			m, err := Metadata(o.Sidecars, x.FrontMatter)
			if err != nil { fmt.Println(it.Path, err) }
			_ = m
			_, body, _ := cutFrontMatter(x.Text)
			for _, u := range uncovered(x, body) { unc[u]++ }
			for _, b := range x.Blocks { kinds[b.Kind]++ }
			if len(x.Notes) > 0 && os.Getenv("V") != "" { fmt.Println(it.Path, x.Notes) }
			if o := os.Getenv("DUMP"); o != "" {
				var w bytes.Buffer
				fmt.Fprintf(&w, "TITLE %s\n%+v\n%v\n", x.Title, m, x.Notes)
				for _, b := range x.Blocks {
					fmt.Fprintf(&w, "== %s L%d N=%q T=%q C=%q items=%d hdr=%d rows=%d\n%s\n", b.Kind, b.Level, b.Number, b.Text, b.Caption, len(b.Items), len(b.Header), len(b.Rows), b.Span.Of(x.Text))
				}
				p := filepath.Join(o, filepath.Base(d), it.Path+".dump"); os.MkdirAll(filepath.Dir(p), 0o755)
				os.WriteFile(p, w.Bytes(), 0o644)
			}
		}
		fmt.Println(d, "docs", n, "unsupported", unsup, "skipped", len(l.Skipped), "KB", nbytes/1024, "kinds", kinds, time.Since(start), "uncovered", len(unc))
		i := 0
		for u, c := range unc { if i++; i > 25 { break }; if len(u) > 100 { u = u[:100] }; fmt.Printf("   %d %q\n", c, u) }
	}
}
