package main

import (
	"fmt"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// An embedding service that is down, refuses a passage, and takes it in the end.
func TestEmbeddingService(t *testing.T) {
	const key = "a-key-that-nobody-may-see"
	service := testkit.NewEmbeddings(t, 8)
	s := newSandbox(t)
	s.env = append(s.env, "MY_KEY="+key)
	s.write(office...)
	s.write("quarry.yaml", fmt.Sprintf("embedding:\n  model: service\n  service: {url: %q, model: fake, dimensions: 8, key_env: MY_KEY}\n", service.URL))

	// Down: it says so, and what was read is found by its words.
	service.Rule(testkit.Always(testkit.Status(401, "Incorrect API key provided: "+key)))
	r := s.want(1, "add", "office")
	contains(t, r.out, "office: 8 added")
	contains(t, r.err, "quarry: embedding with fake 8 512/64: 127.0.0.1:", "answered 401 (Incorrect API key provided: [key]): check the key that embedding.service.key_env or key_file names; what was embedded is kept, run the command again to go on")
	contains(t, s.want(0, "ask", "What is the hotel limit per night?").out, "EUR 140")
	r = s.want(0, "ask", "--docs", "office", "What is the hotel limit per night?")
	contains(t, r.out, "EUR 140")
	contains(t, r.err, "quarry: note: embedding with fake", "until then some passages of office are found by their words only")
	lacks(t, r.err+r.out, key)

	// One passage is refused.
	service.Heal()
	service.Rule(testkit.Refuse("canteen", testkit.Status(400, "no food")))
	r = s.want(4, "add", "office")
	contains(t, r.out, "refused  notes.txt: a passage has no vector and is found by its words only: 127.0.0.1:", "answered 400 (no food)")
	contains(t, r.err, "the embedding model refused passages of 1 document, which are found by their words only; the rest is done: run the command again")
	report := s.object(4, "add", "office")
	u := fields(t, "unembedded", first(t, "unembedded", report["unembedded"]), "document error")
	if u["document"] != "notes.txt" || report["vectors"] != 0.0 {
		t.Errorf("the report is %v", report)
	}

	service.Heal()
	if report := s.object(0, "add", "office"); report["vectors"] != 1.0 {
		t.Errorf("the report is %v", report)
	}
	requests := len(service.Requests())
	s.want(0, "add", "office")
	for _, verb := range []string{"docs", "status"} {
		s.want(0, verb)
	}
	if more := len(service.Requests()) - requests; more != 0 {
		t.Errorf("%d requests with nothing to embed", more)
	}
	for text, n := range service.Embedded() {
		if n > 1 && text != "quarry" {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
	contains(t, s.want(0, "ask", "When does the canteen open?").out, "11:30")
}
