package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/trace"
	"github.com/seed-d3156d19/quarry/store"
)

// ErrAmbiguous is wrapped where a name stands for documents of several sources.
var ErrAmbiguous = errors.New("it is in several sources")

// source finds the documents in which it is expected.
func (d *diagnosis) source() error {
	if d.Expected.Document == "" {
		return d.sourceOfQuote()
	}
	id, found, err := d.find()
	switch {
	case err != nil:
		return err
	case !found:
		d.unknown("no document that may be read is called so")
		return nil
	case d.failed != "":
		d.step(trace.Source, Passed, "%s", id)
		return nil
	}
	r := d.docs[0]
	d.step(trace.Source, Passed, "%s, revision %.12s", id, r.Hash)
	return nil
}

// unknown is how what does not exist, and what may not be read, is reported.
func (d *diagnosis) unknown(why string) {
	if o := d.unindexed(); o != "" {
		why += "; " + o
	}
	d.step(trace.Source, Lost, "%s", why)
	d.advise(source, "is the file in a folder that was added, of a format that is read, and indexed without an error? quarry docs lists what may be read, quarry status what failed, quarry add indexes what is new")
}

// unindexed says that a source holds a file of the name that was never indexed, where
// the asker may read what indexing it would make.
func (d *diagnosis) unindexed() string {
	if d.Brief || d.Expected.Document == "" {
		return ""
	}
	for _, id := range d.named(d.Expected.Document) {
		o := d.Original(id)
		if !o.Known || o.Gone || o.Hash == "" || o.Tenant != d.Scope.Tenant || !d.Scope.Admits(o.Access) {
			continue
		}
		return "a file of that name lies in the source " + id.Source + " and is not indexed"
	}
	return ""
}

// named are the documents that a name can stand for: "source:path", or a path in
// any source that the scope asks.
func (d *diagnosis) named(name string) []document.ID {
	var out []document.ID
	for _, s := range d.Sources {
		if len(d.Scope.Sources) > 0 && !slices.Contains(d.Scope.Sources, s) {
			continue
		}
		if path, ok := strings.CutPrefix(name, s+":"); ok {
			out = append(out, document.ID{Source: s, Path: path})
		}
		out = append(out, document.ID{Source: s, Path: name})
	}
	return slices.DeleteFunc(out, func(id document.ID) bool { return id.Validate() != nil })
}

// find looks for the document: among what the scope sees, and then among what it
// does not see and the asker, or else the reader, may read all the same. A name
// with '#' is tried whole before it is taken apart.
func (d *diagnosis) find() (document.ID, bool, error) {
	asked := d.Expected
	names := []Expected{asked}
	if asked.Heading == "" {
		for i, c := range asked.Document {
			if c == '#' {
				part := asked
				part.Document, part.Heading = asked.Document[:i], strings.TrimSpace(asked.Document[i+1:])
				names = append(names, part)
			}
		}
	}
	looks := []func([]document.ID) ([]document.ID, error){d.seen, d.unseenBy(d.Scope.Principals)}
	if len(d.Expected.Reader) > 0 {
		looks = append(looks, d.unseenBy(d.Expected.Reader))
	}
	for _, look := range looks {
		for _, e := range names {
			ids, err := look(d.named(e.Document))
			switch {
			case err != nil:
				return document.ID{}, false, err
			case len(ids) > 1:
				return document.ID{}, false, ambiguous(e.Document, ids)
			case len(ids) == 1:
				d.Expected.Document, d.Expected.Heading = e.Document, e.Heading
				return ids[0], true, nil
			}
		}
	}
	if asked.Heading == "" { // as a questions file is read
		s := evaluate.ParseSource(asked.Document)
		d.Expected.Document, d.Expected.Heading = s.Document, s.Heading
	}
	return document.ID{}, false, nil
}

func ambiguous(name string, ids []document.ID) error {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	return fmt.Errorf("%q: %w: give one of %s", name, ErrAmbiguous, strings.Join(names, ", "))
}

// seen finds what the scope sees.
func (d *diagnosis) seen(ids []document.ID) ([]document.ID, error) {
	var out []document.ID
	for _, id := range ids {
		r, err := d.View.Document(d.ctx, id, true)
		if errors.Is(err, document.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		d.docs, d.view = []document.Revision{r}, d.View
		out = append(out, id)
	}
	return out, nil
}

// unseenBy finds what the scope does not see and somebody may read.
func (d *diagnosis) unseenBy(principals []string) func([]document.ID) ([]document.ID, error) {
	return func(ids []document.ID) ([]document.ID, error) {
		view, err := d.Open(d.ctx, document.Scope{Tenant: d.Scope.Tenant, Principals: principals, Administrator: d.asker(principals) && d.Scope.Administrator,
			AsOf: d.Scope.AsOf, Drafts: true, Sources: d.Scope.Sources})
		if err != nil {
			return nil, err
		}
		defer view.Close()
		var out []document.ID
		for _, id := range ids {
			h, err := view.History(d.ctx, id)
			if errors.Is(err, document.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, id)
			if len(out) == 1 {
				if err := d.unhide(view, h, principals); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	}
}

// asker reports whether principals are the asker's own.
func (d *diagnosis) asker(principals []string) bool {
	return slices.Equal(principals, d.Scope.Principals)
}

// unhide says why a scope does not see a document, and reads it on a day on which
// it holds.
func (d *diagnosis) unhide(view store.View, h store.History, principals []string) error {
	day := view.Day()
	if h.Failed != "" && day >= h.FailedOn || len(h.Revisions) == 0 {
		d.failed = fmt.Sprintf("it could not be indexed: %s (since %s)", h.Failed, h.FailedOn)
		return nil
	}
	newest := h.Revisions[len(h.Revisions)-1]
	for _, r := range slices.Backward(h.Revisions) {
		if r.Valid.Holds(day) {
			newest = r
			break
		}
	}
	readable := document.Scope{Tenant: d.Scope.Tenant, Principals: principals, Administrator: d.asker(principals) && d.Scope.Administrator,
		AsOf: d.Scope.AsOf, Drafts: true, Sources: d.Scope.Sources}
	if v := newest.Valid; !v.Holds(day) || newest.Status == document.Superseded {
		if readable.AsOf = v.From; v.From == 0 {
			readable.AsOf = v.To - 1
		}
	}
	other, err := d.Open(d.ctx, readable)
	if err != nil {
		return err
	}
	r, err := other.Document(d.ctx, h.Document, true)
	if errors.Is(err, document.ErrNotFound) { // in force on no day: its text cannot be looked at
		other.Close()
		other, r, err = nil, document.Revision{Document: h.Document, Hash: newest.Revision, Title: newest.Title}, nil
	}
	if err != nil {
		other.Close()
		return err
	}
	if d.view != nil && d.view != d.View {
		d.view.Close()
	}
	d.docs, d.view = []document.Revision{r}, other
	d.hidden = d.why(newest, day, r, principals)
	return nil
}

// why says what hides a revision from the scope, and what to try.
func (d *diagnosis) why(r store.Held, day document.Day, text document.Revision, principals []string) string {
	switch {
	case !d.asker(principals):
		access := text.Metadata.Access
		d.advise(results, "ask as one of its readers, or give this asker access in its front matter or sidecar")
		switch {
		case !access.Allows(d.Scope.Principals) && access.Everyone || denied(access, d.Scope.Principals):
			return "the asker is denied: it is closed to " + list(access.Deny)
		case len(access.Readers) > 0:
			return "the asker is none of its readers, which are " + list(access.Readers)
		}
		return "the asker may not read it"
	case r.Status == document.Draft && !d.Scope.Drafts:
		d.advise(results, "ask with drafts (--drafts), or take the status draft out of it")
		return "it is a draft"
	case !r.Valid.Holds(day) && r.Valid.From != 0 && day < r.Valid.From:
		d.advise(results, "ask as of a day on which it holds (--as-of), or correct its dates")
		return fmt.Sprintf("it is not yet in force on %s: it holds from %s", day, r.Valid.From)
	case r.Status == document.Superseded:
		d.advise(results, "ask as of a day on which it held (--as-of), or take the status superseded out of it")
		return "it is superseded"
	case !r.Valid.Holds(day):
		d.advise(results, "ask as of a day on which it held (--as-of), or look for what replaced it")
		return fmt.Sprintf("it is not in force on %s: it held until %s", day, r.Valid.To-1)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Scope.Where)) {
		if has, ok := r.Attributes[key]; ok && !slices.ContainsFunc(d.Scope.Where[key], func(w string) bool { return slices.Contains(has, w) }) {
			d.advise(results, "ask without --where "+key+", or with a value that it carries")
			return fmt.Sprintf("it is for %s %s, and the question asks for %s", key, list(has), list(d.Scope.Where[key]))
		}
	}
	d.advise(results, "ask with another scope")
	return "another revision of it is in force"
}

func denied(a document.Access, principals []string) bool {
	return slices.ContainsFunc(a.Deny, func(p string) bool { return slices.Contains(principals, p) })
}

func list(names []string) string { return strings.Join(names, ", ") }

const (
	// quoteTerms bounds what a quote is looked for by, quoteHits the passages
	// whose documents are read for it.
	quoteTerms = 64
	quoteHits  = 20
	// near is the share of a quote's words that a text must hold to be what was
	// made of it.
	near = 0.6
)

// sourceOfQuote finds the documents that hold the quote: among what the scope sees,
// and then among what it leaves out and the asker, or else the reader, may read today.
func (d *diagnosis) sourceOfQuote() error {
	all := d.Scope
	all.Where, all.Drafts = nil, true
	told := all
	told.Principals, told.Administrator = d.Expected.Reader, false
	best, err := d.holding(d.View)
	if err != nil {
		return err
	}
	hides := []struct {
		scope document.Scope
		why   string
	}{{all, "the scope leaves it out: it is a draft, or for other attributes"}, {told, "the asker is none of its readers"}}
	if len(told.Principals) == 0 {
		hides = hides[:1]
	}
	for _, h := range hides {
		if len(d.docs) > 0 {
			break
		}
		view, err := d.Open(d.ctx, h.scope)
		if err != nil {
			return err
		}
		if _, err := d.holding(view); err != nil || len(d.docs) == 0 {
			view.Close()
			if err != nil {
				return err
			}
			continue
		}
		d.hidden = h.why
		d.advise(results, "name the document with --expect to see what hides it, or ask with another scope")
	}
	if len(d.docs) == 0 && best.share > 0 {
		d.report.Read = append(d.report.Read, Read{best.doc, best.revision})
	}
	switch {
	case len(d.docs) > 0:
		names := make([]string, len(d.docs))
		for i, r := range d.docs {
			names[i] = r.Document.String()
		}
		d.step(trace.Source, Passed, "it stands in %s", list(names))
	case best.share >= near:
		d.step(trace.Source, Passed, "%s holds most of its words", best.doc)
		d.step(trace.Extract, Lost, "no text that may be read holds it; the nearest: %s", best)
		d.advise(source, "compare with the original: quarry show --text shows what was extracted; quote what stands there, or correct the original")
	default:
		why := "no document that may be read holds it"
		if best.share > 0 {
			why += fmt.Sprintf("; the nearest text: %s", best)
		}
		d.unknown(why)
	}
	return nil
}

// holding takes the documents of a view whose text holds the quote, among those
// of the passages that share most with it; it returns the nearest text.
func (d *diagnosis) holding(view store.View) (nearest, error) {
	quote := evaluate.NewQuote(d.Expected.Quote)
	terms := analyze.ForQuestion(d.Expected.Quote, d.Run.Plan.Languages...).Terms
	hits, err := view.Keyword(d.ctx, terms[:min(len(terms), quoteTerms)], quoteHits)
	if err != nil {
		return nearest{}, err
	}
	ids := make([]document.PassageID, len(hits.Hits))
	for i, h := range hits.Hits {
		ids[i] = h.Passage
	}
	located, err := view.Passages(d.ctx, ids)
	if err != nil {
		return nearest{}, err
	}
	// Documents of passages that hold a stretch of it first: they most often do, and
	// a whole text takes long to look through.
	read := map[document.ID]bool{}
	for _, sure := range []bool{true, false} {
		for _, l := range located {
			if from, to := quote.Part(l.Text); read[l.Document] || sure && from == to {
				continue
			}
			read[l.Document] = true
			r, err := view.Document(d.ctx, l.Document, true)
			if err != nil {
				return nearest{}, err
			}
			if quote.In(r.Text) {
				d.docs, d.view = append(d.docs, r), view
			}
		}
		if len(d.docs) > 0 {
			break
		}
	}
	var best nearest
	look := newLook(d.Expected.Quote)
	for _, l := range located {
		if len(d.docs) > 0 {
			break
		}
		if n := look.in(l.Document, l.Text); n.share > best.share {
			best = n
			best.revision = l.Revision
		}
	}
	slices.SortFunc(d.docs, func(a, b document.Revision) int { return cmp.Compare(a.Document.String(), b.Document.String()) })
	return best, nil
}
