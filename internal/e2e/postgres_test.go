package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/standard"
)

// connected is a connection past Quarry, as whoever has the password of a role may have one.
func connected(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// tenantOf is the tenant of a document of the access matrix, as a transaction names it.
func tenantOf(d testkit.Guarded) string {
	if strings.Contains(d.Content, "tenant: acme") {
		return "t:acme"
	}
	return "t:"
}

// marks are what tells a document of the access matrix in whatever row: its secret, the
// number in that, and its path, where no document of another tenant names it.
func marks(d testkit.Guarded) []string {
	out := []string{d.Secret}
	if !slices.ContainsFunc(testkit.AccessDocuments, func(o testkit.Guarded) bool {
		return tenantOf(o) != tenantOf(d) && strings.Contains(o.Content, d.Path)
	}) {
		out = append(out, d.Path)
	}
	for _, word := range strings.FieldsFunc(d.Secret, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(word) > 3 {
			out = append(out, word)
		}
	}
	return out
}

// holds reports whether a row shows a mark, as text or among bytes.
func holds(row, mark string) bool {
	return strings.Contains(row, mark) || strings.Contains(row, hex.EncodeToString([]byte(mark)))
}

// Who connects past Quarry with the role that questions are asked under sees, in every table,
// no row of a tenant that he does not name, and none of any where he names none; and he
// writes nothing.
func TestRowsOfOneTenant(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	address := server.Database(t)
	access(t, time.Now().AddDate(0, 0, -30), "", address)
	owner, asker := connected(t, address), connected(t, server.Asker(t, address))
	var tables []string
	rows, err := owner.Query(t.Context(), "SELECT relname::text FROM pg_class WHERE relnamespace = 'quarry'::regnamespace AND relkind IN ('r', 'p', 'm', 'v', 'f') ORDER BY 1")
	if err == nil {
		tables, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil || len(tables) < 10 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	// dump is every row that a connection sees, as text.
	dump := func(conn *pgx.Conn) (out []string) {
		t.Helper()
		for _, table := range tables {
			rows, err := conn.Query(t.Context(), "SELECT x::text FROM quarry."+table+" x")
			if err != nil {
				t.Fatal(err)
			}
			list, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatalf("%s: %v", table, err)
			}
			for _, row := range list {
				out = append(out, table+": "+row)
			}
		}
		return out
	}
	shown := func(list []string, d testkit.Guarded) (first string) {
		for _, row := range list {
			for _, mark := range marks(d) {
				if holds(row, mark) {
					return fmt.Sprintf("%q in %.300s", mark, row)
				}
			}
		}
		return ""
	}
	all := dump(owner)
	for _, d := range testkit.AccessDocuments {
		if shown(all, d) == "" {
			t.Errorf("%s stands in no row: nothing can be told by its marks", d.Path)
		}
	}
	named := map[string]int{}
	for _, tenant := range []string{"", "t:", "t:acme", "t:other", "*", "t:*", "t:acme' OR true"} {
		if _, err := asker.Exec(t.Context(), "SELECT set_config('quarry.tenant', $1, false)", tenant); err != nil {
			t.Fatal(err)
		}
		list := dump(asker)
		for _, d := range testkit.AccessDocuments {
			switch at := shown(list, d); {
			case tenant == tenantOf(d) && at != "":
				named[tenant]++
			case tenant != tenantOf(d) && at != "":
				t.Errorf("naming the tenant %q one sees of %s: %s", tenant, d.Path, at)
			}
		}
	}
	if named["t:"] < 8 || named["t:acme"] != 2 {
		t.Errorf("of one's own tenant one sees %v documents", named)
	}
	for _, table := range tables {
		for _, statement := range []string{"DELETE FROM quarry." + table, "INSERT INTO quarry." + table + " DEFAULT VALUES", "TRUNCATE quarry." + table,
			"ALTER TABLE quarry." + table + " DISABLE ROW LEVEL SECURITY", "DROP TABLE quarry." + table} {
			if _, err := asker.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "permission denied") && !strings.Contains(err.Error(), "must be owner") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
	for _, statement := range []string{"SET ROLE " + postgres.App, "SET SESSION AUTHORIZATION " + postgres.App, "SET row_security = off"} {
		if _, err := asker.Exec(t.Context(), statement); err != nil {
			continue
		}
		if list := dumpRefused(t, asker); list > 0 {
			t.Errorf("after %s one sees %d revisions", statement, list)
		}
	}
}

// dumpRefused counts the revisions that a connection sees which names no tenant; one that
// would see fewer than there are may be refused instead.
func dumpRefused(t *testing.T, conn *pgx.Conn) (n int) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), "SELECT set_config('quarry.tenant', '', false)"); err != nil {
		t.Fatal(err)
	}
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM quarry.revision").Scan(&n); err != nil {
		return 0
	}
	return n
}

// The command asks with the address of a role that owns nothing, and is told what it may
// not do there.
func TestAskedByAReader(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	address := server.Database(t)
	access(t, time.Now().AddDate(0, 0, -30), "", address)
	asker := server.Asker(t, address)
	settings := config.Defaults()
	settings.Quarry.Embedder = thesaurus{}
	corpus, err := standard.OpenExisting(t.Context(), asker, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	for tenant, want := range map[string]string{"": "EUR 140", "acme": "EUR 88803"} {
		asked, err := corpus.Ask(t.Context(), "What is the hotel limit of RULE-1?", document.Scope{Tenant: tenant})
		if err != nil || !strings.Contains(asked.Answer.Text, want) {
			t.Errorf("tenant %q is answered %q, %v", tenant, asked.Answer.Text, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n\nwords\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t).words()
	r := s.want(1, "add", dir, "--store", asker)
	contains(t, "adding as a reader", r.err, "may not")
}

// The command with a store in a database: add, ask, status, copy to a file and back, without
// the password of the address in anything that it says.
func TestCommandInPostgres(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	address, second := server.Database(t), server.Database(t)
	hidden := strings.Replace(address, postgres.App+"@", postgres.App+":geheim@", 1) // the server trusts whoever comes
	s := newSandbox(t).words()
	s.write("docs/a.md", "# Fees\n\nThe fee of RULE-1 is EUR 40.\n")
	s.write("docs/b.md", "# Dogs\n\nThe dog fee of RULE-2 is EUR 22.\n")
	var said []string
	do := func(code int, args ...string) result {
		t.Helper()
		r := s.want(code, args...)
		said = append(said, r.out, r.err)
		return r
	}
	do(0, "add", "docs", "--store", hidden)
	contains(t, "the next add", do(0, "add", "docs", "--store", hidden).out, "0 added, 0 changed, 0 removed, 2 unchanged")
	contains(t, "the answer", do(0, "ask", "What is the dog fee of RULE-2?", "--store", hidden).out, "EUR 22")
	contains(t, "the list", do(0, "docs", "--store", hidden, "--json").out, "a.md", "b.md")
	contains(t, "status", do(0, "status", "--store", hidden).out, "2 documents of 1 source")
	contains(t, "doctor", do(0, "doctor", "--store", hidden).out, "is sound")
	contains(t, "to a file", do(0, "copy", "--from", hidden, "--to", "copy.db").out, "2 documents copied")
	contains(t, "the answer of the copy", do(0, "ask", "What is the dog fee of RULE-2?", "--store", "copy.db").out, "EUR 22")
	first := checksum(t, do(0, "copy", "--from", hidden, "--to", "copy.db"))
	back := do(0, "copy", "--from", "copy.db", "--to", second)
	if checksum(t, back) != first {
		t.Errorf("copied back it has another checksum: %s", back.out)
	}
	contains(t, "the answer of the copy of the copy", do(0, "ask", "What is the dog fee of RULE-2?", "--store", second).out, "EUR 22")
	contains(t, "remove", do(0, "remove", "docs:b.md", "--store", hidden).out, "b.md")
	contains(t, "a copy that would remove", do(1, "copy", "--from", hidden, "--to", "copy.db").err, "docs:b.md", "--force")
	contains(t, "a copy that removes", do(0, "copy", "--from", hidden, "--to", "copy.db", "--force").out, "1 removed")
	contains(t, "backup", do(1, "backup", "x.db", "--store", hidden).err, "pg_dump", "quarry copy")
	contains(t, "restore", do(1, "restore", "copy.db", "--store", hidden).err, "quarry copy")
	contains(t, "repair", do(1, "doctor", "--repair", "--store", hidden).out, "restore the database")
	contains(t, "another kind", do(1, "status", "--store", "mysql://root:geheim@db/x").err, "postgres://")
	do(1, "status", "--store", strings.Replace(hidden, "/q", "/none", 1))
	for _, text := range said {
		if strings.Contains(text, "geheim") {
			t.Errorf("the password stands in %q", text)
		}
	}
}

// checksum is what a copy says at its end.
func checksum(t *testing.T, r result) string {
	t.Helper()
	_, sum, ok := strings.Cut(r.out, "checksum ")
	if !ok {
		t.Fatalf("no checksum in %q", r.out)
	}
	return sum
}

// Names of files that few systems take are taken, or left out and said, alike by a store in a
// database and one in a file, and no other file is left out with them.
func TestFileNamesInPostgres(t *testing.T) {
	address := postgres.Shared(t).Database(t)
	s := newSandbox(t).words()
	deep := ""
	for i := range byte(15) { // longer than what an ordered index of Postgres takes
		deep += fmt.Sprintf("%x%x%x/", sha256.Sum256([]byte{i}), sha256.Sum256([]byte{i, 1}), sha256.Sum256([]byte{i, 2}))
	}
	const root = "fol\xe9der" // Latin-1
	s.write(root+"/ok.md", "# Fees\n\nThe fee of RULE-1 is EUR 40.\n", root+"/caf\xe9.md", "# Dogs\n", root+"/"+deep+"a.md", "# Cats\n\nThe cat fee of RULE-3 is EUR 7.\n")
	for _, to := range []string{"file.db", address} {
		first := s.want(0, "add", root, "--name", "docs", "--store", to)
		contains(t, "adding to "+to, first.out+first.err, "2 added", "not valid UTF-8: rename it")
		contains(t, "the next add", s.want(0, "add", root, "--name", "docs", "--store", to).out, "0 added, 0 changed, 0 removed, 2 unchanged")
		contains(t, "the answer", s.want(0, "ask", "What is the cat fee of RULE-3?", "--store", to).out, "EUR 7")
		contains(t, "the list", s.want(0, "docs", "--store", to, "--json").out, "ok.md", deep+"a.md")
		contains(t, "removing", s.want(0, "remove", "docs:"+deep+"a.md", "--store", to).out, "a.md")
	}
}
