package extract

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
)

func mustDay(s string) document.Day {
	d, err := document.ParseDay(s)
	if err != nil {
		panic(err)
	}
	return d
}

func TestMetadataKeys(t *testing.T) {
	got, err := Metadata(nil, []byte(`
title: "Refunds: the rules"
category: policy
date: 2026-02-12
version: 1.10
status: superseded
supersedes: [old/refunds.md, ./other.md]
effective: {from: 2026-03-01, to: 2026-12-31}
authority: 90
tenant: halden
readers: [group:legal, 1001]
deny: user:ann
language: no
attributes: {region: [eu, ca], product: Hub}
owner: Finance
tags: [a, 2]
contact: {name: x, phone: [1, 2]}
empty:
`))
	want := document.Metadata{
		Title: "Refunds: the rules", Category: "policy", Date: mustDay("2026-02-12"), Version: "1.10", Status: document.Superseded,
		Supersedes: []string{"old/refunds.md", "other.md"},
		Effective:  document.Interval{From: mustDay("2026-03-01"), To: mustDay("2027-01-01")},
		Authority:  90, Tenant: "halden", Language: "no",
		Access: document.Access{Readers: []string{"group:legal", "1001"}, Deny: []string{"user:ann"}},
		Attributes: map[string][]string{"region": {"eu", "ca"}, "product": {"Hub"}, "owner": {"Finance"}, "tags": {"a", "2"},
			"contact": {"{name: x, phone: [1, 2]}"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
}

// The stated end is the last day; the interval is half-open.
func TestEffective(t *testing.T) {
	for in, want := range map[string][2]string{
		"effective: 2026-03-01":                          {"2026-03-01", ""},
		"effective: {from: 2026-03-01, to: 2026-03-01}":  {"2026-03-01", "2026-03-02"},
		"effective: {to: 2026-12-31}":                    {"", "2027-01-01"},
		"effective: {from: 2026, to: 2026}":              {"2026-01-01", "2027-01-01"},
		"effective: {from: 2026-02, to: 2026-02}":        {"2026-02-01", "2026-03-01"},
		"effective_from: '2026-03-01'":                   {"2026-03-01", ""},
		"effective_to: 2026-03-01T23:00:00Z":             {"", "2026-03-02"},
		"effective_from: 2026-01-01\neffective_to: 9999": {"2026-01-01", ""},
		"effective: {from: 2026-01-01, to: 9999-12-31}":  {"2026-01-01", ""},
		"effective:":                     {"", ""},
		"effective: {from: , to: }":      {"", ""},
		"effective: 2026-03-01 10:00:00": {"2026-03-01", ""},
		"effective: {from: 2026-03-01}\neffective_to: 2026-4-1": {"2026-03-01", "2026-04-02"},
	} {
		m, err := Metadata(nil, []byte(in))
		if got := [2]string{m.Effective.From.String(), m.Effective.To.String()}; err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", in, got, err, want)
		}
	}
}

func TestAccessDefaults(t *testing.T) {
	for in, want := range map[string]document.Access{
		"":                            {Everyone: true},
		"title: x":                    {Everyone: true},
		"deny: [a]":                   {Everyone: true, Deny: []string{"a"}},
		"readers: a":                  {Readers: []string{"a"}},
		"readers: []":                 {Readers: []string{}},
		"readers:":                    {},
		"readers: [a]\ndeny: [b, c]":  {Readers: []string{"a"}, Deny: []string{"b", "c"}},
		"x: &l [a, b]\nreaders: *l":   {Readers: []string{"a", "b"}},
		"readers: [&p group:a, *p]\n": {Readers: []string{"group:a", "group:a"}},
	} {
		if m, err := Metadata(nil, []byte(in)); err != nil || !reflect.DeepEqual(m.Access, want) {
			t.Errorf("%q: got %+v, %v, want %+v", in, m.Access, err, want)
		}
	}
}

// The nearest wins, key by key; attributes are joined.
func TestLayers(t *testing.T) {
	m, err := Metadata([]source.Sidecar{
		{Name: "_meta.yaml", Bytes: []byte("title: far\nlanguage: en\nreaders: [a]\nattributes: {company: H, region: eu, gone: x}\neffective: 2026-01-01")},
		{Name: "a/_meta.yaml", Bytes: []byte("title: near\nauthority: 5\nregion: ca")},
		{Name: "a/b.md.meta.yaml", Bytes: nil},
	}, []byte("readers: [b]\nattributes: {product: Hub, gone: null}\n"))
	want := document.Metadata{Title: "near", Language: "en", Authority: 5, Access: document.Access{Readers: []string{"b"}},
		Effective:  document.Interval{From: mustDay("2026-01-01")},
		Attributes: map[string][]string{"company": {"H"}, "region": {"ca"}, "product": {"Hub"}}}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, m, want)
	}
}

// A wrong type names file and key, and leaves a document that nobody may read.
func TestMetadataErrors(t *testing.T) {
	for in, want := range map[string]string{
		"title: [a]":                                 "front matter: line 2: title: it must be a single value",
		"a: 1\nauthority: high":                      "front matter: line 3: authority: it must be a whole number",
		"authority: 1.5":                             "whole number",
		"status: signed":                             "status: it must be draft, current or superseded",
		"date: soon":                                 "date: it must be a date: write YYYY-MM-DD",
		"readers: {a: b}":                            "readers: it must be a principal or a list of principals",
		"readers: true":                              "readers: it must be a principal",
		"readers: [a, [b]]":                          "readers: it must be a principal",
		"deny: [a, null]":                            "deny: it must be a principal",
		"readers: ['']":                              "readers: it holds an empty value",
		"tenant:":                                    "tenant: it must name a tenant",
		"tenant: " + strings.Repeat("é", 251):        "line 2: tenant: it has a name of 502 bytes and may have one of 500",
		"supersedes: {a: b}":                         "supersedes: it must be a string or a list of strings",
		"effective: [a]":                             "effective: it must be a date, or a mapping of from and to",
		"effective: {until: 2026}":                   `effective: it has the keys from and to, not "until"`,
		"effective: {from: 2027, to: 2026}":          "effective: to lies before from",
		"effective: 2026\neffective_from: 2026":      "given in two ways",
		"attributes: [a]":                            "attributes: it is not a mapping",
		"attributes: {a: {b: c}}":                    "attributes: a: it must be a value or a list of values",
		"Readers: [a]":                               "did you mean readers?",
		"reader: a":                                  "did you mean readers?",
		"effective-from: 2026":                       "did you mean effective_from?",
		"effectiveFrom: 2026":                        "did you mean effective_from?",
		"Effective_To: 2026":                         "did you mean effective_to?",
		"EFFECTIVE TO: 2026":                         "did you mean effective_to?",
		"r\u0435aders: [a]":                          "line 2: r\u0435aders: did you mean readers? It is written with other letters or signs (\"r\\u0435aders\")",
		"\u0433\u0435\u0430d\u0435\u0433\u0455: [a]": "did you mean readers?",
		"READ\u0395RS: [a]":                          "did you mean readers?",
		"DE\u039dY: [a]":                             "did you mean deny?",
		"\uff52\uff45\uff41\uff44\uff45\uff52\uff53: [a]": "did you mean readers?",
		"re\u200daders: [a]":                              "did you mean readers?",
		"\"readers\\u00ad\": [a]":                         "did you mean readers?",
		"readers\ufe0f: [a]":                              "did you mean readers?",
		"t\u0435nant: a":                                  "did you mean tenant?",
		"own\u200ber: a":                                  "a sign that is not seen",
		"own\u0435r: a":                                   "mixes letters of several alphabets",
		"attributes: {readers: a}":                        "attributes: readers: readers stands beside attributes",
		"attributes: {D\u0435ny: a}":                      "deny stands beside attributes",
		"attributes: {own\u200ber: a}":                    "a sign that is not seen",
		"title: a\ntitle: b":                              `line 3: the key "title" is given twice`,
		"base: &b {readers: [a]}\n<<: *b":                 "the merge key << is not read",
		"- a":                                             "not a mapping",
		"a: b: c":                                         "line 2: mapping values are not allowed",
		"a: 1\nb: [\n":                                    "it is not valid YAML; correct it, or put the value in quotes",
		"a: 1\n---\nb: 2":                                 "a second YAML document",
		"? [a]\n: b":                                      "a key must be a plain word",
		"a: " + strings.Repeat("[", 50) + strings.Repeat("]", 50): "nested deeper",
		"a: " + strings.Repeat("[", 20000):                        "not valid YAML",
		"a: " + strings.Repeat("x", 2<<20):                        "more than the",
		"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e]": "aliases included",
	} {
		m, err := Metadata(nil, []byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: got %v, want %s", in, err, want)
		}
		if m.Access.Everyone {
			t.Errorf("%.60q: an error leaves the document public", in)
		}
	}
	_, err := Metadata([]source.Sidecar{{Name: "a/_meta.yaml", Bytes: []byte("x: 1\nauthority: x")}}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "a/_meta.yaml: line 2: authority: ") {
		t.Errorf("got %v", err)
	}
}

// Attributes may be called in any language.
func TestAttributeNames(t *testing.T) {
	for _, key := range []string{"owner", "größe", "регион", "地域", "ürün_adı", "cost-center", "max 2", "leaders", "penny", "dates"} {
		m, err := Metadata(nil, []byte(key+": x\nattributes: {title: y}"))
		if err != nil || len(m.Attributes[key]) != 1 || len(m.Attributes["title"]) != 1 {
			t.Errorf("%q: %+v, %v", key, m.Attributes, err)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct{ what, in, yaml, body string }{
		{"closed by ---", "---\ntitle: x\n---\nbody", "title: x\n", "body"},
		{"closed by ...", "---\ntitle: x\n...\nbody", "title: x\n", "body"},
		{"a comment and a blank line first", "---\n# c\n\ntitle: x\n---\nbody", "# c\n\ntitle: x\n", "body"},
		{"a quoted key", "---\n\"title\": x\n---\nbody", "\"title\": x\n", "body"},
		{"empty", "---\n---\nbody", "", "body"},
		{"a thematic break", "---\n\nSome text.\n\n---\n\nMore text.", "-", "all"},
		{"a thematic break, never another", "---\nSome text", "-", "all"},
		{"a list", "---\n- a\n- b\n---\nbody", "-", "all"},
		{"not at the top", "\n---\ntitle: x\n---\n", "-", "all"},
		{"four dashes", "----\ntitle: x\n----\n", "-", "all"},
	} {
		yaml, at, err := cutFrontMatter(tt.in)
		wantAt := len(tt.in) - len(tt.body)
		if tt.body == "all" {
			wantAt = 0
		}
		if err != nil || at != wantAt || tt.yaml == "-" && yaml != nil || tt.yaml != "-" && (yaml == nil || string(yaml) != tt.yaml) {
			t.Errorf("%s: got %q, %d, %v", tt.what, yaml, at, err)
		}
	}
	for what, tt := range map[string]struct{ in, want string }{
		"unclosed": {"---\ntitle: x\n\n# Heading\n", "is not closed: put a line ---"},
		"invalid":  {"---\ntitle: x\nowner: a: b\n---\nbody", "front matter: line 3: "},
		"twice":    {"---\ntitle: x\ntitle: y\n---\nbody", `line 3: the key "title" is given twice`},
	} {
		if _, err := Extract("a.md", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", what, err, tt.want)
		}
	}
}

// TestAttachedMetadata: what a sender writes does not change who reads an attachment, how
// much it counts or what it supersedes.
func TestAttachedMetadata(t *testing.T) {
	mail := []source.Sidecar{{Name: "m.eml.meta.yaml", Bytes: []byte("readers: [group:hr]\nauthority: 5\nlanguage: de\n")}}
	meta, title, err := AttachedMetadata(mail, []byte("title: Fees\nlanguage: en\ndate: 2026-03-05\nauthority: 100\nsupersedes: policy.md\nstatus: current\neffective: {from: 2020-01-01}\nregion: eu\n"))
	if err != nil || title != "Fees" || meta.Title != "" || meta.Language != "en" || meta.Date.String() != "2026-03-05" || meta.Authority != 5 || meta.Supersedes != nil ||
		meta.Status != "" || meta.Effective != (document.Interval{}) || meta.Attributes != nil || len(meta.Access.Readers) != 1 || meta.Access.Everyone {
		t.Errorf("%q %+v %v", title, meta, err)
	}
	for _, front := range []string{"readers: [group:all]", "readers: []", "deny: [user:ann]", "tenant: other", "readers: {a: b}"} {
		if meta, _, err := AttachedMetadata(mail, []byte(front)); err == nil || meta.Access.Everyone {
			t.Errorf("%s: %+v, %v", front, meta, err)
		}
	}
}
