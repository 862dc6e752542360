package config

import (
	"fmt"
	"regexp"
)

// Postgres is how a store in a database is used; store/postgres documents the fields and
// fills in what is zero.
type Postgres struct {
	Schema         string
	Reader         string // "" is the role of the address
	Connections    int
	TimeoutSeconds int
}

var defaultPostgres = Postgres{Schema: "quarry", Connections: 8, TimeoutSeconds: 60}

// postgresKeys are the settings of a store in a database.
var postgresKeys = []key{
	text("postgres.schema", "The schema of the database that holds the store; several stores may share a database. Letters from a to z, digits and _.",
		func(s *Settings) *string { return &s.Postgres.Schema }),
	anyText("postgres.reader", "The role that questions are asked under, which the role of the address must be a member of. Row-level security shows it the rows of the asker's tenant alone, and it owns nothing. Empty: that of the address, which owns the tables and is not bound.",
		func(s *Settings) *string { return &s.Postgres.Reader }),
	whole("postgres.connections", "Connections to the database at most; each question holds one. 1 to 1000.",
		func(s *Settings) *int { return &s.Postgres.Connections }),
	whole("postgres.timeout", "Seconds that one statement of a question may take. At most 86400.",
		func(s *Settings) *int { return &s.Postgres.TimeoutSeconds }),
}

// A name that needs no quotes, and none of the server's own.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

func (p Postgres) check() error {
	switch {
	case p == Postgres{}: // the defaults
		return nil
	case !schemaName.MatchString(p.Schema) || len(p.Schema) >= 3 && p.Schema[:3] == "pg_":
		return fmt.Errorf("postgres.schema is %q: give up to 63 of the letters a to z, digits and _, not beginning with a digit or pg_", p.Schema)
	case p.Connections > 1000:
		return fmt.Errorf("postgres.connections is %d: give 1 to 1000", p.Connections)
	case p.TimeoutSeconds > 86400:
		return fmt.Errorf("postgres.timeout is %d: give 1 to 86400", p.TimeoutSeconds)
	}
	return nil
}
