package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// A judge that is configured gives a metric of its own; what it decided, by which prompt, is
// kept with the run. Where it fails, that one figure is missing, and it is said.
func TestJudge(t *testing.T) {
	const key = "a-key-that-nobody-may-see"
	service := testkit.NewChats(t)
	s := newSandbox(t)
	s.env = append(s.env, "MY_KEY="+key)
	s.write(office...)
	s.write("q.jsonl", `{"id":"hotel","question":"What is the hotel limit per night?","answer":"140 euros","sources":["policies/travel.md"]}
{"id":"canteen","question":"When does the canteen open?","answer":"at noon","sources":["notes.txt"]}
`)
	settings := fmt.Sprintf("embedding: {model: none}\njudge:\n  model: service\n  service: {url: %q, model: judge-1, key_env: MY_KEY}\n", service.URL)
	s.write("quarry.yaml", settings)

	service.Rule(func(r testkit.ChatRequest) testkit.Reply {
		if strings.Contains(r.Last(), "canteen") {
			return testkit.Fails(testkit.Status(401, "Incorrect API key provided: "+key))
		}
		return testkit.Replies(`{"reason": "EUR 140 is 140 euros.", "correct": true}`)
	})
	report := s.object(0, "eval", "q.jsonl", "--docs", "office", "--name", "judged")
	metrics := report["metrics"].(map[string]any)
	if m := metrics["answer_judged"].(map[string]any); m["value"] != 1.0 || m["n"] != 1.0 {
		t.Errorf("answer_judged is %v", m)
	}
	if m := metrics["answer_correct"].(map[string]any); m["n"] != 2.0 {
		t.Errorf("answer_correct is %v", m)
	}
	judge := fields(t, "judge", report["judge"], "model prompt_version prompt answers failed tokens")
	if judge["model"] != "judge-1" || judge["answers"] != 1.0 || judge["failed"] != 1.0 || judge["tokens"] != 18.0 {
		t.Errorf("the judge is %v", judge)
	}
	problem := fields(t, "problem", first(t, "problems", report["problems"]), "file line id problem")
	if problem["id"] != "canteen" || problem["line"] != 2.0 || !strings.Contains(problem["problem"].(string), "check the key that judge.service.key_env or key_file names") {
		t.Errorf("the problem is %v", problem)
	}
	for _, r := range service.Requests() {
		if r.Model != "judge-1" || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("the request is %+v", r)
		}
	}

	b, err := os.ReadFile(report["run"].(map[string]any)["file"].(string))
	if err != nil {
		t.Fatal(err)
	}
	kept := string(b)
	for _, part := range []string{`"answer_judged"`, `"EUR 140 is 140 euros."`, `"judge-1"`, `"prompt_version"`, `"judge.service.model"`} {
		if !strings.Contains(kept, part) {
			t.Errorf("the kept run lacks %s", part)
		}
	}
	lacks(t, kept+fmt.Sprint(report), key, service.URL)

	// -v says what was judged incorrect, and why.
	service.Rule(func(testkit.ChatRequest) testkit.Reply {
		return testkit.Replies(`{"reason": "It gives another hour.", "correct": false}`)
	})
	contains(t, s.want(0, "eval", "q.jsonl", "--docs", "office", "-v").out, "2 answers judged by judge-1, prompt version", "canteen (untyped) When does the canteen open?\n    judged incorrect: It gives another hour.")

	// A sweep, which lists no problems, says that the judge failed.
	service.Rule(func(testkit.ChatRequest) testkit.Reply { return testkit.Fails(testkit.Status(400, "no")) })
	contains(t, s.want(0, "eval", "q.jsonl", "--docs", "office", "--try", "fusion=weighted").err, "note: trying retrieval.fusion=weighted, the judge judge-1 failed: 2 answers without a verdict")

	// No answers, no judge.
	before := len(service.Requests())
	s.want(0, "eval", "q.jsonl", "--docs", "office", "--answers", "no")
	if n := len(service.Requests()); n != before {
		t.Errorf("%d requests without answers", n-before)
	}

	s.write("quarry.yaml", "judge: {model: service}\n")
	contains(t, s.want(1, "eval", "q.jsonl", "--docs", "office").err, "quarry.yaml:1: judge.service.model: name the model as the service calls it")
}

// The doctor has the judge give a verdict, and says where it gives none.
func TestDoctorTriesJudge(t *testing.T) {
	service := testkit.NewChats(t)
	s := newSandbox(t)
	s.env = append(s.env, "MY_KEY=key")
	s.write(office...)
	s.write("quarry.yaml", fmt.Sprintf("embedding: {model: none}\njudge:\n  model: service\n  service: {url: %q, model: judge-1, key_env: MY_KEY}\n", service.URL))
	s.want(0, "add", "office")
	service.Rule(func(testkit.ChatRequest) testkit.Reply {
		return testkit.Replies(`{"reason": "It is the same.", "correct": true}`)
	})
	contains(t, s.want(0, "doctor").out, "models         ok  judge-1")
	service.Rule(func(testkit.ChatRequest) testkit.Reply { return testkit.Fails(testkit.Status(401, "no")) })
	contains(t, s.want(1, "doctor").out, "models         failed  the judge judge-1 gives no verdict")
}
