package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	testserver "github.com/seed-d3156d19/quarry/internal/testkit/postgres"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// TestVacuumProvesDeletion removes a document and looks for a word that stands in its text, title, heading, path,
// attributes and context in the files of the server: as docs/POSTGRES.md says, a plain VACUUM makes its room
// free, VACUUM FULL leaves nothing of it, and the statistics of the planner need their own.
func TestVacuumProvesDeletion(t *testing.T) {
	t.Parallel()
	const word = "zephyrkommandozentrale"
	server := testserver.Shared(t)
	address := server.Database(t)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, address, "quarry", "", time.Now)
	ctx := context.Background()
	owner, admin := dial(t, address), dial(t, server.Admin(config.Database))
	run := func(conn *pgx.Conn, statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	var oid uint32
	if err := admin.QueryRow(ctx, "SELECT oid FROM pg_database WHERE datname = current_database()").Scan(&oid); err != nil {
		t.Fatal(err)
	}
	holding := func() []string {
		t.Helper()
		run(admin, "CHECKPOINT") // what is deleted leaves the folder, what is changed is written
		return filesWith(t, server.Data(), fmt.Sprint(oid), word)
	}

	secret := storetest.Make(word+".md", "# The "+word+"\nEvery "+word+" is closed on Sundays.\nThe next "+word+" opens in May.", storetest.Meta(func(m *document.Metadata) {
		m.Title, m.Category, m.Attributes = "About the "+word, word, map[string][]string{"site": {word}}
	}))
	secret.Names = []string{word}
	change := store.Change{Source: &document.Source{Name: "docs", Kind: "folder", Root: "/docs"}, Put: []store.Revision{secret}}
	for i := range 20 {
		change.Put = append(change.Put, storetest.Make(fmt.Sprintf("other%d.md", i), fmt.Sprintf("# Heading\nText number%d that stays.", i)))
	}
	if _, err := s.Apply(ctx, change); err != nil {
		t.Fatal(err)
	}
	run(owner, "ANALYZE")
	if found := holding(); len(found) < 5 {
		t.Fatalf("before it is removed the word is in %q: the search of the files finds too little", found)
	}
	if _, err := s.Apply(ctx, store.Change{Remove: []document.ID{secret.Document}}); err != nil {
		t.Fatal(err)
	}
	remains, err := s.Remains(ctx, secret.Document)
	if err != nil || remains != (store.Remains{}) {
		t.Errorf("after it is removed there remain %+v, %v", remains, err)
	}
	t.Logf("removed: %d files hold the word", len(holding()))
	run(owner, "VACUUM")
	t.Logf("after VACUUM: %d files", len(holding()))
	// What another transaction may still see stays, and the server's own autovacuum is one, for a moment.
	patiently := func(by *pgx.Conn, left func() []string, statements ...string) (found []string) {
		t.Helper()
		for range 10 {
			run(by, statements...)
			if found = left(); len(found) == 0 {
				break
			}
		}
		return found
	}
	if found := patiently(owner, func() (found []string) {
		for _, file := range holding() {
			var relation string
			if err := admin.QueryRow(ctx, "SELECT coalesce(pg_filenode_relation(0, $1::oid)::text, '')", filepath.Base(file)).Scan(&relation); err != nil || relation != "pg_statistic" {
				found = append(found, fmt.Sprintf("%s, which is %q, %v", file, relation, err))
			}
		}
		return found
	}, "VACUUM FULL", "ANALYZE"); len(found) > 0 {
		t.Errorf("after VACUUM FULL the word is in %q", found)
	}
	if found := patiently(admin, holding, "VACUUM FULL pg_catalog.pg_statistic"); len(found) > 0 {
		t.Errorf("after VACUUM FULL of the tables and of pg_statistic the word is in %q", found)
	}
	run(admin, "SELECT pg_switch_wal()", "CHECKPOINT")
	t.Logf("after a switch of the write-ahead log: %d of its segments hold the word, as they are kept to be written over", len(filesWith(t, filepath.Join(server.Data(), "pg_wal"), "", word)))
	if _, err := s.View(ctx, document.Scope{}); err != nil {
		t.Error(err)
	}
}

func dial(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// filesWith lists the files below a folder that hold a word, in whatever case: of the databases in base that
// with the given number alone, and without the write-ahead log.
func filesWith(t *testing.T, dir, database, word string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // other tests go on
			return nil
		case err != nil:
			return err
		case d.IsDir() && (name == "pg_wal" || filepath.Dir(name) == "base" && filepath.Base(name) != database):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(word))) {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
