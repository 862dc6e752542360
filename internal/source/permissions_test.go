package source

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

// shownAccess is an access in one line: "public", "closed", or its readers; with "but" who
// is denied.
func shownAccess(a document.Access) string {
	out := strings.Join(a.Readers, " ")
	switch {
	case a.Everyone:
		out = "public"
	case out == "":
		return "closed"
	}
	if len(a.Deny) > 0 {
		out += " but " + strings.Join(a.Deny, " ")
	}
	return out
}

func TestModes(t *testing.T) {
	anna, legal := principal{"user:anna", true}, principal{"group:legal", true}
	for _, c := range []struct {
		bits string // read by owner, group, others; "+" with an access list
		want string
	}{
		{"rrr", "public"},
		{"rr-", "user:anna group:legal"},
		{"r--", "user:anna"},
		{"---", "closed"},
		{"-r-", "group:legal but user:anna"},
		{"r-r", "public but group:legal"},
		{"-rr", "public but user:anna"},
		{"--r", "public but user:anna group:legal"},
		{"rrr+", "user:anna"},
		{"rr-+", "user:anna"},
		{"-rr+", "closed"},
	} {
		have := access(c.bits[0] == 'r', c.bits[1] == 'r', c.bits[2] == 'r', strings.HasSuffix(c.bits, "+"), anna, legal)
		if shownAccess(have) != c.want {
			t.Errorf("%s: %s, not %s", c.bits, shownAccess(have), c.want)
		}
	}
	unknown, gone := principal{"uid:7", false}, principal{"gid:7", false}
	for bits, want := range map[string]string{"rr-": "uid:7 gid:7", "rrr": "public", "r-r": "closed", "-r-": "closed"} {
		if have := access(bits[0] == 'r', bits[1] == 'r', bits[2] == 'r', false, unknown, gone); shownAccess(have) != want {
			t.Errorf("without names, %s: %s, not %s", bits, shownAccess(have), want)
		}
	}
}

func TestBound(t *testing.T) {
	list := func(readers ...string) document.Access { return document.Access{Readers: readers} }
	but := func(a document.Access, deny ...string) document.Access { a.Deny = deny; return a }
	for _, c := range []struct {
		sentence        string
		permitted, meta document.Access
		want            string // "" is refused
	}{
		{"public by both", document.Public(), document.Public(), "public"},
		{"metadata may close what permissions open", document.Public(), list("group:hr"), "group:hr"},
		{"and to all", document.Public(), list(), "closed"},
		{"it opens nothing that they close", list("group:hr"), document.Public(), "group:hr"},
		{"not even to those that it names", list("user:anna"), list("group:all"), ""},
		{"readers of both are readers", list("group:hr", "user:anna"), list("group:hr", "group:all"), "group:hr"},
		{"denials add up", but(document.Public(), "user:bob"), but(list("group:hr"), "user:eve"), "group:hr but user:bob user:eve"},
		{"what nobody is permitted nobody reads", document.Access{}, list("group:hr"), "closed"},
		{"metadata that closes to all is no mistake", list("user:anna"), list(), "closed"},
	} {
		have, err := (*Permitted)(&c.permitted).Bound(c.meta)
		switch {
		case c.want == "" && (err == nil || have.Everyone || len(have.Readers) > 0):
			t.Errorf("%s: %s, %v", c.sentence, shownAccess(have), err)
		case c.want != "" && (err != nil || shownAccess(have) != c.want):
			t.Errorf("%s: %s, not %s (%v)", c.sentence, shownAccess(have), c.want, err)
		}
	}
	if have, err := (*Permitted)(nil).Bound(list("user:anna")); err != nil || shownAccess(have) != "user:anna" {
		t.Errorf("where permissions do not count: %s, %v", shownAccess(have), err)
	}
}

// Whatever modes, owners and groups the levels of a path have, nobody is admitted whom
// the system would not let read the file.
func TestNeverMoreThanTheSystem(t *testing.T) {
	type account struct {
		name   string
		groups []string
	}
	people := []account{{"anna", []string{"legal"}}, {"bob", []string{"legal", "staff"}}, {"cy", []string{"staff"}}, {"dora", nil}}
	type level struct {
		owner, group string
		bits         [3]bool // of owner, group, others
	}
	passes := func(a account, l level) bool { // POSIX.1, 4.5 File Access Permissions
		switch {
		case a.name == l.owner:
			return l.bits[0]
		case slices.Contains(a.groups, l.group):
			return l.bits[1]
		}
		return l.bits[2]
	}
	r := rand.New(rand.NewPCG(1, 2))
	admitted, all := 0, 0
	for range 20_000 {
		levels := make([]level, 1+r.IntN(4))
		have := document.Public()
		for i := range levels {
			l := level{owner: people[r.IntN(4)].name, group: []string{"legal", "staff", "other"}[r.IntN(3)], bits: [3]bool{r.IntN(4) > 0, r.IntN(2) > 0, r.IntN(2) > 0}}
			levels[i] = l
			have = within(have, access(l.bits[0], l.bits[1], l.bits[2], false, principal{"user:" + l.owner, true}, principal{"group:" + l.group, true}))
		}
		for _, a := range people {
			principals := []string{"user:" + a.name}
			for _, g := range a.groups {
				principals = append(principals, "group:"+g)
			}
			may := true
			for _, l := range levels {
				may = may && passes(a, l)
			}
			if have.Allows(principals) && !may {
				t.Fatalf("%s is admitted to %s by %+v", a.name, shownAccess(have), levels)
			}
			if may {
				all++
				if have.Allows(principals) {
					admitted++
				}
			}
		}
	}
	t.Logf("of those whom the system lets read, %.0f %% are admitted", 100*float64(admitted)/float64(all))
	if admitted < all/2 {
		t.Errorf("%d of %d whom the system lets read are admitted", admitted, all)
	}
}

func accessOf(o Original) document.Access {
	if o.Permitted == nil {
		return document.Access{Readers: []string{"not permitted by anything"}}
	}
	return document.Access(*o.Permitted)
}
