package storetest

import (
	"fmt"
	"maps"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// testFiltered: what a scope leaves out is counted, of what its tenant and principals may
// read alone.
func testFiltered(t *testing.T, f Factory) {
	b := newBench(t, f)
	b.apply(store.Change{Source: &document.Source{Name: "web", Kind: "folder", Root: "/web"}})
	b.put(
		Make("general", "word"),
		Make("norway", "word", attribute("region", "norway", "sweden")),
		Make("france", "word", attribute("region", "france"), attribute("product", "pro")),
		Make("draft", "word", status(document.Draft), attribute("region", "draftland")),
		Make("past", "word", effective("2020-01-01", "2021-01-01"), attribute("region", "pastland")),
		Make("future", "word", effective("2030-01-01", "")),
		Make("web", "word", source("web"), attribute("region", "webland")),
		Make("hr", "word", readers("group:hr"), attribute("region", "secret")),
		Make("hrdraft", "word", status(document.Draft), readers("group:hr")),
		Make("hrpast", "word", effective("2020-01-01", "2021-01-01"), readers("group:hr")),
		Make("acme", "word", tenant("acme"), attribute("region", "acmeland")),
		Make("acmepast", "word", tenant("acme"), effective("2020-01-01", "2021-01-01")),
	)
	b.on("2026-06-20").put(Make("closing", "word"))
	b.on("2026-06-21").put(Make("closing", "word more", readers("group:hr")))
	b.fail("broken", "h1", document.Public())
	where := func(key string, values ...string) map[string][]string { return map[string][]string{key: values} }
	for _, c := range []struct {
		sentence string
		scope    document.Scope
		want     string
	}{
		{"what is not in force, and drafts", everyone, "sources 0 validity 2 drafts 1 map[] map[]"},
		{"more of it to those who may read more", document.Scope{Principals: []string{"group:hr"}}, "sources 0 validity 3 drafts 2 map[] map[]"},
		{"of the tenant alone", document.Scope{Tenant: "acme"}, "sources 0 validity 1 drafts 0 map[] map[]"},
		{"no drafts where they are asked for", document.Scope{Drafts: true}, "sources 0 validity 2 drafts 0 map[] map[]"},
		{"what did not hold on the day", document.Scope{AsOf: day("2020-06-01")}, "sources 0 validity 6 drafts 0 map[] map[]"},
		{"other sources before all else", document.Scope{Sources: []string{"docs"}}, "sources 1 validity 2 drafts 1 map[] map[]"},
		{"a source that there is not", document.Scope{Sources: []string{"none"}}, "sources 7 validity 0 drafts 0 map[] map[]"},
		{"attributes, with the values that there are", document.Scope{Where: where("region", "norway")},
			"sources 0 validity 2 drafts 1 map[region:2] map[region:[france norway sweden webland]]"},
		{"a value that nothing carries", document.Scope{Where: where("region", "mars")},
			"sources 0 validity 2 drafts 1 map[region:3] map[region:[france norway sweden webland]]"},
		{"a key that nothing carries", document.Scope{Where: where("planet", "mars")}, "sources 0 validity 2 drafts 1 map[] map[]"},
		{"each key", document.Scope{Where: map[string][]string{"region": {"norway"}, "product": {"basic"}}, Sources: []string{"docs"}},
			"sources 1 validity 2 drafts 1 map[product:1 region:1] map[product:[pro] region:[france norway sweden]]"},
		{"values of what one may read", document.Scope{Principals: []string{"group:hr"}, Where: where("region", "norway"), Sources: []string{"docs"}},
			"sources 1 validity 3 drafts 2 map[region:2] map[region:[france norway secret sweden]]"},
		{"nothing of a document that was closed since, on a day when it was open", document.Scope{AsOf: day("2026-06-20")}, "sources 0 validity 2 drafts 1 map[] map[]"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			b := &bench{T: t, ctx: b.ctx, store: b.store, now: b.now}
			v := b.view(c.scope)
			got, err := v.Filtered(b.ctx)
			b.ok(err, "Filtered")
			if told := fmt.Sprintf("sources %d validity %d drafts %d %v %v", got.Sources, got.Validity, got.Drafts, got.Attributes, got.Values); told != c.want {
				t.Errorf("it is %s\nwant  %s", told, c.want)
			}
			listed, err := v.Documents(b.ctx)
			b.ok(err, "Documents")
			want := map[string][]string{}
			for _, l := range listed {
				if h, err := v.History(b.ctx, l.Document); err == nil && l.Error == "" {
					for _, r := range h.Revisions {
						if r.Revision == l.Revision {
							maps.Copy(want, r.Attributes)
						}
					}
				}
			}
			attributes, err := v.Attributes(b.ctx)
			b.ok(err, "Attributes")
			for key := range want {
				if len(attributes[key]) == 0 {
					t.Errorf("attributes %v lack %s", attributes, key)
				}
			}
			if len(attributes) != len(want) {
				t.Errorf("attributes %v, want the keys of %v", attributes, want)
			}
		})
	}
	attributes, err := b.view(everyone).Attributes(b.ctx)
	b.ok(err, "Attributes")
	if got := fmt.Sprint(attributes); got != "map[product:[pro] region:[france norway sweden webland]]" {
		t.Errorf("the attributes are %s", got)
	}
}
