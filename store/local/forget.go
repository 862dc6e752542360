package local

import (
	"context"
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// forgetting are the revisions of a document whose text is not to be kept.
type forgetting struct {
	document  document.ID
	revisions []revisionMetadata
}

// forgettable finds which they are.
func (c *conn) forgettable(ctx context.Context, f store.Forgotten) (forgetting, error) {
	out := forgetting{document: f.Document}
	list, err := c.metadataOf(ctx, f.Document)
	if err != nil {
		return out, err
	}
	var past []rules.Past
	var end, day document.Day
	if err := c.each(ctx, "SELECT r.valid_to, r.seen_day FROM revision r JOIN document d ON d.id = r.document WHERE d.source = ? AND d.path = ? ORDER BY r.id",
		[]any{f.Document.Source, f.Document.Path}, []any{&end, &day}, func() error {
			past = append(past, rules.Past{Ends: end, Seen: day})
			return nil
		}); err != nil || len(past) != len(list) {
		return out, err
	}
	for i, r := range list {
		past[i].Status, past[i].Forgotten = r.Status, r.Forgotten
	}
	for _, i := range rules.Forget(past, f) {
		out.revisions = append(out.revisions, list[i])
	}
	return out, nil
}

// forget takes from revisions all but that they were there.
func (a *applier) forget(f forgetting) error {
	doc, err := a.touch(f.document)
	if err != nil {
		return err
	}
	empty := encodeBody(&document.Revision{Sections: []document.Section{{Parent: -1}}}, nil)
	for _, r := range f.revisions {
		r.Forgotten = true
		raw, err := json.Marshal(r.Metadata)
		if err != nil {
			return err
		}
		if err := a.do("UPDATE revision SET metadata = ? WHERE id = ?", string(raw), r.row); err != nil {
			return err
		}
		if err := a.do("UPDATE content SET outline = ?, body = ?, text = '' WHERE revision = ?", encodeOutline(nil), empty, r.row); err != nil {
			return err
		}
		for _, table := range []string{"finding", "name"} {
			if err := a.do("DELETE FROM "+table+" WHERE revision = ?", r.row); err != nil {
				return err
			}
		}
	}
	return a.sweep(doc)
}
