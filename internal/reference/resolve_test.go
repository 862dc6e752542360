package reference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// shelf is a reader of documents in memory.
type shelf struct {
	revisions map[document.ID]document.Revision
	findings  map[document.ID]document.Findings
	named     map[string][]document.ID
}

func (s *shelf) Document(_ context.Context, id document.ID, _ bool) (document.Revision, error) {
	r, ok := s.revisions[id]
	if !ok {
		return r, document.ErrNotFound
	}
	return r, nil
}

func (s *shelf) Findings(_ context.Context, id document.ID) (document.Findings, error) {
	return s.findings[id], nil
}

func (s *shelf) Named(_ context.Context, name string) ([]document.ID, error) {
	return s.named[name], nil
}

// add reads a document as the way in does; its source stands before ":" in its name.
func (s *shelf) add(t *testing.T, name, text string) document.ID {
	t.Helper()
	id := document.ID{Source: "docs", Path: name}
	if source, path, ok := strings.Cut(name, ":"); ok {
		id = document.ID{Source: source, Path: path}
	}
	x, err := extract.Extract(id.Path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	meta, err := extract.Metadata(nil, x.FrontMatter)
	if err != nil {
		t.Fatal(err)
	}
	title := meta.Title
	if title == "" {
		title = x.Title
	}
	r := document.Revision{Document: id, Format: x.Format, Title: title, Text: x.Text, Metadata: meta, Sections: outline.Build(title, x.Text, x.Blocks)}
	s.revisions[id], s.findings[id] = r, Find(id.Path, x, r.Sections)
	for _, n := range Names(r) {
		s.named[n] = append(s.named[n], id)
	}
	return id
}

// TestResolve: a case of testdata/resolve.txt has documents, each behind "== " and its
// path, and below "----" what the first refers to.
func TestResolve(t *testing.T) {
	data, err := os.ReadFile("testdata/resolve.txt")
	if err != nil {
		t.Fatal(err)
	}
	var again strings.Builder
	for _, c := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		name, body, _ := strings.Cut(c, "\n")
		text, want, ok := strings.Cut("\n"+body+"\n", "\n----\n")
		if !ok {
			t.Fatalf("%s has no line ----", name)
		}
		s := &shelf{map[document.ID]document.Revision{}, map[document.ID]document.Findings{}, map[string][]document.ID{}}
		var ids []document.ID
		for _, page := range strings.Split(text, "\n== ")[1:] {
			path, content, _ := strings.Cut(page, "\n")
			ids = append(ids, s.add(t, path, content+"\n"))
		}
		resolved, err := Resolve(context.Background(), s, ids[0])
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range resolved {
			got += tell(s, ids[0], r)
		}
		if want = strings.TrimRight(want, "\n") + "\n"; got != want && got+want != "\n" {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
		fmt.Fprintf(&again, "=== %s\n%s\n----\n%s\n", name, strings.TrimPrefix(text, "\n"), got)
	}
	if *update {
		if err := os.WriteFile("testdata/resolve.txt", []byte(strings.TrimSuffix(again.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tell says where a reference leads: the document, unless it is the one that refers, the
// heading, and how the place begins.
func tell(s *shelf, from document.ID, r Resolved) string {
	to := "nowhere"
	if g := r.Target; g != nil {
		var words []string
		if g.Document != from {
			words = append(words, g.Document.String())
		}
		if len(g.Heading) > 0 {
			words = append(words, g.Heading[len(g.Heading)-1])
		}
		if g.Placed {
			begins, _, _ := strings.Cut(g.Span.Of(s.revisions[g.Document].Text), "\n")
			words = append(words, fmt.Sprintf("%q", begins))
		} else {
			words = append(words, "without the place")
		}
		to = strings.Join(words, ", ")
	}
	return fmt.Sprintf("%q: %s\n", r.Text, to)
}

// TestNames: what other documents may call one.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		path, title, number string
		headings            []string
		want                string
	}{
		{"policies/refund-policy.md", "Refund Policy (RF-204)", "RF-204", nil, "/policies/refund-policy|refund policy|refund policy rf 204|rf 204"},
		{"travel-2026.md", "The Travel Policy 2026", "", nil, "/travel-2026|travel|travel 2026|travel policy|travel policy 2026"},
		{"guide/README.md", "Guide", "", nil, "/guide|/guide/README|guide|readme"},
		{"log.md", "Decision Log", "", []string{"DEC-0049 No containers", "Other"}, "/log|dec 0049|decision log|log"},
		{"a b.v2.html", "Über uns", "", nil, "/a b.v2|a b|a b v2|über uns"},
		{"x.md", "", "", nil, "/x"},
	} {
		r := document.Revision{Document: document.ID{Source: "docs", Path: c.path}, Title: c.title, Sections: []document.Section{{}}}
		if c.number != "" {
			r.Metadata.Attributes = map[string][]string{"number": {c.number}}
		}
		for _, h := range c.headings {
			r.Sections = append(r.Sections, document.Section{Heading: h})
		}
		if got := strings.Join(Names(r), "|"); got != c.want {
			t.Errorf("%s, %q: %s, want %s", c.path, c.title, got, c.want)
		}
	}
}

// alignments reports, by trying them all, where a long form of short may begin in text:
// the rule of Schwartz and Hearst (2003) without its order of search. The rule's answer is
// the last of them.
func alignments(short, text string) (last int, ok bool) {
	s, l := letters1(short), []rune(strings.ToLower(text))
	var end func(k, at int) bool // whether s[k:] stands in l[at:], in order
	end = func(k, at int) bool {
		if k == len(s) {
			return true
		}
		for ; at < len(l); at++ {
			if l[at] == s[k] && end(k+1, at+1) {
				return true
			}
		}
		return false
	}
	for at := len(l) - 1; at >= 0; at-- {
		if l[at] == s[0] && (at == 0 || !isAlnum(l[at-1])) && end(1, at+1) {
			return at, true
		}
	}
	return 0, false
}

func letters1(s string) (out []rune) {
	for _, r := range strings.ToLower(s) {
		if isAlnum(r) {
			out = append(out, r)
		}
	}
	return out
}

func isAlnum(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

func TestShortestForm(t *testing.T) {
	for _, text := range []string{"the minimum equipment list", "minimum equipment list of items", "a list of minimum items and elements, later", "mel", "m e l x",
		"must every man eat all lemons", "equipment list", "heat shock transcription factor", "of general counsel office", "x", ""} {
		for _, short := range []string{"MEL", "ML", "HSF", "HSTF", "OGC", "A-L", "M2"} {
			at, ok := alignments(short, text)
			got, found := shortestForm(short, text)
			form := ""
			if ok {
				form = text[at:]
			}
			// What is no longer than the short form, one word, or holds it, is none.
			want := ok && len(form) > len(short) && strings.ContainsAny(form, " -") && !strings.Contains(" "+form+" ", " "+short+" ")
			if found != want || found && got != at {
				t.Errorf("%s in %q: %d, %v, want %d, %v", short, text, got, found, at, want)
			}
		}
	}
}

// TestResolveManyOfOneNumber: sections of one number that all refer to it take time by
// their number and not by the square of it.
func TestResolveManyOfOneNumber(t *testing.T) {
	s := &shelf{revisions: map[document.ID]document.Revision{}, findings: map[document.ID]document.Findings{}, named: map[string][]document.ID{}}
	id := s.add(t, "many.md", "# Rules\n\n"+strings.Repeat("## 1 Scope\n\n1.1 See section 1 and section 1.1.\n\n", 10_000))
	var refs []Resolved
	var err error
	if took := testkit.Took(func() { refs, err = Resolve(context.Background(), s, id) }); err != nil || len(refs) != 20_000 || took > 5*time.Second {
		t.Errorf("%d references, %v, after %v", len(refs), err, took)
	}
}

// TestNearest: looking at the next sections on either side finds what looking at all
// would.
func TestNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := &placed{revision: document.Revision{Sections: make([]document.Section, 1, 20)}}
		for n := 1; n < 20; n++ {
			parent := n - 1 // or one of those that hold it: the order is that of the text
			for parent > 0 && random.IntN(2) == 0 {
				parent = p.section(parent).Parent
			}
			p.revision.Sections = append(p.revision.Sections, document.Section{Parent: parent})
		}
		var some []int
		for n := 1; n < 20; n++ {
			for range max(0, random.IntN(5)-2) {
				some = append(some, n)
			}
		}
		from, most, want := random.IntN(20), -1, []int(nil)
		for _, s := range some {
			if d := p.shared(from, s); d > most {
				most, want = d, []int{s}
			} else if d == most {
				want = append(want, s)
			}
		}
		got, ok := nearest(p, some, func(s int) int { return s }, from)
		if ok != (len(want) == 1) || ok && got != want[0] {
			t.Fatalf("from %d among %v: %d, %v, want one of %v", from, some, got, ok, want)
		}
	}
}
