package e2e

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/evaluate"
)

// Shares of the questions about which lesser documents chat: those in which a passage that is
// judged ranks first of all, and before all chat. The others have another section or
// document of much the same authority first.
const (
	judgedFirst      = 0.70
	judgedBeforeChat = 0.94
)

// chatted is a question that a document answers about which others of at most half its
// authority, which no judgement names, speak as well: without authority in the ranking one of
// them is among the first ten hits.
type chatted struct {
	authority int // the greatest of a judged document
	sections  map[string]bool
	documents map[string]bool
}

var leadingNumber = regexp.MustCompile(`^[\d.]+ +`)

func chattedOf(q evaluate.Question, unranked []quarry.Candidate) (c chatted, ok bool) {
	c = chatted{sections: map[string]bool{}, documents: map[string]bool{}}
	for _, s := range q.Sources {
		c.documents[s.Document] = true
		c.sections[s.Document+"#"+leadingNumber.ReplaceAllString(s.Heading, "")] = true
	}
	for _, x := range unranked {
		if c.documents[x.Document.Path] {
			c.authority = max(c.authority, x.Authority)
		}
	}
	for _, x := range unranked[:min(10, len(unranked))] {
		ok = ok || c.isChat(x)
	}
	return c, ok && !q.Unanswerable
}

func (c chatted) isChat(x quarry.Candidate) bool {
	return c.authority > 0 && 2*x.Authority <= c.authority && !c.documents[x.Document.Path]
}

// isJudged is whether a passage stands in a judged section, or in a document that is
// judged whole.
func (c chatted) isJudged(x quarry.Candidate) bool {
	if c.sections[x.Document.Path+"#"] {
		return true
	}
	for _, h := range x.Heading {
		if c.sections[x.Document.Path+"#"+leadingNumber.ReplaceAllString(h, "")] {
			return true
		}
	}
	return false
}

// policyFirst checks that where mails, minutes, notes and drafts chat about what a policy
// says, they never rank first, and that the policy's passage does for most questions.
func policyFirst(t *testing.T, c corpora, set evaluate.Set) {
	t.Helper()
	with := func(authority float64) *quarry.Corpus {
		corpus, err := quarry.Open(quarry.Options{Store: c.store, Embedder: builtIn(), Retrieval: quarry.Retrieval{Authority: authority}})
		if err != nil {
			t.Fatal(err)
		}
		return corpus
	}
	search := func(corpus *quarry.Corpus, q evaluate.Question) []quarry.Candidate {
		r, err := corpus.Search(t.Context(), q.Text, q.Scope)
		if err != nil {
			t.Fatal(err)
		}
		return r.Candidates
	}
	off, ranked := with(-1), with(0)
	n, first, before := 0, 0, 0
	var others strings.Builder
	for _, q := range set.Questions {
		if len(q.Sources) == 0 {
			continue
		}
		about, ok := chattedOf(q, search(off, q))
		if !ok {
			continue
		}
		n++
		list := search(ranked, q)
		if about.isChat(list[0]) {
			t.Errorf("%s: %s is first for %q", q.ID, list[0].Document, q.Text)
		}
		if about.isJudged(list[0]) {
			first++
		} else {
			others.WriteString("\n  " + q.ID + " " + q.Text + ": " + list[0].Document.Path)
		}
		for _, x := range list {
			if about.isChat(x) {
				break
			}
			if about.isJudged(x) {
				before++
				break
			}
		}
	}
	t.Logf("of %d questions about which lesser documents chat, a judged passage is first for %d and before all chat for %d; first for the others:%s", n, first, before, others.String())
	if n < 50 {
		t.Errorf("only %d questions of the set are of this kind", n)
	}
	if float64(first) < judgedFirst*float64(n) || float64(before) < judgedBeforeChat*float64(n) {
		t.Errorf("a judged passage is first for %d and before all chat for %d of %d", first, before, n)
	}
}
