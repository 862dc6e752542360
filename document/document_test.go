package document

import (
	"testing"
	"time"
)

func TestDay(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{"2026-01-01", "2026-01-01", true},
		{" 2024-02-29 ", "2024-02-29", true},
		{"2026-05", "2026-05-01", true},
		{"2026", "2026-01-01", true},
		{"0001-01-01", "0001-01-01", true},
		{"9999-12-31", "9999-12-31", true},
		{"2026-02-30", "", false},
		{"2026-13-01", "", false},
		{"01/02/2026", "", false},
		{"yesterday", "", false},
		{"", "", false},
	} {
		d, err := ParseDay(c.in)
		if (err == nil) != c.ok || d.String() != c.want {
			t.Errorf("ParseDay(%q) = %q, %v", c.in, d, err)
		}
	}
	for d := DayMin; d < DayMax; d += 997 {
		if got := DayOf(d.Time()); got != d {
			t.Fatalf("day %d is %s, which is day %d", d, d, got)
		}
	}
	oslo := time.FixedZone("+02", 2*60*60)
	if got := DayOf(time.Date(2026, 7, 1, 1, 0, 0, 0, oslo)).String(); got != "2026-06-30" {
		t.Errorf("an hour past midnight in Oslo is the day %s in UTC", got)
	}
	if Day(0).String() != "" {
		t.Error("the zero day has a date")
	}
}

func TestInterval(t *testing.T) {
	from, to := DayOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), DayOf(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		i    Interval
		d    Day
		want bool
	}{
		{Interval{from, to}, from - 1, false},
		{Interval{from, to}, from, true},
		{Interval{from, to}, to - 1, true},
		{Interval{from, to}, to, false}, // half-open
		{Interval{0, to}, DayMin, true},
		{Interval{from, 0}, DayMax, true},
		{Interval{}, from, true},
		{Interval{from, from}, from, false}, // empty
	} {
		if got := c.i.Holds(c.d); got != c.want {
			t.Errorf("[%s, %s) holds %s: %v", c.i.From, c.i.To, c.d, got)
		}
	}
}

func TestAccess(t *testing.T) {
	for _, c := range []struct {
		name       string
		access     Access
		principals []string
		want       bool
	}{
		{"the zero access is closed", Access{}, []string{"user:a", ""}, false},
		{"public", Public(), nil, true},
		{"a reader", Access{Readers: []string{"group:hr"}}, []string{"user:a", "group:hr"}, true},
		{"another", Access{Readers: []string{"group:hr"}}, []string{"group:hrx"}, false},
		{"nobody", Access{Readers: []string{"group:hr"}}, nil, false},
		{"denied though public", Access{Everyone: true, Deny: []string{"user:a"}}, []string{"user:a"}, false},
		{"denied though a reader", Access{Readers: []string{"group:hr"}, Deny: []string{"user:a"}}, []string{"group:hr", "user:a"}, false},
		{"others than the denied", Access{Everyone: true, Deny: []string{"user:a"}}, []string{"user:b"}, true},
	} {
		if got := c.access.Allows(c.principals); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAdministrator(t *testing.T) {
	for _, c := range []struct {
		name   string
		access Access
		want   bool
	}{
		{"what has other readers", Access{Readers: []string{"group:hr"}}, true},
		{"what is public", Public(), true},
		{"the zero access", Access{}, false},
		{"what is denied to everyone by name", Access{Readers: []string{"group:hr"}, Deny: []string{"user:root"}}, false},
		{"what is public but for him", Access{Everyone: true, Deny: []string{"user:root"}}, false},
		{"what is denied to others", Access{Readers: []string{"group:hr"}, Deny: []string{"user:bob"}}, true},
		{"what is denied to others and has no reader", Access{Deny: []string{"user:bob"}}, false},
	} {
		if got := (Scope{Principals: []string{"user:root"}, Administrator: true}).Admits(c.access); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		id ID
		ok bool
	}{
		{ID{"docs", "a.md"}, true},
		{ID{"docs", "a/b c/ü.md"}, true},
		{ID{"docs", "..a"}, true},
		{ID{"", "a.md"}, false},
		{ID{"a:b", "a.md"}, false},
		{ID{"a/b", "a.md"}, false},
		{ID{"docs", ""}, false},
		{ID{"docs", "/a.md"}, false},
		{ID{"docs", "../a.md"}, false},
		{ID{"docs", "a/../b.md"}, false},
		{ID{"docs", "a//b.md"}, false},
		{ID{"docs", "a\x00.md"}, false},
	} {
		if err := c.id.Validate(); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.id, err)
		}
	}
}

func TestSpan(t *testing.T) {
	text := "0123456789"
	s := Span{2, 5}
	if s.Of(text) != "234" || s.Len() != 3 {
		t.Errorf("%q of %d bytes", s.Of(text), s.Len())
	}
	for _, bad := range []Span{{-1, 3}, {3, 11}, {5, 2}} {
		if bad.Of(text) != "" {
			t.Errorf("%v covers %q", bad, bad.Of(text))
		}
	}
	if !s.Contains(Span{2, 5}) || s.Contains(Span{2, 6}) || s.Overlaps(Span{5, 6}) || !s.Overlaps(Span{4, 9}) {
		t.Error("spans are half-open")
	}
}

func TestPagesAt(t *testing.T) {
	pages := Pages{{Page: 1, Offset: 0}, {Page: 2, Offset: 10}, {Page: 4, Offset: 20}}
	for offset, want := range map[int]int{0: 1, 9: 1, 10: 2, 19: 2, 20: 4, 99: 4} {
		if got := pages.At(offset); got != want {
			t.Errorf("offset %d is on page %d, want %d", offset, got, want)
		}
	}
	if got := Pages(nil).At(5); got != 0 {
		t.Errorf("without pages it is on page %d", got)
	}
	if got := (Pages{{Page: 2, Offset: 4}}).At(0); got != 2 {
		t.Errorf("what stands before the first page is on page %d", got)
	}
}
