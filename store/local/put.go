package local

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	if err := a.supersedes(r.Document.Source, doc); err != nil {
		return err
	}
	rev, err := a.revisionRow(doc, r)
	if err != nil {
		return err
	}
	for i := range r.Passages {
		if err := a.passage(doc, rev, i, &r.Passages[i], r.Terms[i]); err != nil {
			return err
		}
	}
	if err := a.sweep(doc); err != nil {
		return err
	}
	for _, path := range r.Metadata.Supersedes {
		if err := a.do("INSERT OR IGNORE INTO supersedes (revision, path) VALUES (?, ?)", rev, path); err != nil {
			return err
		}
		a.superseded[document.ID{Source: r.Document.Source, Path: path}] = true
	}
	a.superseded[r.Document] = true // its own validity
	if err := a.do("DELETE FROM failure WHERE document = ?", doc); err != nil {
		return err
	}
	return a.do("INSERT INTO job (kind, document, token, until) VALUES (?, ?, '', 0)", string(store.Embed), doc)
}

// revisionRow writes everything of a revision but its passages.
func (a *applier) revisionRow(doc int64, r *store.Revision) (int64, error) {
	metadata, err := json.Marshal(r.Metadata)
	if err != nil {
		return 0, err
	}
	sections, err := json.Marshal(r.Sections)
	if err != nil {
		return 0, err
	}
	class, err := a.class(a.ctx, r.Metadata.Access)
	if err != nil {
		return 0, err
	}
	var rev int64
	var hash, seen string
	var day document.Day
	same, err := a.get(a.ctx, "SELECT id, hash, seen, seen_day FROM revision WHERE document = ? ORDER BY id DESC LIMIT 1",
		[]any{doc}, &rev, &hash, &seen, &day)
	if err != nil {
		return 0, err
	}
	if same = same && hash == r.Hash; same {
		// Its rows that depend on it are written anew.
		for _, table := range []string{"occurrence", "supersedes"} {
			if err := a.do("DELETE FROM "+table+" WHERE revision = ?", rev); err != nil {
				return 0, err
			}
		}
	} else {
		seen, day = instant(r.Seen), document.DayOf(r.Seen)
	}
	id := any(rev)
	if !same {
		id = nil // the next one
	}
	m := r.Metadata
	_, err = a.get(a.ctx, `INSERT INTO revision (id, document, hash, pipeline, seen, seen_day, format, title, status,
			effective_from, effective_to, valid_from, valid_to, authority, tenant, class, metadata, passages, headings,
			sections, outline, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET pipeline = excluded.pipeline, format = excluded.format, title = excluded.title,
			status = excluded.status, effective_from = excluded.effective_from, effective_to = excluded.effective_to,
			authority = excluded.authority, tenant = excluded.tenant, class = excluded.class, metadata = excluded.metadata,
			passages = excluded.passages, headings = excluded.headings, sections = excluded.sections,
			outline = excluded.outline, text = excluded.text
		RETURNING id`,
		[]any{id, doc, r.Hash, r.Pipeline, seen, day, r.Format, r.Title, string(status(m.Status)),
			m.Effective.From, m.Effective.To, m.Authority, m.Tenant, class, string(metadata), len(r.Passages),
			len(r.Sections) - 1, string(sections), encodeOutline(r.Outline), r.Text}, &rev)
	return rev, err
}

func status(s document.Status) document.Status {
	if s == "" {
		return document.Current
	}
	return s
}

// passage writes where a passage stands, and the passage itself unless the
// document has its very row already.
func (a *applier) passage(doc, rev int64, ordinal int, p *document.Passage, t store.Terms) error {
	id, err := hex.DecodeString(string(p.ID))
	if err != nil {
		return fmt.Errorf("%w: passage id %q", store.ErrInvalid, p.ID)
	}
	key, err := hex.DecodeString(string(p.Key))
	if err != nil {
		return fmt.Errorf("%w: content key %q", store.ErrInvalid, p.Key)
	}
	terms := encodeTerms(t)
	digest := passageDigest(p, key, terms)
	var row, owner int64
	found := false
	var other []byte
	err = a.each(a.ctx, "SELECT row, document, digest FROM passage WHERE id = ?", []any{id}, []any{&row, &owner, &other}, func() error {
		if owner != doc {
			return fmt.Errorf("%w: passage id %s belongs to another document", store.ErrInvalid, p.ID)
		}
		if string(other) == string(digest) {
			found = true
			return errFound // keeps row
		}
		return nil
	})
	if err != nil && err != errFound {
		return err
	}
	if !found {
		if _, err := a.get(a.ctx, `INSERT INTO passage (document, id, digest, key, kind, context, text, tokens, terms)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING row`,
			[]any{doc, id, digest, key, string(p.Kind), p.Context, p.Text, p.Tokens, terms}, &row); err != nil {
			return err
		}
	}
	return a.do("INSERT INTO occurrence (revision, ordinal, passage, section, start, stop) VALUES (?, ?, ?, ?, ?, ?)",
		rev, ordinal, row, p.Section, p.Span.From, p.Span.To)
}

// errFound ends a loop over rows.
var errFound = fmt.Errorf("found")

// passageDigest tells rows of one passage id apart.
func passageDigest(p *document.Passage, key, terms []byte) []byte {
	h := sha256.New()
	for _, part := range [][]byte{key, []byte(p.Kind), []byte(p.Context), []byte(p.Text), terms} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	fmt.Fprintf(h, "%d", p.Tokens)
	return h.Sum(nil)[:16]
}

// sweep deletes the passages of a document that no revision of it holds any more.
func (a *applier) sweep(doc int64) error {
	const unheld = " FROM passage WHERE document = ? AND NOT EXISTS (SELECT 1 FROM occurrence WHERE occurrence.passage = passage.row)"
	if err := a.orphan("SELECT DISTINCT key"+unheld, doc); err != nil {
		return err
	}
	return a.do("DELETE"+unheld, doc)
}
