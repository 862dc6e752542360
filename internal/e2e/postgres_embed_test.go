package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/standard"
)

// counting is an embedder that counts the texts it is given, of all processes that share it.
type counting struct {
	mu    sync.Mutex
	texts map[string]int
	calls func(n int) // before the n-th call answers
	n     int
}

func (c *counting) Name() string { return "counting" }
func (c *counting) Dims() int    { return 3 }

func (c *counting) Passages(_ context.Context, texts []string) ([][][]float32, error) {
	c.mu.Lock()
	c.n++
	n := c.n
	out := make([][][]float32, len(texts))
	for i, text := range texts {
		c.texts[text]++
		out[i] = [][]float32{{float32(len(text)), 1, float32(i)}}
	}
	c.mu.Unlock()
	c.calls(n)
	return out, nil
}

func (c *counting) Question(context.Context, string) ([]float32, error) {
	return []float32{1, 0, 0}, nil
}

const embeddedNotes = 60

// notesIn is a folder of notes, all with one paragraph in common.
func notesIn(t *testing.T) string {
	dir := t.TempDir()
	for i := range embeddedNotes {
		text := fmt.Sprintf("# Note\n\nThis is remark number%d.\n\n# Terms\n\n%s\n", i, strings.Repeat("The same terms hold for all notes. ", 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%02d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// process is a corpus over the store at an address as a process of its own has it.
func process(t *testing.T, address string, by embedding.Embedder, clock func() time.Time) *standard.Corpus {
	t.Helper()
	settings := config.Defaults()
	settings.Quarry.Embedder, settings.Quarry.Clock, settings.Embedding = by, clock, config.NoModel
	corpus, err := standard.Open(t.Context(), address, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { corpus.Close() })
	return corpus
}

func add(t *testing.T, c *standard.Corpus, dir string) {
	t.Helper()
	if _, err := c.Sync(t.Context(), "notes", dir, quarry.Progress{}); err != nil {
		t.Error(err)
	}
}

// wantOnce checks that each content was embedded once and has its vector.
func wantOnce(t *testing.T, address string, by *counting) {
	t.Helper()
	for text, n := range by.texts {
		if n != 1 {
			t.Errorf("%.40q was embedded %d times", text, n)
		}
	}
	var contents, lacking, jobs int
	if err := connected(t, address).QueryRow(t.Context(), `SELECT count(DISTINCT key), count(*) FILTER (WHERE NOT EXISTS (
			SELECT FROM quarry.vector_1 v WHERE v.key = p.key AND v.tenant = p.tenant)), (SELECT count(*) FROM quarry.job)
		FROM quarry.passage p`).Scan(&contents, &lacking, &jobs); err != nil {
		t.Fatal(err)
	}
	if contents <= embeddedNotes || len(by.texts) != contents || lacking != 0 || jobs != 0 {
		t.Errorf("%d texts were embedded of %d contents; %d passages lack their vectors, and %d jobs are left", len(by.texts), contents, lacking, jobs)
	}
}

// TestEmbeddedByTwo adds a folder by two processes at once: each passage is embedded by one of them.
func TestEmbeddedByTwo(t *testing.T) {
	t.Parallel()
	address, dir := postgres.Shared(t).Database(t), notesIn(t)
	add(t, process(t, address, nil, time.Now), dir)
	both := make(chan struct{})
	by := &counting{texts: map[string]int{}, calls: func(n int) {
		if n == 2 { // the other process has begun as well
			close(both)
		}
		<-both
	}}
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() { add(t, process(t, address, by, time.Now), dir) })
	}
	group.Wait()
	wantOnce(t, address, by)
}

// TestEmbeddedAfterADeadWorker adds a folder while a process that is gone still holds documents: who goes on
// embeds the others, and those once the lease is over.
func TestEmbeddedAfterADeadWorker(t *testing.T) {
	t.Parallel()
	address, dir := postgres.Shared(t).Database(t), notesIn(t)
	add(t, process(t, address, nil, time.Now), dir)
	start, later := time.Now(), atomic.Int64{}
	clock := func() time.Time { return start.Add(time.Duration(later.Load())) }
	if tag, err := connected(t, address).Exec(t.Context(), `UPDATE quarry.job SET token = 'gone', until = $1
		WHERE id IN (SELECT id FROM quarry.job ORDER BY id LIMIT 5)`, start.Add(time.Minute)); err != nil || tag.RowsAffected() != 5 {
		t.Fatalf("%v, %v", tag, err)
	}
	by := &counting{texts: map[string]int{}}
	by.calls = func(int) {
		if len(by.texts) >= embeddedNotes-5 { // what is not held is embedded
			later.Store(int64(2 * time.Minute))
		}
	}
	add(t, process(t, address, by, clock), dir)
	wantOnce(t, address, by)
}
