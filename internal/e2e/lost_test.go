package e2e

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/measure"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// The documents that faults are planted in. The decoy has more of the question's
// words than the rule, and no answer.
const (
	rule  = "# Rules\n\n## Refunds\n\nThe handling fee is 5 percent of the refunded amount.\n"
	decoy = "# Handling fee\n\n## The handling fee\n\nEverybody asks what the handling fee is, and the handling fee is well known.\n"
	lunch = "# Canteen\n\nLunch begins at noon on every working day.\n"
)

var handling = expectation{question: "What is the handling fee?", document: "rule.md", heading: "Refunds",
	quote: "The handling fee is 5 percent of the refunded amount."}

// expectation is a question with what it should find.
type expectation struct {
	question, document, heading, quote string
	as, reader                         []string
	first                              string // the stage that loses it without a fault
}

// world is a corpus before or after a fault was planted.
type world struct {
	*testing.T
	dir     string
	options quarry.Options
	wrap    func(store.View) store.View // what the index does to a view
	now     time.Time

	store  store.Store
	corpus *quarry.Corpus
}

func (w *world) file(name, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

// sync opens the corpus if need be and indexes the folder.
func (w *world) sync() {
	w.Helper()
	w.open()
	w.now = w.now.Add(24 * time.Hour)
	if _, err := w.corpus.Sync(w.Context(), "docs", w.dir, quarry.Progress{}); err != nil {
		w.Fatal(err)
	}
}

// open opens the corpus with the options as they are.
func (w *world) open() {
	w.Helper()
	if w.store == nil {
		s, err := local.Open(w.Context(), filepath.Join(w.TempDir(), "quarry.db"), local.Options{Clock: func() time.Time { return w.now }})
		if err != nil {
			w.Fatal(err)
		}
		w.Cleanup(func() { s.Close() })
		w.store = s
	}
	w.options.Store, w.options.Clock = faulty{w.store, w}, func() time.Time { return w.now }
	corpus, err := quarry.Open(w.options)
	if err != nil {
		w.Fatal(err)
	}
	w.corpus = corpus
}

// faulty is a store whose views have what the world does to them.
type faulty struct {
	store.Store
	world *world
}

func (f faulty) View(ctx context.Context, scope document.Scope) (store.View, error) {
	v, err := f.Store.View(ctx, scope)
	if err == nil && f.world.wrap != nil {
		v = f.world.wrap(v)
	}
	return v, err
}

// unindexed is a view of an index that lacks a document's entries, which the
// catalog has.
type unindexed struct {
	store.View
	path string
}

func (v unindexed) without(ctx context.Context, h store.Hits, err error) (store.Hits, error) {
	if err != nil {
		return h, err
	}
	h.Hits = slices.DeleteFunc(h.Hits, func(hit store.Hit) bool { return v.lacks(ctx, hit.Passage) })
	h.Matched = len(h.Hits)
	return h, nil
}

func (v unindexed) lacks(ctx context.Context, id document.PassageID) bool {
	located, err := v.Passages(ctx, []document.PassageID{id})
	return err == nil && located[0].Document.Path == v.path
}

func (v unindexed) Keyword(ctx context.Context, terms []store.QueryTerm, k int) (store.Hits, error) {
	h, err := v.View.Keyword(ctx, terms, k)
	return v.without(ctx, h, err)
}

func (v unindexed) ScoreKeyword(ctx context.Context, terms []store.QueryTerm, ids []document.PassageID) ([]float64, error) {
	scores, err := v.View.ScoreKeyword(ctx, terms, ids)
	for i, id := range ids {
		if err == nil && v.lacks(ctx, id) {
			scores[i] = 0
		}
	}
	return scores, err
}

// deaf is a view whose identifier lane gives nothing.
type deaf struct{ store.View }

func (deaf) Identifier(context.Context, []store.QueryTerm, int) (store.Hits, error) {
	return store.Hits{}, nil
}

// thesaurus is a model to which words of one meaning are the same word.
type thesaurus map[string]string

func (thesaurus) Name() string { return "thesaurus" }
func (thesaurus) Dims() int    { return 256 }

func (m thesaurus) vector(text string) []float32 {
	out := make([]float32, m.Dims())
	out[0] = 0.01
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if same, ok := m[word]; ok {
			word = same
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		out[h.Sum32()%uint32(m.Dims())]++
	}
	var squares float64
	for _, x := range out {
		squares += float64(x * x)
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(squares))
	}
	return out
}

func (m thesaurus) Question(_ context.Context, text string) ([]float32, error) {
	return m.vector(text), nil
}

func (m thesaurus) Passages(_ context.Context, texts []string) ([][][]float32, error) {
	out := make([][][]float32, len(texts))
	for i, text := range texts {
		out[i] = [][]float32{m.vector(text)}
	}
	return out, nil
}

var _ embedding.Embedder = thesaurus{}

// upsideDown is a reranker that turns the order round.
type upsideDown struct{}

func (upsideDown) Name() string { return "upside-down" }
func (upsideDown) Rerank(_ context.Context, _ string, passages []string) ([]float64, error) {
	out := make([]float64, len(passages))
	for i := range out {
		out[i] = float64(i)
	}
	return out, nil
}

// TestLostAt plants one fault in each stage. Without it nothing is lost; with it
// both why and eval name exactly that stage.
func TestLostAt(t *testing.T) {
	usual := func(w *world) {
		w.file("rule.md", rule)
		w.file("lunch.md", lunch)
	}
	beside := func(w *world) { usual(w); w.file("decoy.md", decoy) }
	anew := func(front string) func(*world) { // without a past in which it held
		return func(w *world) {
			os.Remove(filepath.Join(w.dir, "rule.md"))
			w.sync()
			w.file("rule.md", "---\n"+front+"\n---\n"+rule)
			w.sync()
		}
	}
	with := func(question string, e expectation) expectation { e.question = question; return e }
	// unquoted is found, but no sentence answers it by its words.
	unquoted := func(question string, e expectation) expectation {
		e.question, e.first = question, "cite"
		return e
	}
	for _, c := range []struct {
		fault, stage string
		expect       expectation
		before       func(*world) // what there is, indexed, without the fault
		plant        func(*world)
		says         string // in the detail of the stage
	}{
		{"a file that was not added", "source", handling, usual,
			func(w *world) { os.Remove(filepath.Join(w.dir, "rule.md")); w.sync(); w.file("rule.md", rule) },
			"a file of that name lies in the source docs and is not indexed"},
		{"a text that a script makes", "extract", expectation{question: handling.question, document: "page.html", quote: handling.quote},
			func(w *world) {
				usual(w)
				w.file("page.html", page("<p>"+handling.quote+"</p>"))
				w.file("rule.md", lunch)
			},
			func(w *world) {
				w.file("page.html", page("<p>See below.</p><script>write('"+handling.quote+"')</script><p>The handling fee is paid in advance.</p>"))
				w.sync()
			}, "lacks the quote; the nearest: "},
		{"a text that a page hides", "extract", expectation{question: handling.question, document: "page.html", quote: handling.quote},
			func(w *world) {
				usual(w)
				w.file("page.html", page("<p>"+handling.quote+"</p>"))
				w.file("rule.md", lunch)
			},
			func(w *world) {
				w.file("page.html", page("<p hidden>"+handling.quote+"</p><p>Nothing is said here.</p>"))
				w.sync()
			}, "lacks the quote"},
		{"a heading that is no heading", "extract", expectation{question: handling.question, document: "rule.md", heading: "Refunds"}, usual,
			func(w *world) {
				w.file("rule.md", strings.Replace(rule, "## Refunds", "Refunds, that is:", 1))
				w.sync()
			}, "lacks the heading"},
		{"a document that is no text", "extract", expectation{question: handling.question, document: "rule.md"}, usual,
			func(w *world) { w.file("rule.md", "\x00\x01\x02\xff\xfe\x00"); w.sync() }, "could not be indexed: the content is binary"},
		{"a passage cut in two", "chunk", expectation{question: "What is the handling fee and who pays the handling fee?", document: "rule.md",
			quote: "The handling fee of a refund is 5 percent of the amount.\n\nThe handling fee of a refund is paid by whoever asks for it."},
			func(w *world) {
				w.file("rule.md", "# Rules\n\nThe handling fee of a refund is 5 percent of the amount.\n\nThe handling fee of a refund is paid by whoever asks for it.\n")
				w.options.Evidence = quarry.EvidenceLimits{Passages: 1, Section: -1}
			},
			func(w *world) { w.options.Chunk.Target = 1; w.open(); w.sync() }, "cut across 2 passages"},
		{"an index entry that was deleted", "index", handling, usual,
			func(w *world) {
				w.wrap = func(v store.View) store.View { return unindexed{v, "rule.md"} }
			}, "in the catalog, and not in the index"},
		{"a vector that was not made", "index", unquoted("Which charge applies?", handling),
			func(w *world) { usual(w); w.options.Embedder = thesaurus{"charge": "fee", "applies": "handling"} },
			func(w *world) {
				w.file("rule.md", rule+"\nIt is new.\n")
				w.options.Embedder = nil
				w.sync()
				w.options.Embedder = thesaurus{"charge": "fee", "applies": "handling"}
				w.open()
			}, "it has no vector of the model"},
		{"an index older than the file", "index", with("What is the handling fee in March?", expectation{document: "rule.md", quote: "The handling fee in March is 7 percent."}),
			func(w *world) {
				w.file("lunch.md", lunch)
				w.file("rule.md", rule+"\nThe handling fee in March is 7 percent.\n")
			},
			func(w *world) {
				w.file("rule.md", rule)
				w.sync()
				w.file("rule.md", rule+"\nThe handling fee in March is 7 percent.\n")
			}, "stale: the original has changed"},
		{"a reader who was removed", "scope", expectation{question: handling.question, document: "rule.md", quote: handling.quote, as: []string{"group:sales"}, reader: []string{"group:hr"}},
			func(w *world) { usual(w); w.file("rule.md", "---\nreaders: [group:hr, group:sales]\n---\n"+rule) },
			func(w *world) { w.file("rule.md", "---\nreaders: [group:hr]\n---\n"+rule); w.sync() }, "the asker is none of its readers, which are group:hr"},
		{"a reader who was denied", "scope", expectation{question: handling.question, document: "rule.md", as: []string{"user:bob"}, reader: []string{"group:hr"}}, usual,
			func(w *world) { w.file("rule.md", "---\ndeny: [user:bob]\n---\n"+rule); w.sync() }, "it is closed to user:bob"},
		{"a draft", "scope", handling, usual,
			anew("status: draft"),
			"it is a draft"},
		{"a text that is superseded", "scope", handling, usual,
			func(w *world) { w.file("rule.md", "---\nstatus: superseded\n---\n"+rule); w.sync() }, "it is superseded"},
		{"a text of a time to come", "scope", handling, usual,
			anew("effective: {from: 2100-01-01}"),
			"not yet in force"},
		{"a text of a time past", "scope", handling, usual,
			anew("effective: {from: 2020-01-01, to: 2020-12-31}"),
			"it held until 2020-12-31"},
		{"a keyword lane that gives too little", "keyword", handling, beside,
			func(w *world) { w.options.Retrieval.PerLane = 1; w.open() }, "rank 2 of 2"},
		{"a keyword lane that gives too little for a word it took for another", "keyword", unquoted("Which percant?", handling),
			func(w *world) { usual(w); w.file("decoy.md", "# Percent\n\nPercent, percent.\n") },
			func(w *world) { w.options.Retrieval.PerLane = 1; w.open() }, "rank 2 of 2"},
		{"a vector lane that is off", "vector", unquoted("Which charge applies?", handling),
			func(w *world) { usual(w); w.options.Embedder = thesaurus{"charge": "fee", "applies": "handling"} },
			func(w *world) { w.options.Embedder = nil; w.open() }, "off: no embedding model is configured; no other lane gave it"},
		{"an identifier lane that gives nothing", "identifier", unquoted("QX4471?", expectation{document: "form.md"}),
			func(w *world) { usual(w); w.file("form.md", "# Forms\n\nWhoever leaves hands in QX-4471.\n") },
			func(w *world) { w.wrap = func(v store.View) store.View { return deaf{v} } }, "the lane does not give it"},
		{"too few candidates", "fuse", handling, beside,
			func(w *world) { w.options.Retrieval.Candidates = 1; w.open() }, "1 go on (retrieval.candidates)"},
		{"a reranker that inverts", "rerank", handling,
			func(w *world) {
				usual(w)
				w.file("decoy.md", "# Other\n\nSomebody asked about the fee and much else that is of no use here.\n")
				w.options.Evidence.Passages = 1
			},
			func(w *world) { w.options.Reranker = upsideDown{}; w.open() }, "from rank 1 to 2 of 2 by upside-down"},
		{"a tiny cut", "cut", handling, beside,
			func(w *world) { w.options.Evidence.Passages = 1; w.open() }, "rank 2, and 1 passages go on"},
		{"the same text elsewhere", "cut", handling, usual,
			func(w *world) { w.file("a-rule.md", "---\nauthority: 9\n---\n"+rule); w.sync() }, "the same text as rank 1"},
		{"a tiny budget", "budget", handling, usual,
			func(w *world) { w.options.Evidence.Tokens = 1; w.open() }, "do not fit into the 1 left of 1"},
		{"a citation that is left out", "cite", with("What is the handling fee of a big refund?", handling),
			usual, func(w *world) { w.options.Answer.Threshold = 1; w.open() }, "below answer.threshold 1.00"},
	} {
		t.Run(c.stage+": "+c.fault, func(t *testing.T) {
			w := &world{T: t, dir: t.TempDir(), now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
			c.before(w)
			w.sync()
			w.names(c.expect.first, c.expect, "")
			c.plant(w)
			w.names(c.stage, c.expect, c.says)
		})
	}
}

func page(body string) string {
	return "<html><head><title>Fees</title></head><body><h1>Fees</h1>" + body + "</body></html>"
}

// names checks that why and eval name a stage, and why says so much of it.
func (w *world) names(stage string, e expectation, says string) {
	w.Helper()
	scope := document.Scope{Principals: e.as}
	d, err := w.corpus.Why(w.Context(), e.question, scope, quarry.Expected{Document: e.document, Heading: e.heading, Quote: e.quote, Reader: e.reader})
	if err != nil {
		w.Fatal(err)
	}
	if string(d.LostAt) != stage {
		w.Errorf("why says that it was lost at %q, not %q:\n%s", d.LostAt, stage, told(d))
	}
	lost := 0
	for _, s := range d.Steps {
		if s.Outcome != "lost" {
			continue
		}
		lost++
		if string(s.Stage) != stage || !strings.Contains(s.Detail, says) {
			w.Errorf("%s lost it: %q, not %q", s.Stage, s.Detail, says)
		}
	}
	if want := min(1, len(stage)); lost != want || len(d.Steps) != 14 {
		w.Errorf("%d of %d stages lost it:\n%s", lost, len(d.Steps), told(d))
	}

	q := evaluate.Question{ID: "q", Text: e.question, Scope: scope, Sources: []evaluate.Source{{Document: e.document, Heading: e.heading, Grade: 1}}}
	if e.quote != "" {
		q.Passages = []string{e.quote}
	}
	tested := measure.New(w.corpus, document.Scope{}).Reader(e.reader)
	report, err := evaluate.Run(w.Context(), evaluate.Set{Questions: []evaluate.Question{q}}, tested,
		evaluate.Options{Asker: tested, Stager: tested, FailAt: 1})
	if err != nil {
		w.Fatal(err)
	}
	if len(report.Failures) != min(1, len(stage)) && stage != "" {
		w.Errorf("eval reports %d failures: %+v", len(report.Failures), report.Failures)
	}
	for _, f := range report.Failures {
		if f.LostAt != stage {
			w.Errorf("eval says that it was lost at %q, not %q: %s", f.LostAt, stage, f.Reason)
		}
	}
	for _, row := range report.ByStage {
		if want := map[bool]int{true: 1}[row.Stage == stage]; row.Lost != want {
			w.Errorf("eval counts %d lost at %s", row.Lost, row.Stage)
		}
	}
}

func told(d quarry.Diagnosis) string {
	var b strings.Builder
	for _, s := range d.Steps {
		fmt.Fprintf(&b, "%s: %s: %s\n", s.Stage, s.Outcome, s.Detail)
	}
	return b.String() + d.Suggestion
}

// TestWhyHoldsTogether: of what the handbook's questions should find, every diagnosis
// has all stages once and in order, at most one loss, and why and eval agree.
func TestWhyHoldsTogether(t *testing.T) {
	corpus := open(t).by(t, "words")
	set := load(t, "../../examples/handbook")
	if _, err := corpus.Sync(t.Context(), "docs", set.Docs, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	for i, q := range set.Questions {
		if i%12 != 0 {
			continue
		}
		var expected []quarry.Expected
		for _, s := range append(q.Sources, q.Stale...) {
			expected = append(expected, quarry.Expected{Document: s.Document}, quarry.Expected{Document: s.String()})
		}
		for _, p := range q.Passages {
			expected = append(expected, quarry.Expected{Quote: p})
		}
		asked, err := corpus.Ask(t.Context(), q.Text, q.Scope)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range expected {
			d, err := corpus.Why(t.Context(), q.Text, q.Scope, e)
			if err != nil {
				t.Errorf("%s %+v: %v", q.ID, e, err)
				continue
			}
			order, lost := "", 0
			for _, s := range d.Steps {
				order += string(s.Stage) + " "
				if s.Outcome == "lost" {
					lost++
				}
			}
			if order != "source extract chunk index scope route keyword vector identifier fuse rerank cut budget cite " || (lost == 1) != (d.LostAt != "") || lost > 1 || d.Suggestion == "" {
				t.Errorf("%s %+v: lost at %q:\n%s", q.ID, e, d.LostAt, told(d))
			}
			if stage, err := corpus.LostAt(t.Context(), asked, q.Scope, e); err != nil || stage != string(d.LostAt) {
				t.Errorf("%s %+v: eval says %q (%v), and why %q", q.ID, e, stage, err, d.LostAt)
			}
		}
	}
}
