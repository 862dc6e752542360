package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	s := newSandbox(t)
	s.write(noVectors...)
	set(s)
	s.write("set/docs/long.md", "# Long\n\n"+strings.Repeat("One more paragraph that says next to nothing about the matter at hand.\n\n", 60))
	report := s.object(0, "eval", "set", "--try", "fusion=weighted,rrf", "--try", "chunk.tokens=32,256")
	tries := report["tries"].([]any)
	if report["questions"] != 5.0 || len(tries) != 4 {
		t.Fatalf("%d tries of %v questions", len(tries), report["questions"])
	}
	var passages []float64
	for i, one := range tries {
		o := one.(map[string]any)
		settings := o["settings"].(map[string]any)
		passages = append(passages, o["passages"].(float64))
		if settings["chunk.target"] != []string{"32", "256"}[i%2] || settings["retrieval.fusion"] != []string{"weighted", "rrf"}[i/2] {
			t.Errorf("try %d is %v", i, settings)
		}
		if (o["index_seconds"].(float64) > 0) != (i < 2) {
			t.Errorf("try %d was indexed in %v", i, o["index_seconds"])
		}
		if _, against := o["against_first"]; against != (i > 0) {
			t.Errorf("try %d is compared: %v", i, against)
		}
	}
	if passages[0] <= passages[1] || passages[0] != passages[2] || passages[1] != passages[3] {
		t.Errorf("passages %v", passages)
	}
	out := s.want(0, "eval", "set", "--try", "retrieval.fusion=weighted,rrf").out
	contains(t, out, "2 configurations", "retrieval.fusion=rrf", "ms/question", "tokens/question", "(Holm)")

	// Of a store, what is cut otherwise is indexed beside it and the store stays as it is.
	s.write("q.jsonl", questions)
	s.want(0, "add", "set/docs")
	before, err := os.Stat(filepath.Join(s.dir, "quarry.db"))
	if err != nil {
		t.Fatal(err)
	}
	if tries := s.object(0, "eval", "q.jsonl", "--try", "target=32,256")["tries"].([]any); len(tries) != 2 ||
		tries[0].(map[string]any)["passages"].(float64) <= tries[1].(map[string]any)["passages"].(float64) {
		t.Errorf("%v", tries)
	}
	if after, err := os.Stat(filepath.Join(s.dir, "quarry.db")); err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		t.Error("the store was written")
	}
	if runs, err := os.ReadDir(filepath.Join(s.dir, "quarry.db.runs")); err == nil {
		t.Errorf("a sweep kept %v", runs)
	}
}

// TestTryOfLaterStages: a setting that changes no list is judged by a metric that it can
// change, which is measured whatever was asked for. The set has no reference answers.
func TestTryOfLaterStages(t *testing.T) {
	s := newSandbox(t)
	s.write(noVectors...)
	set(s)
	s.write("beir/corpus.jsonl", `{"_id":"d1","title":"Cats","text":"A cat sleeps for sixteen hours a day."}`+"\n"+`{"_id":"d2","title":"Naps","text":"A cat naps for an hour a day, and a cat sleeps, too."}`+"\n",
		"beir/queries.jsonl", `{"_id":"1","text":"how long does a cat nap and sleep"}`+"\n", "beir/qrels.tsv", "1\td1\t1\n1\td2\t1\n")
	for _, c := range []struct{ set, tested, args string }{
		{"set", "evidence_recall", "--try evidence.passages=10,1"},
		{"set", "evidence_recall", "--try retrieval.fusion=weighted,rrf --try evidence.passages=10,1"},
		{"set", "evidence_recall", "--try evidence.passages=10,1 --metrics ndcg@10"},
		{"set", "citation_recall", "--try evidence.passages=10,1 --try answer.threshold=0.5,0.9"},
		{"set", "ndcg@10", "--try retrieval.fusion=weighted,rrf"},
		{"beir", "evidence_recall", "--try evidence.passages=10,1"},
	} {
		out := s.want(0, append([]string{"eval", c.set}, strings.Fields(c.args)...)...).out
		contains(t, out, "difference and p: "+c.tested+" against the first")
		if c.set == "beir" {
			contains(t, out, "-0.500")
		}
	}
	contains(t, s.want(2, "eval", "set", "--try", "evidence.passages=10,1", "--answers", "no").err, "--answers no measures lists alone")
	s.want(0, "eval", "set", "--try", "evidence.passages=10,1", "--try", "retrieval.fusion=weighted,rrf", "--answers", "no")
}

// TestFirstSet: eval init makes a set that eval reads, the same each time.
func TestFirstSet(t *testing.T) {
	s := newSandbox(t)
	s.write(noVectors...)
	s.write(office...)
	s.write("office/terms.md", "# Terms of Service\n\n## 1 Definitions\n\n\"Working Day\" means a day on which the head office in Bergen is open.\n\n## 2 Fees for storage\n\n"+
		"| Plan | Fee | Space |\n| --- | --- | --- |\n| Small | EUR 5 | 10 GB |\n| Large | EUR 20 | 100 GB |\n\nForm TS-77 must be sent before the first day of the new month.\n",
		"office/pay/terms.md", "---\nreaders: [group:hr]\n---\n# Pay terms\n\nThe bonus pool means the share of the profit that is paid out in March.\n")
	out := s.want(0, "eval", "init", "--docs", "office", "--out", "first.jsonl").out
	contains(t, out, "first.jsonl: ", "definition", "table", "exact_identifier", "None is reviewed")
	made := s.read("first.jsonl")
	contains(t, made, `"What does \"Working Day\" mean?"`, `"passages":["| Small | EUR 5 | 10 GB |"]`, "What is said about TS-77?", `"reviewed":false`)
	lacks(t, made, "bonus", "Dogs", "acme", "2020") // not in force, or not to be read
	contains(t, s.want(1, "eval", "init", "--docs", "office", "--out", "first.jsonl").err, "is there already", "--force")
	s.want(0, "eval", "init", "--docs", "office", "--out", "first.jsonl", "--force")
	if again := s.read("first.jsonl"); again != made {
		t.Errorf("made again:\n%s\n%s", again, made)
	}
	report := s.object(0, "eval", "first.jsonl", "--docs", "office")
	n := float64(strings.Count(made, "\n"))
	if report["questions"] != n || report["unreviewed"] != n || report["outgrown"] != 0.0 || len(report["problems"].([]any)) != 0 {
		t.Errorf("%v questions, %v unreviewed, %v outgrown, problems %v", report["questions"], report["unreviewed"], report["outgrown"], report["problems"])
	}
	if v := report["metrics"].(map[string]any)["recall@5"].(map[string]any)["value"]; v != 1.0 {
		t.Errorf("recall@5 is %v", v)
	}
	contains(t, s.want(0, "eval", "first.jsonl", "--docs", "office").out, "questions have not been reviewed")

	s.want(0, "eval", "init", "--docs", "office", "--out", "hr.jsonl", "--as", "group:hr", "--count", "100")
	contains(t, s.read("hr.jsonl"), `"as":["group:hr"]`, "bonus")

	s.write("thin/a.txt", "nothing\n")
	contains(t, s.want(1, "eval", "init", "--docs", "thin", "--out", "thin.jsonl").err, "no question could be made of 1 document", "and no heading; write questions by hand")
	s.write("brief/a.md", "# The canteen\n\nLunch begins at noon on every working day, and soup is served until half past two in the afternoon.\n\n## Prices\n\nLow.\n")
	contains(t, s.want(1, "eval", "init", "--docs", "brief", "--out", "brief.jsonl").err,
		"no heading to ask about (1: it repeats the title of its document, 1: little or nothing stands under it)")
	contains(t, s.want(2, "eval", "init", "--count", "0").err, "--count is 0")
}
