package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// recorder is an audit log in memory, and one that fails.
type recorder struct {
	kept []quarry.AuditRecord
	err  error
}

func (r *recorder) Record(_ context.Context, a quarry.AuditRecord) error {
	if r.err == nil {
		r.kept = append(r.kept, a)
	}
	return r.err
}

// members is a directory of one group.
type members struct{ err error }

func (m members) Resolve(_ context.Context, s document.Scope) (document.Scope, error) {
	if slices.Contains(s.Principals, "user:anna") && !slices.Contains(s.Principals, "group:hr") {
		s.Principals = append(slices.Clone(s.Principals), "group:hr")
	}
	s.Administrator = slices.Contains(s.Principals, "user:root")
	return s, m.err
}

// scoped are the calls of a corpus that take a scope, each with the record that it leaves
// when anna makes it: call, what it is about, and what is shown, with * what is cited.
// Layout and Superseded show nothing of a text and leave none.
var scoped = map[string]struct {
	call func(*quarry.Corpus, context.Context, document.Scope) error
	want string
}{
	"Search": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Search(ctx, "bonus", s)
		return err
	}, "search bonus: bonus.md"},
	"Ask": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Ask(ctx, "What is the bonus of the board?", s)
		return err
	}, "ask What is the bonus of the board?: bonus.md*"},
	"AskTelling": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.AskTelling(ctx, "What is the bonus of the board?", s, nil)
		return err
	}, "ask What is the bonus of the board?: bonus.md*"},
	"AskFrom": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		r, err := c.Document(context.Background(), document.ID{Source: "docs", Path: "bonus.md"}, document.Scope{Principals: []string{"group:hr"}})
		if err == nil {
			_, err = c.AskFrom(ctx, "What is the bonus of the board?", s, []document.PassageID{r.Passages[0].ID})
		}
		return err
	}, "ask_from What is the bonus of the board?: bonus.md*"},
	"Why": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Why(ctx, "bonus", s, quarry.Expected{Document: "open.md", Reader: []string{"user:eve"}})
		return err
	}, "why bonus expected open.md by [user:eve]: bonus.md* open.md"},
	"LostAt": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.LostAt(ctx, quarry.Asked{Question: "bonus", Trace: &quarry.Trace{}}, s, quarry.Expected{Quote: "The canteen opens"})
		return err
	}, "lost_at bonus quote The canteen opens:"},
	"Documents": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Documents(ctx, s)
		return err
	}, "documents : bonus.md open.md"},
	"Listed": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Listed(ctx, "bonus.md", s)
		return err
	}, "listed bonus.md: bonus.md"},
	"Resolve": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Resolve(ctx, "docs:bonus.md", s)
		return err
	}, "resolve docs:bonus.md: bonus.md"},
	"Document": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Document(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, "document docs:bonus.md: bonus.md"},
	"Extraction": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Extraction(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, "extraction docs:bonus.md: bonus.md"},
	"References": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.References(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, "references docs:bonus.md: bonus.md open.md?"},
	"Definitions": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Definitions(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, "definitions docs:bonus.md: bonus.md"},
	"ResolveAny": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.ResolveAny(ctx, "bonus.md", s)
		return err
	}, "resolve_any bonus.md: bonus.md?"},
	"History": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, _, err := c.History(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, "history docs:bonus.md: bonus.md"},
	"Revision": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, _, err := c.Revision(ctx, document.ID{Source: "docs", Path: "bonus.md"}, "current", s)
		return err
	}, "revision docs:bonus.md current: bonus.md"},
	"Diff": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Diff(ctx, document.ID{Source: "docs", Path: "bonus.md"}, "current", "current", s)
		return err
	}, "diff docs:bonus.md current current: bonus.md"},
	"Superseded": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Superseded(ctx, document.ID{Source: "docs", Path: "bonus.md"}, "00", s)
		return err
	}, ""},
	"Layout": {func(c *quarry.Corpus, ctx context.Context, s document.Scope) error {
		_, err := c.Layout(ctx, document.ID{Source: "docs", Path: "bonus.md"}, s)
		return err
	}, ""},
}

func audited(t *testing.T, o quarry.Options) *quarry.Corpus {
	t.Helper()
	c := over(t, o)
	root, _ := folder(t, map[string]string{"bonus.md": "---\nreaders: [group:hr]\n---\n# Bonus\n\nThe bonus of the board is EUR 90001, see [hours](open.md).\n",
		"open.md": "# Hours\n\nThe canteen opens at noon.\n", "board.md": "---\nreaders: [group:board]\n---\n# Board\n\nThe bonus of the board chair is EUR 7.\n"})
	synced(t, c, root)
	return c
}

// lineOf is a record as the table of calls has it.
func lineOf(r quarry.AuditRecord) string {
	out := r.Call + " " + r.About
	if r.Expected != "" {
		out += " expected " + r.Expected
	}
	if r.Quote != "" {
		out += " quote " + r.Quote
	}
	if len(r.Reader) > 0 {
		out += fmt.Sprint(" by ", r.Reader)
	}
	var shown []string
	for _, s := range r.Shown {
		name := s.Document.Path
		if s.Cited {
			name += "*"
		}
		if s.Revision == "" {
			name += "?"
		}
		shown = append(shown, name)
	}
	slices.Sort(shown)
	return strings.TrimSuffix(out+": "+strings.Join(shown, " "), " ")
}

// Every call that takes a scope is resolved and recorded, with what it showed.
func TestAudit(t *testing.T) {
	log := &recorder{}
	c := audited(t, quarry.Options{Auditor: log, Directory: members{}})
	for i := range reflect.TypeFor[*quarry.Corpus]().NumMethod() {
		m := reflect.TypeFor[*quarry.Corpus]().Method(i)
		takes := false
		for n := range m.Type.NumIn() {
			takes = takes || m.Type.In(n) == reflect.TypeFor[document.Scope]()
		}
		if _, held := scoped[m.Name]; takes && !held {
			t.Errorf("%s takes a scope and is not called", m.Name)
		}
	}
	for name, call := range scoped {
		log.kept = nil
		if err := call.call(c, quarry.Via(t.Context(), "test"), document.Scope{Principals: []string{"user:anna"}}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kept := slices.DeleteFunc(log.kept, func(r quarry.AuditRecord) bool { return r.Via == "" }) // made by the table itself
		if call.want == "" {
			if len(kept) > 0 {
				t.Errorf("%s leaves %+v", name, kept)
			}
			continue
		}
		if len(kept) != 1 || lineOf(kept[0]) != call.want {
			t.Errorf("%s leaves %+v, not %s", name, kept, call.want)
			continue
		}
		r := kept[0]
		if fmt.Sprintf("%v %v %v %v %v", r.Given, r.Scope.Principals, r.Scope.Administrator, r.Failed, r.Via) != "[user:anna] [user:anna group:hr] false false test" || r.At.IsZero() {
			t.Errorf("%s is recorded as of %+v", name, r)
		}
	}
	log.kept = nil
	if _, err := c.Document(t.Context(), document.ID{Source: "docs", Path: "board.md"}, document.Scope{Principals: []string{"user:anna"}}); !errors.Is(err, document.ErrNotFound) {
		t.Fatal(err)
	}
	if len(log.kept) != 1 || !log.kept[0].Failed || lineOf(log.kept[0]) != "document docs:board.md:" {
		t.Errorf("an attempt leaves %+v", log.kept)
	}
	if _, err := c.Search(t.Context(), "bonus", document.Scope{Principals: []string{"user:root"}}); err != nil || !log.kept[1].Scope.Administrator || lineOf(log.kept[1]) != "search bonus: board.md bonus.md" {
		t.Errorf("an administrator leaves %+v, %v", log.kept[1:], err)
	}
	log.kept = nil
	if _, err := c.Why(t.Context(), "canteen", document.Scope{}, quarry.Expected{Document: "bonus.md", Reader: []string{"user:anna"}}); err != nil || lineOf(log.kept[0]) != "why canteen expected bonus.md by [user:anna]: bonus.md open.md*" {
		t.Errorf("who is told by name leaves %+v, %v", log.kept, err)
	}
}

// What cannot be recorded, or of whom it is not known who he is, is not shown.
func TestNotRecorded(t *testing.T) {
	log, told := &recorder{}, []error{}
	c := audited(t, quarry.Options{Auditor: log})
	kind := audited(t, quarry.Options{Auditor: log, AuditFailed: func(err error) { told = append(told, err) }})
	lost := audited(t, quarry.Options{Directory: members{err: errors.New("the file of groups is gone")}})
	log.err = errors.New("the disk is full")
	hr := document.Scope{Principals: []string{"group:hr"}}
	id := document.ID{Source: "docs", Path: "bonus.md"}
	for _, name := range []string{"Search", "Ask", "Why", "Documents", "Listed", "Resolve", "Document", "Extraction", "References", "Definitions", "ResolveAny", "History", "Revision", "Diff"} {
		if err := scoped[name].call(c, t.Context(), hr); !errors.Is(err, quarry.ErrNotRecorded) || !errors.Is(err, log.err) {
			t.Errorf("%s: %v", name, err)
		}
		before := len(told)
		if err := scoped[name].call(kind, t.Context(), hr); err != nil || len(told) != before+1 || !errors.Is(told[before], quarry.ErrNotRecorded) {
			t.Errorf("%s, where it is not required: %v, told %v", name, err, told)
		}
		if err := scoped[name].call(lost, t.Context(), hr); err == nil || !strings.Contains(err.Error(), "groups is gone") {
			t.Errorf("%s without a directory: %v", name, err)
		}
	}
	if r, err := c.Document(t.Context(), id, hr); err == nil || r.Text != "" || len(r.Passages) > 0 {
		t.Errorf("an error comes with a document: %+v", r)
	}
	if asked, err := c.Ask(t.Context(), "What is the bonus of the board?", hr); err == nil || len(asked.Candidates) > 0 || asked.Trace != nil {
		t.Errorf("an error comes with an answer: %+v", asked)
	}
}
