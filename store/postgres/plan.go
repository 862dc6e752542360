package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// plan is what of a change is not so yet.
type plan struct {
	documents documents // what is known of those that the change names

	source *document.Source
	put    []*store.Revision
	fail   []*store.Failure
	date   []dating
	forget []forgetting
	remove []*known
	rename []renaming
	gone   string // source
}

// dating is a document that states no validity with the one that was inferred.
type dating struct {
	*known
	store.Dated
}

// forgetting are the revisions of a document whose text is not to be kept.
type forgetting struct {
	*known
	revisions []past
}

// renaming is a document that goes on under another path.
type renaming struct {
	*known
	from, to document.ID
}

func (p *plan) empty() bool {
	return p.source == nil && len(p.put) == 0 && len(p.fail) == 0 && len(p.date) == 0 && len(p.forget) == 0 && len(p.remove) == 0 && p.gone == ""
}

// named are the documents of a change.
func named(change *store.Change) (ids []document.ID) {
	for i := range change.Put {
		ids = append(ids, change.Put[i].Document)
	}
	for i := range change.Fail {
		ids = append(ids, change.Fail[i].Document)
	}
	for _, d := range change.Date {
		ids = append(ids, d.Document)
	}
	for _, f := range change.Forget {
		ids = append(ids, f.Document)
	}
	for _, n := range change.Renamed {
		ids = append(ids, n.From)
	}
	return append(ids, change.Remove...)
}

// planOf compares a change with what there is.
func planOf(ctx context.Context, q querier, change *store.Change, today document.Day) (*plan, error) {
	sources, err := sourcesOf(ctx, q)
	if err != nil {
		return nil, err
	}
	p := &plan{}
	if p.documents, err = know(ctx, q, named(change), len(change.Date)+len(change.Forget) > 0); err != nil {
		return nil, err
	}
	if change.Source != nil {
		src := document.Source{Name: change.Source.Name, Kind: clean(change.Source.Kind), Root: change.Source.Root}
		if clean(src.Name) != src.Name {
			return nil, fmt.Errorf("%w: the name of source %q is not UTF-8: give it another with --name", store.ErrInvalid, src.Name)
		}
		if sources[src.Name] != src {
			p.source = &src
			sources[src.Name] = src
		}
	}
	require := func(id document.ID) error {
		if _, ok := sources[id.Source]; !ok {
			return fmt.Errorf("%w: document %s is of a source that was not added", store.ErrInvalid, id)
		}
		if clean(id.Path) != id.Path || clean(id.Source) != id.Source {
			return fmt.Errorf("%w: the path %q is not UTF-8: rename the file", store.ErrInvalid, id.Path)
		}
		return nil
	}
	for i := range change.Put {
		r := &change.Put[i]
		if err := require(r.Document); err != nil {
			return nil, err
		}
		k := p.documents[r.Document]
		same := k.state() == store.State{Hash: clean(r.Hash), Pipeline: clean(r.Pipeline)}
		if !same || k == nil || k.newest == nil || rules.Sooner(r.Seen, k.newest.day, today) {
			p.put = append(p.put, r)
		}
	}
	for i := range change.Fail {
		f := &change.Fail[i]
		if err := require(f.Document); err != nil {
			return nil, err
		}
		if p.documents[f.Document].state() != (store.State{Hash: clean(f.Hash), Pipeline: clean(f.Pipeline), Failed: true, Reason: clean(f.Reason)}) {
			p.fail = append(p.fail, f)
		}
	}
	for _, d := range change.Date {
		if k := p.documents[d.Document]; k != nil && slices.ContainsFunc(k.past, func(r past) bool {
			_, changes := rules.Date(r.metadata.Metadata, d)
			return changes
		}) {
			p.date = append(p.date, dating{k, d})
		}
	}
	for _, f := range change.Forget {
		if k := p.documents[f.Document]; k != nil {
			if gone := k.forgettable(f); len(gone) > 0 {
				p.forget = append(p.forget, forgetting{k, gone})
			}
		}
	}
	for _, id := range change.Remove {
		if k := p.documents[id]; k != nil {
			p.remove = append(p.remove, k)
		}
	}
	p.planRenamed(change.Renamed)
	if _, ok := sources[change.RemoveSource]; ok && change.RemoveSource != "" {
		p.gone = change.RemoveSource
	}
	return p, nil
}

func (k *known) forgettable(f store.Forgotten) (out []past) {
	list := make([]rules.Past, len(k.past))
	for i, r := range k.past {
		list[i] = rules.Past{Status: rules.Status(r.metadata.Status), Ends: r.ends, Seen: r.seen, Forgotten: r.metadata.Forgotten}
	}
	for _, i := range rules.Forget(list, f) {
		out = append(out, k.past[i])
	}
	return out
}

// planRenamed lets a document go on as the one that is put, if that is new and the same,
// and else removes it. What is gone already was renamed before.
func (p *plan) planRenamed(renamed []store.Renamed) {
	for _, n := range renamed {
		k := p.documents[n.From]
		if k == nil {
			continue
		}
		at := slices.IndexFunc(p.put, func(r *store.Revision) bool { return r.Document == n.To })
		if at >= 0 && p.documents[n.To] == nil && k.failed == nil && k.newest != nil && k.newest.hash == clean(p.put[at].Hash) {
			k.newest.metadata.Formerly = append(k.newest.metadata.Formerly, document.Former{Path: n.From.Path, Until: document.DayOf(p.put[at].Seen)})
			p.rename = append(p.rename, renaming{k, n.From, n.To})
			continue
		}
		p.remove = append(p.remove, k)
	}
}

// sourcesOf lists the sources by name.
func sourcesOf(ctx context.Context, q querier) (map[string]document.Source, error) {
	list, err := listSources(ctx, q)
	out := make(map[string]document.Source, len(list))
	for _, s := range list {
		out[s.Name] = s
	}
	return out, err
}
