package main

import "testing"

// A mail that contradicts the policy is overruled, and that is printed with its place.
func TestSettledByAuthority(t *testing.T) {
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding: {model: none}\n",
		"docs/policy.md", "---\nauthority: 100\n---\n# Discount Policy\n\nThe discount for schools is 15 %.\n",
		"docs/mail.txt", "Hello Ann,\n\nthe discount for schools is 20 %.\n", "docs/mail.txt.meta.yaml", "title: Mail of Monday\nauthority: 10\n")
	s.want(0, "add", "docs")
	out := s.want(0, "ask", "What is the discount for schools?").out
	contains(t, out, "The discount for schools is 15 %. [1]\n\nSettled by authority. Discount Policy says “The discount for schools is 15 %.”, Mail of Monday says “the discount for schools is 20 %.”: see [1], over mail.txt, line 3.\n")
	lacks(t, out, "Conflict", "[2]")
	answer := s.object(0, "ask", "What is the discount for schools?")
	c := fields(t, "conflict", first(t, "conflicts", answer["conflicts"]), "text citations settled_by overruled")
	o := fields(t, "overruled", first(t, "overruled", c["overruled"]), citationFields, "page", "heading", "superseded")
	if answer["status"] != "answered" || c["settled_by"] != "authority" || o["document"] != "mail.txt" || o["quote"] != "the discount for schools is 20 %." {
		t.Errorf("the answer is %v", answer)
	}
}
