package local

import (
	"context"
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// forgetting are the revisions of a document whose text is not to be kept.
type forgetting struct {
	document  document.ID
	revisions []revisionMetadata
}

// forgettable finds which they are. A draft has no end, but nobody sees it once a newer
// revision is there.
func (c *conn) forgettable(ctx context.Context, f store.Forgotten) (forgetting, error) {
	out := forgetting{document: f.Document}
	list, err := c.metadataOf(ctx, f.Document)
	if err != nil {
		return out, err
	}
	var ends, seen []document.Day
	var end, day document.Day
	if err := c.each(ctx, "SELECT r.valid_to, r.seen_day FROM revision r JOIN document d ON d.id = r.document WHERE d.source = ? AND d.path = ? ORDER BY r.id",
		[]any{f.Document.Source, f.Document.Path}, []any{&end, &day}, func() error {
			ends, seen = append(ends, end), append(seen, day)
			return nil
		}); err != nil || len(ends) != len(list) {
		return out, err
	}
	for i := range max(0, len(list)-f.Keep) {
		if list[i].Status == document.Draft && ends[i] == 0 {
			ends[i] = seen[i+1]
		}
		if !list[i].Forgotten && ends[i] != 0 && ends[i] <= f.Since {
			out.revisions = append(out.revisions, list[i])
		}
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
		raw, err := json.Marshal(r.kept)
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
