package evaluate

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// TestWriteQuestionsIsReadBack: what is written is what Load reads.
func TestWriteQuestionsIsReadBack(t *testing.T) {
	day, _ := document.ParseDay("2020-02-01")
	want := []Question{
		{ID: "a", Text: "Who <is> \"it\"?\nReally?", Type: "lookup", Answers: []string{"Ann", "5"}, Sources: sources("a.md#Who we are", "b/c.md"), Passages: []string{"Ann & Bob.\n"},
			Spans: []Span{{1, 4}, {0, 2}}, Scope: document.Scope{Tenant: "t", Principals: []string{"group:x"}, AsOf: day}, Stale: sources("old.md"), AlsoValid: []string{"a2.md"}, HeldOut: true, Reviewed: true},
		{ID: "b", Text: "What?", Answers: []string{"2.50"}, Sources: sources("a.md"), Unreviewed: true},
		{ID: "c", Text: "Where?", Unanswerable: true, Unreviewed: true},
	}
	var b bytes.Buffer
	if err := WriteQuestions(&b, want); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "q.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	set, problems, err := Load(name)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for i := range set.Questions {
		set.Questions[i].file, set.Questions[i].line = "", 0
	}
	if !reflect.DeepEqual(set.Questions, want) {
		t.Errorf("read back\n%+v, want\n%+v", set.Questions, want)
	}
}
