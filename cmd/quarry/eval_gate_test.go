package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// read gives a file of the sandbox.
func (s *sandbox) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// TestGateAndBaseline: a run is kept, a change of the documents makes questions
// worse, the gate says so with exit code 3 and the reports are written all the same.
func TestGateAndBaseline(t *testing.T) {
	s := newSandbox(t)
	s.write(noVectors...)
	set(s)
	r := s.want(0, "eval", "set", "--baseline", "last", "--gate", "recall@5>=0.9")
	contains(t, r.out, "gate passed: recall@5>=0.9")
	contains(t, r.err, "no earlier run of these questions")
	s.want(0, "eval", "set", "--name", "good")
	contains(t, s.want(0, "eval", "set", "--baseline", "last", "--gate", "worse<=0,better<=0").out, "compared with good (", "0 better, 0 worse")

	s.write("set/docs/policies/travel.md", "# Travel Policy\n\n## 3.1 Hotels\n\nA room must not be shared.\n")
	s.want(0, "eval", "set", "--baseline", "good", "--gate", "worse<=2")
	r = s.want(3, "eval", "set", "--baseline", "good", "--gate", "recall@5>=0.9,worse<=0,token_recall@5>=0", "--junit", "j.xml", "--markdown", "m.md", "--html", "h.html")
	contains(t, r.err, "quarry: the gate failed: recall@5 is 0.75, and recall@5>=0.9 was asked for; worse is 1", "token_recall@5 is absent: no question has judgements for it")
	contains(t, r.out, "gate failed: worse<=0", "worse   q1", "otherwise: documents: ", "1 question has been outgrown by the corpus")
	contains(t, s.read("m.md"), "**The gate failed.**", "worse: q1")
	contains(t, s.read("h.html"), "<svg", "Recall after each stage", "Gate: <span class=\"bad\">failed")
	var suites struct {
		Suites []struct {
			Failures int `xml:"failures,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(s.read("j.xml")), &suites); err != nil || len(suites.Suites) != 2 || suites.Suites[0].Failures != 3 {
		t.Errorf("%+v, %v", suites, err)
	}

	report := s.object(3, "eval", "set", "--baseline", "good", "--gate", "broken<=0")
	gate := fields(t, "gate", report["gate"], "passed checks")
	fields(t, "check", first(t, "checks", gate["checks"]), "condition passed value reason")
	run := report["run"].(map[string]any)
	if run["settings"].(map[string]any)["retrieval.fusion"] != "weighted" || run["corpus"].(map[string]any)["documents"] == 0.0 || run["version"] == "" {
		t.Errorf("the run was made with %v", run)
	}
	compared := report["compared_with"].(map[string]any)
	fields(t, "change", first(t, "worse", compared["worse"]), "id question type metrics ranks status")
	problem := first(t, "problems", report["problems"]).(map[string]any)
	if problem["line"] != 1.0 || problem["id"] != "q1" || !strings.Contains(problem["problem"].(string), "no revision in force holds the quote") {
		t.Errorf("the problem is %v", problem)
	}

	// What --json wrote is a baseline as well.
	s.write("before.json", s.want(0, "eval", "set", "--json").out)
	s.want(0, "eval", "set", "--baseline", "before.json", "--gate", "worse==0")
	contains(t, s.want(1, "eval", "set", "--baseline", "nobody").err, `no kept run and no file called "nobody" (there are good)`)
	contains(t, s.want(1, "eval", "set", "--html", "no/such/folder/h.html").err, "h.html cannot be written")
}

// TestRunsAreKeptBesideTheStore, as many as thirty without a name.
func TestRunsAreKeptBesideTheStore(t *testing.T) {
	s := newSandbox(t)
	s.write(noVectors...)
	set(s)
	s.write("q.jsonl", questions)
	s.want(0, "add", "set/docs")
	s.want(0, "eval", "q.jsonl", "--name", "mine", "--metrics", "mrr")
	kept, err := os.ReadDir(filepath.Join(s.dir, "quarry.db.runs"))
	if err != nil || len(kept) != 1 || kept[0].Name() != "mine.json" {
		t.Fatalf("%v, %v", kept, err)
	}
	var run struct {
		Run struct {
			Name, Set, Version string
			Models             map[string]string
		}
		Report struct {
			ByQuestion []struct {
				ID    string
				Ranks []struct{ Rank int }
			} `json:"by_question"`
		}
	}
	if err := json.Unmarshal([]byte(s.read("quarry.db.runs/mine.json")), &run); err != nil {
		t.Fatal(err)
	}
	if run.Run.Name != "mine" || run.Run.Set != "q" || len(run.Report.ByQuestion) != 5 || run.Report.ByQuestion[0].Ranks[0].Rank != 1 {
		t.Errorf("%+v", run)
	}
	// It is listed nowhere as a document, and another store has none of it.
	lacks(t, s.want(0, "docs").out, "mine")
	contains(t, s.want(1, "eval", "set", "--baseline", "mine").err, "no kept run and no file")
}

// TestCIExample runs the command of examples/ci as a pipeline would.
func TestCIExample(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the example is a shell script")
	}
	script, err := filepath.Abs("../../examples/ci/gate.sh")
	if err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t)
	s.write(noVectors...)
	set(s)
	s.write("quality/questions.jsonl", questions)
	run := func(gate string) (int, string) {
		cmd := exec.CommandContext(t.Context(), "sh", script)
		cmd.Dir = s.dir
		cmd.Env = append(append([]string{}, s.env...), "QUARRY="+binary, "DOCS=set/docs")
		if gate != "" {
			cmd.Env = append(cmd.Env, "GATE="+gate)
		}
		out, _ := cmd.CombinedOutput() // its exit code is what is looked at
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if code, out := run(""); code != 1 || !strings.Contains(out, "baseline") {
		t.Errorf("without a baseline: exit code %d\n%s", code, out)
	}
	s.write("quality/baseline.json", s.want(0, "eval", "quality/questions.jsonl", "--docs", "set/docs", "--json").out)
	if code, out := run(""); code != 0 {
		t.Errorf("unchanged: exit code %d\n%s", code, out)
	}
	contains(t, s.read("quality-report/junit.xml"), "<testsuites>")
	contains(t, s.read("quality-report/summary.md"), "**The gate passed.**")
	contains(t, s.read("quality-report/report.html"), "<svg")
	if code, out := run("recall@5>=0.8,worse<=many"); code != 2 {
		t.Errorf("a gate that cannot be read: exit code %d\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(s.dir, "set", "docs", "policies", "parking.md")); err != nil {
		t.Fatal(err)
	}
	if code, out := run(""); code != 3 || !strings.Contains(out, "outgrown is 1") {
		t.Errorf("a document is gone: exit code %d\n%s", code, out)
	}
}
