package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
	"github.com/seed-d3156d19/quarry/store"
)

// Two other forms in which Postgres can hold what BM25 needs, to compare with that of
// store/postgres. Both score by the formula in SQL and count nothing else.
var (
	// rowsEngine has a row for each term and passage in a covering index, and the greatest share of a
	// score that each term has anywhere; a question reads the terms that it cannot do without first.
	rowsEngine = formEngine("postgres-rows", searchRows)
	// ginEngine finds candidates by GIN over a tsvector, whose positions are the frequencies.
	ginEngine = formEngine("postgres-gin", searchGIN)
)

func formEngine(name string, search func(context.Context, *pgxpool.Pool, corpus.Question, string, int) ([]measure.Hit, error)) Engine {
	schema := "bench_" + strings.ReplaceAll(name, "-", "_")
	return Engine{
		Name:  name,
		Lanes: []measure.Lane{measure.Keyword},
		build: func(ctx context.Context, files corpus.Files, _ string, part func(string, func() error) error) error {
			return buildForm(ctx, schema, files, part)
		},
		Open: func(ctx context.Context, _ string) (Index, error) {
			pool, err := openSchema(ctx, schema)
			if err != nil {
				return nil, err
			}
			return &plainIndex{pool, func(ctx context.Context, pool *pgxpool.Pool, _ measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
				return search(ctx, pool, q, filter, k)
			}}, nil
		},
		size: func(ctx context.Context) (int64, error) { return schemaSize(ctx, schema) },
	}
}

// buildForm makes what one of the two forms needs: the rows, or the tsvectors.
func buildForm(ctx context.Context, schema string, files corpus.Files, part func(string, func() error) error) error {
	pool, err := newSchema(ctx, schema, `
		CREATE TABLE passage (id int PRIMARY KEY, share text[] NOT NULL, length int NOT NULL, words tsvector)`)
	if err != nil {
		return err
	}
	defer pool.Close()
	asRows := strings.HasSuffix(schema, "rows")
	if asRows {
		if _, err := pool.Exec(ctx, `CREATE TABLE posting (term text COLLATE "C" NOT NULL, passage int NOT NULL, tf int NOT NULL, length int NOT NULL)`); err != nil {
			return err
		}
	}
	err = inBatches(files, false, func(documents []corpus.Document) error {
		return part("keyword", func() error { return putForm(ctx, pool, documents, asRows) })
	})
	if err != nil {
		return err
	}
	indexes := `CREATE INDEX ON passage USING gin (words)`
	if asRows {
		// The mean length is that of all; a bound of a share is of it.
		indexes = `
			ALTER TABLE posting ADD PRIMARY KEY (term, passage) INCLUDE (tf, length);
			CREATE TABLE corpus AS SELECT count(*)::float8 AS n, avg(length)::float8 AS mean FROM passage;
			CREATE TABLE term AS SELECT term, count(*)::float8 AS df, max(tf / (tf + 1.2 * (0.25 + 0.75 * length / mean))) AS most
				FROM posting, corpus GROUP BY term;
			ALTER TABLE term ADD PRIMARY KEY (term)`
	} else {
		indexes += `; CREATE TABLE corpus AS SELECT count(*)::float8 AS n, avg(length)::float8 AS mean FROM passage;
			CREATE TABLE term AS SELECT word AS term, ndoc::float8 AS df FROM ts_stat('SELECT words FROM passage');
			ALTER TABLE term ADD PRIMARY KEY (term)`
	}
	if err := part("keyword", func() error { _, err := pool.Exec(ctx, indexes); return err }); err != nil {
		return err
	}
	return vacuum(ctx, part)
}

func putForm(ctx context.Context, pool *pgxpool.Pool, documents []corpus.Document, asRows bool) error {
	var postings [][]any
	batch := &pgx.Batch{}
	for _, d := range documents {
		for i, text := range d.Passages {
			terms := strings.Fields(text)
			n := passageNumber(d, i)
			if !asRows {
				batch.Queue(`INSERT INTO passage VALUES ($1, $2, $3, to_tsvector('simple', $4))`, n, d.Filters, len(terms), text)
				continue
			}
			batch.Queue(`INSERT INTO passage VALUES ($1, $2, $3)`, n, d.Filters, len(terms))
			counts := map[string]int{}
			for _, t := range terms {
				counts[t]++
			}
			for t, tf := range counts {
				postings = append(postings, []any{t, n, tf, len(terms)})
			}
		}
	}
	if err := pool.SendBatch(ctx, batch).Close(); err != nil || !asRows {
		return err
	}
	_, err := pool.CopyFrom(ctx, pgx.Identifier{"posting"}, []string{"term", "passage", "tf", "length"}, pgx.CopyFromRows(postings))
	return err
}

// weighed is a term of a question with its idf and the most that it brings to a score.
type weighed struct {
	term      string
	df        int
	idf, most float64
}

// searchRows is MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995)
// in SQL: the rare terms give candidates and a score that the best reach; then terms are read as
// long as a passage without any of those read could reach it; what could is looked up in the rest.
func searchRows(ctx context.Context, pool *pgxpool.Pool, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	terms, err := weigh(ctx, pool, q)
	if err != nil || len(terms) == 0 {
		return nil, err
	}
	slices.SortFunc(terms, func(a, b weighed) int { return cmp.Compare(a.df, b.df) })
	rest := func(read int) (most float64) { // of the terms that are not read
		for _, t := range terms[read:] {
			most += t.most
		}
		return most
	}
	read, rows := 0, 0
	for read < len(terms) && rows < 20*k {
		rows += terms[read].df
		read++
	}
	hits, err := askRows(ctx, pool, terms, read, -1, filter, k)
	if err != nil {
		return nil, err
	}
	reached := 0.0
	if len(hits) == k {
		reached = hits[k-1].Score
	}
	for read < len(terms) && rest(read) >= reached {
		read++
	}
	return askRows(ctx, pool, terms, read, reached-rest(read), filter, k)
}

func weigh(ctx context.Context, pool *pgxpool.Pool, q corpus.Question) ([]weighed, error) {
	rows, err := pool.Query(ctx, `SELECT term, df, most, n FROM term, corpus WHERE term = ANY($1)`, q.Terms)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (w weighed, err error) {
		var df, most, n float64
		err = row.Scan(&w.term, &df, &most, &n)
		w.df, w.idf = int(df), store.IDF(int(n), int(df))
		w.most = w.idf * 2.2 * most
		return w, err
	})
}

// askRows scores the passages that hold one of the terms that are read and whose score by these is
// at least so much: by all terms.
func askRows(ctx context.Context, pool *pgxpool.Pool, terms []weighed, read int, least float64, filter string, k int) ([]measure.Hit, error) {
	names, idfs := make([]string, len(terms)), make([]float64, len(terms))
	for i, t := range terms {
		names[i], idfs[i] = t.term, t.idf
	}
	limit := ""
	if least < 0 { // the likeliest alone, to begin with
		limit = " ORDER BY score DESC LIMIT 4 * $6"
	}
	return hitsOf(pool.Query(ctx, `
		WITH likely AS MATERIALIZED (
			SELECT passage, sum(idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean))) AS score
			FROM unnest($1::text[], $2::float8[]) AS asked (term, idf) JOIN posting USING (term), corpus
			GROUP BY passage HAVING sum(idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean))) >= $5`+limit+`)
		SELECT passage, likely.score + coalesce((
			SELECT sum(idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean)))
			FROM unnest($3::text[], $4::float8[]) AS asked (term, idf) JOIN posting USING (term), corpus
			WHERE posting.passage = likely.passage), 0) AS score
		FROM likely JOIN passage ON passage.id = likely.passage WHERE `+filtered(filter)+`
		ORDER BY score DESC, passage LIMIT $6`,
		names[:read], idfs[:read], names[read:], idfs[read:], least, k))
}

func searchGIN(ctx context.Context, pool *pgxpool.Pool, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	return hitsOf(pool.Query(ctx, `
		WITH asked AS MATERIALIZED (
			SELECT term, ln(1 + (n - df + 0.5) / (df + 0.5)) AS idf, mean FROM term, corpus WHERE term = ANY($1))
		SELECT id, (
			SELECT sum(idf * 2.2 * cardinality(positions) / (cardinality(positions) + 1.2 * (0.25 + 0.75 * length / mean)))
			FROM unnest(words) AS held JOIN asked ON asked.term = held.lexeme) AS score
		FROM passage WHERE words @@ to_tsquery('simple', $2) AND `+filtered(filter)+`
		ORDER BY score DESC, id LIMIT $3`, q.Terms, strings.Join(q.Terms, " | "), k))
}
