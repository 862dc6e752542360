package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/embedding/openai"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// served is a corpus over a new store whose vectors come from a fake service, a few
// texts in each request.
func served(t *testing.T, change ...func(*openai.Options)) (*quarry.Corpus, *testkit.Embeddings) {
	t.Helper()
	s := testkit.NewEmbeddings(t, 16)
	o := openai.Options{URL: s.URL, Model: "fake", Dimensions: 16, BatchItems: 8, Requests: 2, Clock: s.Clock}
	for _, f := range change {
		f(&o)
	}
	client, err := openai.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return over(t, quarry.Options{Embedder: client}), s
}

func notes(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%03d.md", i)] = fmt.Sprintf("# Note %d\n\nThis is remark number%d.\n", i, i)
	}
	return files
}

// wantEmbedded checks that of all that was embedded nothing was twice, and how many
// it was.
func wantEmbedded(t *testing.T, s *testkit.Embeddings, passages int) {
	t.Helper()
	n := 0
	for text, times := range s.Embedded() {
		if !strings.Contains(text, "remark") {
			continue // the client's own
		}
		n++
		if times != 1 {
			t.Errorf("%q was embedded %d times", text, times)
		}
	}
	if n != passages {
		t.Errorf("%d passages were embedded, want %d", n, passages)
	}
}

// Faults of a service: the run ends with every passage embedded once, or stops with a
// sentence and the next one does the rest.
func TestEmbeddingServiceFaults(t *testing.T) {
	const passages = 60 // more than a batch
	for _, c := range []struct {
		name   string
		script []testkit.Fault
		rule   func(testkit.Request) testkit.Fault // after the script, until the next run
		stops  string                              // "" where the first run ends complete
	}{
		{name: "none"},
		{name: "429", script: []testkit.Fault{nil, testkit.Status(429, "slow down", "Retry-After", "11"), nil, testkit.Status(429, "slow down")}},
		{name: "500", script: []testkit.Fault{nil, nil, testkit.Status(500, "oops"), testkit.Status(500, "oops")}},
		{name: "a cut connection", script: []testkit.Fault{nil, testkit.Cut, testkit.Drop, testkit.Cut}},
		{name: "one vector too few", script: []testkit.Fault{testkit.TooFew, nil, testkit.TooFew}},
		{name: "another length", script: []testkit.Fault{nil, testkit.Length(24)}},
		{name: "unsorted", rule: testkit.Always(testkit.Unsorted)},

		{name: "429 for an hour", script: make([]testkit.Fault, 7), rule: testkit.Always(testkit.Status(429, "daily limit", "Retry-After", "3600")),
			stops: "answered 429 (daily limit): it asks to wait 1h0m0s; what was embedded is kept, run the command again to go on"},
		{name: "500 from then on", script: make([]testkit.Fault, 3), rule: testkit.Always(testkit.Status(500, "no GPU")), stops: "answered 500 (no GPU) (tried 4 times); what was embedded is kept"},
		{name: "cut from then on", script: make([]testkit.Fault, 5), rule: testkit.Always(testkit.Cut), stops: "broke off the connection"},
		{name: "one too few from then on", script: make([]testkit.Fault, 5), rule: testkit.Always(testkit.TooFew), stops: "gave 0 vectors for 1 texts"},
		{name: "another length from then on", script: make([]testkit.Fault, 6), rule: testkit.Always(testkit.Length(24)), stops: "set embedding.service.dimensions to 24"},
		{name: "another length from the first", rule: testkit.Always(testkit.Length(12)), stops: "gave vectors of 12 components where 16 are wanted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			corpus, s := served(t)
			s.Script(c.script...)
			if c.rule != nil {
				s.Rule(c.rule)
			}
			root, _ := folder(t, notes(passages))
			r, err := corpus.Sync(t.Context(), "docs", root, quarry.Progress{})
			if len(r.Added) != passages {
				t.Errorf("%d documents added", len(r.Added))
			}
			if (err != nil) != (c.stops != "") || err != nil && !strings.Contains(err.Error(), c.stops) {
				t.Fatalf("error %v, want %q", err, c.stops)
			}
			if c.stops != "" && (!errors.Is(err, quarry.ErrEmbedding) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("the error is %#v", err)
			}
			wantEmbedded(t, s, r.Vectors)
			if c.stops != "" {
				if paths, _ := found(t, corpus, "number59"); len(paths) == 0 || paths[0] != "f059.md" {
					t.Errorf("what waits for its vector is not found by its words: %v", paths)
				}
				s.Heal()
				again := synced(t, corpus, root)
				if r.Vectors+again.Vectors != passages || again.Unchanged != passages {
					t.Errorf("%d were embedded first and %d then", r.Vectors, again.Vectors)
				}
			} else if r.Vectors != passages {
				t.Errorf("%d were embedded", r.Vectors)
			}
			wantEmbedded(t, s, passages)
			requests := len(s.Requests())
			if r := synced(t, corpus, root); r.Vectors != 0 || len(s.Requests()) != requests {
				t.Errorf("a run with nothing to do embeds %d in %d requests", r.Vectors, len(s.Requests())-requests)
			}
		})
	}
}

// A passage that the model refuses is reported, and the others are embedded; it is
// tried again at each sync until the model takes it.
func TestRefusedPassages(t *testing.T) {
	corpus, s := served(t)
	s.Rule(testkit.Refuse("number7.", testkit.Status(400, "this is not allowed")))
	files := notes(30)
	files["g.md"] = "# First\n\nOne remark: number7.\n\n# Second\n\nAnother remark: number7.\n"
	root, write := folder(t, files)
	r, err := corpus.Sync(t.Context(), "docs", root, quarry.Progress{})
	if err != nil || r.Vectors != 29 || len(r.Failed) != 0 || len(r.Added) != 31 {
		t.Fatalf("%+v, %v", r, err)
	}
	want := func(r quarry.Report, paths ...string) {
		t.Helper()
		var got []string
		for _, u := range r.Unembedded {
			got = append(got, u.Document)
			if !strings.Contains(u.Error, "answered 400 (this is not allowed)") || !strings.Contains(u.Error, "found by its words only") && !strings.Contains(u.Error, "2 passages have no vector") {
				t.Errorf("%s: %s", u.Document, u.Error)
			}
		}
		if slices.Sort(got); !slices.Equal(got, paths) {
			t.Errorf("without a vector are %v, want %v", got, paths)
		}
	}
	want(r, "f007.md", "g.md")
	if paths, _ := found(t, corpus, "number7"); len(paths) < 3 {
		t.Errorf("refused passages are not found by their words: %v", paths)
	}

	// Also a sync of another source tries them, and says whose they are.
	other, _ := folder(t, map[string]string{"x.md": "# X\n\nOne more remark.\n"})
	r, err = corpus.Sync(t.Context(), "other", other, quarry.Progress{})
	if err != nil || r.Vectors != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	want(r, "docs:f007.md", "docs:g.md")

	write("g.md", "# First\n\nOne remark: number8.\n")
	want(synced(t, corpus, root), "f007.md", "g.md") // the past is searched too
	s.Heal()
	r = synced(t, corpus, root)
	if want(r); r.Vectors != 3 {
		t.Errorf("%d embedded", r.Vectors)
	}
	wantEmbedded(t, s, 34)
}

// A batch that is full of refused passages does not keep the rest from being tried.
func TestManyRefusedPassages(t *testing.T) {
	corpus, s := served(t, func(o *openai.Options) { o.BatchItems = 64 })
	files := notes(10)
	for i := range 300 {
		files[fmt.Sprintf("a%03d.md", i)] = fmt.Sprintf("# Note\n\nThe forbidden remark%d.\n", i)
	}
	s.Rule(testkit.Refuse("forbidden", testkit.Status(400, "forbidden")))
	root, _ := folder(t, files)
	r, err := corpus.Sync(t.Context(), "docs", root, quarry.Progress{})
	if err != nil || r.Vectors != 10 || len(r.Unembedded) != 300 {
		t.Errorf("%d embedded, %d refused, %v", r.Vectors, len(r.Unembedded), err)
	}
}

// A run that is ended keeps what it has, and what came with its last breath.
func TestEndedEmbedding(t *testing.T) {
	const passages = 60
	corpus, s := served(t, func(o *openai.Options) { o.Requests = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	s.Script(make([]testkit.Fault, 5)...)
	s.Script(func(w http.ResponseWriter, r *http.Request, good testkit.Answer) []int {
		cancel()
		return testkit.Hang(w, r, good)
	})
	root, _ := folder(t, notes(passages))
	r, err := corpus.Sync(ctx, "docs", root, quarry.Progress{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if r.Vectors != 5*8 {
		t.Errorf("%d were kept", r.Vectors)
	}
	wantEmbedded(t, s, r.Vectors)
	if again := synced(t, corpus, root); again.Vectors != passages-r.Vectors {
		t.Errorf("the next run embeds %d", again.Vectors)
	}
	wantEmbedded(t, s, passages)
}

// Progress is told with the number there is to do.
func TestEmbeddingProgress(t *testing.T) {
	corpus, _ := served(t)
	root, _ := folder(t, notes(100))
	var told []string
	p := quarry.Progress{Embedded: func(done, total int) { told = append(told, fmt.Sprintf("%d/%d", done, total)) }}
	if _, err := corpus.Sync(t.Context(), "docs", root, p); err != nil {
		t.Fatal(err)
	}
	if n := len(told); n < 4 || told[0] != "0/100" || told[1] != "32/100" || told[n-1] != "100/100" {
		t.Errorf("told %v", told)
	}
	told = nil
	if _, err := corpus.Sync(t.Context(), "docs", root, p); err != nil || told != nil {
		t.Errorf("with nothing to do it tells %v, %v", told, err)
	}
}

// halfway embeds some texts, and says of the others what it is told to say.
type halfway struct {
	hashed
	largest int // bytes of a call
	partial *embedding.PartialError
}

func (h *halfway) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	bytes := 0
	for _, t := range texts {
		bytes += len(t)
	}
	h.largest = max(h.largest, bytes)
	out, err := h.hashed.Passages(ctx, texts)
	if h.partial == nil || err != nil {
		return out, err
	}
	out[len(out)-1] = nil
	return out, h.partial
}

// What an embedder says of a part of the texts is checked too.
func TestPartialError(t *testing.T) {
	for _, c := range []struct {
		name    string
		partial embedding.PartialError
		want    string
		vectors int
		refused int
	}{
		{"refused", embedding.PartialError{Refused: []embedding.Refusal{{Text: 2, Reason: "no"}}}, "", 2, 1},
		{"refused twice, and what is not there", embedding.PartialError{Refused: []embedding.Refusal{{Text: 2, Reason: "no"}, {Text: 2, Reason: "no"}, {Text: 9}, {Text: -1}}}, "", 2, 1},
		{"stopped", embedding.PartialError{Err: errors.New("it is late")}, "embedding with hashed-512: it is late; what was embedded is kept", 2, 0},
		{"stopped and refused", embedding.PartialError{Refused: []embedding.Refusal{{Text: 2, Reason: "no"}}, Err: errors.New("it is late")}, "it is late", 2, 1},
		{"another is refused than is left out", embedding.PartialError{Refused: []embedding.Refusal{{Text: 0, Reason: "no"}}}, "gave no vector for a passage", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := &halfway{partial: &c.partial}
			corpus := over(t, quarry.Options{Embedder: model})
			root, _ := folder(t, notes(3))
			r, err := corpus.Sync(t.Context(), "docs", root, quarry.Progress{})
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if r.Vectors != c.vectors || len(r.Unembedded) != c.refused {
				t.Errorf("%d vectors, %v refused", r.Vectors, r.Unembedded)
			}
		})
	}
}

// Passages without spaces are long; a batch is bounded by bytes as well.
func TestBatchBytes(t *testing.T) {
	model := &halfway{}
	corpus := over(t, quarry.Options{Embedder: model, Chunk: quarry.Chunking{Max: 4096}})
	files := map[string]string{}
	for i := range 4 {
		var word strings.Builder
		for n := range 80_000 {
			fmt.Fprint(&word, i*100_000+100_000+n)
		}
		files[fmt.Sprintf("f%d.md", i)] = "# Note\n\n" + word.String() + "\n"
	}
	root, _ := folder(t, files)
	r := synced(t, corpus, root)
	if model.largest < 1<<20 || model.largest > 1<<20+200_000 {
		t.Errorf("a call has %d bytes, of %d passages in all", model.largest, r.Vectors)
	}
}
