package main

import (
	"fmt"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// Another model in the configuration is refused with the command that replaces the
// vectors, and questions go on with the former one until it has.
func TestReembed(t *testing.T) {
	service := testkit.NewEmbeddings(t, 8)
	s := newSandbox(t)
	s.write(office...)
	config := func(name, model string, dims int) {
		s.write(name, fmt.Sprintf("embedding:\n  model: service\n  service: {url: %q, model: %s, dimensions: %d, batch_items: 1}\n", service.URL, model, dims))
	}
	config("quarry.yaml", "first", 8)
	config("new.yaml", "second", 8)
	s.write("words.yaml", "embedding: {model: none}\n")
	const question = "What is the hotel limit per night?"

	contains(t, s.want(0, "add", "office").out, "8 added")
	contains(t, s.want(0, "status").out, "\nvectors: of first 8 512/64, rows 2 (8 dimensions)\n")
	lacks(t, s.want(0, "status").out, "reembed", "configured")
	for _, line := range [][]string{{"ask", question}, {"search", question}, {"why", question, "--quote", "EUR 140"}, {"add", "office"}, {"sync"}} {
		r := s.want(1, append([]string{"--config", "new.yaml"}, line...)...)
		contains(t, r.err, `quarry: the store's vectors are of the model "first 8 512/64, rows 2" (8 dimensions) and the configuration names "second 8 512/64, rows 2" (8 dimensions): run quarry reembed, which`)
		lacks(t, r.err, "of 1 source")
	}
	contains(t, s.want(0, "ask", "--config", "words.yaml", question).out, "EUR 140")
	contains(t, s.want(1, "reembed", "--config", "words.yaml").err, "no embedding model is configured")

	// It stops half way, and a third model does not give up what there is.
	service.Rule(testkit.Refuse("canteen", testkit.Status(401, "no food")))
	contains(t, s.want(1, "reembed", "--config", "new.yaml").err, "answered 401", "what was embedded is kept, run the command again to go on")
	contains(t, s.want(0, "status", "--config", "new.yaml").out, "\nvectors: of first", "\nreembed: begun with second 8 512/64, rows 2 (8 dimensions), ", " passage", "\nconfigured: second", "quarry reembed brings the store to it\n")
	contains(t, s.want(0, "ask", question).out, "EUR 140")
	config("third.yaml", "third", 8)
	contains(t, s.want(1, "reembed", "--config", "third.yaml").err, `"second 8 512/64, rows 2" (8 dimensions) was begun and what it made is kept`, "quarry reembed --discard")

	service.Heal()
	service.Rule(testkit.Refuse("canteen", testkit.Status(400, "no food")))
	r := s.want(4, "reembed", "--config", "new.yaml")
	contains(t, r.out, "embedded with second 8 512/64, rows 2 (8 dimensions).\nQuestions are compared with these vectors now; those of first 8 512/64, rows 2 (8 dimensions) are removed.\n", "office:notes.txt: a passage has no vector")
	contains(t, r.err, "refused passages of 1 document", "quarry sync tries them again")
	contains(t, s.want(0, "ask", "--config", "new.yaml", question).out, "EUR 140")
	contains(t, s.want(1, "ask", question).err, `"second 8 512/64, rows 2" (8 dimensions) and the configuration names "first`)
	service.Heal()
	if r := s.object(0, "sync", "--config", "new.yaml"); r["vectors"] != 1.0 {
		t.Errorf("the next sync gives %v", r)
	}

	// A store in the cache holds nothing but the folder: it follows unasked.
	contains(t, s.want(0, "ask", "--docs", "office", question).out, "EUR 140")
	contains(t, s.want(0, "ask", "--config", "new.yaml", "--docs", "office", question).out, "EUR 140")
}
