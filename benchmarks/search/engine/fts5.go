package engine

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// fts5 is SQLite's full-text index with its own bm25, without a copy of the texts.
var fts5 = Engine{
	Name:  "fts5",
	Lanes: []measure.Lane{measure.Keyword},
	build: func(ctx context.Context, files corpus.Files, dir string, part func(string, func() error) error) error {
		f, err := openFTS5(dir)
		if err != nil {
			return err
		}
		_, err = f.db.ExecContext(ctx, `CREATE VIRTUAL TABLE passage USING fts5(text, share, content='', contentless_delete=1)`)
		if err != nil {
			return err
		}
		err = inBatches(files, false, func(documents []corpus.Document) error {
			return part("keyword", func() error { return f.put(ctx, documents, false) })
		})
		if err != nil {
			return err
		}
		return part("keyword", f.Close)
	},
	Open: func(_ context.Context, dir string) (Index, error) { return openFTS5(dir) },
}

type fts5Index struct{ db *sql.DB }

// openFTS5 opens the file with the durability of ours: the log is synced at each commit.
func openFTS5(dir string) (*fts5Index, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "fts5.db")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-64000)")
	if err != nil {
		return nil, err
	}
	return &fts5Index{db}, nil
}

func (f *fts5Index) Close() error { return f.db.Close() }

func (f *fts5Index) put(ctx context.Context, documents []corpus.Document, again bool) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, d := range documents {
		// A name of a filter is a term of its column, spelled in letters and digits.
		var share []string
		for _, name := range d.Filters {
			share = append(share, filterTerm(name))
		}
		for i, text := range d.Passages {
			row := passageNumber(d, i) + 1
			if again {
				if _, err := tx.ExecContext(ctx, `DELETE FROM passage WHERE rowid = ?`, row); err != nil {
					return err
				}
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO passage (rowid, text, share) VALUES (?, ?, ?)`, row, text, strings.Join(share, " ")); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

func filterTerm(name string) string { return "f" + strings.ReplaceAll(name, ".", "x") }

func (f *fts5Index) Change(ctx context.Context, d corpus.Document) error {
	return f.put(ctx, []corpus.Document{d}, true)
}

// Search weights the column of the filters with 0, so that it adds nothing to a score.
func (f *fts5Index) Search(ctx context.Context, _ measure.Lane, q corpus.Question, filter string, k int) ([]measure.Hit, error) {
	match := `text : ("` + strings.Join(q.Terms, `" OR "`) + `")`
	if filter != corpus.Filters[0].Name {
		match = `share : "` + filterTerm(filter) + `" AND ` + match
	}
	rows, err := f.db.QueryContext(ctx, `SELECT rowid, -bm25(passage, 1.0, 0.0) FROM passage WHERE passage MATCH ? ORDER BY bm25(passage, 1.0, 0.0) LIMIT ?`, match, k)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []measure.Hit
	for rows.Next() {
		var h measure.Hit
		if err := rows.Scan(&h.Passage, &h.Score); err != nil {
			return nil, err
		}
		h.Passage--
		hits = append(hits, h)
	}
	return hits, rows.Err()
}
