package standard

import (
	"strings"
	"testing"
)

// A store's name as it is shown has neither a password nor parameters, which may hold one.
func TestStoreName(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"quarry.db", "quarry.db"},
		{"/srv/a b/quarry.db", "/srv/a b/quarry.db"},
		{"postgres://quarry@db.example.org/docs", "postgres://quarry@db.example.org/docs"},
		{"postgresql://quarry:geheim@db.example.org:5433/docs", "postgres://quarry@db.example.org:5433/docs"},
		{"postgres://quarry@db/docs?password=geheim&sslmode=disable", "postgres://quarry@db/docs"},
		{"postgres://quarry:geheim@[::1]:5432/docs#geheim", "postgres://quarry@[::1]:5432/docs"},
		{"postgres:///docs?host=/run/postgresql", "postgres:///docs"},
		{"postgres://quarry:gehe%zzim@db/docs", "a store in Postgres"},
	} {
		if got := StoreName(c.path); got != c.want {
			t.Errorf("%s is shown as %s, want %s", c.path, got, c.want)
		}
	}
}

// What is kept beside a store in a database is named by where the store is, and not by who
// opens it how.
func TestBeside(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	beside := func(path string) string {
		t.Helper()
		name, err := Beside(path)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	if got := beside("data/quarry.db"); got != "data/quarry.db" {
		t.Errorf("a file has %s beside it", got)
	}
	one, other := beside("postgres://quarry:geheim@db/docs?sslmode=disable"), beside("postgres://quarry@db/more")
	if one != beside("postgres://quarry:neu@db/docs") || one == other || strings.Contains(one, "geheim") || strings.Contains(one, "://") {
		t.Errorf("two databases have %s and %s beside them", one, other)
	}
}
