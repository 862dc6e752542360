package reference

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
)

// BenchmarkFind reads the project's own handbook, or the pages of FIND_DOCS.
func BenchmarkFind(b *testing.B) {
	type page struct {
		path     string
		x        extract.Extracted
		sections []document.Section
	}
	root := "../../examples/handbook/docs"
	if docs := os.Getenv("FIND_DOCS"); docs != "" {
		root = docs
	}
	var pages []page
	files, err := filepath.Glob(filepath.Join(root, "*.md"))
	more, _ := filepath.Glob(filepath.Join(root, "*", "*.md"))
	if files = append(files, more...); err != nil || len(files) == 0 {
		b.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if x, err := extract.Extract(file, data); err == nil {
			pages = append(pages, page{file, x, outline.Build(x.Title, x.Text, x.Blocks)})
		}
	}
	bytes := 0
	for _, p := range pages {
		bytes += len(p.x.Text)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			Find(p.path, p.x, p.sections)
		}
	}
}
