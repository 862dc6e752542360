package quarry

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/series"
	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/store"
)

// What Options.Series may say.
const (
	SeriesAuto = "auto"
	SeriesOff  = "off"
)

// gitHistory is what the days are inferred from on which revisions of a repository's files
// were seen.
const gitHistory = "Git history"

// seriesIntake is what an intake knows of the series of dated and numbered files that it
// changes. A series is decided once all its listed members are there, in the change that
// brings the last of them where one change holds them, so that two versions of a page are
// seldom in force together. Those that wait for others are stored as undecided: a sync
// that was interrupted leaves them so, and the next one decides.
type seriesIntake struct {
	listed  []source.Item       // nil where documents come one by one
	basis   string              // what the day was inferred from on which revisions count as seen
	touched map[string]bool     // keys
	members map[string][]string // the listed paths by key
	late    []store.Dated       // of older revisions of documents whose newest is in the change
	past    map[string]bool     // documents of whose past older revisions were taken in (see takePast)
}

// touch notes that something of a path's series changes, if its name is of one.
func (s *seriesIntake) touch(path string) {
	key, ok := keyOf(path)
	if !ok {
		return
	}
	if s.touched == nil {
		s.touched = map[string]bool{}
	}
	s.touched[key] = true
}

func keyOf(path string) (string, bool) {
	if !strings.ContainsAny(path, "0123456789") {
		return "", false
	}
	key, _, ok := series.Name(path)
	return key, ok
}

// waits reports whether a batch of so many documents waits for the rest of a series.
func (s *seriesIntake) waits(n int) bool {
	return s.listed != nil && len(s.touched) > 0 && n < 4*batchDocuments
}

// undecided marks a revision whose validity may yet be inferred, and says where it is that
// the day comes from on which it counts as seen.
func (in *intake) undecided(r *store.Revision) {
	if r.Metadata.StatesValidity() {
		in.series.touch(r.Document.Path) // it may end another
		return
	}
	r.Metadata.Inferred = in.series.basis
	_, named := keyOf(r.Document.Path)
	if in.corpus.options.Series == SeriesOff {
		if state := in.states[r.Document.Path]; named && state.Revisions > 1 { // older ones may be dated
			in.series.late = namedOnce(in.series.late, store.Dated{Document: r.Document, Inferred: in.series.basis})
		}
		return
	}
	r.Metadata.Undecided = named
	in.series.touch(r.Document.Path)
}

// inferAt decides the series of a path where that is the last of its listed members.
func (in *intake) inferAt(ctx context.Context, path string) error {
	s := &in.series
	if len(s.touched) == 0 || s.listed == nil || in.corpus.options.Series == SeriesOff {
		return nil
	}
	if s.members == nil {
		s.members = map[string][]string{}
		for _, item := range s.listed {
			if key, ok := keyOf(item.Path); ok {
				s.members[key] = append(s.members[key], item.Path)
			}
		}
	}
	key, ok := keyOf(path)
	if !ok || !s.touched[key] || s.members[key][len(s.members[key])-1] != path {
		return nil
	}
	delete(s.touched, key)
	return in.infer(ctx, s.members[key])
}

// inferRest decides the series that are left: of documents that were given one by one, and
// of which members are removed, or were left undecided by a sync that was interrupted.
func (in *intake) inferRest(ctx context.Context) error {
	if in.corpus.options.Series == SeriesOff {
		return nil
	}
	s := &in.series
	removed := maps.Clone(in.became)
	for _, id := range in.change.Remove {
		removed[id.Path] = true
	}
	for path := range removed {
		s.touch(path)
	}
	for path, state := range in.states {
		if state.Undecided && !removed[path] {
			s.touch(path)
		}
	}
	if len(s.touched) == 0 {
		return nil
	}
	all := map[string][]string{}
	add := func(path string) {
		if key, ok := keyOf(path); ok && s.touched[key] && !removed[path] {
			all[key] = append(all[key], path)
		}
	}
	for path := range in.present {
		add(path)
	}
	for path := range in.states {
		if !in.present[path] {
			add(path)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		slices.Sort(all[key])
		if err := in.infer(ctx, all[key]); err != nil {
			return err
		}
	}
	return nil
}

// infer decides one series: of members that are in the change the revision says what holds,
// of others the change redates it.
func (in *intake) infer(ctx context.Context, paths []string) error {
	pending := map[string]*store.Revision{}
	for i := range in.change.Put {
		pending[in.change.Put[i].Document.Path] = &in.change.Put[i]
	}
	failed := map[string]store.Failure{}
	for _, f := range in.change.Fail {
		failed[f.Document.Path] = f
	}
	was := map[string]string{} // the path of what a document of the change was before
	for _, r := range in.change.Renamed {
		was[r.To.Path] = r.From.Path
	}
	var list []series.Member
	var stored []string
	seen := map[string]document.Day{} // when the first revision of stored ones was
	for _, path := range paths {
		_, before := in.states[path]
		before = before || in.series.past[path]
		if f, ok := failed[path]; ok {
			list = append(list, memberOf(store.Newest{Path: path, Failed: true, First: document.DayOf(f.Seen),
				Metadata: document.Metadata{Tenant: f.Tenant, Access: f.Access}}))
		} else if r := pending[path]; r != nil && !before {
			n := store.Newest{Path: path, Title: r.Title, Text: r.Text, Metadata: r.Metadata, First: document.DayOf(r.Seen)}
			if from := was[path]; from != "" {
				if err := in.corpus.store.Newest(ctx, in.source, []string{from}, func(old store.Newest) error {
					n.First = old.First
					return nil
				}); err != nil {
					return err
				}
			}
			list = append(list, memberOf(n))
		} else {
			stored = append(stored, path)
		}
	}
	err := in.corpus.store.Newest(ctx, in.source, stored, func(n store.Newest) error {
		seen[n.Path] = n.First
		if r := pending[n.Path]; r != nil {
			n.Title, n.Text, n.Metadata, n.Failed = r.Title, r.Text, r.Metadata, false
			n.First = min(n.First, document.DayOf(r.Seen)) // where a clock was ahead
		}
		list = append(list, memberOf(n))
		return nil
	})
	if err != nil {
		return err
	}
	valid := series.Infer(list)
	for _, m := range list {
		if m.Stated || m.Unread {
			continue
		}
		d := store.Dated{Document: document.ID{Source: in.source, Path: m.Path}, Inferred: in.series.basis}
		if v, ok := valid[m.Path]; ok {
			d.Effective, d.Inferred = v, series.FileNames
			in.report.Inferred++
		}
		r := pending[m.Path]
		if r == nil {
			in.date(d)
			continue
		}
		r.Metadata.Effective, r.Metadata.Inferred, r.Metadata.Undecided = d.Effective, d.Inferred, false
		if seen[m.Path] != 0 { // its older revisions hold on the same days
			in.series.late = namedOnce(in.series.late, d)
		}
	}
	return nil
}

func memberOf(n store.Newest) series.Member {
	m := series.NewMember(n.Path, n.Title, n.Text)
	meta := n.Metadata
	m.Seen, m.Unread, m.Stated, m.Group = n.First, n.Failed, meta.StatesValidity(), applies(meta)
	switch {
	case !m.Stated || meta.Status == document.Draft || meta.Status == document.Superseded:
	case meta.Effective == document.Interval{}:
		m.From = n.First
	default:
		m.From = meta.Effective.From
	}
	return m
}

// date takes what was inferred of a stored document into the change.
func (in *intake) date(d store.Dated) { in.change.Date = namedOnce(in.change.Date, d) }

// namedOnce takes what was inferred of a document into a list that names each once: of a series that
// is decided twice the second time counts.
func namedOnce(list []store.Dated, d store.Dated) []store.Dated {
	at := slices.IndexFunc(list, func(have store.Dated) bool { return have.Document == d.Document })
	if at < 0 {
		return append(list, d)
	}
	list[at] = d
	return list
}

// applies is equal for documents that apply to the same, and that the same may read: a
// version that somebody may not see ends no other for them.
func applies(m document.Metadata) string {
	set := func(names []string) []string { return slices.Sorted(slices.Values(names)) }
	group := []any{m.Tenant, m.Access.Everyone, set(m.Access.Readers), set(m.Access.Deny)}
	for _, key := range document.ScopeAttributes() {
		group = append(group, set(m.Attributes[key]))
	}
	key, _ := json.Marshal(group) // texts and lists of them
	return string(key)
}
