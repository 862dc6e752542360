package firstset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
)

func TestDefined(t *testing.T) {
	for line, want := range map[string]string{
		`"Business Day" means any day on which banks are open.`:                      `"Business Day" | means`,
		`- (a) The term Incident refers to an interruption of the service.`:          ``,
		`The term Incident refers to an interruption of the service.`:                `Incident | means`,
		`A deferred item is a fault that may wait until the next stop.`:              `a deferred item | is`,
		`The assembly point is the car park on the harbour side.`:                    `the assembly point | is`,
		`Packages are the units in which changes are delivered to a customer.`:       `Packages | are`,
		`- **Standby**: receives the log continuously and answers reports.`:          `Standby | is`,
		`It is a day on which nothing happens at all.`:                               ``,
		`This means that nobody may enter.`:                                          ``,
		`What is not in the list is a matter for the manager.`:                       ``,
		`If the pump is out of service, the tank is a dead weight.`:                  ``,
		`The fee is due in May.`:                                                     ``,
		`Nobody who has not signed in before noon on that day is a guest of the day`: ``,
	} {
		name, _, how := defined(line)
		got := ""
		if how != "" {
			got = name + " | " + how
		}
		if got != want {
			t.Errorf("%q defines %q, want %q", line, got, want)
		}
	}
}

// revision is a document of one passage in one section.
func revision(path, heading, text string, kind document.Kind) document.Revision {
	whole := "# " + heading + "\n\n" + text
	return document.Revision{Document: document.ID{Source: "s", Path: path}, Title: "Manual " + path, Text: whole,
		Sections: []document.Section{{Parent: -1}, {Level: 1, Heading: heading, Path: []string{heading}, Body: document.Span{To: len(whole)}, Span: document.Span{To: len(whole)}}},
		Passages: []document.Passage{{Section: 1, Kind: kind, Text: text, Span: document.Span{From: len(whole) - len(text), To: len(whole)}}}}
}

func questionsOf(docs ...document.Revision) []evaluate.Question {
	m := New()
	for _, d := range docs {
		m.Add(d)
	}
	return m.Questions(1000, document.Scope{Tenant: "t", Principals: []string{"p"}})
}

func texts(questions []evaluate.Question) []string {
	var list []string
	for _, q := range questions {
		list = append(list, q.Type+": "+q.Text)
	}
	return list
}

func TestForms(t *testing.T) {
	long := strings.Repeat("Nothing else is to be said here. ", 4)
	for _, c := range []struct {
		about string
		docs  []document.Revision
		want  []string
	}{
		{"a section with a body", []document.Revision{revision("a", "3.1 Repair of pumps", long, document.Paragraph)}, []string{"heading: What does Manual a say about repair of pumps?"}},
		{"a heading that is a name", []document.Revision{revision("a", "HTTP errors", long, document.Paragraph)}, []string{"heading: What does Manual a say about HTTP errors?"}},
		{"a heading that asks", []document.Revision{revision("a", "How are pumps repaired?", long, document.Paragraph)}, []string{"heading: How are pumps repaired?"}},
		{"a heading that says nothing", []document.Revision{revision("a", "1 Introduction", long, document.Paragraph)}, nil},
		{"a section without a body", []document.Revision{revision("a", "Repair of pumps", "See above.", document.Paragraph)}, nil},
		{"the same question of two documents", []document.Revision{revision("a", "How are pumps repaired?", long, document.Paragraph), revision("b", "How are pumps repaired?", long, document.Paragraph)}, nil},
		{"a table", []document.Revision{revision("a", "Overview", "| Part | Torque |\n|---|---|\n| P1 screw | 20 Nm |\n| | 30 Nm |\n| P3 bolt | - |", document.Table)},
			[]string{"table: What is the torque of P1 screw?"}},
		{"a part of a table, its header in the context", []document.Revision{func() document.Revision {
			r := revision("a", "Overview", "| P1 screw | 20 Nm |", document.Table)
			r.Passages[0].Context = "Manual\n| Part | Torque |"
			return r
		}()}, []string{"table: What is the torque of P1 screw?"}},
		{"code defines nothing", []document.Revision{revision("a", "Overview", "A pump is a machine that moves water.", document.Code)}, nil},
		{"an identifier of one place", []document.Revision{revision("a", "Overview", "Form PC-9 must be signed by both sides.", document.Paragraph)}, []string{"exact_identifier: What is said about PC-9?"}},
		{"an identifier of two places", []document.Revision{revision("a", "Overview", "Form PC-9 must be signed by both sides.", document.Paragraph), revision("b", "Overview", "Form PC-9 may be sent by mail as well.", document.Paragraph)}, nil},
		{"nothing", nil, nil},
	} {
		if got := texts(questionsOf(c.docs...)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// TestSetsAreStable: the same documents give the same set in whatever order they come,
// about a third is held out, and documents and kinds share the places.
func TestSetsAreStable(t *testing.T) {
	var docs []document.Revision
	for i := range 60 {
		name := fmt.Sprintf("Device%c%c", 'A'+i/26, 'a'+i%26)
		docs = append(docs, revision(fmt.Sprintf("d%02d", i), "Overview", fmt.Sprintf("The %s is a machine that moves water. Form QX-%d must be signed.", name, 100+i), document.Paragraph))
	}
	first := questionsOf(docs...)
	slices.Reverse(docs)
	if again := questionsOf(docs...); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Error("another order gives another set")
	}
	held, ids := 0, map[string]bool{}
	for _, q := range first {
		ids[q.ID] = true
		if q.HeldOut {
			held++
		}
		if !q.Unreviewed || q.Reviewed || q.Scope.Tenant != "t" || len(q.Passages) != 1 || q.Sources[0].Heading != "Overview" {
			t.Errorf("%+v", q)
		}
	}
	if len(first) != 120 || len(ids) != 120 || held < 25 || held > 55 {
		t.Errorf("%d questions, %d ids, %d held out", len(first), len(ids), held)
	}
	m := New()
	for _, d := range docs {
		m.Add(d)
	}
	some, of := m.Questions(20, document.Scope{}), map[string]int{}
	for _, q := range some {
		of[q.Type]++
	}
	if len(some) != 20 || of[Definition] != 10 || of[Identifier] != 10 {
		t.Errorf("%v of %d", of, len(some))
	}
}
