package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/store"
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
		{"a cut that asks for much", "cut", handling, usual,
			func(w *world) {
				for i := range 30 {
					w.file(fmt.Sprintf("decoy%d.md", i), fmt.Sprintf("# Handling fee\n\nThe handling fee, and %d of what is the handling fee.%s\n", i, strings.Repeat(" And more.", i)))
				}
				w.options.Evidence.Lead = 0.99
				w.open()
				w.sync()
			}, "only what stands out goes on"},
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
