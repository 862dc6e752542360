package main

import "testing"

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
