package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// inspection is what a check of a store found, so far.
type inspection struct {
	ctx     context.Context
	conn    *conn
	version int
	sealed  bool // the format has checksums of rows
	damage  []store.Damage
	// sound are the documents, and embedded the rows of vectors, that a repair keeps.
	sound, embedded []int64
}

// inspect gives up only where the file cannot be read for another reason than damage.
func inspect(ctx context.Context, p *pin) (*inspection, error) {
	i := &inspection{ctx: ctx, conn: p.conn}
	version, err := p.conn.format(ctx)
	if err != nil {
		return i, err
	}
	i.version, i.sealed = version, version >= sealedFormat
	if p.store.remains {
		i.damage = append(i.damage, store.Damage{What: "the file", Detail: "its end is missing, or its list of tables cannot be read whole"})
	}
	for _, step := range []func() error{i.pages, i.tables, i.documents, i.vectors} {
		if err := step(); err != nil {
			return i, err
		}
	}
	return i, i.index(p)
}

func (i *inspection) index(p *pin) error {
	var rows []byte
	err := i.conn.each(i.ctx, "SELECT rows FROM segment", nil, []any{&rows}, func() error {
		_, err := unseal(rows)
		return err
	})
	whole := &snapshot{sequence: p.sequence}
	if err == nil {
		err = whole.loadSegments(i.ctx, p, &snapshot{})
	}
	if err == nil && i.version >= holderFormat {
		err = i.holders(whole.segments)
	}
	if err == errOlder {
		return nil // nobody reads it
	}
	return i.found("the index", false, err)
}

// holders compares who holds the passages of segments with these.
func (i *inspection) holders(segments []*segment) error {
	for _, g := range segments {
		var ids, keys []byte
		if _, err := i.conn.get(i.ctx, "SELECT ids, keys FROM holder WHERE segment = ?", []any{g.id}, &ids, &keys); err != nil {
			return err
		}
		wantIDs, wantKeys := g.holders()
		if !bytes.Equal(ids, wantIDs) || !bytes.Equal(keys, wantKeys) {
			return fmt.Errorf("%w: who holds the passages of a segment is not what was stored", store.ErrDamaged)
		}
	}
	return nil
}

// found notes what is damaged; an error of another kind ends the check.
func (i *inspection) found(what string, lost bool, err error) error {
	if err == nil {
		return nil
	}
	if i.ctx.Err() != nil || !isDamage(err) {
		return err
	}
	i.damage = append(i.damage, store.Damage{What: what, Lost: lost, Detail: damageDetail(err)})
	return nil
}

func isDamage(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) && (lite.Code()&0xff == sqlite3.SQLITE_CORRUPT || lite.Code()&0xff == sqlite3.SQLITE_NOTADB) {
		return true
	}
	return errors.Is(err, store.ErrDamaged) || broken(err)
}

// treeOf is how SQLite says which tree of pages a finding is of, by its root.
var treeOf = regexp.MustCompile(`(?:Tree |btreeInitPage.*root )(\d+)`)

// pages asks SQLite for the structure of the file. What was on the pages is found
// missing by the steps that follow.
func (i *inspection) pages() error {
	roots := map[int]string{}
	var root int
	var table, message string
	err := i.conn.each(i.ctx, "SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0", nil, []any{&root, &table},
		func() error { roots[root] = table; return nil })
	if err = i.found("the list of tables", false, err); err != nil {
		return err
	}
	seen := map[string]bool{}
	err = i.conn.each(i.ctx, "PRAGMA integrity_check(200)", nil, []any{&message}, func() error {
		message, _, _ = strings.Cut(strings.TrimPrefix(message, "*** in database main ***\n"), "\n")
		what := "the structure of the file"
		if m := treeOf.FindStringSubmatch(message); m != nil {
			root, _ := strconv.Atoi(m[1])
			if table := roots[root]; table != "" {
				what = "pages of table " + table
			}
		}
		if message == "ok" || seen[what] {
			return nil
		}
		seen[what] = true
		return i.found(what, false, fmt.Errorf("%w: %s", store.ErrDamaged, message))
	})
	return i.found("the structure of the file", false, err)
}

func (i *inspection) tables() error {
	if !i.sealed {
		return nil
	}
	for _, table := range sealedTables {
		if err := i.found("table "+table.name, table.lost, i.conn.tableFits(i.ctx, table.name, table.rows)); err != nil {
			return err
		}
	}
	err := i.conn.syncs(i.ctx, func(string, store.Sync) {})
	if err := i.found("what was noted of syncs", false, err); err != nil {
		return err
	}
	_, err = i.conn.identity(i.ctx)
	return i.found("the store's identity", false, err)
}

func (i *inspection) documents() error {
	rows, err := i.conn.allDocuments(i.ctx)
	if err = i.found("the list of documents", true, err); err != nil {
		return err
	}
	for _, row := range rows {
		err := i.document(row)
		if err == nil {
			i.sound = append(i.sound, row)
			continue
		}
		if err := i.lose(row, err); err != nil {
			return err
		}
	}
	if !i.sealed {
		return nil
	}
	var gone int
	_, err = i.conn.get(i.ctx, "SELECT count(*) FROM document_sum WHERE document NOT IN (SELECT id FROM document)", nil, &gone)
	if err == nil && gone > 0 {
		err = fmt.Errorf("%w: %d documents have a checksum and are gone", store.ErrDamaged, gone)
	}
	return i.found("documents whose names are lost", true, err)
}

// lose notes a document that is lost, by the name that its row has now.
func (i *inspection) lose(row int64, err error) error {
	id, unnamed := i.conn.nameOf(i.ctx, row)
	what := "document " + id.String()
	if unnamed != nil || id == (document.ID{}) {
		id, what = document.ID{}, "a document whose name is lost"
	}
	if err := i.found(what, true, err); err != nil {
		return err
	}
	i.damage[len(i.damage)-1].Document = id
	return nil
}

// document is an error where anything of a document is not what was stored.
func (i *inspection) document(row int64) error {
	if i.sealed {
		if err := i.conn.documentFits(i.ctx, row, i.version); err != nil {
			return err
		}
	}
	passages := map[int64]bool{}
	var passage int64
	var key, terms, digest []byte
	var typed bool
	if err := i.conn.each(i.ctx, "SELECT row, key, terms, digest, typeof(key) = 'blob' AND typeof(terms) = 'blob' FROM passage WHERE document = ?",
		[]any{row}, []any{&passage, &key, &terms, &digest, &typed}, func() error {
			passages[passage] = true
			if !typed || string(passageDigest(key, terms)) != string(digest) {
				return fmt.Errorf("%w: a passage is not what was stored", store.ErrDamaged)
			}
			return nil
		}); err != nil {
		return err
	}
	if i.version >= findingsFormat {
		if err := i.findings(row); err != nil {
			return err
		}
	}
	var outline, raw, metadata []byte
	var text string
	return i.conn.each(i.ctx, `SELECT c.outline, c.body, r.metadata, c.text,
		typeof(c.outline) = 'blob' AND typeof(c.body) = 'blob' AND typeof(c.text) = 'text'
		FROM revision r LEFT JOIN content c ON c.revision = r.id WHERE r.document = ?`,
		[]any{row}, []any{&outline, &raw, &metadata, &text, &typed}, func() error {
			if !typed {
				return fmt.Errorf("%w: its content is of another type", store.ErrDamaged)
			}
			if _, err := unseal(outline); err != nil {
				return err
			}
			b, err := decodeBody(raw)
			if err != nil {
				return err
			}
			for _, p := range b.passages {
				if !passages[p.row] {
					return fmt.Errorf("%w: a passage is gone", store.ErrDamaged)
				}
			}
			if err := json.Unmarshal(metadata, new(document.Metadata)); err != nil {
				return fmt.Errorf("%w: metadata: %v", store.ErrDamaged, err)
			}
			return b.fits(text)
		})
}

// findings is an error where those of a document's revisions are not what was stored.
func (i *inspection) findings(row int64) error {
	var report, body []byte
	return i.conn.each(i.ctx, "SELECT f.extraction, f.body FROM revision r JOIN finding f ON f.revision = r.id WHERE r.document = ?",
		[]any{row}, []any{&report, &body}, func() error {
			if err := json.Unmarshal(report, new(document.Extraction)); err != nil {
				return fmt.Errorf("%w: an extraction report: %v", store.ErrDamaged, err)
			}
			_, err := decodeFindings(body)
			return err
		})
}
