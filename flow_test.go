package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/local"
)

// hashed is a model that a test can compute by hand: every word is one of
// 512 dimensions by its hash, and words that mean the same are the same.
type hashed struct {
	same     map[string]string // word -> the word it means
	texts    int               // passages embedded
	fail     func(texts int) error
	spoil    func([][][]float32) [][][]float32
	question error
}

func (*hashed) Name() string { return "hashed-512" }
func (*hashed) Dims() int    { return 512 }

func (h *hashed) Passages(_ context.Context, texts []string) ([][][]float32, error) {
	if h.fail != nil {
		if err := h.fail(h.texts); err != nil {
			return nil, err
		}
	}
	out := make([][][]float32, len(texts))
	for i, text := range texts {
		out[i] = [][]float32{h.vector(text)}
	}
	h.texts += len(texts)
	if h.spoil != nil {
		out = h.spoil(out)
	}
	return out, nil
}

func (h *hashed) Question(_ context.Context, text string) ([]float32, error) {
	return h.vector(text), h.question
}

func (h *hashed) vector(text string) []float32 {
	out := make([]float32, 512)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if other, ok := h.same[word]; ok {
			word = other
		}
		sum := fnv.New32a()
		sum.Write([]byte(word))
		out[sum.Sum32()%512]++
	}
	var squares float64
	for _, x := range out {
		squares += float64(x * x)
	}
	if squares == 0 {
		out[0], squares = 1, 1
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(squares))
	}
	return out
}

// over opens a corpus with options over a new store.
func over(t *testing.T, o quarry.Options) *quarry.Corpus {
	t.Helper()
	s, err := local.Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), local.Options{Clock: o.Clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.Store = s
	c, err := quarry.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// folder writes files, and what it returns writes one more or changes one.
func folder(t *testing.T, files map[string]string) (string, func(name, text string)) {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	return root, write
}

func synced(t *testing.T, c *quarry.Corpus, root string) quarry.Report {
	t.Helper()
	r, err := c.Sync(t.Context(), "docs", root, quarry.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func found(t *testing.T, c *quarry.Corpus, question string) (paths []string, r quarry.Result) {
	t.Helper()
	r, err := c.Search(t.Context(), question, document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Candidates {
		paths = append(paths, x.Document.Path)
	}
	return paths, r
}

// Sync embeds what is new, Search asks the model, and both lanes rank together.
func TestVectors(t *testing.T) {
	model := &hashed{same: map[string]string{"automobile": "car"}}
	c := over(t, quarry.Options{Embedder: model})
	root, write := folder(t, map[string]string{
		"car.md":   "# Fleet\n\nEvery car is washed on Friday.\n",
		"lunch.md": "# Canteen\n\nLunch begins at noon.\n",
		"both.md":  "# Parking\n\nAn automobile is parked below the house.\n",
	})
	if r := synced(t, c, root); r.Vectors != 3 || model.texts != 3 {
		t.Errorf("%d vectors of %d passages embedded", r.Vectors, model.texts)
	}
	if r := synced(t, c, root); r.Vectors != 0 || r.Unchanged != 3 {
		t.Errorf("the same again: %+v", r)
	}
	write("lunch.md", "# Canteen\n\nLunch begins at one.\n")
	if r := synced(t, c, root); r.Vectors != 1 || len(r.Changed) != 1 {
		t.Errorf("one changed: %+v", r)
	}

	// "automobile" stands in one document only; the other means it.
	paths, r := found(t, c, "automobile")
	if len(paths) < 2 || paths[0] != "both.md" || paths[1] != "car.md" {
		t.Errorf("found %v", paths)
	}
	second := r.Candidates[1]
	if second.Keyword.Score != 0 || !(second.Vector.Score > 0) || second.Vector.Rank == 0 {
		t.Errorf("the second has keyword %+v and vector %+v", second.Keyword, second.Vector)
	}
	if failed := r.Trace.Failed(); len(failed) > 0 {
		t.Errorf("failed: %v", failed)
	}
	documents, err := c.Documents(t.Context(), document.Scope{})
	if err != nil || len(documents) != 3 {
		t.Errorf("%d documents, %v", len(documents), err)
	}
	for _, d := range documents {
		if d.Vectors != d.Passages {
			t.Errorf("%s has %d vectors for %d passages", d.Document, d.Vectors, d.Passages)
		}
	}

	// A model that is out of reach leaves the other lanes, and is named.
	model.question = errors.New("status 503")
	paths, r = found(t, c, "automobile")
	if failed := strings.Join(r.Trace.Failed(), " "); !slices.Equal(paths, []string{"both.md"}) ||
		!strings.Contains(failed, "vector: embedding the question with hashed-512: status 503") {
		t.Errorf("without the model %v, failed %q", paths, failed)
	}
}

// An embedding that broke off goes on where it stopped; until then, text is found by
// its words.
func TestInterruptedEmbedding(t *testing.T) {
	const passages = 300
	model := &hashed{}
	c := over(t, quarry.Options{Embedder: model})
	files := map[string]string{}
	for i := range passages {
		files[fmt.Sprintf("f%03d.md", i)] = fmt.Sprintf("# Note %d\n\nThis is remark number%d.\n", i, i)
	}
	root, _ := folder(t, files)

	model.fail = func(texts int) error {
		if texts > 0 {
			return errors.New("the power is out")
		}
		return nil
	}
	r, err := c.Sync(t.Context(), "docs", root, quarry.Progress{})
	if err == nil || !strings.Contains(err.Error(), "hashed-512: the power is out; what was embedded is kept, run the command again") {
		t.Errorf("error %v", err)
	}
	if r.Vectors == 0 || r.Vectors == passages || len(r.Added) != passages {
		t.Errorf("%d vectors, %d documents added", r.Vectors, len(r.Added))
	}
	if paths, _ := found(t, c, "number299"); len(paths) == 0 || paths[0] != "f299.md" {
		t.Errorf("what waits for its vector is not found by its words: %v", paths)
	}

	kept := r.Vectors
	model.fail = nil
	if r = synced(t, c, root); r.Vectors != passages-kept || model.texts != passages || r.Unchanged != passages {
		t.Errorf("%d of the missing %d embedded, %d in all", r.Vectors, passages-kept, model.texts)
	}
}

// A model that gives something else than it should is named in a sentence, and
// nothing of it is stored.
func TestFaultyModel(t *testing.T) {
	for _, f := range []struct {
		name  string
		spoil func([][][]float32) [][][]float32
		want  string
	}{
		{"one result too few", func(v [][][]float32) [][][]float32 { return v[1:] }, "embedding with hashed-512 gave 1 results for 2 passages"},
		{"no vector for a passage", func(v [][][]float32) [][][]float32 { v[1] = nil; return v }, "embedding with hashed-512 gave no vector for a passage"},
		{"a dimension too few", func(v [][][]float32) [][][]float32 { v[0][0] = v[0][0][1:]; return v }, "511"},
		{"no number", func(v [][][]float32) [][][]float32 { v[0][0][3] = float32(math.NaN()); return v }, "hashed-512"},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := over(t, quarry.Options{Embedder: &hashed{spoil: f.spoil}})
			root, _ := folder(t, map[string]string{"a.md": "# A\n\nThe fee is five.\n", "b.md": "# B\n\nThe rate is six.\n"})
			r, err := c.Sync(t.Context(), "docs", root, quarry.Progress{})
			if err == nil || !strings.Contains(err.Error(), f.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v", err)
			}
			if r.Vectors != 0 {
				t.Errorf("%d vectors are counted", r.Vectors)
			}
			if paths, _ := found(t, c, "fee"); len(paths) == 0 || paths[0] != "a.md" {
				t.Errorf("found %v", paths)
			}
		})
	}
}

// turned is a reranker that turns the order round, or fails.
type turned struct{ err error }

func (turned) Name() string { return "turned" }

func (r turned) Rerank(_ context.Context, _ string, passages []string) ([]float64, error) {
	out := make([]float64, len(passages))
	for i := range out {
		out[i] = float64(i)
	}
	return out, r.err
}

func TestReranker(t *testing.T) {
	root, _ := folder(t, map[string]string{"a.md": "# Fees\n\nThe fee is five.\n", "b.md": "# Other\n\nSomebody asked about the fee and much else that is of no use here.\n"})
	var plain, inverted []string
	for _, r := range []quarry.Reranker{nil, turned{}, turned{errors.New("it is off")}} {
		c := over(t, quarry.Options{Reranker: r})
		synced(t, c, root)
		paths, result := found(t, c, "What is the fee?")
		switch r {
		case nil:
			plain = paths
		case turned{}:
			if inverted = slices.Clone(paths); slices.Equal(plain, inverted) {
				t.Errorf("the order stays %v", paths)
			}
		default:
			if failed := strings.Join(result.Trace.Failed(), " "); !slices.Equal(paths, plain) || !strings.Contains(failed, "rerank: turned failed") {
				t.Errorf("a reranker that fails: %v, %q", paths, failed)
			}
		}
	}
}

// What was replaced is no second opinion: neither an edited file nor a superseded one
// disagrees with what is in force.
func TestOldAndNewDoNotDisagree(t *testing.T) {
	c := over(t, quarry.Options{})
	root, write := folder(t, map[string]string{
		"fees.md":     "# Fees\n\nThe handling fee is 5 percent.\n",
		"old-pay.md":  "---\neffective: {from: 2020-01-01}\n---\n# Pay\n\nThe overtime bonus is 10 percent.\n",
		"new-pay.md":  "---\nsupersedes: [old-pay.md]\neffective: {from: 2023-01-01}\n---\n# Pay\n\nThe overtime bonus is 20 percent.\n",
		"ruled-1.md":  "# Rules\n\nThe parking deposit is 30 EUR.\n",
		"ruled-22.md": "# Rules\n\nThe parking deposit is 40 EUR.\n",
	})
	synced(t, c, root)
	write("fees.md", "# Fees\n\nThe handling fee is 7 percent.\n")
	synced(t, c, root)
	day, err := document.ParseDay("2021-06-01")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct {
		question string
		scope    document.Scope
		status   string
		says     string
		not      string
	}{
		{"What is the handling fee?", document.Scope{}, "answered", "7 percent", "5 percent"},
		{"What is the overtime bonus?", document.Scope{}, "answered", "20 percent", "10 percent"},
		{"What is the overtime bonus?", document.Scope{AsOf: day}, "answered", "10 percent", "20 percent"},
		{"What is the parking deposit?", document.Scope{}, "conflict", "30 EUR", "percent"},
	} {
		asked, err := c.Ask(t.Context(), q.question, q.scope)
		if err != nil {
			t.Fatal(err)
		}
		if a := asked.Answer; string(a.Status) != q.status || !strings.Contains(a.Text, q.says) || strings.Contains(a.Text, q.not) {
			t.Errorf("%s on %s: %s %q", q.question, q.scope.AsOf, a.Status, a.Text)
		}
	}
}

// Quotes and evidence are exactly the text of their spans, whatever the format.
func TestQuotesStandInTheText(t *testing.T) {
	c := over(t, quarry.Options{})
	root, _ := folder(t, map[string]string{
		"a.md":   "\ufeff---\ntitle: Ferries\n---\n# Ferries\r\n\r\nA **ferry** to Hönö leaves every 20 minutes.\r\n\r\n## 7.2 Dogs\r\n\r\nThey travel free.\r\n",
		"b.html": "<html><head><title>Trams</title></head><body><h1>Trams</h1><p>A tram to the harbour costs&nbsp;<b>EUR&nbsp;3</b> &amp; is slow.</p></body></html>",
		"c.txt":  "BUSES\n\nLine | Leaves | Fare\nRed | 9:00 | 2 EUR\nBlue | 9:30 | 4 EUR\nGreen | 9:45 | 5 EUR\n",
	})
	synced(t, c, root)
	for question, want := range map[string]string{
		"How often does the ferry to Hönö leave?": "A ferry to Hönö leaves every 20 minutes. [1]",
		"What does clause 7.2 say about dogs?":    "They travel free. [1]",
		"How much does the tram cost?":            "EUR 3",
		"What is the fare of the Blue line?":      "Line: Blue; Leaves: 9:30; Fare: 4 EUR [1]",
	} {
		asked, err := c.Ask(t.Context(), question, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(asked.Answer.Text, "\u00a0", " "); !strings.Contains(got, want) {
			t.Errorf("%s: %s %q, want %q", question, asked.Answer.Status, asked.Answer.Text, want)
		}
		for _, cite := range asked.Answer.Citations {
			if text := textOf(t, c, cite.Document); cite.Span.Of(text) != cite.Quote || cite.Quote == "" {
				t.Errorf("%s: the quote %q is not the text of its span", question, cite.Quote)
			}
		}
		for _, p := range asked.Evidence {
			if text := textOf(t, c, p.Document); p.Span.Of(text) != p.Text {
				t.Errorf("%s: the piece %q is not the text of its span", question, p.Text)
			}
		}
	}
}

func textOf(t *testing.T, c *quarry.Corpus, id document.ID) string {
	t.Helper()
	r, err := c.Document(t.Context(), id, document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

// A question that names one topic takes as many passages as may go, as many documents
// may have a rule each; one that says more takes those that stand out.
func TestVagueQuestion(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("office%d.md", i)] = fmt.Sprintf("# Office %d\n\nA refund takes %d days. %s\n", i, i+2, strings.Repeat("Lunch is at noon. ", 25+i))
	}
	files["office7.md"] += "\nIt stands in Norway.\n"
	c := over(t, quarry.Options{})
	root, _ := folder(t, files)
	synced(t, c, root)
	for question, few := range map[string]bool{"How long does a refund take?": false, "How long does a refund take in Norway?": true} {
		asked, err := c.Ask(t.Context(), question, document.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(asked.Evidence); few != (n < 12) {
			t.Errorf("%q takes %d passages", question, n)
		}
	}
}
