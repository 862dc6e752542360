package quarry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/directory"
	"github.com/seed-d3156d19/quarry/store/local"
)

// rules is what one file of metadata says; nil and "" are not said.
type rules struct {
	readers, deny *[]string
	tenant        string
	broken        bool
}

// node is a folder or a document of a random tree.
type node struct {
	path     string // "" is the root
	folder   bool
	mode     fs.FileMode
	uid, gid int
	sidecar  *rules // of the folder, or beside the document
	front    *rules
	word     string // that this document alone holds
}

// tree is a folder with access of every kind, and who is in which group.
type tree struct {
	nodes       []node // folders before what lies in them
	groups      map[string][]string
	admins      []string
	permissions bool
}

var (
	treePrincipals = []string{"user:daemon", "user:bin", "user:anna", "group:daemon", "group:bin", "group:hr", "group:all"}
	treeTenants    = []string{"", "", "", "acme"}
	// The accounts 1 and 2 are called daemon and bin on most Linux systems; elsewhere
	// permissions are left out.
	treeAccounts = map[int]string{1: "daemon", 2: "bin"}
)

var treePermissions = sync.OnceValue(func() bool {
	for id, name := range treeAccounts {
		u, err := user.LookupId(fmt.Sprint(id))
		g, none := user.LookupGroupId(fmt.Sprint(id))
		if err != nil || none != nil || u.Username != name || g.Name != name {
			return false
		}
	}
	return runtime.GOOS == "linux" && os.Getuid() == 0
})

// grown makes a tree of a seed.
func grown(r *rand.Rand) tree {
	some := func() []string {
		out := []string{}
		for range r.IntN(3) {
			out = append(out, treePrincipals[r.IntN(len(treePrincipals))])
		}
		return out
	}
	say := func(often int) *rules {
		if r.IntN(often) > 0 {
			return nil
		}
		m := &rules{broken: r.IntN(12) == 0, tenant: treeTenants[r.IntN(len(treeTenants))]}
		if list := some(); r.IntN(2) == 0 {
			m.readers = &list
		}
		if list := some(); r.IntN(3) == 0 {
			m.deny = &list
		}
		return m
	}
	x := tree{groups: map[string][]string{}, permissions: r.IntN(2) == 0 && treePermissions()}
	for _, g := range []string{"group:daemon", "group:bin", "group:hr", "group:all"} {
		if r.IntN(3) > 0 {
			x.groups[g] = some()
		}
	}
	if r.IntN(2) == 0 {
		x.admins = some()
	}
	owned := func(n *node, open fs.FileMode) {
		n.uid, n.gid, n.mode = 1+r.IntN(2), 1+r.IntN(2), open
		if r.IntN(2) == 0 {
			n.mode = fs.FileMode(r.IntN(0o1000))
		}
	}
	folders := []string{""}
	for i := range 1 + r.IntN(4) {
		n := node{folder: true, sidecar: say(2)}
		if i > 0 {
			n.path = path.Join(folders[r.IntN(len(folders))], fmt.Sprint("f", i))
			folders = append(folders, n.path)
		}
		owned(&n, 0o755)
		x.nodes = append(x.nodes, n)
	}
	for i := range 1 + r.IntN(7) {
		n := node{path: path.Join(folders[r.IntN(len(folders))], fmt.Sprintf("d%d.md", i)), sidecar: say(4), front: say(2), word: fmt.Sprintf("zebra%c", 'a'+i)}
		owned(&n, 0o644)
		x.nodes = append(x.nodes, n)
	}
	return x
}

func (m *rules) text() string {
	if m.broken {
		return "readers: [group:hr\n"
	}
	var b strings.Builder
	list := func(key string, names *[]string) {
		if names != nil {
			data, _ := json.Marshal(*names) // which is YAML
			fmt.Fprintf(&b, "%s: %s\n", key, data)
		}
	}
	list("readers", m.readers)
	list("deny", m.deny)
	if m.tenant != "" {
		fmt.Fprintf(&b, "tenant: %s\n", m.tenant)
	}
	return b.String()
}

// write makes the tree's files, of its documents those that are kept.
func (x tree) write(t *testing.T, top string, kept func(node) bool) error {
	t.Helper()
	root := filepath.Join(top, "docs")
	var errs []error
	put := func(name, text string) { errs = append(errs, os.WriteFile(name, []byte(text), 0o644)) }
	for _, n := range x.nodes {
		at := filepath.Join(root, filepath.FromSlash(n.path))
		switch {
		case n.folder:
			errs = append(errs, os.MkdirAll(at, 0o755))
			if n.sidecar != nil {
				put(filepath.Join(at, "_meta.yaml"), n.sidecar.text())
			}
		case kept(n):
			text := fmt.Sprintf("# Report\n\nThe budget of %s is as the board says. %s\n", n.word, strings.Repeat("budget ", len(n.path)%5))
			if n.front != nil {
				text = "---\n" + n.front.text() + "---\n" + text
			}
			put(at, text)
			if n.sidecar != nil {
				put(at+".meta.yaml", n.sidecar.text())
			}
		}
	}
	data, _ := json.Marshal(map[string]any{"groups": x.groups, "administrators": x.admins})
	put(filepath.Join(top, "groups.yaml"), string(data))
	if x.permissions {
		for _, n := range slices.Backward(x.nodes) {
			if at := filepath.Join(root, filepath.FromSlash(n.path)); n.folder || kept(n) {
				errs = append(errs, os.Chown(at, n.uid, n.gid), os.Chmod(at, n.mode))
			}
		}
	}
	return errors.Join(errs...)
}

// way are the folders of a document, the outermost first.
func (x tree) way(n node) []node {
	var out []node
	for _, f := range x.nodes {
		if f.folder && (f.path == "" || strings.HasPrefix(n.path, f.path+"/")) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b node) int { return len(a.path) - len(b.path) })
	return out
}

// who is an asker with all groups, by the plainest search that there is.
func (x tree) who(tenant string, given []string) (principals map[string]bool, admin bool) {
	principals = map[string]bool{}
	for _, p := range given {
		principals[p] = true
	}
	if tenant != "" { // has no groups
		return principals, false
	}
	for range len(treePrincipals) {
		for g, members := range x.groups {
			for _, m := range members {
				principals[g] = principals[g] || principals[m]
			}
		}
	}
	for _, a := range x.admins {
		admin = admin || principals[a]
	}
	return principals, admin
}

// may is the plain model: whether an asker may read a document, and whether that is sure to
// be granted. Permissions that are not open to all may grant less than the system would.
func (x tree) may(n node, tenant string, given []string) (may, sure bool) {
	principals, admin := x.who(tenant, given)
	in := func(names []string) bool {
		return slices.ContainsFunc(names, func(p string) bool { return principals[p] })
	}
	said := rules{}
	levels := x.way(n)
	for _, m := range append(func() (out []*rules) {
		for _, f := range levels {
			out = append(out, f.sidecar)
		}
		return out
	}(), n.sidecar, n.front) {
		if m == nil {
			continue
		}
		if m.broken {
			return false, true
		}
		if m.readers != nil {
			said.readers = m.readers
		}
		if m.deny != nil {
			said.deny = m.deny
		}
		if m.tenant != "" {
			said.tenant = m.tenant
		}
	}
	switch {
	case said.tenant != tenant, said.deny != nil && in(*said.deny):
		return false, true
	case said.readers != nil && !in(*said.readers) && !(admin && len(*said.readers) > 0):
		return false, true
	}
	sure = true
	if x.permissions {
		for _, l := range append(levels, n) {
			bit := fs.FileMode(4)
			if l.folder {
				bit = 1
			}
			if l.mode&(bit|bit<<3|bit<<6) != bit|bit<<3|bit<<6 {
				sure = false
			}
			switch owner, group := principals["user:"+treeAccounts[l.uid]], principals["group:"+treeAccounts[l.gid]]; {
			case admin: // reads all of the tenant
			case owner && l.mode&(bit<<6) == 0 && !group, // by no class of his
				!owner && group && l.mode&(bit<<3) == 0,
				owner && group && l.mode&(bit<<6) == 0 && l.mode&(bit<<3) == 0,
				!owner && !group && l.mode&bit == 0:
				return false, true
			}
		}
	}
	return true, sure
}

// FuzzAccess: of a random tree of folders, sidecars, front matter, permissions and groups an
// asker sees what a plain model says he may, and with that nothing that a store without
// the rest would not show.
func FuzzAccess(f *testing.F) {
	seeds := uint64(24)
	if os.Getenv("QUARRY_LONG") != "" {
		seeds = 2000
	}
	for seed := range seeds {
		f.Add(seed, seed*7)
	}
	f.Fuzz(func(t *testing.T, one, two uint64) {
		r := rand.New(rand.NewPCG(one, two))
		x := grown(r)
		tenant := treeTenants[r.IntN(len(treeTenants))]
		var given []string
		for range r.IntN(3) {
			given = append(given, treePrincipals[r.IntN(len(treePrincipals))])
		}
		scope := document.Scope{Tenant: tenant, Principals: given}
		all, seen := x.answers(t, scope, func(node) bool { return true })
		for _, n := range x.nodes {
			if n.folder {
				continue
			}
			may, sure := x.may(n, tenant, given)
			if seen[n.path] && !may || sure && may && !seen[n.path] {
				t.Fatalf("as %q of %q, permissions %v: %s is seen: %v, and may be read: %v\n%s", given, tenant, x.permissions, n.path, seen[n.path], may, x)
			}
		}
		part, _ := x.answers(t, scope, func(n node) bool { return seen[n.path] })
		if all != part {
			t.Fatalf("as %q of %q: what may not be read shows\n%s\n---\n%s\n%s", given, tenant, all, part, x)
		}
	})
}

func (x tree) String() string {
	var b strings.Builder
	for _, n := range x.nodes {
		fmt.Fprintf(&b, "%q folder %v, %o of %d:%d", n.path, n.folder, n.mode, n.uid, n.gid)
		for _, m := range []*rules{n.sidecar, n.front} {
			if m != nil {
				fmt.Fprintf(&b, " %q", m.text())
			}
		}
		b.WriteByte('\n')
	}
	return fmt.Sprintf("%sgroups %v, administrators %v", b.String(), x.groups, x.admins)
}

// answers is all that an asker gets of the documents that are kept, and which he sees.
func (x tree) answers(t *testing.T, scope document.Scope, kept func(node) bool) (text string, seen map[string]bool) {
	t.Helper()
	top := t.TempDir()
	passable(t, top)
	if err := x.write(t, top, kept); err != nil {
		t.Fatal(err)
	}
	s, err := local.Open(t.Context(), filepath.Join(top, "q.db"), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := quarry.Options{Store: s, Embedder: &hashed{}, Workers: 1, Directory: directory.New(filepath.Join(top, "groups.yaml"))}
	if x.permissions {
		o.Permissions = quarry.POSIX
	}
	c, err := quarry.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	seen = map[string]bool{}
	if _, err := c.Sync(t.Context(), "docs", filepath.Join(top, "docs"), quarry.Progress{}); err != nil && !strings.Contains(err.Error(), "no documents") {
		t.Fatal(err)
	}
	list, err := c.Documents(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		seen[d.Document.Path] = true
	}
	result, err := c.Search(t.Context(), "budget of zebraa zebrab zebrac zebrad board", scope)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := c.Ask(t.Context(), "What is the budget of zebraa and of zebrac?", scope)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range []*quarry.Trace{result.Trace, asked.Trace} {
		for i := range trace.Records {
			trace.Records[i].Took = 0
		}
	}
	data, err := json.MarshalIndent([]any{list, result, asked}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range x.nodes {
		if !n.folder && !seen[n.path] && n.word > "zebrad" && strings.Contains(string(data), n.word) {
			t.Errorf("%s shows", n.path)
		}
	}
	return string(data), seen
}
