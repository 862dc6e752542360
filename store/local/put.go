package local

import (
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
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
	rows, err := a.passages(doc, fresh, r)
	if err != nil {
		return err
	}
	rev, same, err := a.revisionRow(doc, fresh, r, rows)
	if err != nil {
		return err
	}
	if err := a.findings(rev, same, r); err != nil {
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
	if r.Forgotten {
		return nil // nothing is to be embedded
	}
	return a.do("INSERT INTO job (kind, document, token, until) VALUES (?, ?, '', 0)", string(store.Embed), doc)
}

// revisionRow writes everything of a revision but its passages, and reports
// whether it is the same as the newest there was.
func (a *applier) revisionRow(doc int64, fresh bool, r *store.Revision, rows []int64) (rev int64, same bool, err error) {
	class, err := a.class(r.Metadata.Access)
	if err != nil {
		return 0, false, err
	}
	var hash string
	var before []byte
	var day document.Day // on which the newest was seen
	if !fresh {
		same, err = a.get(a.ctx, "SELECT id, hash, metadata, seen_day FROM revision WHERE document = ? ORDER BY id DESC LIMIT 1", []any{doc}, &rev, &hash, &before, &day)
		if err != nil {
			return 0, false, err
		}
	}
	outline, body := encodeOutline(r.Outline[1:]), encodeBody(&r.Revision, rows)
	m := r.Metadata
	if same && hash == r.Hash {
		var was document.Metadata
		if err := json.Unmarshal(before, &was); err != nil {
			return 0, false, err
		}
		m.Formerly = was.Formerly // what it was called does not change with what is made of it
	}
	metadata, err := json.Marshal(rules.Metadata{Metadata: m, Forgotten: r.Forgotten})
	if err != nil {
		return 0, false, err
	}
	said := []any{r.Pipeline, r.Format, r.Title, string(rules.Status(m.Status)), m.Effective.From, m.Effective.To, m.Authority,
		m.Tenant, class, string(metadata)}
	if same && hash == r.Hash {
		if err := a.do("DELETE FROM supersedes WHERE revision = ?", rev); err != nil {
			return 0, false, err
		}
		if rules.Sooner(r.Seen, day, a.today) {
			if err := a.do("UPDATE revision SET seen = ?, seen_day = ? WHERE id = ?", instant(r.Seen), document.DayOf(r.Seen), rev); err != nil {
				return 0, false, err
			}
		}
		if err := a.do(`UPDATE revision SET pipeline = ?, format = ?, title = ?, status = ?, effective_from = ?, effective_to = ?,
			authority = ?, tenant = ?, class = ?, metadata = ? WHERE id = ?`, append(said, rev)...); err != nil {
			return 0, false, err
		}
		return rev, true, a.do("UPDATE content SET outline = ?, body = ?, text = ? WHERE revision = ?",
			outline, body, r.Text, rev)
	}
	recorded := store.Recorded{Seen: document.DayOf(r.Seen), Status: rules.Status(m.Status), Effective: m.Effective}
	valid := store.Validity([]store.Recorded{recorded}, 0)[0] // as if nothing stood beside it; see revalidate
	result, err := a.exec(a.ctx, `INSERT INTO revision (pipeline, format, title, status, effective_from, effective_to, authority,
			tenant, class, metadata, document, hash, seen, seen_day, valid_from, valid_to)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(said, doc, r.Hash, instant(r.Seen), recorded.Seen, valid.From, valid.To)...)
	if err != nil {
		return 0, false, err
	}
	if rev, err = result.LastInsertId(); err != nil {
		return 0, false, err
	}
	if w := a.fresh[doc]; w != nil {
		w.row, w.recorded, w.valid, w.class, w.access = rev, recorded, valid, class, a.access[class]
		w.metadata, w.outline, w.body = metadata, outline, body
	}
	return rev, false, a.do("INSERT INTO content (revision, outline, body, text) VALUES (?, ?, ?, ?)", rev, outline, body, r.Text)
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
