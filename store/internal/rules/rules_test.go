package rules

import (
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

func TestInForce(t *testing.T) {
	const today = 100
	valid := func(from, to document.Day) document.Interval { return document.Interval{From: from, To: to} }
	current := func(from, to document.Day) Standing { return Standing{valid(from, to), document.Current} }
	draft := Standing{valid(50, 0), document.Draft}
	for _, c := range []struct {
		sentence    string
		list        []Standing
		failed, day document.Day
		drafts      bool
		want        int
	}{
		{"none of none", nil, 0, today, false, -1},
		{"the one that holds", []Standing{current(10, 0)}, 0, today, false, 0},
		{"the latest of those that hold", []Standing{current(10, 0), current(20, 0)}, 0, today, false, 1},
		{"an older one on a day before the newer", []Standing{current(10, 0), current(20, 0)}, 0, 19, false, 0},
		{"none on its last day and after", []Standing{current(10, 20)}, 0, 20, false, -1},
		{"no draft", []Standing{current(10, 0), draft}, 0, today, false, 0},
		{"a draft for who asks for drafts", []Standing{current(10, 0), draft}, 0, today, true, 1},
		{"what is superseded only before today", []Standing{{valid(10, 0), document.Superseded}}, 0, today - 1, false, 0},
		{"and not today", []Standing{{valid(10, 0), document.Superseded}}, 0, today, false, -1},
		{"none from the day of a failure", []Standing{current(10, 0)}, 60, 60, false, -1},
		{"what held before it", []Standing{current(10, 0)}, 60, 59, false, 0},
		{"none today, whatever the clock of a failure", []Standing{current(10, 0)}, 200, today, false, -1},
	} {
		got := InForce(len(c.list), func(i int) Standing { return c.list[i] }, c.failed, c.day, today, c.drafts)
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.sentence, got, c.want)
		}
	}
}

func TestForget(t *testing.T) {
	current := func(ends document.Day) Past { return Past{Status: document.Current, Ends: ends} }
	for _, c := range []struct {
		sentence string
		list     []Past
		keep     int
		since    document.Day
		want     []int
	}{
		{"the newest is kept", []Past{current(10)}, 1, 99, nil},
		{"what ended by the day", []Past{current(10), current(20), current(0)}, 1, 10, []int{0}},
		{"as many as are to be kept stay", []Past{current(10), current(20), current(0)}, 2, 99, []int{0}},
		{"what has no end stays", []Past{current(0), current(0)}, 1, 99, nil},
		{"a draft ends when the next revision was seen", []Past{{Status: document.Draft, Seen: 5}, {Status: document.Current, Seen: 9}}, 1, 9, []int{0}},
		{"what is forgotten is not again", []Past{{Ends: 10, Forgotten: true}, current(0)}, 1, 99, nil},
	} {
		if got := Forget(c.list, store.Forgotten{Keep: c.keep, Since: c.since}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.sentence, got, c.want)
		}
	}
}

func TestAdmits(t *testing.T) {
	scope := &document.Scope{Tenant: "acme", Sources: []string{"docs"}, Where: map[string][]string{"region": {"no", "se"}}}
	region := func(values ...string) map[string][]string { return map[string][]string{"region": values} }
	for _, c := range []struct {
		sentence       string
		source, tenant string
		allowed        bool
		attributes     map[string][]string
		want           bool
	}{
		{"one of the values", "docs", "acme", true, region("fi", "se"), true},
		{"what does not carry the attribute", "docs", "acme", true, nil, true},
		{"none of the values", "docs", "acme", true, region("fi"), false},
		{"the attribute without a value", "docs", "acme", true, region(), false},
		{"another source", "web", "acme", true, nil, false},
		{"another tenant", "docs", "", true, nil, false},
		{"who may not read it", "docs", "acme", false, nil, false},
	} {
		if got := Admits(scope, c.source, c.tenant, c.allowed, c.attributes); got != c.want {
			t.Errorf("%s: %v", c.sentence, got)
		}
	}
}

func TestScopeKeyAndClass(t *testing.T) {
	a := &document.Scope{Principals: []string{"b", "a", "a"}, Sources: []string{"y", "x"}, Where: map[string][]string{"k": {"2", "1"}}}
	b := &document.Scope{Principals: []string{"a", "b"}, Sources: []string{"x", "y"}, Where: map[string][]string{"k": {"1", "2", "2"}}}
	if ScopeKey(a, 1, 2) != ScopeKey(b, 1, 2) {
		t.Error("the order of names makes another scope")
	}
	for _, other := range []*document.Scope{{}, {Principals: []string{"a,b"}}, {Principals: []string{"a", "b"}}} {
		if ScopeKey(a, 1, 2) == ScopeKey(other, 1, 2) {
			t.Errorf("%+v sees the same as %+v", other, a)
		}
	}
	if ScopeKey(a, 1, 2) == ScopeKey(a, 2, 2) {
		t.Error("another day is the same scope")
	}
	one, _ := Class(document.Access{Readers: []string{"b", "a"}})
	two, _ := Class(document.Access{Readers: []string{"a", "b", "b"}, Deny: []string{}})
	three, _ := Class(document.Access{Deny: []string{"a", "b"}})
	if one != two || one == three {
		t.Errorf("classes %s, %s, %s", one, two, three)
	}
}

func TestBegins(t *testing.T) {
	for _, c := range []struct {
		r    store.Recorded
		want document.Day
	}{
		{store.Recorded{Seen: 7}, 7},
		{store.Recorded{Seen: 7, Effective: document.Interval{From: 3}}, 3},
		{store.Recorded{Seen: 7, Effective: document.Interval{To: 3}}, document.DayMin},
	} {
		if got := Begins(c.r); got != c.want {
			t.Errorf("%+v begins on %d, want %d", c.r, got, c.want)
		}
	}
}
