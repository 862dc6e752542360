package quarry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// A reference leads to what is there when it is asked for, and for its asker only to
// what that one may read.
func TestReferences(t *testing.T) {
	ctx := t.Context()
	corpus := over(t, quarry.Options{})
	dir, write := folder(t, map[string]string{
		"a.md": "# A\n\nSee RF-204 section 2, Policy HR-020 and the leave policy.\n",
	})
	sync := func() {
		t.Helper()
		if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil {
			t.Fatal(err)
		}
	}
	leads := func(scope document.Scope) string {
		t.Helper()
		references, err := corpus.References(ctx, document.ID{Source: "docs", Path: "a.md"}, scope)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range references {
			to := "nowhere"
			if r.Target != nil {
				to = fmt.Sprintf("%s %d %v", r.Target.Document.Path, r.Target.Section, r.Target.Placed)
			}
			out = append(out, r.Text+": "+to)
		}
		return strings.Join(out, ", ")
	}
	is := func(when string, scope document.Scope, want string) {
		t.Helper()
		if got := leads(scope); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	hr := document.Scope{Principals: []string{"group:hr"}}
	sync()
	is("alone", hr, "RF-204 section 2: nowhere, Policy HR-020: nowhere")

	write("refunds.md", "---\nnumber: RF-204\n---\n# 1. One\n\nText.\n\n# 2. Two\n\nText.\n")
	write("leave.md", "---\ntitle: Leave Policy\nnumber: HR-020\nreaders: [group:hr]\n---\n# Leave\n\nText.\n")
	sync()
	is("added later, to a reader", hr, "RF-204 section 2: refunds.md 2 true, Policy HR-020: leave.md 0 true, leave policy: leave.md 0 true")
	is("to others", document.Scope{}, "RF-204 section 2: refunds.md 2 true, Policy HR-020: nowhere")

	write("refunds.md", "---\nnumber: RF-204\n---\n# 1. One\n\nText.\n")
	sync()
	is("changed", document.Scope{}, "RF-204 section 2: refunds.md 0 false, Policy HR-020: nowhere")
	if err := corpus.Remove(ctx, document.ID{Source: "docs", Path: "refunds.md"}); err != nil {
		t.Fatal(err)
	}
	is("removed", document.Scope{}, "RF-204 section 2: nowhere, Policy HR-020: nowhere")
}

// Who may not read a document is told of it what a document that is not there gives.
func TestFindingsAreClosed(t *testing.T) {
	ctx := t.Context()
	corpus := over(t, quarry.Options{})
	dir, _ := folder(t, map[string]string{"a.md": "---\nreaders: [group:hr]\n---\n# Terms\n\n\"Fee\" means the fee of RF-204.\n"})
	if _, err := corpus.Sync(ctx, "docs", dir, quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	id := document.ID{Source: "docs", Path: "a.md"}
	for _, c := range []struct {
		scope  document.Scope
		closed bool
	}{{document.Scope{}, true}, {document.Scope{Principals: []string{"group:hr"}}, false}} {
		report, err1 := corpus.Extraction(ctx, id, c.scope)
		references, err2 := corpus.References(ctx, id, c.scope)
		definitions, err3 := corpus.Definitions(ctx, id, c.scope)
		for _, err := range []error{err1, err2, err3} {
			if errors.Is(err, document.ErrNotFound) != c.closed || !c.closed && err != nil {
				t.Errorf("as %v: %v", c.scope.Principals, err)
			}
		}
		if c.closed == (report.Characters > 0) || len(references) > 0 || c.closed == (len(definitions) == 1) {
			t.Errorf("as %v: %+v, %v, %v", c.scope.Principals, report, references, definitions)
		}
	}
}
