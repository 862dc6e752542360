package local

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// put adds a revision, or, where the newest one has the same hash, replaces that
// one in place: it was seen when it was first seen.
func (a *applier) put(r *store.Revision) error {
	doc, err := a.touch(r.Document)
	if err != nil {
		return err
	}
	fresh := a.touched[doc] == 0 // nothing hangs on it yet
	if !fresh {
		if err := a.supersedes(r.Document, doc); err != nil {
			return err
		}
	}
	rows := make([]int64, len(r.Passages))
	for i := range r.Passages {
		if rows[i], err = a.passage(doc, fresh, &r.Passages[i], r.Terms[i]); err != nil {
			return err
		}
	}
	if fresh {
		if err := a.own(doc); err != nil {
			return err
		}
		a.fresh[doc] = written{r, rows}
	}
	rev, same, err := a.revisionRow(doc, fresh, r, rows)
	if err != nil {
		return err
	}
	if same {
		if err := a.sweep(doc); err != nil {
			return err
		}
	}
	for _, path := range r.Metadata.Supersedes {
		if err := a.do("INSERT OR IGNORE INTO supersedes (revision, path) VALUES (?, ?)", rev, path); err != nil {
			return err
		}
		a.superseded[document.ID{Source: r.Document.Source, Path: path}] = true
	}
	a.superseded[r.Document] = true // its own validity
	if !fresh {
		if err := a.do("DELETE FROM failure WHERE document = ?", doc); err != nil {
			return err
		}
	}
	return a.do("INSERT INTO job (kind, document, token, until) VALUES (?, ?, '', 0)", string(store.Embed), doc)
}

// revisionRow writes everything of a revision but its passages, and reports
// whether it is the same as the newest there was.
func (a *applier) revisionRow(doc int64, fresh bool, r *store.Revision, rows []int64) (rev int64, same bool, err error) {
	metadata, err := json.Marshal(r.Metadata)
	if err != nil {
		return 0, false, err
	}
	class, err := a.class(r.Metadata.Access)
	if err != nil {
		return 0, false, err
	}
	var hash string
	if !fresh {
		same, err = a.get(a.ctx, "SELECT id, hash FROM revision WHERE document = ? ORDER BY id DESC LIMIT 1", []any{doc}, &rev, &hash)
		if err != nil {
			return 0, false, err
		}
	}
	m := r.Metadata
	said := []any{r.Pipeline, r.Format, r.Title, string(status(m.Status)), m.Effective.From, m.Effective.To, m.Authority,
		m.Tenant, class, string(metadata)}
	if same && hash == r.Hash {
		if err := a.do("DELETE FROM supersedes WHERE revision = ?", rev); err != nil {
			return 0, false, err
		}
		if err := a.do(`UPDATE revision SET pipeline = ?, format = ?, title = ?, status = ?, effective_from = ?, effective_to = ?,
			authority = ?, tenant = ?, class = ?, metadata = ? WHERE id = ?`, append(said, rev)...); err != nil {
			return 0, false, err
		}
		return rev, true, a.do("UPDATE content SET outline = ?, body = ?, text = ? WHERE revision = ?",
			encodeOutline(r.Outline[1:]), encodeBody(&r.Revision, rows), r.Text, rev)
	}
	result, err := a.exec(a.ctx, `INSERT INTO revision (pipeline, format, title, status, effective_from, effective_to, authority,
			tenant, class, metadata, document, hash, seen, seen_day, valid_from, valid_to)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
		append(said, doc, r.Hash, instant(r.Seen), document.DayOf(r.Seen))...)
	if err != nil {
		return 0, false, err
	}
	if rev, err = result.LastInsertId(); err != nil {
		return 0, false, err
	}
	return rev, false, a.do("INSERT INTO content (revision, outline, body, text) VALUES (?, ?, ?, ?)",
		rev, encodeOutline(r.Outline[1:]), encodeBody(&r.Revision, rows), r.Text)
}

func status(s document.Status) document.Status {
	if s == "" {
		return document.Current
	}
	return s
}

// passage returns the row of a passage, which it writes unless the document has
// that very row already.
func (a *applier) passage(doc int64, fresh bool, p *document.Passage, t store.Terms) (int64, error) {
	id, err := hex.DecodeString(string(p.ID))
	if err != nil {
		return 0, fmt.Errorf("%w: passage id %q", store.ErrInvalid, p.ID)
	}
	key, err := hex.DecodeString(string(p.Key))
	if err != nil {
		return 0, fmt.Errorf("%w: content key %q", store.ErrInvalid, p.Key)
	}
	terms := encodeTerms(t)
	digest := passageDigest(key, terms)
	if fresh { // it has no row yet; see own
		return a.passageRow(doc, id, key, digest, terms)
	}
	var row, owner int64
	var other []byte
	err = a.each(a.ctx, "SELECT row, document, digest FROM passage WHERE id = ?", []any{id}, []any{&row, &owner, &other}, func() error {
		if owner != doc {
			return foreign(id)
		}
		if string(other) == string(digest) {
			return errFound // keeps row
		}
		return nil
	})
	if err == errFound {
		return row, nil
	}
	if err != nil {
		return 0, err
	}
	return a.passageRow(doc, id, key, digest, terms)
}

// own checks that no passage of a new document has the id of another document's, in
// one query, since to ask for each costs as much as to write it.
func (a *applier) own(doc int64) error {
	var id []byte
	found, err := a.get(a.ctx, "SELECT p.id FROM passage p JOIN passage q ON q.id = p.id AND q.document <> p.document WHERE p.document = ? LIMIT 1",
		[]any{doc}, &id)
	if err == nil && found {
		err = foreign(id)
	}
	return err
}

func foreign(id []byte) error {
	return fmt.Errorf("%w: passage id %x belongs to another document", store.ErrInvalid, id)
}

func (a *applier) passageRow(doc int64, id, key, digest, terms []byte) (int64, error) {
	result, err := a.exec(a.ctx, "INSERT INTO passage (document, id, key, digest, terms) VALUES (?, ?, ?, ?, ?)", doc, id, key, digest, terms)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// errFound ends a loop over rows.
var errFound = errors.New("found")

// passageDigest tells rows of one passage id apart.
func passageDigest(key, terms []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%d:", len(key))
	h.Write(key)
	h.Write(terms)
	return h.Sum(nil)[:16]
}

// sweep deletes the passages of a document that no revision of it holds any more.
func (a *applier) sweep(doc int64) error {
	held := map[int64]bool{}
	var raw, key []byte
	if err := a.each(a.ctx, "SELECT c.body FROM revision r JOIN content c ON c.revision = r.id WHERE r.document = ?", []any{doc}, []any{&raw}, func() error {
		b, err := decodeBody(raw)
		if err != nil {
			return err
		}
		for _, p := range b.passages {
			held[p.row] = true
		}
		return nil
	}); err != nil {
		return err
	}
	var row int64
	var unheld []int64
	if err := a.each(a.ctx, "SELECT row, key FROM passage WHERE document = ?", []any{doc}, []any{&row, &key}, func() error {
		if !held[row] {
			unheld = append(unheld, row)
			a.orphans[string(key)] = true
		}
		return nil
	}); err != nil {
		return err
	}
	for _, row := range unheld {
		if err := a.do("DELETE FROM passage WHERE row = ?", row); err != nil {
			return err
		}
	}
	return nil
}
