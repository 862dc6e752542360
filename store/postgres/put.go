package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/internal/terms"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// forever is the revision before which a passage is gone that the newest one holds.
const forever = math.MaxInt64

// held is a row of passage that the newest revision of a document holds.
type held struct {
	id, first int64
	taken     bool // by the revision that is put
}

// putRevisions adds revisions, or, where the newest one has the same hash, replaces that
// one in place: it was seen when it was first seen.
func (a *applier) putRevisions() error {
	open, err := a.openPassages()
	if err != nil {
		return err
	}
	for _, r := range a.put {
		if err := a.putRevision(r, open); err != nil {
			return err
		}
	}
	return a.dropLost()
}

// openPassages are the passages that the newest revisions of the documents put hold, by
// document and by name and digest.
func (a *applier) openPassages() (map[int64]map[string]*held, error) {
	var docs []int64
	for _, r := range a.put {
		if k := a.documents[r.Document]; k != nil {
			docs = append(docs, k.row)
		}
	}
	out := map[int64]map[string]*held{}
	if len(docs) == 0 {
		return out, nil
	}
	var doc int64
	var h held
	var name, digest []byte
	return out, a.each("SELECT document, id, first, name, digest FROM passage WHERE document = ANY($1) AND gone = $2", []any{docs, int64(forever)},
		[]any{&doc, &h.id, &h.first, &name, &digest}, func() error {
			if out[doc] == nil {
				out[doc] = map[string]*held{}
			}
			one := h
			out[doc][string(name)+string(digest)] = &one
			return nil
		})
}

func (a *applier) putRevision(r *store.Revision, open map[int64]map[string]*held) error {
	k := a.documentRow(r.Document)
	a.unfailed = append(a.unfailed, k.row)
	if !r.Forgotten { // else there is nothing to embed
		a.rows.job = append(a.rows.job, []any{string(store.Embed), k.row})
	}
	revision := a.at.revisions + 1
	same := k.newest != nil && k.newest.hash == clean(r.Hash)
	if same {
		revision = k.newest.revision
		if err := a.clearRevision(revision); err != nil {
			return err
		}
	} else {
		a.at.revisions = revision
	}
	if err := a.revisionRow(k, revision, same, r); err != nil {
		return err
	}
	tenant := clean(r.Metadata.Tenant)
	pages, lines := flatten(&r.Revision)
	a.rows.content = append(a.rows.content, []any{revision, tenant, []byte(r.Text), pages, lines})
	a.sectionRows(k.row, revision, tenant, r)
	if err := a.passageRows(k.row, revision, tenant, r, open[k.row]); err != nil {
		return err
	}
	for _, h := range open[k.row] {
		switch {
		case h.taken:
		case h.first == revision:
			if err := a.lose("passage WHERE id = $1", "", h.id); err != nil {
				return err
			}
		default:
			a.closed[h.id] = revision
		}
	}
	for _, path := range distinct(r.Metadata.Supersedes) {
		a.rows.supersedes = append(a.rows.supersedes, []any{revision, k.row, path})
		a.superseded[document.ID{Source: r.Document.Source, Path: path}] = true
	}
	a.superseded[r.Document] = true // its own validity
	if r.Forgotten {
		return nil
	}
	return a.findingRows(revision, tenant, r)
}

// clearRevision takes away what a revision is made of that is replaced in place.
func (a *applier) clearRevision(revision int64) error {
	if err := a.lose("", "section WHERE revision = $1", revision); err != nil {
		return err
	}
	for _, table := range []string{"content", "occurrence", "supersedes", "finding", "name"} {
		if err := a.do("DELETE FROM "+table+" WHERE revision = $1", revision); err != nil {
			return err
		}
	}
	return nil
}

// revisionRow writes everything of a revision that decides who sees it and when.
func (a *applier) revisionRow(k *known, revision int64, same bool, r *store.Revision) error {
	m := r.Metadata
	if same {
		m.Formerly = k.newest.metadata.Formerly // what it was called does not change with what is made of it
	}
	c, err := a.class(m.Tenant, m.Access)
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(rules.Metadata{Metadata: m, Forgotten: r.Forgotten})
	if err != nil {
		return err
	}
	var lengths, outlines [store.Fields]int64
	for i := range r.Terms {
		sum(&lengths, &r.Terms[i])
	}
	for i := range r.Outline[1:] {
		sum(&outlines, &r.Outline[i+1])
	}
	seen, nanos := instant(r.Seen)
	day := document.DayOf(r.Seen)
	said := []any{clean(r.Pipeline), clean(r.Format), clean(r.Title), string(rules.Status(m.Status)), m.Effective.From, m.Effective.To, m.Authority,
		clean(m.Tenant), c, m.Undecided, clean(m.Inferred), metadata, len(r.Passages), lengths[:], len(r.Sections) - 1, outlines[:], r.Forgotten}
	if same {
		if rules.Sooner(r.Seen, k.newest.day, a.today) {
			if err := a.do("UPDATE revision SET seen = $1, seen_nanos = $2, seen_day = $3 WHERE id = $4", seen, nanos, day, revision); err != nil {
				return err
			}
		}
		return a.do(`UPDATE revision SET pipeline = $2, format = $3, title = $4, status = $5, effective_from = $6, effective_to = $7,
			authority = $8, tenant = $9, class = $10, undecided = $11, inferred = $12, metadata = $13, passages = $14, lengths = $15,
			headings = $16, outlines = $17, forgotten = $18 WHERE id = $1`, append([]any{revision}, said...)...)
	}
	recorded := store.Recorded{Seen: day, Status: rules.Status(m.Status), Effective: m.Effective}
	valid := store.Validity([]store.Recorded{recorded}, 0)[0] // as if nothing stood beside it; see revalidate
	a.rows.revision = append(a.rows.revision, append([]any{revision, k.row, clean(r.Hash), seen, nanos, day, valid.From, valid.To}, said...))
	return nil
}

func sum(into *[store.Fields]int64, t *store.Terms) {
	for f, n := range t.Lengths {
		into[f] += int64(n)
	}
}

// flatten writes pages and lines as lists of numbers.
func flatten(r *document.Revision) (pages, lines []int32) {
	pages, lines = make([]int32, 0, 2*len(r.Pages)), make([]int32, 0, 7*len(r.Lines))
	for _, p := range r.Pages {
		pages = append(pages, int32(p.Page), int32(p.Offset))
	}
	for _, l := range r.Lines {
		lines = append(lines, int32(l.Span.From), int32(l.Span.To), int32(l.Page),
			int32(l.Box.Left), int32(l.Box.Top), int32(l.Box.Right), int32(l.Box.Bottom))
	}
	return pages, lines
}

func (a *applier) sectionRows(doc, revision int64, tenant string, r *store.Revision) {
	for n, s := range r.Sections {
		a.at.sections++
		a.rows.section = append(a.rows.section, []any{a.at.sections, revision, doc, n, tenant, s.Parent, s.Level, clean(s.Heading), clean(s.Number),
			cleanAll(s.Path), s.Span.From, s.Span.To, s.Body.From, s.Body.To, clean(s.Description), terms.Append(nil, &r.Outline[n])})
		if n > 0 {
			a.sections = append(a.sections, lanes.Section{ID: a.at.sections, Document: doc, Revision: revision, N: n, Tenant: tenant, Terms: &r.Outline[n]})
		}
	}
}

// passageRows writes where the passages of a revision stand, and those that the document's
// newest revision does not hold as they are.
func (a *applier) passageRows(doc, revision int64, tenant string, r *store.Revision, open map[string]*held) error {
	for n := range r.Passages {
		p := &r.Passages[n]
		name, err := hex.DecodeString(string(p.ID))
		if err != nil {
			return fmt.Errorf("%w: passage id %q", store.ErrInvalid, p.ID)
		}
		key, err := hex.DecodeString(string(p.Key))
		if err != nil {
			return fmt.Errorf("%w: content key %q", store.ErrInvalid, p.Key)
		}
		encoded := terms.Append(nil, &r.Terms[n])
		digest := digestOf([]byte(tenant), key, []byte(p.Context), encoded)
		h := open[string(name)+string(digest)]
		if h == nil {
			a.at.passages++
			h = &held{id: a.at.passages}
			a.rows.passage = append(a.rows.passage, []any{h.id, doc, tenant, name, key, digest, clean(p.Context), encoded, revision, int64(forever)})
			a.keys[orphan{tenant, string(key)}] = true
			a.passages = append(a.passages, lanes.Passage{ID: h.id, Document: doc, First: revision, Tenant: tenant, Terms: &r.Terms[n]})
		}
		h.taken = true
		a.rows.occurrence = append(a.rows.occurrence, []any{revision, n, h.id, tenant, p.Section, string(p.Kind), p.Span.From, p.Span.To, p.Tokens})
	}
	return nil
}

// digestOf tells rows of one passage apart.
func digestOf(parts ...[]byte) []byte {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return h.Sum(nil)[:16]
}

// findingRows writes what extraction reported of a revision, what stands in its text and
// what it is called.
func (a *applier) findingRows(revision int64, tenant string, r *store.Revision) error {
	extraction, err := json.Marshal(r.Extraction)
	if err != nil {
		return err
	}
	findings, err := json.Marshal(r.Findings)
	if err != nil {
		return err
	}
	a.rows.finding = append(a.rows.finding, []any{revision, tenant, r.Extraction.Suspect(), extraction, findings})
	for _, name := range distinct(r.Names) {
		a.rows.name = append(a.rows.name, []any{revision, tenant, name})
	}
	return nil
}

// distinct are the strings as they are stored, each once.
func distinct(list []string) []string {
	out := cleanAll(list)
	slices.Sort(out)
	return slices.Compact(out)
}
