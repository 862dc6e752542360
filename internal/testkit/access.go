package testkit

import (
	"slices"
	"strings"
)

// Asker is one who asks, of the access matrix.
type Asker struct {
	Name, Tenant string
	As           []string // principals, as given: groups come from AccessGroups
}

// Guarded is a document of the access matrix, with its sidecar if it has one.
type Guarded struct {
	Path, Content, Sidecar string
	Asked                  string // a question that it answers, without its secret
	Secret                 string // stands in its text alone, or in its path where it fails
	Seen                   string // the names of the askers who may read it
	Fails                  bool
}

// AccessAskers are two tenants, nested groups, a denial, an administrator, and nobody.
// guest comes with the names of another tenant's user and administrator.
var AccessAskers = []Asker{
	{Name: "nobody"},
	{Name: "anna", As: []string{"user:anna"}}, // in payroll, which is in hr
	{Name: "bob", As: []string{"user:bob"}},   // in hr, and denied by name
	{Name: "root", As: []string{"user:root"}}, // an administrator
	{Name: "kim", Tenant: "acme", As: []string{"user:kim"}},
	{Name: "guest", Tenant: "acme", As: []string{"user:anna", "user:root"}},
}

// AccessGroups is the file of groups.
const AccessGroups = `
groups:
  group:hr: [group:payroll, user:bob, group:loop]
  group:loop: [group:hr]
  group:payroll: [user:anna]
administrators: [user:root]
tenants:
  acme:
    groups: {"group:hr": [user:kim]}
`

// AccessFolders are the sidecars of folders: the nearest wins.
var AccessFolders = map[string]string{
	"closed/_meta.yaml":      "readers: [group:payroll]\n",
	"closed/deep/_meta.yaml": "readers: [group:hr]\n",
}

// AccessDocuments are documents of one folder that share their words, so that each would
// show in the scores of others, and refer to each other.
var AccessDocuments = []Guarded{
	{Path: "travel.md", Content: "# Travel Policy\n\n## 1 Hotels\n\nThe hotel limit of RULE-1 is EUR 140 per night. See [the bonus](bonus.md), [grades](closed/deep/grades.md) and the Review Policy.\n\n## 2 Trains\n\nStaff travel second class.\n",
		Asked: "What is the hotel limit of RULE-1?", Secret: "EUR 140", Seen: "nobody anna bob root"},
	{Path: "bonus.md", Content: "---\nreaders: [group:hr]\n---\n# Bonus Policy\n\nIn this policy, \"bonus pool\" means the budget of RULE-2.\n\nThe bonus budget of RULE-2 for the hotel staff is EUR 90001. See the Travel Policy, section 1, and [the vault](vault.md).\n",
		Asked: "What is the bonus budget of RULE-2?", Secret: "EUR 90001", Seen: "anna bob root"},
	{Path: "review.md", Content: "---\nreaders: [group:hr]\ndeny: [user:bob]\n---\n# Review Policy\n\nThe review grade of RULE-3 is 5517 points, see [the bonus](bonus.md).\n",
		Asked: "What is the review grade of RULE-3?", Secret: "5517 points", Seen: "anna root"},
	{Path: "board.md", Content: "---\nreaders: [group:board]\n---\n# Board\n\nThe merger price of RULE-4 is EUR 66602 per hotel.\n",
		Asked: "What is the merger price of RULE-4?", Secret: "EUR 66602", Seen: "root"},
	{Path: "strike.md", Content: "---\ndeny: [user:root]\n---\n# Strike\n\nThe strike reserve of RULE-5 is EUR 7707 per night.\n",
		Asked: "What is the strike reserve of RULE-5?", Secret: "EUR 7707", Seen: "nobody anna bob"},
	{Path: "vault.md", Content: "---\nreaders: []\n---\n# Vault\n\nThe vault code of RULE-6 is 33471.\n", Asked: "What is the vault code of RULE-6?", Secret: "is 33471"},
	{Path: "acme.md", Content: "---\ntenant: acme\n---\n# Acme travel\n\nThe hotel limit of RULE-1 at Acme is EUR 88803, see [pay](acme-pay.md) and [the bonus](bonus.md).\n",
		Asked: "What is the hotel limit of RULE-1 at Acme?", Secret: "EUR 88803", Seen: "kim guest"},
	{Path: "acme-pay.md", Content: "---\ntenant: acme\nreaders: [group:hr]\n---\n# Acme pay\n\nThe pay scale of RULE-7 begins at EUR 77704.\n",
		Asked: "Where does the pay scale of RULE-7 begin?", Secret: "EUR 77704", Seen: "kim"},
	{Path: "closed/salary.md", Content: "# Salaries\n\nThe salary bandwidth of RULE-8 is EUR 5506.\n", Asked: "What is the salary bandwidth of RULE-8?", Secret: "EUR 5506", Seen: "anna root"},
	{Path: "closed/deep/grades.md", Content: "# Grades\n\nThe number of grades of RULE-9 is 1212.\n", Asked: "What is the number of grades of RULE-9?", Secret: "is 1212", Seen: "anna bob root"},
	{Path: "side.md", Sidecar: "readers: [group:hr]\n", Content: "# Canteen\n\nThe canteen subsidy of RULE-10 is EUR 4404.\n",
		Asked: "What is the canteen subsidy of RULE-10?", Secret: "EUR 4404", Seen: "anna bob root"},
	{Path: "draft.md", Content: "---\nstatus: draft\nreaders: [group:board]\n---\n# Dogs\n\nThe dog fee of RULE-11 in the hotel is EUR 2205.\n", Asked: "What is the dog fee of RULE-11?", Secret: "EUR 2205", Seen: "root"},
	{Path: "broken-4408.md", Sidecar: "readers: [group:hr\n", Content: "# Broken\n\nThe broken number of RULE-12 is 6607.\n", Secret: "broken-4408", Fails: true},
	{Path: "empty-4409.md", Content: "---\nreaders: [group:hr]\n---\n", Secret: "empty-4409", Fails: true, Seen: "anna bob root"},
}

// SeenBy reports whether an asker may read it.
func (g Guarded) SeenBy(asker string) bool { return slices.Contains(strings.Fields(g.Seen), asker) }

// AccessFiles are the files of all documents, or of those that an asker may read.
func AccessFiles(asker string) map[string]string {
	files := map[string]string{}
	for path, content := range AccessFolders {
		files[path] = content
	}
	for _, d := range AccessDocuments {
		if asker != "" && !d.SeenBy(asker) {
			continue
		}
		files[d.Path] = d.Content
		if d.Sidecar != "" {
			files[d.Path+".meta.yaml"] = d.Sidecar
		}
	}
	return files
}
