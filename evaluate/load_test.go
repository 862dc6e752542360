package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// folder writes files, given as name and content in turn, into a new folder.
func folder(t testing.TB, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadFolder(t *testing.T) {
	dir := folder(t, "docs/a.md", "# A", "questions.jsonl", "\uFEFF"+`{"id":"q1","question":"Who?","answer":["Ann",2.50,-1],"sources":["./a.md#Who we are","b\\c.md"],"passages":["Ann."],"spans":[[1,4],[0,2]],"unanswerable":false,"as_of":"2020-02","tenant":"t","as":["group:x"],"stale":["old.md"],"also_valid_text_in":["a2.md"],"type":"lookup","held_out":true,"reviewed":true,"scale":{"unknown":1}}
{"question":"What?","answer":null,"type":"unanswerable"}
`)
	set, problems, err := Load(dir)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if set.Name != "set" || set.Dir != dir || set.Docs != filepath.Join(dir, "docs") || set.Corpus != nil {
		t.Errorf("set is %+v", set)
	}
	day, _ := document.ParseDay("2020-02-01")
	want := []Question{{
		ID: "q1", Text: "Who?", Type: "lookup", Answers: []string{"Ann", "2.50", "-1"},
		Sources:  []Source{{"a.md", "Who we are", 1}, {"b/c.md", "", 1}},
		Passages: []string{"Ann."}, Spans: []Span{{1, 4}, {0, 2}},
		Scope: document.Scope{Tenant: "t", Principals: []string{"group:x"}, AsOf: day},
		Stale: []Source{{"old.md", "", 1}}, AlsoValid: []string{"a2.md"}, HeldOut: true, Reviewed: true, file: "questions.jsonl", line: 1,
	}, {ID: "line-2", Text: "What?", Type: "unanswerable", Unanswerable: true, file: "questions.jsonl", line: 2}}
	if !reflect.DeepEqual(set.Questions, want) {
		t.Errorf("questions are\n%+v, want\n%+v", set.Questions, want)
	}
}

func TestSourcesAreParsed(t *testing.T) {
	for in, want := range map[string]Source{
		"a.md":              {"a.md", "", 1},
		"a.md#Issue #5":     {"a.md", "Issue #5", 1},
		"c#.md#Types":       {"c#.md", "Types", 1},
		"README#Use":        {"README", "Use", 1},
		"v1.2/README# Use ": {"v1.2/README", "Use", 1},
		`x\y.md`:            {"x/y.md", "", 1},
		"/x//y.md":          {"x/y.md", "", 1},
	} {
		if got := ParseSource(in); got != want {
			t.Errorf("ParseSource(%q) is %+v, want %+v", in, got, want)
		}
	}
}

// TestProblemsOfQuestions: each line is put before a good one, which stays.
func TestProblemsOfQuestions(t *testing.T) {
	for _, c := range []struct {
		line, problem string
		kept          bool
	}{
		{`{"id":"q1"`, "is no JSON object", false},
		{`[1]`, "is no JSON object: it is an array", false},
		{`null`, "is no JSON object: null", false},
		{"{\"id\":\"q1\",\"question\":\"\xff\"}", "not UTF-8", false},
		{`{"id":"q1"}`, `has no "question"`, false},
		{`{"id":"q1","question":"  "}`, `has no "question"`, false},
		{`{"id":"good","question":"x","sources":["a"]}`, "has an id that an earlier question has", false},
		{`{"id":"q1","question":7}`, `"question" must be a string`, false},
		{`{"id":["q1"],"question":"x"}`, `"id" must be a string`, false},
		{`{"id":"q1","question":"x","sources":"a.md"}`, `"sources" must be a list of strings`, false},
		{`{"id":"q1","question":"x","sources":[""]}`, `"sources" names no file`, false},
		{`{"id":"q1","question":"x","sources":["#h"]}`, `"sources" names no file`, false},
		{`{"id":"q1","question":"x","passages":[1]}`, `"passages" must be a list of strings`, false},
		{`{"id":"q1","question":"x","spans":[1,2]}`, `"spans" must be a list of [from, to]`, false},
		{`{"id":"q1","question":"x","spans":[[2,2]]}`, `"spans" must hold [from, to]`, false},
		{`{"id":"q1","question":"x","unanswerable":"no"}`, `"unanswerable" must be true or false`, false},
		{`{"id":"q1","question":"x","as_of":"soon"}`, `"as_of": "soon" is not a date`, false},
		{`{"id":"q1","question":"x","as":"me"}`, `"as" must be a list of principals`, false},
		{`{"id":"q1","question":"x","answer":{"a":1}}`, `"answer" must be a string, a number`, false},
		{`{"id":"q1","question":"x"}`, "has no sources, passages or spans", true},
		{`{"id":"q1","question":"x","sources":["a"],"passages":["***"]}`, "has no letter or digit", true},
		{`{"id":"q1","question":"x","sources":["a","b"],"spans":[[0,1]]}`, "1 spans and 2 sources", true},
	} {
		dir := folder(t, "questions.jsonl", `{"id":"good","question":"x","sources":["a"]}`+"\n\n"+c.line+"\n"+`{"id":"last","question":"x","sources":["a"]}`)
		set, problems, err := Load(filepath.Join(dir, "questions.jsonl"))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		kept := 2
		if c.kept {
			kept = 3
		}
		if len(set.Questions) != kept {
			t.Errorf("%s: %d questions stay, want %d", c.line, len(set.Questions), kept)
		}
		if len(problems) != 1 || problems[0].Line != 3 || problems[0].File != "questions.jsonl" || !strings.Contains(problems[0].Text, c.problem) {
			t.Errorf("%s: problems are %v, want %q in line 3", c.line, problems, c.problem)
		}
	}
}

func TestLoadBEIR(t *testing.T) {
	dir := folder(t,
		"corpus.jsonl", `{"_id":"d1","title":"One","text":"first"}
{"_id":"a/b","text":"second"}
{"_id":"d1","text":"again"}
{"title":"nameless"}
{"_id":"d3","text":3}
{"_id":7,"title":"","text":""}
`,
		"queries.jsonl", `{"_id":"1","text":"what"}
{"_id":"2","text":"other split"}
{"_id":"1","text":"twice"}
{"_id":"3","text":""}
{"text":"nameless"}
`,
		"qrels.tsv", "query-id\tcorpus-id\tscore\n1\td1\t2\r\n1\ta/b\t0\n1\td1\t1\n9\td1\t1\n1\tgone\t1\n1 d1 1\n1\t7\tmuch\n1\t\t1\n")
	set, problems, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Question{{ID: "1", Text: "what", Sources: []Source{{"d1", "", 2}, {"a%2Fb", "", 0}, {"gone", "", 1}}, file: "queries.jsonl", line: 1}}
	if !reflect.DeepEqual(set.Questions, want) {
		t.Errorf("questions are %+v, want %+v", set.Questions, want)
	}
	for range 2 { // it may be ranged over again
		docs := slices.Collect(set.Corpus)
		if !slices.Equal(docs, []Doc{{"d1", "One", "first", nil}, {"a%2Fb", "", "second", nil}, {"7", "", "", nil}}) {
			t.Errorf("documents are %+v", docs)
		}
	}
	for range set.Corpus {
		break // and left early
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	wantProblems := `corpus.jsonl:3: d1: has an id that an earlier document has; it is left out
corpus.jsonl:4: has no "_id"; the document is left out
corpus.jsonl:5: d3: "text" must be a string; the document is left out
corpus.jsonl:6: 7: is empty
queries.jsonl:3: 1: has an id that an earlier query has; it is left out
queries.jsonl:4: 3: has no "text"; the query is left out
queries.jsonl:5: "_id" must be a string that is not empty; the query is left out
qrels.tsv:4: 1: judges document "d1" a second time; the first counts
qrels.tsv:5: 9: names a query that queries.jsonl does not have
qrels.tsv:6: 1: names document "gone", which corpus.jsonl does not have; it counts as not found
qrels.tsv:7: has 1 columns: it must have query-id, corpus-id and score, with tabs between
qrels.tsv:8: 1: score "much" is no whole number
qrels.tsv:9: 1: names no document; it is left out
queries.jsonl: 1 queries have no judgement in qrels.tsv and are left out`
	if strings.Join(got, "\n") != wantProblems {
		t.Errorf("problems are\n%s\nwant\n%s", strings.Join(got, "\n"), wantProblems)
	}
}

func TestACorpusThatGoesAwayEndsWithAnError(t *testing.T) {
	for d := range corpus(filepath.Join(t.TempDir(), "gone.jsonl")) {
		if d.Err == nil || d.Path != "" {
			t.Errorf("yields %+v", d)
		}
		return
	}
	t.Error("yields nothing")
}

func TestSetsThatCannotBeLoaded(t *testing.T) {
	for fault, path := range map[string]string{
		"cannot be read":     filepath.Join(t.TempDir(), "absent"),
		"is no question set": folder(t, "docs/a.md", "x"),
		"has no usable question: the file is empty; write one question a line": folder(t, "questions.jsonl", "\n"),
		`the first problem is questions.jsonl:1: is no JSON`:                   folder(t, "questions.jsonl", "x\n"),
		"has no corpus.jsonl: put the documents there":                         folder(t, "queries.jsonl", `{"_id":"1","text":"x"}`),
		"has no judgements: put them into qrels.tsv or qrels/test.tsv":         folder(t, "corpus.jsonl", `{"_id":"1","text":"x"}`, "queries.jsonl", `{"_id":"1","text":"x"}`),
		"queries.jsonl is empty":                                               folder(t, "corpus.jsonl", `{"_id":"1","text":"x"}`, "queries.jsonl", "", "qrels.tsv", ""),
	} {
		if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("error is %v, want %q", err, fault)
		}
	}
}

func TestDocPathIsSafeAndReversible(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"4983", "a/b", "..", ".", ".x", "a..b", "../x", "a b#c?%2F", "é東", "a\x00b", "%41", "A", `c:\x`} {
		path := DocPath(id)
		if err := (document.ID{Source: "s", Path: path}).Validate(); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if strings.ContainsAny(path, `/\ #:`) || seen[path] != "" {
			t.Errorf("%q becomes %q", id, path)
		}
		seen[path] = id
		if back, err := DocID(path); err != nil || back != id {
			t.Errorf("%q becomes %q and then %q, %v", id, path, back, err)
		}
	}
	for _, path := range []string{"%zz", "a/b", "%41"} {
		if id, err := DocID(path); err == nil {
			t.Errorf("%q is the path of %q", path, id)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(`{"id":"q","question":"x","answer":[1,"a"],"sources":["a.md#b"],"passages":["p [x](y)"],"spans":[[0,4]],"as_of":"2020"}`, "q\ta\t1")
	f.Add(`{"_id":"q","text":"x","title":"t"}`, "query-id\tcorpus-id\tscore\nq\tq\t2\nq\tz\t-1")
	f.Add(`{"_id":"q","text":"a"}`, "q\t\t0")
	f.Add("\uFEFF{}\n[]\nnull\n{\"id\":{}}", "\t\t\t\n1\t2")
	f.Fuzz(func(t *testing.T, lines, qrels string) {
		for _, dir := range []string{
			folder(t, "questions.jsonl", lines),
			folder(t, "corpus.jsonl", lines, "queries.jsonl", lines, "qrels.tsv", qrels),
		} {
			set, _, err := Load(dir)
			if err != nil {
				continue
			}
			ids := map[string]bool{}
			for _, q := range set.Questions {
				if q.ID == "" || ids[q.ID] || strings.TrimSpace(q.Text) == "" {
					t.Fatalf("question %+v", q)
				}
				ids[q.ID] = true
				for _, s := range q.Sources {
					if s.Document == "" {
						t.Fatalf("source %+v", s)
					}
				}
				r := runner{texts: texts{read: func(string) (string, error) { return lines, nil }, cache: map[string]*located{}}}
				r.metrics, _ = parseMetrics(nil)
				m, _ := r.askAbout(q, []Hit{{Document: "a.md", Text: lines, Heading: []string{lines}}})
				for name, v := range m {
					if !(v >= 0 && v <= 1+1e-9) {
						t.Fatalf("%s is %v", name, v)
					}
				}
			}
			if set.Corpus == nil {
				continue
			}
			for d := range set.Corpus {
				if _, err := DocID(d.Path); err != nil || d.Err != nil {
					t.Fatal(err, d.Err)
				}
			}
		}
	})
}

// askAbout measures one question against one list.
func (r *runner) askAbout(q Question, hits []Hit) (map[string]float64, error) {
	r.searcher = searcherFunc(func(Query) ([]Hit, error) { return hits, nil })
	m, err := r.ask(context.Background(), q)
	return m.result.Metrics, err
}

func TestProblemsReadWell(t *testing.T) {
	for want, p := range map[string]Problem{
		"f:3: q: bad": {File: "f", Line: 3, ID: "q", Text: "bad"},
		"q: bad":      {ID: "q", Text: "bad"},
		"f: bad":      {File: "f", Text: "bad"},
		"bad":         {Text: "bad"},
	} {
		if got := fmt.Sprint(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
