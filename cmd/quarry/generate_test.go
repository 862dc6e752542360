package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

const hotel = "What is the hotel limit per night?"

// readmeSettings are the YAML blocks of the README that begin with a comment.
func readmeSettings(t *testing.T, comment string) string {
	t.Helper()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```yaml\n(# " + comment + ".*?)```").FindSubmatch(page)
	if m == nil {
		t.Fatalf("the README has no settings that begin with %q", comment)
	}
	return string(m[1])
}

// The README's three ways to an answer, with its own settings but for the address.
func TestThreeWays(t *testing.T) {
	s := newSandbox(t)
	s.env = append(s.env, "ANTHROPIC_API_KEY=a-key-that-nobody-may-see")
	s.write(office...)
	noVectors := "\nembedding: {model: none}\n"
	ask := func() map[string]any { return s.object(0, "ask", "--docs", "office", hotel) }

	s.write("quarry.yaml", noVectors)
	if a := ask(); a["status"] != "answered" || !strings.Contains(a["answer"].(string), "EUR 140") || a["written_by"] != nil {
		t.Errorf("no model: %v by %v", a["answer"], a["written_by"])
	}

	written := "Per night the hotel limit is EUR 140 [1]."
	local := testkit.NewChats(t)
	local.Script(testkit.Streams("Per night the hotel ", "limit is EUR 140 [1]."))
	s.write("quarry.yaml", strings.ReplaceAll(readmeSettings(t, "Ollama; llama.cpp"), "http://localhost:11434/v1", local.URL)+noVectors)
	if a := ask(); a["status"] != "answered" || a["answer"] != "Per night the hotel limit is EUR 140. [1]" || a["written_by"] != "qwen3:8b" {
		t.Errorf("a local model: %v by %v", a["answer"], a["written_by"])
	}
	if r := local.Requests(); len(r) != 1 || r[0].Header.Get("Authorization") != "" || !strings.Contains(r[0].Last(), hotel) {
		t.Errorf("the local model was asked %d times", len(r))
	}

	hosted := testkit.NewMessages(t)
	hosted.Script(testkit.MessageStream("", written))
	s.write("quarry.yaml", strings.ReplaceAll(readmeSettings(t, "Anthropic"), "https://api.anthropic.com/v1", hosted.URL)+noVectors)
	a := ask()
	if a["status"] != "answered" || a["answer"] != "Per night the hotel limit is EUR 140. [1]" || a["written_by"] != "claude-sonnet-4-5" {
		t.Errorf("a hosted model: %v by %v", a["answer"], a["written_by"])
	}
	for _, stage := range a["trace"].(map[string]any)["stages"].([]any) {
		if stage := stage.(map[string]any); stage["stage"] == "generate" {
			if m := stage["model"].(map[string]any); m["cost"].(float64) != (11*3+7*15)/1e6 || m["currency"] != "USD" || m["prompt_version"] == "" {
				t.Errorf("the trace says %v", m)
			}
		}
	}
	if r := hosted.Requests(); len(r) != 1 || r[0].Header.Get("X-Api-Key") != "a-key-that-nobody-may-see" {
		t.Errorf("the hosted model was asked %d times", len(r))
	}
}

// --stream prints what held while the rest is made; what did not is listed.
func TestAskStreams(t *testing.T) {
	service := testkit.NewChats(t)
	s := newSandbox(t)
	s.write(office...)
	s.write("quarry.yaml", fmt.Sprintf("embedding: {model: none}\ngenerate: {model: service, service: {url: %q, model: m}}\n", service.URL))
	service.Script(testkit.Streams("The hotel limit is EUR 140 per night [1]. The hotel limit is EUR 150 per night [1]."), testkit.Streams("1: DROP"))
	out := s.want(0, "ask", "--docs", "office", "--stream", hotel).out
	if !strings.HasPrefix(out, "The hotel limit is EUR 140 per night. [1]\n\nRemoved: \"The hotel limit is EUR 150 per night.\", as the number \"150\" does not stand in what it cites.\n") ||
		!strings.Contains(out, "\n[1] Travel Policy › 3.1 Hotels (policies/travel.md, line ") {
		t.Errorf("it prints\n%s", out)
	}
	if strings.Count(out, "EUR 140 per night. [1]") != 1 {
		t.Errorf("the answer is printed twice:\n%s", out)
	}
	// Without a model the quoted answer comes at once.
	s.write("quarry.yaml", "embedding: {model: none}\n")
	contains(t, s.want(0, "ask", "--docs", "office", "--stream", hotel).out, "The hotel limit is EUR 140 per night. [1]\n")
	contains(t, s.want(2, "ask", "--docs", "office", "--stream", "--json", hotel).err, "--stream prints sentences and --json one object")
}

// Nothing of a document, a question or a key is written to standard error, also where services
// repeat them in what they say of their failures.
func TestNothingLeaksIntoNotes(t *testing.T) {
	const key, secret, question = "a-key-that-nobody-may-see", "The merger with Northwind closes on Friday at the harbour office", "When does the merger with Northwind close?"
	chats, rankings, embeddings := testkit.NewChats(t), testkit.NewRankings(t), testkit.NewEmbeddings(t, 8)
	s := newSandbox(t)
	s.env = append(s.env, "MY_KEY="+key)
	s.write("docs/merger.md", "# Merger\n\n"+secret+".\n")
	s.write("quarry.yaml", fmt.Sprintf(`embedding: {model: service, service: {url: %q, model: e, dimensions: 8, key_env: MY_KEY}}
rerank: {model: service, service: {url: %q, model: r, key_env: MY_KEY}}
generate: {model: service, service: {url: %q, model: m, key_env: MY_KEY}}
`, embeddings.URL, rankings.URL, chats.URL))
	repeats := testkit.Status(400, "cannot take "+secret+" / "+question+" / "+key)
	fail := func() {
		embeddings.Rule(func(r testkit.Request) testkit.Fault { // it repeats what it is sent
			return testkit.Status(400, "cannot take "+strings.Join(r.Input, " / ")+" / "+key)
		})
		rankings.Script(testkit.Fails(repeats))
		chats.Script(testkit.Fails(repeats))
	}
	var noted string
	for _, run := range [][]string{{"add", "docs"}, {"ask", question}, {"ask", "--stream", question}, {"search", question}, {"why", question, "--expect", "merger.md"}, {"status"}, {"doctor"}} {
		fail()
		noted += s.run(run...).err
	}
	for _, part := range []string{"m wrote nothing that can be used", "r failed and the fused order stands"} { // it did fail
		if !strings.Contains(noted, part) {
			t.Errorf("no note says %q:\n%s", part, noted)
		}
	}
	lacks(t, noted, key, secret, question, "merger with Northwind", "harbour office")
}

// The doctor has each model do a small piece of work.
func TestDoctorTriesModels(t *testing.T) {
	chats, rankings := testkit.NewChats(t), testkit.NewRankings(t)
	s := newSandbox(t)
	s.write(office...)
	s.write("quarry.yaml", fmt.Sprintf("embedding: {model: none}\nrerank: {model: service, service: {url: %q, model: r}}\ngenerate: {model: service, service: {url: %q, model: m}}\n", rankings.URL, chats.URL))
	s.want(0, "add", "office")
	chats.Script(testkit.Replies("yes"), testkit.Fails(testkit.Status(401, "no")))
	contains(t, s.want(0, "doctor").out, "models         ok  r; m")
	contains(t, s.want(1, "doctor").out, "models         failed  the model m writes no answer")
}
