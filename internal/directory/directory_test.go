package directory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

const company = `
groups:
  group:hr: [group:payroll, user:eve]
  group:payroll: user:anna
  group:one: [group:two, user:cy]
  group:two: [group:three]
  group:three: [group:one, group:gone]
  role:auditor: [group:hr]
  group:empty: []
administrators: [user:root, role:operator]
tenants:
  acme:
    groups:
      group:hr: [user:kim, user:root]
    administrators: [group:hr]
`

func written(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "groups.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestResolve(t *testing.T) {
	d := New(written(t, company))
	for _, c := range []struct{ sentence, tenant, asker, want string }{
		{"nobody stays nobody", "", "", ""},
		{"a member brings her group, and what that is in", "", "user:anna", "user:anna group:hr group:payroll role:auditor"},
		{"a group brings what it is in", "", "group:hr", "group:hr role:auditor"},
		{"groups that hold each other end", "", "user:cy", "user:cy group:one group:three group:two"},
		{"a group that is not defined has no members and is in what it is in", "", "group:gone", "group:gone group:one group:three group:two"},
		{"an asker that the file does not know is himself", "", "user:zoe", "user:zoe"},
		{"names are compared whole", "", "user:ANNA", "user:ANNA"},
		{"what was given stays as it was given, also twice", "", "x user:eve x", "x user:eve x group:hr role:auditor"},
		{"an administrator is one by name", "", "user:root", "user:root administrator"},
		{"or by a role that the asker comes with", "", "role:operator", "role:operator administrator"},
		{"another tenant has other groups", "acme", "user:kim", "user:kim group:hr administrator"},
		{"and not this one's", "acme", "user:anna", "user:anna"},
		{"an administrator of one tenant is one there by its own file alone", "acme", "user:root", "user:root group:hr administrator"},
		{"a tenant that the file does not know has no groups", "other", "user:anna", "user:anna"},
		{"nor administrators", "other", "user:root", "user:root"},
	} {
		scope := document.Scope{Tenant: c.tenant, Principals: strings.Fields(c.asker), Drafts: true}
		for range 2 { // what was resolved is resolved to itself
			var err error
			if scope, err = d.Resolve(t.Context(), scope); err != nil {
				t.Fatal(err)
			}
		}
		have := strings.Join(scope.Principals, " ")
		if scope.Administrator {
			have += " administrator"
		}
		if have != c.want || !scope.Drafts || scope.Tenant != c.tenant {
			t.Errorf("%s: %q, not %q (%+v)", c.sentence, have, c.want, scope)
		}
	}
}

// A change holds for the next question, and so does a mistake: nothing is answered by
// what the file said before.
func TestChange(t *testing.T) {
	name := written(t, "groups: {'group:hr': [user:anna]}")
	d := New(name)
	anna := document.Scope{Principals: []string{"user:anna"}}
	for _, c := range []struct {
		text string
		want int // principals; -1: an error
	}{
		{"groups: {'group:hr': [user:anna]}", 2}, {"groups: {'group:hr': [user:anne]}", 1}, {"groups: {'group:hr': [user:anna]}", 2},
		{"groups: {'group:hr': [user:anna", -1}, {"", 1}, {"groups: {'group:hr': [user:anna]}", 2},
	} {
		if err := os.WriteFile(name, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := d.Resolve(t.Context(), anna)
		if (err != nil) != (c.want < 0) || err == nil && len(s.Principals) != c.want {
			t.Errorf("%q: %q, %v", c.text, s.Principals, err)
		}
		if err != nil && len(s.Principals) > 0 {
			t.Errorf("an error comes with a scope: %+v", s)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Resolve(t.Context(), anna); err == nil || !strings.Contains(err.Error(), "access.groups") {
		t.Errorf("without the file: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"groups: [a]", "cannot unmarshal"},
		{"group: {}", "field group not found"},
		{"groups: {hr: [user:a]}", `"hr" is not the name of a group`},
		{"groups: {'user:hr': [user:a]}", "is not the name of a group"},
		{"groups: {'group:': [user:a]}", "is no principal"},
		{"groups: {'group:hr': [anna]}", `"anna" is no principal`},
		{"groups: {'group:hr': ['user: anna']}", "blanks"},
		{"groups: {'group:hr': ['user:anna ']}", "blanks"},
		{"groups: {'group:hr': [\"user:a\\u0007\"]}", "not seen"},
		{"groups: {'group:hr': [yes]}", "is no principal"},
		{"groups: {'group:hr': [true]}", "must be a principal"},
		{"groups: {'group:hr': [{user: anna}]}", "must be a principal"},
		{"groups: {'group:hr': {user: anna}}", "must be a principal"},
		{"groups: {'group:hr': [user:a], 'group:hr': [user:b]}", "already defined"},
		{"administrators: [root]", "administrators"},
		{"tenants: {acme: {admins: []}}", "field admins not found"},
		{"tenants: {'': {}}", "has no name"},
		{"tenants: {acme: {groups: {hr: []}}}", "tenant acme"},
		{"{}\n---\n{}", "more than one"},
	} {
		err := New(written(t, c.text)).Check()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString("groups:\n")
	for i := range maxPrincipals {
		fmt.Fprintf(&b, "  group:g%d: [user:all, user:u%d]\n", i, i)
	}
	d := New(written(t, b.String()))
	if s, err := d.Resolve(t.Context(), document.Scope{Principals: []string{"user:u7"}}); err != nil || len(s.Principals) != 2 {
		t.Errorf("%d principals, %v", len(s.Principals), err)
	}
	if _, err := d.Resolve(t.Context(), document.Scope{Principals: []string{"user:all"}}); err == nil || !strings.Contains(err.Error(), "more than 10000 groups") {
		t.Errorf("in too many groups: %v", err)
	}
	if err := New(t.TempDir()).Check(); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	if err := New(written(t, strings.Repeat("#", maxBytes+1))).Check(); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("a file that is too large: %v", err)
	}
}

// FuzzGroups: whatever the file says, an asker becomes what a plain search finds.
func FuzzGroups(f *testing.F) {
	f.Add([]byte("groups: {'group:b': [group:a], 'group:a': ['group:b']}\nadministrators: ['group:b']"), "group:a")
	f.Add([]byte(company), "user:anna")
	f.Add([]byte("groups: &a {'group:a': [user:b]}\ntenants: {x: {groups: *a}}"), "user:b")
	f.Fuzz(func(t *testing.T, data []byte, asker string) {
		g, err := parse(data)
		if err != nil {
			return
		}
		for _, tenant := range g.tenants {
			have, err := tenant.closure([]string{asker})
			if err != nil {
				return
			}
			want := map[string]bool{asker: true}
			for grown := true; grown; {
				grown = false
				for member, groups := range tenant.memberOf {
					for _, g := range groups {
						if want[member] && !want[g] {
							want[g], grown = true, true
						}
					}
				}
			}
			if len(have) != len(want) || !slices.IsSorted(have[1:]) {
				t.Fatalf("%q is %q, not %v", asker, have, want)
			}
			for _, p := range have {
				if !want[p] {
					t.Fatalf("%q is %q, not %v", asker, have, want)
				}
			}
		}
	})
}
