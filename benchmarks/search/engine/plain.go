package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// plainOr and plainAnd are what Postgres with pgvector gives by itself: one table, HNSW as it
// comes, GIN over a tsvector, ts_rank_cd, and reciprocal rank fusion in SQL. They differ in whether
// a passage must hold any word of the question or all: questions have many words, and with all of them
// hardly a passage is found but the one that the question was made of.
var (
	plainOr  = plainEngine("pgvector-or", " | ")
	plainAnd = plainEngine("pgvector-and", " & ")
)

// plainSchema holds the table of both; the second that is built finds it there.
const plainSchema = "bench_pgvector"

func plainEngine(name, operator string) Engine {
	return Engine{
		Name:  name,
		Lanes: []measure.Lane{measure.Keyword, measure.Vector, measure.Hybrid},
		build: func(ctx context.Context, files corpus.Files, _ string, part func(string, func() error) error) error {
			if there, err := isBuilt(ctx, files); err != nil || there {
				return err
			}
			return buildPlain(ctx, files, part)
		},
		Open: func(ctx context.Context, _ string) (Index, error) {
			pool, err := openSchema(ctx, plainSchema)
			if err != nil {
				return nil, err
			}
			return &plainIndex{pool, func(ctx context.Context, pool *pgxpool.Pool, lane measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
				return searchPlain(ctx, pool, lane, q, operator, filter, k)
			}}, nil
		},
		size: func(ctx context.Context) (int64, error) { return schemaSize(ctx, plainSchema) },
	}
}

// isBuilt reports that the table is there and holds the vectors of the corpus.
func isBuilt(ctx context.Context, files corpus.Files) (there bool, err error) {
	first, err := firstVector(files)
	if err != nil {
		return false, err
	}
	err = once(ctx, func(c *pgx.Conn) error {
		if err := c.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, plainSchema+".passage").Scan(&there); err != nil || !there {
			return err
		}
		return c.QueryRow(ctx, `SELECT count(*) = $1 AND bool_or(id = 0 AND embedding = $2::text::vector) FROM `+plainSchema+`.passage`,
			files.Passages, vectorText(first)).Scan(&there)
	})
	return there, err
}

func firstVector(files corpus.Files) (first []float32, err error) {
	done := errors.New("found")
	err = files.Documents(true, func(d corpus.Document) error {
		first = d.Vectors[0]
		return done
	})
	if errors.Is(err, done) {
		err = nil
	}
	return first, err
}

func buildPlain(ctx context.Context, files corpus.Files, part func(string, func() error) error) error {
	pool, err := newSchema(ctx, plainSchema, withDims(`
		CREATE TABLE passage (id int PRIMARY KEY, share text[] NOT NULL, words tsvector NOT NULL, embedding vector(DIMS) NOT NULL)`, files))
	if err != nil {
		return err
	}
	defer pool.Close()
	err = inBatches(files, true, func(documents []corpus.Document) error {
		return part("rows", func() error {
			batch := &pgx.Batch{}
			for _, d := range documents {
				for i, text := range d.Passages {
					batch.Queue(`INSERT INTO passage VALUES ($1, $2, to_tsvector('simple', $3), $4::text::vector)`,
						passageNumber(d, i), d.Filters, text, vectorText(d.Vectors[i]))
				}
			}
			return pool.SendBatch(ctx, batch).Close()
		})
	})
	if err != nil {
		return err
	}
	for _, index := range []struct{ part, sql string }{
		{"keyword", `CREATE INDEX ON passage USING gin (words)`},
		{"vectors", `SET maintenance_work_mem = '1GB'; CREATE INDEX ON passage USING hnsw (embedding vector_ip_ops)`},
		{"filters", `CREATE INDEX ON passage USING gin (share)`},
	} {
		if err := part(index.part, func() error { _, err := pool.Exec(ctx, index.sql); return err }); err != nil {
			return err
		}
	}
	return vacuum(ctx, part)
}

func searchPlain(ctx context.Context, pool *pgxpool.Pool, lane measure.Lane, q corpus.Question, operator, filter string, k int) ([]measure.Hit, error) {
	asked := strings.Join(q.Terms, operator)
	switch lane {
	case measure.Keyword:
		return hitsOf(pool.Query(ctx, `
			SELECT id, ts_rank_cd(words, asked) AS score FROM passage, to_tsquery('simple', $1) AS asked
			WHERE words @@ asked AND `+filtered(filter)+` ORDER BY score DESC LIMIT $2`, asked, k))
	case measure.Vector:
		return hitsOf(pool.Query(ctx, `
			SELECT id, -(embedding <#> $1::text::vector) FROM passage WHERE `+filtered(filter)+`
			ORDER BY embedding <#> $1::text::vector LIMIT $2`, vectorText(q.Vector), k))
	}
	return hitsOf(pool.Query(ctx, `
		WITH near AS (
			SELECT id, row_number() OVER (ORDER BY distance) AS rank FROM (
				SELECT id, embedding <#> $1::text::vector AS distance FROM passage WHERE `+filtered(filter)+`
				ORDER BY embedding <#> $1::text::vector LIMIT $3)),
		worded AS (
			SELECT id, row_number() OVER (ORDER BY score DESC) AS rank FROM (
				SELECT id, ts_rank_cd(words, asked) AS score FROM passage, to_tsquery('simple', $2) AS asked
				WHERE words @@ asked AND `+filtered(filter)+` ORDER BY score DESC LIMIT $3))
		SELECT id, coalesce(1.0 / (60 + near.rank), 0)::float8 + coalesce(1.0 / (60 + worded.rank), 0)::float8 AS score
		FROM near FULL JOIN worded USING (id) ORDER BY score DESC LIMIT $3`, vectorText(q.Vector), asked, k))
}
