package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func testScope(t *testing.T, f Factory) {
	as := func(principals ...string) document.Scope { return document.Scope{Principals: principals} }
	where := func(key string, values ...string) document.Scope {
		return document.Scope{Where: map[string][]string{key: values}}
	}
	b := newBench(t, f)
	b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
	b.put(
		Make("public", "word public"),
		Make("legal", "word legal", readers("group:legal", "user:ann")),
		Make("denied", "word denied", deny("group:guests")),
		Make("both", "word both", readers("group:legal"), deny("user:bob")),
		Make("closed", "word closed", Meta(func(m *document.Metadata) { m.Access = document.Access{} })),
		Make("tenant", "word tenant", tenant("acme")),
		Make("tenantlegal", "word tenantlegal", tenant("acme"), readers("group:legal")),
		Make("norway", "word norway", attribute("region", "norway", "sweden")),
		Make("france", "word france", attribute("region", "france")),
		Make("pro", "word pro", attribute("product", "pro"), attribute("region", "norway")),
		Make("draft", "word draft", status(document.Draft)),
		Make("past", "word past", effective("2020-01-01", "2021-01-01")),
		Make("future", "word future", effective("2030-01-01", "")),
		Make("web", "word web", source("web")),
	)
	base := []string{"public", "denied", "norway", "france", "pro", "web"}
	with := func(more ...string) []string { return append(slices.Clone(base), more...) }
	without := func(gone ...string) []string {
		return slices.DeleteFunc(slices.Clone(base), func(s string) bool { return slices.Contains(gone, s) })
	}
	for _, c := range []struct {
		sentence string
		scope    document.Scope
		want     []string
	}{
		{"the zero scope sees public revisions of the default tenant in force today", everyone, base},
		{"a reader sees", as("user:ann"), with("legal")},
		{"any one of the readers suffices", as("user:zoe", "group:legal"), with("legal", "both")},
		{"a denied principal does not see", as("group:guests"), without("denied")},
		{"deny beats readers", as("group:legal", "user:bob"), with("legal")},
		{"the zero Access is readable by nobody", as("", "user:ann", "group:legal", "everyone"), with("legal", "both")},
		{"principals are compared whole", as("group:leg", "GROUP:LEGAL"), base},
		{"another tenant's revisions are not seen", document.Scope{Tenant: "acme"}, []string{"tenant"}},
		{"within a tenant access is asked as well", document.Scope{Tenant: "acme", Principals: []string{"group:legal"}}, []string{"tenant", "tenantlegal"}},
		{"an unknown tenant sees nothing", document.Scope{Tenant: "nobody"}, nil},
		{"an administrator reads what any reader of the tenant does, and nothing that has none", document.Scope{Administrator: true}, with("legal", "both")},
		{"a denial holds for an administrator", document.Scope{Administrator: true, Principals: []string{"user:bob", "group:guests"}}, append(without("denied"), "legal")},
		{"an administrator is one of one tenant", document.Scope{Tenant: "acme", Administrator: true}, []string{"tenant", "tenantlegal"}},
		{"an attribute excludes what carries it with none of the values", where("region", "france"), without("norway", "pro")},
		{"any one of the values suffices", where("region", "sweden", "france"), without("pro")},
		{"what does not carry the attribute is general and stays", where("product", "basic"), without("pro")},
		{"every attribute asked for counts", document.Scope{Where: map[string][]string{"region": {"norway"}, "product": {"pro"}}}, without("france")},
		{"values are compared as written", where("region", "Norway"), without("norway", "france", "pro")},
		{"no value asked for excludes all that carry the attribute", where("region"), without("norway", "france", "pro")},
		{"drafts are seen where asked for", document.Scope{Drafts: true}, with("draft")},
		{"a day of the past sees what held then", document.Scope{AsOf: day("2020-06-01")}, []string{"past"}},
		{"a day of the future sees what will hold", document.Scope{AsOf: day("2031-01-01")}, with("future")},
		{"sources restrict", document.Scope{Sources: []string{"web"}}, []string{"web"}},
		{"several sources add up", document.Scope{Sources: []string{"web", "docs", "none"}}, base},
		{"an unknown source is empty", document.Scope{Sources: []string{"none"}}, nil},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			b := &bench{T: t, ctx: b.ctx, store: b.store, now: b.now}
			var texts, listed []string
			for _, name := range c.want {
				texts = append(texts, "word "+name)
			}
			v := b.view(c.scope)
			b.wantIn(v, "word", texts...)
			list, err := v.Documents(b.ctx)
			b.ok(err, "Documents")
			for _, l := range list {
				listed = append(listed, l.Document.Path)
			}
			slices.Sort(listed)
			slices.Sort(c.want)
			if !slices.Equal(listed, c.want) {
				t.Errorf("lists %q, want %q", listed, c.want)
			}
			counts, err := v.Counts(b.ctx)
			b.ok(err, "Counts")
			if counts.Documents != len(c.want) || counts.Passages != len(c.want) {
				t.Errorf("counts %+v, want %d of each", counts, len(c.want))
			}
		})
	}
}

// testUnreadable compares all answers of a store with documents that the asker
// may not read with those of a store that never had them.
func testUnreadable(t *testing.T, f Factory) {
	open := []store.Revision{Make("a", "# Limits\nthe limit id-7 is ten"), Make("b", "# Other\nno limit at all here")}
	hidden := []store.Revision{
		Make("secret", "# Limits\nthe secret limit id-7 id-8 is ten", readers("user:ann")),
		Make("denied", "# Limits\nlimit limit limit", deny("user:bob")),
		Make("acme", "# Limits\nlimit of acme", tenant("acme")),
		Make("nobody", "# Limits\nlimit", Meta(func(m *document.Metadata) { m.Access = document.Access{} })),
	}
	for i := range hidden {
		hidden[i].Names = []string{hidden[i].Document.Path}
	}
	bob := document.Scope{Principals: []string{"user:bob"}}
	with, without := newBench(t, f), newBench(t, f)
	for _, b := range []*bench{with, without} {
		b.put(open...)
		if b == with {
			b.put(hidden...)
			b.fail("failed", "h", document.Access{Readers: []string{"user:ann"}})
		}
		b.ok(b.store.PutVectors(b.ctx, model, b.vectorsOf(append(slices.Clone(open), hidden...)...)), "PutVectors")
	}
	v, w := with.view(bob), without.view(bob)
	same := func(sentence string, ask func(v store.View) (any, error)) {
		t.Run(sentence, func(t *testing.T) {
			got, err := ask(v)
			want, wantErr := ask(w)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("error %v, want %v", err, wantErr)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	ctx := with.ctx
	same("keyword hits and scores", func(v store.View) (any, error) { return v.Keyword(ctx, question("limit secret ten"), 10) })
	same("identifier hits and scores", func(v store.View) (any, error) { return v.Identifier(ctx, question("id-7 id-8"), 10) })
	same("vector hits", func(v store.View) (any, error) { return v.Vector(ctx, model, unit(1, 2, 3), 10) })
	same("outline hits and scores", func(v store.View) (any, error) { return v.Outline(ctx, question("limits secret"), 10) })
	same("statistics", func(v store.View) (any, error) { return v.Statistics(ctx, []string{"limit", "secret", "acme"}) })
	same("counts", func(v store.View) (any, error) { return v.Counts(ctx) })
	same("the list of documents", func(v store.View) (any, error) {
		list, err := v.Documents(ctx)
		return list, err
	})
	for _, r := range append(slices.Clone(hidden), Make("absent", "no such words")) {
		id := r.Passages[0].ID
		path := r.Document.Path
		same("the passage of "+path, func(v store.View) (any, error) { return v.Passages(ctx, []document.PassageID{id}) })
		same("the keyword score of "+path, func(v store.View) (any, error) {
			return v.ScoreKeyword(ctx, question("limit"), []document.PassageID{id})
		})
		same("the identifier score of "+path, func(v store.View) (any, error) {
			return v.ScoreIdentifier(ctx, question("id-7"), []document.PassageID{id})
		})
		same("the vector score of "+path, func(v store.View) (any, error) {
			return v.ScoreVector(ctx, model, unit(1, 2, 3), []document.PassageID{id})
		})
		same("the text of "+path, func(v store.View) (any, error) { return v.Document(ctx, r.Document, true) })
		same("the extraction of "+path, func(v store.View) (any, error) { return v.Extraction(ctx, r.Document) })
		same("the findings of "+path, func(v store.View) (any, error) { return v.Findings(ctx, r.Document) })
		same("the name of "+path, func(v store.View) (any, error) { return v.Named(ctx, path) })
		same("the history of "+path, func(v store.View) (any, error) { return v.History(ctx, r.Document) })
		same("a view restricted to "+path, func(v store.View) (any, error) {
			n, err := v.Restrict(ctx, []store.Place{{Document: r.Document}, {Document: r.Document, Section: 1}})
			if err != nil {
				return nil, err
			}
			defer n.Close()
			hits, err := n.Keyword(ctx, question("limit words"), 10)
			if err != nil {
				return nil, err
			}
			list, err := n.Documents(ctx)
			return []any{hits, list}, err
		})
	}
	t.Run("an unreadable passage is document.ErrNotFound", func(t *testing.T) {
		_, err := v.Passages(ctx, []document.PassageID{hidden[0].Passages[0].ID})
		with.is(err, document.ErrNotFound, "Passages")
		_, err = v.ScoreKeyword(ctx, nil, []document.PassageID{hidden[0].Passages[0].ID})
		with.is(err, document.ErrNotFound, "ScoreKeyword")
	})
}
