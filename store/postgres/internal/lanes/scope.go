package lanes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
)

// Querier is the transaction of a view. It is asked by one caller at a time.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// Scope is what a view sees and whom its statistics count, as SQL with named arguments.
type Scope struct {
	// Seen and Population are SELECTs in parentheses of (document bigint, revision bigint):
	// the revisions in force that the scope sees, one for each document, and those that the
	// statistics count. A passage p of such a revision s has
	//
	//	p.document = s.document AND p.first <= s.revision AND s.revision < p.gone
	Seen, Population string
	// SeenKey and PopulationKey are equal where the relations have the same rows, in whatever
	// view of the process; "" is a relation that is not asked for again.
	SeenKey, PopulationKey string
	// Args are the arguments of both. Their names begin with v_.
	Args pgx.NamedArgs
	// Tenant is @v_tenant; both relations are of this tenant alone.
	Tenant string
	// Passages and Sections are nil but for a view that is restricted to sections: then only
	// these rows of passage and section are seen. They are @v_passages and @v_sections.
	Passages, Sections []int64
	// SeenTally and PopulationTally count what the relations hold.
	SeenTally, PopulationTally Tally
}

// Tally counts the passages and the sections below level 0 of some revisions, and their tokens.
type Tally struct {
	Passages, Sections int
	Lengths, Outlines  [store.Fields]int
}

// Passage is a new row of table passage, which all revisions from first on hold.
type Passage struct {
	ID, Document, First int64
	Tenant              string
	Terms               *store.Terms
}

// Section is a new row of table section below level 0.
type Section struct {
	ID, Document, Revision int64
	N                      int
	Tenant                 string
	Terms                  *store.Terms
}
