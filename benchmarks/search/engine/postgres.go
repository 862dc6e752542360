package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/postgres"
)

// AddressVariable names the environment variable with the address of a database that the engines
// in Postgres may use, each in a schema of its own, which it drops first. The extension vector
// must be there.
const AddressVariable = "QUARRY_BENCH_POSTGRES"

// Missing says what an engine needs that this machine has not; nil for one that can be measured.
func (e Engine) Missing() error {
	if e.size == nil { // it lies in a folder
		return nil
	}
	_, err := postgresAddress()
	return err
}

func postgresAddress() (string, error) {
	address := os.Getenv(AddressVariable)
	if address == "" {
		return "", errors.New("it needs a database: set " + AddressVariable + " to its address")
	}
	return address, nil
}

// postgresEngine is store/postgres through the contract of a store.
var postgresEngine = Engine{
	Name:  "postgres",
	Lanes: []measure.Lane{measure.Keyword, measure.Vector, measure.Hybrid},
	build: func(ctx context.Context, files corpus.Files, _ string, part func(string, func() error) error) error {
		if err := dropSchema(ctx, postgresSchema); err != nil {
			return err
		}
		if err := fill(ctx, files, part, func() (store.Store, error) { return openPostgres(ctx) }); err != nil {
			return err
		}
		return vacuum(ctx, part)
	},
	Open: func(ctx context.Context, _ string) (Index, error) {
		s, err := openPostgres(ctx)
		if err != nil {
			return nil, err
		}
		return &oursIndex{store: s}, nil
	},
	size: func(ctx context.Context) (int64, error) { return schemaSize(ctx, postgresSchema) },
}

const postgresSchema = "bench_quarry"

func openPostgres(ctx context.Context) (store.Store, error) {
	address, err := postgresAddress()
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, address, postgres.Options{Schema: postgresSchema})
}

// dropSchema makes room for a new index.
func dropSchema(ctx context.Context, schema string) error {
	return once(ctx, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, `DROP SCHEMA IF EXISTS `+schema+` CASCADE`)
		return err
	})
}

// vacuum does at once what Postgres would do some time after much was written.
func vacuum(ctx context.Context, part func(string, func() error) error) error {
	return part("vacuum", func() error {
		return once(ctx, func(c *pgx.Conn) error {
			_, err := c.Exec(ctx, `VACUUM ANALYZE`)
			return err
		})
	})
}

func schemaSize(ctx context.Context, schema string) (size int64, err error) {
	err = once(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `
			SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
			WHERE relnamespace = $1::regnamespace AND relkind = 'r'`, schema).Scan(&size)
	})
	return size, err
}

func once(ctx context.Context, do func(*pgx.Conn) error) error {
	address, err := postgresAddress()
	if err != nil {
		return err
	}
	c, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	return do(c)
}

// plainIndex is a table of passages as tutorials have it, in a schema of its own.
type plainIndex struct {
	pool   *pgxpool.Pool
	search func(ctx context.Context, pool *pgxpool.Pool, lane measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error)
}

func (p *plainIndex) Close() error { p.pool.Close(); return nil }

func (p *plainIndex) Search(ctx context.Context, lane measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	return p.search(ctx, p.pool, lane, q, filter, k)
}

// openSchema opens a pool in a schema. Plans are made for each question: a kept one would go on as
// the first five questions had it.
func openSchema(ctx context.Context, schema string) (*pgxpool.Pool, error) {
	address, err := postgresAddress()
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"search_path": schema + ",public", "plan_cache_mode": "force_custom_plan", "jit": "off", "hnsw.ef_search": "100"} {
		config.ConnConfig.RuntimeParams[name] = value
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// newSchema makes a schema anew and opens it.
func newSchema(ctx context.Context, schema, tables string) (*pgxpool.Pool, error) {
	if err := dropSchema(ctx, schema); err != nil {
		return nil, err
	}
	pool, err := openSchema(ctx, schema)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, `CREATE SCHEMA `+schema+`; `+tables); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func hitsOf(rows pgx.Rows, err error) ([]measure.Hit, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (h measure.Hit, err error) {
		return h, row.Scan(&h.Passage, &h.Score)
	})
}

// filtered is a condition on the shares of a passage.
func filtered(filter string) string {
	if filter == corpus.Filters[0].Name {
		return "true"
	}
	return "share @> ARRAY['" + filter + "']"
}

func vectorText(v []float32) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = strconv.FormatFloat(float64(x), 'g', -1, 32)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func withDims(sql string, files corpus.Files) string {
	return strings.ReplaceAll(sql, "DIMS", fmt.Sprint(files.Dims))
}
