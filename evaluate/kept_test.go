package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func kept(name, set string, minute int) Kept {
	return Kept{Run: RunInfo{Name: name, Set: set, At: noon.Add(time.Duration(minute) * time.Minute), Version: "v1",
		Settings: map[string]string{"retrieval.fusion": "weighted"}, Models: map[string]string{}, Corpus: CorpusState{Documents: 1, Hash: "h", Pipeline: "p"}},
		Report: Report{Set: set, ByQuestion: []Result{{ID: "q", Metrics: map[string]float64{"mrr": float64(minute)}}}}}
}

func TestKeptRuns(t *testing.T) {
	d := Runs{filepath.Join(t.TempDir(), "a[b].runs")}
	if _, err := d.Find(Last, "s", ""); !errors.Is(err, ErrNoRun) {
		t.Errorf("error is %v", err)
	}
	for i := range maxUnnamed + 5 {
		if _, err := d.Save(kept("", "s", i)); err != nil {
			t.Fatal(err)
		}
	}
	file, err := d.Save(kept("base", "s", -10))
	if err != nil || filepath.Base(file) != "base.json" {
		t.Fatal(file, err)
	}
	if _, err := d.Save(kept("", "other", 900)); err != nil {
		t.Fatal(err)
	}
	held := kept("", "s", 901)
	held.Run.Only = HeldOut
	if _, err := d.Save(held); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(d.Dir)
	if len(files) != maxUnnamed+1 {
		t.Errorf("%d files are kept", len(files))
	}
	if info, err := files[0].Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read %v, %v", info.Mode(), err)
	}
	last, err := d.Find(Last, "s", All)
	if err != nil || !last.Run.At.Equal(noon.Add(time.Duration(maxUnnamed+4)*time.Minute)) {
		t.Errorf("last is %+v, %v", last.Run, err)
	}
	if k, err := d.Find(Last, "s", HeldOut); err != nil || k.Run.Only != HeldOut {
		t.Errorf("%+v, %v", k.Run, err)
	}
	if k, err := d.Find("base", "s", ""); err != nil || k.Run.Name != "base" || k.Title() != "base (2026-03-01 11:50)" {
		t.Errorf("%+v, %v", k.Run, err)
	}
	if k, err := d.Find(file, "s", ""); err != nil || k.Run.Name != "base" {
		t.Errorf("%+v, %v", k.Run, err)
	}
	if _, err := d.Find("bass", "s", ""); err == nil || !strings.Contains(err.Error(), `no kept run and no file called "bass" (there are base)`) {
		t.Errorf("error is %v", err)
	}

	// A new run of the name takes its place.
	if _, err := d.Save(kept("base", "s", 2)); err != nil {
		t.Fatal(err)
	}
	if k, _ := d.Find("base", "s", ""); !k.Run.At.Equal(noon.Add(2 * time.Minute)) {
		t.Errorf("%+v", k.Run)
	}

	// What eval --json writes is a baseline too.
	r := kept("", "s", 5)
	b, _ := json.Marshal(struct {
		Report
		Run RunInfo `json:"run"`
	}{r.Report, r.Run})
	name := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if k, err := d.Find(name, "s", ""); err != nil || k.Report.ByQuestion[0].Metrics["mrr"] != 5 || k.Run.Version != "v1" {
		t.Errorf("%+v, %v", k, err)
	}
	for text, fault := range map[string]string{"": "is no run", "[]": "is no run", "{}": "holds no questions", `{"report":{}}`: "holds no questions", `{"by_question":[{"id":3}]}`: "is no run"} {
		os.WriteFile(name, []byte(text), 0o600)
		if _, err := ReadRun(name); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: error is %v, want %q", text, err, fault)
		}
	}
	if _, err := ReadRun(d.Dir); err == nil {
		t.Error("a folder is no run")
	}
}

func TestNamesOfRuns(t *testing.T) {
	d := Runs{t.TempDir()}
	for _, name := range []string{"a", "v1.2", "before-chunking", "2026_03"} {
		if err := d.CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "last", "run-1", "a/b", "..", "../x", "a b", "x.json", strings.Repeat("x", 65), "\u202ex"} {
		if d.CheckName(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for i := range maxNamed {
		if err := os.WriteFile(filepath.Join(d.Dir, fmt.Sprintf("n%d.json", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.CheckName("one-more"); err == nil || !strings.Contains(err.Error(), "200 named runs") {
		t.Errorf("error is %v", err)
	}
	if err := d.CheckName("n5"); err != nil {
		t.Error(err)
	}
}

func TestDifferencesOfRuns(t *testing.T) {
	a, b := kept("", "s", 0), kept("", "s", 1)
	if got := b.Differences(a); len(got) != 0 {
		t.Errorf("equal runs differ in %q", got)
	}
	b.Run.Settings = map[string]string{"retrieval.fusion": "rrf"}
	b.Run.Models = map[string]string{"embedding": "m1"}
	b.Run.Corpus.Hash, b.Run.Version = "i", "v2"
	a.Report.Judge, b.Report.Judge = &JudgedBy{Model: "j1", PromptVersion: "1"}, &JudgedBy{Model: "j2", PromptVersion: "2"}
	want := []string{"documents: h -> i", "version: v1 -> v2", "retrieval.fusion: weighted -> rrf", "model of embedding: none -> m1",
		"model of the judge: j1 -> j2", "prompt of the judge: version 1 -> version 2"}
	if got := b.Differences(a); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHashOfASet(t *testing.T) {
	s := func(lines string) string {
		set, _, err := Load(folder(t, "questions.jsonl", lines))
		if err != nil {
			t.Fatal(err)
		}
		return set.Hash()
	}
	a := s(`{"id":"a","question":"x","sources":["d"]}`)
	if b := s("\n\n" + `{"question":"x","sources":["./d"],"id":"a","comment":1}`); a != b {
		t.Error("the same questions differ")
	}
	for _, other := range []string{`{"id":"a","question":"y","sources":["d"]}`, `{"id":"a","question":"x","sources":["d#e"]}`, `{"id":"a","question":"x","sources":["d"],"as":["g"]}`} {
		if s(other) == a {
			t.Errorf("%s is not told apart", other)
		}
	}
}
