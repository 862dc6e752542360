package extract

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"time"
)

// sampleFolders are those of the shared samples whose formats are read here.
var sampleFolders = []string{"asciidoc", "csv", "email", "epub", "html", "jats", "latex", "md", "markitdown"}

// sampleFiles are the originals among the samples.
func sampleFiles(t *testing.T) []string {
	t.Helper()
	const root = "../../../shared/sets/parser_samples"
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: the samples are not beside the project")
	}
	var out []string
	for _, dir := range sampleFolders {
		err := fs.WalkDir(os.DirFS(root), dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.Contains(p, "groundtruth") {
				out = append(out, path.Join(root, p))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestSamples: every file of a format that is read is read, and soon.
func TestSamples(t *testing.T) {
	read := 0
	for _, name := range sampleFiles(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		x, err := Extract(name, data)
		took := time.Since(start)
		if extension(name) == ".pdf" { // TestPDFSamples
			continue
		}
		if f := formatOf[extension(name)]; (f == "" || f == formatImage) && !officeFormats[extension(name)] {
			if !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %v, want that its format is not read", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		read++
		checkBlocks(t, x)
		if took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	t.Logf("%d files were read", read)
	if read < 50 {
		t.Errorf("only %d files were read", read)
	}
}

// TestSamplesAtOnce reads the samples in several goroutines: what is shared among
// readers must not change while they read.
func TestSamplesAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for _, name := range sampleFiles(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 100_000 {
			continue // one of a kind is enough, and the race detector is slow
		}
		want, wantErr := Extract(name, data)
		for range 2 {
			group.Go(func() {
				if got, err := Extract(name, data); got.Text != want.Text || (err == nil) != (wantErr == nil) {
					t.Errorf("%s is read otherwise beside others: %v, %v", name, err, wantErr)
				}
			})
		}
	}
	group.Wait()
}
