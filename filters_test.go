package quarry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
)

// regional is a corpus with a general rule, an exception for a region, and many
// documents about the same that are for other regions.
func regional(t *testing.T) *quarry.Corpus {
	t.Helper()
	files := map[string]string{
		"leave.md":   "---\nauthority: 100\n---\n# Leave\n\nOf annual leave 5 days may be carried over into the next year.\n",
		"norway.md":  "---\nauthority: 100\nattributes: {region: norway}\n---\n# Norway\n\nOf annual leave 10 days may be carried over into the next year.\n",
		"mail.md":    "---\nauthority: 10\n---\n# Mail\n\nMay annual leave be carried over into the next year? I carried 7 days over.\n",
		"draft.md":   "---\nstatus: draft\n---\n# Draft\n\nOf annual leave 6 days may be carried over.\n",
		"past.md":    "---\neffective: {from: 2001-01-01, to: 2001-12-31}\n---\n# Past\n\nOf annual leave 4 days may be carried over.\n",
		"secret.md":  "---\nreaders: [group:hr]\nattributes: {region: atlantis}\n---\n# Secret\n\nOf annual leave 99 days may be carried over.\n",
		"secret2.md": "---\nreaders: [group:hr]\nstatus: draft\n---\n# Secret\n\nOf annual leave 98 days may be carried over.\n",
	}
	for i := range 90 {
		files[fmt.Sprintf("o%02d.md", i)] = fmt.Sprintf("# Remark %d\n\nThe number of this remark is %d, and many more follow.\n", i, i)
	}
	for i := range 30 {
		files[fmt.Sprintf("r%02d.md", i)] = fmt.Sprintf("---\nauthority: 100\nattributes: {region: land%d}\n---\n# Land %d\n\nOf annual leave %d days may be carried over into the next year.\n", i, i, 20+i)
	}
	c := over(t, quarry.Options{})
	root, _ := folder(t, files)
	synced(t, c, root)
	return c
}

func norway(r string) map[string][]string { return map[string][]string{"region": {r}} }

// An exception goes before the rule that it modifies, and both are evidence: where the
// scope asks for its case, and where the question names it.
func TestRuleAndException(t *testing.T) {
	c := regional(t)
	for _, q := range []struct {
		question string
		where    map[string][]string
		first    string
		settled  string
	}{
		{"How many days of annual leave may be carried over?", norway("norway"), "norway.md", "scope"},
		{"How many days of annual leave may be carried over in Norway?", nil, "norway.md", "scope"},
		{"How many days of annual leave may be carried over in NORWAY?", norway("norway"), "norway.md", "scope"},
	} {
		asked, err := c.Ask(t.Context(), q.question, document.Scope{Where: q.where})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, p := range asked.Evidence {
			paths = append(paths, p.Document.Path)
		}
		if asked.Candidates[0].Document.Path != q.first || len(paths) == 0 || paths[0] != q.first || !slices.Contains(paths, "leave.md") {
			t.Errorf("%s: first is %s, the evidence %v", q.question, asked.Candidates[0].Document, paths)
		}
		a := asked.Answer
		if a.Status != "answered" || a.Citations[0].Document.Path != q.first {
			t.Errorf("%s: %s %s %q", q.question, a.Status, a.Text, a.Missing)
		}
		if !slices.ContainsFunc(a.Conflicts, func(x quarry.Conflict) bool {
			return x.SettledBy == q.settled && x.Overruled[0].Document.Path == "leave.md"
		}) {
			t.Errorf("%s: the rule is not named: %+v", q.question, a.Conflicts)
		}
	}
	// Nobody asks for a case: the rule is heard.
	asked, err := c.Ask(t.Context(), "How many days of annual leave may be carried over into the next year?", document.Scope{Where: norway("none")})
	if err != nil || asked.Answer.Status != "answered" || asked.Answer.Citations[0].Document.Path != "leave.md" {
		t.Errorf("for no region: %s %s, %v", asked.Answer.Status, asked.Answer.Text, err)
	}
}

// What a scope leaves out is counted by filter, and a filter that leaves nothing is
// named, of what the asker may read alone.
func TestFiltersInTrace(t *testing.T) {
	c := regional(t)
	hr := []string{"group:hr"}
	for _, q := range []struct {
		name    string
		scope   document.Scope
		counts  string
		notices []string // a part of each
	}{
		{"nothing asked for", document.Scope{}, "map[drafts:1 validity:1]", nil},
		{"those who may read more", document.Scope{Principals: hr}, "map[drafts:2 validity:1]", nil},
		{"a region", document.Scope{Where: norway("norway")}, "map[drafts:1 validity:1 where region:30]", nil},
		{"a region, with more to read", document.Scope{Where: norway("norway"), Principals: hr}, "map[drafts:2 validity:1 where region:31]", nil},
		{"a region that there is not", document.Scope{Where: norway("mars")}, "map[drafts:1 validity:1 where region:31]",
			[]string{"no document is for region=mars, so only those that say no region are searched; known are land0, land1, land10, land11, land12, land13, land14, land15, land16, land17 and 21 more"}},
		{"a region that the asker may not know", document.Scope{Where: norway("atlantis")}, "map[drafts:1 validity:1 where region:31]",
			[]string{"no document is for region=atlantis, so only"}},
		{"and one who may", document.Scope{Where: norway("atlantis"), Principals: hr}, "map[drafts:2 validity:1 where region:31]", nil},
		{"an attribute that there is not", document.Scope{Where: map[string][]string{"planet": {"mars"}}}, "map[drafts:1 validity:1]",
			[]string{"no document says a planet, so planet=mars leaves nothing out"}},
		{"a day before all", document.Scope{AsOf: document.DayMin + 1}, "map[validity:125]",
			[]string{"the scope leaves nothing to search: left out are 125 not in force on 0001-01-02"}},
		{"a source that there is not", document.Scope{Sources: []string{"none"}}, "map[sources:125]",
			[]string{"the scope leaves nothing to search: left out are 125 of other sources"}},
		{"a tenant that there is not", document.Scope{Tenant: "nobody"}, "map[]", nil},
	} {
		r, err := c.Search(t.Context(), "How many days of annual leave?", q.scope)
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range r.Trace.Records {
			if record.Stage == "scope" && fmt.Sprint(record.Filtered) != q.counts {
				t.Errorf("%s: %v, want %s", q.name, record.Filtered, q.counts)
			}
		}
		if len(r.Trace.Notices) != len(q.notices) {
			t.Errorf("%s: notices %q, want %q", q.name, r.Trace.Notices, q.notices)
			continue
		}
		for i, n := range q.notices {
			if !strings.Contains(r.Trace.Notices[i], n) {
				t.Errorf("%s: notice %q, want %q", q.name, r.Trace.Notices[i], n)
			}
		}
		if len(q.scope.Principals) == 0 && !slices.Contains(q.scope.Where["region"], "atlantis") && strings.Contains(fmt.Sprintf("%+v", r), "atlantis") {
			t.Errorf("%s: a region that the asker may not know is told", q.name)
		}
	}
}
