package main

import (
	"strings"
	"testing"
)

func TestScope(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.want(0, "add", "office")
	for _, c := range []struct {
		question string
		flags    []string
		want     string // in the answer with the flags; without them it is not
	}{
		{"What is the annual bonus budget?", []string{"--as", "user:eve", "--as", "group:hr"}, "EUR 90000"},
		{"What is the hotel limit per night?", []string{"--as-of", "2020-06-30"}, "EUR 95"},
		{"Where are dogs welcome?", []string{"--drafts"}, "garden office"},
		{"What is the acme escalation number?", []string{"--tenant", "acme"}, "4711"},
	} {
		contains(t, s.want(0, append([]string{"ask", c.question}, c.flags...)...).out, c.want)
		lacks(t, s.want(0, "ask", c.question, "--json").out, c.want)
		lacks(t, s.want(0, "search", c.question, "--json").out, c.want)
	}
	holidays := "What does the summer holiday closure last?"
	contains(t, s.want(0, "ask", holidays).out, "two weeks")
	contains(t, s.want(0, "ask", holidays, "--where", "region=emea", "--where", "region=apac").out, "two weeks")
	lacks(t, s.want(0, "ask", holidays, "--where", "region=apac").out, "two weeks")

	lacks(t, s.want(0, "docs").out, "bonus.md", "dogs.md", "acme.md", "travel-2020.md")
	contains(t, s.want(0, "docs", "--as", "group:hr").out, "bonus.md")
	contains(t, s.want(0, "docs", "--as-of", "2020-06-30").out, "travel-2020.md", "2020-01-01 to 2020-12-31")
	lacks(t, s.want(0, "docs", "--as-of", "2021-01-01").out, "travel-2020.md")

	// What may not be seen looks like what is not there.
	hidden := s.want(1, "show", "pay/bonus.md").err
	absent := s.want(1, "show", "pay/absent.md").err
	contains(t, hidden, "no such document")
	if len(hidden)-len("bonus") != len(absent)-len("absent") {
		t.Errorf("%q and %q can be told apart", hidden, absent)
	}
	contains(t, s.want(0, "show", "pay/bonus.md", "--as", "group:hr").out, "group:hr")
}

// TestWhyHidden: of what the asker may not read, why says byte for byte what it says of
// what does not exist; who may read it is told.
func TestWhyHidden(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write(noVectors...)
	s.want(0, "add", "office")
	question := "What is the annual bonus budget?"
	const secret = "The annual bonus budget is EUR 90000."
	for _, hidden := range [][]string{
		{"--expect", "pay/bonus.md"},
		{"--expect", "office:pay/bonus.md"},
		{"--expect", "pay/bonus.md#Bonus"},
		{"--expect", "pay/bonus.md", "--quote", secret},
		{"--expect", "tenant/acme.md"},
		{"--expect", "tenant/acme.md#Acme"},
		{"--expect", "pay/bonus.md", "--as", "user:bob"},
		{"--expect", "pay/bonus.md", "--as", "user:bob", "--reader", "user:ann"},
	} {
		for _, form := range [][]string{nil, {"--json"}, {"-v"}} {
			have := s.want(0, append(append([]string{"why", question}, hidden...), form...)...)
			absent := strings.NewReplacer("bonus.md", "cargo.md", "acme.md", "zero.md")
			line := []string{"why", question}
			for _, arg := range hidden {
				line = append(line, absent.Replace(arg))
			}
			want := s.want(0, append(line, form...)...)
			if absent.Replace(have.out) != want.out || have.err != want.err {
				t.Errorf("%q can be told from what does not exist:\n%s%s---\n%s%s", hidden, have.out, have.err, want.out, want.err)
			}
		}
	}
	// A quote of it is as unknown as it is in a corpus without it.
	without := newSandbox(t)
	without.write(noVectors...)
	for i := 0; i < len(office); i += 2 {
		if !strings.Contains(office[i], "bonus") {
			without.write(office[i], office[i+1])
		}
	}
	without.want(0, "add", "office")
	for _, form := range []string{"--json", "-v"} {
		line := []string{"why", question, "--quote", secret, form}
		if have, want := s.want(0, line...), without.want(0, line...); have != want {
			t.Errorf("a quote of what is hidden gives\n%s%s---\n%s%s", have.out, have.err, want.out, want.err)
		}
	}

	lost := func(want string, args ...string) {
		t.Helper()
		o := s.object(0, append([]string{"why", question}, args...)...)
		if o["lost_at"] != want {
			t.Errorf("%q: lost at %v, not %q: %v", args, o["lost_at"], want, o)
		}
	}
	lost("", "--expect", "pay/bonus.md", "--as", "group:hr")
	lost("", "--quote", secret, "--as", "group:hr")
	lost("scope", "--expect", "pay/bonus.md", "--as", "user:bob", "--reader", "group:hr")
	lost("scope", "--quote", secret, "--reader", "group:hr")
	lost("source", "--expect", "tenant/acme.md", "--reader", "group:hr")
	lost("scope", "--expect", "drafts/dogs.md")
	lost("scope", "--quote", "Dogs are welcome in the garden office.")
	lost("scope", "--expect", "old/travel-2020.md")
	lost("scope", "--expect", "regions/emea.md", "--where", "region=apac")
}
