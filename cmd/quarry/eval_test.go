package main

import (
	"strings"
	"testing"
)

const questions = `{"id":"q1","question":"What is the hotel limit per night?","sources":["policies/travel.md#3.1 Hotels"],"passages":["The hotel limit is EUR 140 per night."]}
{"id":"q2","question":"What does a parking permit cost?","sources":["policies/parking.md"],"held_out":true}
{"id":"q3","question":"What is the annual bonus budget?","sources":["pay/bonus.md"],"as":["group:hr"]}
{"id":"q4","question":"What was the hotel limit per night?","sources":["old/travel-2020.md"],"as_of":"2020-05-05"}
{"id":"q5","question":"Who repairs the zeppelin?","unanswerable":true,"type":"unanswerable","held_out":true}
`

// set turns the office into a question set.
func set(s *sandbox) {
	files := append([]string{}, office...)
	for i := 0; i < len(files); i += 2 {
		files[i] = "set/docs/" + strings.TrimPrefix(files[i], "office/")
	}
	s.write(files...)
	s.write("set/questions.jsonl", questions)
}

func TestEval(t *testing.T) {
	s := newSandbox(t)
	set(s)
	out := s.want(0, "eval", "set").out
	contains(t, out, "set: 5 questions", "recall@5", "tuning (3)", "held out (2)")
	lacks(t, s.want(0, "eval", "set", "--only", "tuning").out, "held out (")
	s.write("failing/docs/a.md", "# A\n\nLunch is at noon.\n", "failing/questions.jsonl", `{"id":"q","question":"When is dinner?","sources":["b.md"]}`+"\n")
	contains(t, s.want(0, "eval", "failing").out, "\n-v lists 1 failed question")

	report := s.object(0, "eval", "set")
	for _, name := range []string{"questions", "metrics", "by_type", "failures", "parts"} {
		if report[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
	m := report["metrics"].(map[string]any)["recall@5"].(map[string]any)
	fields(t, "metric", m, "value low high n")
	if report["questions"] != 5.0 || m["value"] != 1.0 || m["n"] != 4.0 {
		t.Errorf("recall@5 is %v of %v questions", m, report["questions"])
	}
	if v := report["metrics"].(map[string]any)["abstention_recall"].(map[string]any)["value"]; v != 1.0 {
		t.Errorf("abstention recall is %v", v)
	}
	parts := fields(t, "parts", report["parts"], "tuning held-out")
	fields(t, "part", parts["tuning"], "questions metrics")

	one := s.object(0, "eval", "set", "--metrics", "ndcg@3")["metrics"]
	fields(t, "metrics", one, "ndcg@3")
	contains(t, s.want(1, "eval", "set", "--metrics", "best@3").err, "best")
}

func TestEvalOfAFile(t *testing.T) {
	s := newSandbox(t)
	set(s)
	s.write("q.jsonl", questions+"{\"id\": broken\n")
	contains(t, s.want(1, "eval", "q.jsonl").err, "there is no store to ask", "--docs DIR")
	report := s.object(0, "eval", "q.jsonl", "--docs", "set/docs")
	if report["questions"] != 5.0 || len(report["problems"].([]any)) != 1 {
		t.Errorf("%v questions, problems %v", report["questions"], report["problems"])
	}
	s.want(0, "add", "set/docs")
	report = s.object(0, "eval", "q.jsonl")
	if v := report["metrics"].(map[string]any)["recall@5"].(map[string]any)["value"]; v != 1.0 {
		t.Errorf("recall@5 is %v", v)
	}
}

func TestEvalOfABEIRSet(t *testing.T) {
	s := newSandbox(t)
	s.write("beir/corpus.jsonl", `{"_id":"d1","title":"Cats","text":"A cat sleeps for sixteen hours a day."}
{"_id":"d2/x.pdf","title":"Dogs","text":"A dog needs two walks a day."}
{"_id":"d3","title":"Goldfish memory","text":""}
`,
		"beir/queries.jsonl", `{"_id":"1","text":"how long does a cat sleep"}
{"_id":"2","text":"walks for a dog"}
{"_id":"3","text":"goldfish memory"}
`,
		"beir/qrels.tsv", "query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2/x.pdf\t1\n3\td3\t1\n")
	for range 2 {
		report := s.object(0, "eval", "beir", "--store", "b.db")
		if m := report["metrics"].(map[string]any)["recall@5"].(map[string]any); m["value"] != 1.0 || m["n"] != 3.0 {
			t.Errorf("recall@5 is %v", m)
		}
	}
	contains(t, s.want(0, "status", "--store", "b.db").out, "beir", "upload", "3 documents")
	s.write("beir/corpus.jsonl", `{"_id":"d1","title":"Cats","text":"A cat sleeps for sixteen hours a day."}`+"\n")
	s.want(0, "eval", "beir", "--store", "b.db")
	contains(t, s.want(0, "status", "--store", "b.db").out, "1 document of")
}
