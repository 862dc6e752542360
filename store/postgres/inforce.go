package postgres

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// A variant is a kind of views that sees the same revisions of a document on the same days,
// as a bit: with drafts or not, and for a day before today or not. What is superseded, or
// failed, is decided by both.
type variant int16

func variantOf(day, today document.Day, drafts bool) variant {
	v := variant(1)
	if drafts {
		v <<= 1
	}
	if day < today {
		v <<= 2
	}
	return v
}

// stretch is a run of days on which a revision, by its number, is the one in force.
type stretch struct {
	revision     int
	variants     variant
	since, until int32 // [since, until)
}

// stretches lists the days on which each of a document's revisions is in force.
func stretches(list []rules.Standing, failed document.Day) []stretch {
	days := []int32{0}
	for _, s := range list {
		days = append(days, int32(s.Valid.From), int32(s.Valid.To))
	}
	days = append(days, int32(failed))
	slices.Sort(days)
	days = append(slices.Compact(days), math.MaxInt32)
	var out []stretch
	for _, v := range []struct{ past, drafts bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		var open *stretch
		for i, day := range days[:len(days)-1] {
			today := document.Day(day)
			if v.past {
				today++
			}
			bit := variantOf(document.Day(day), today, v.drafts)
			n := rules.InForce(len(list), func(i int) rules.Standing { return list[i] }, failed, document.Day(day), today, v.drafts)
			switch {
			case n < 0:
				open = nil
			case open != nil && open.revision == n:
				open.until = days[i+1]
			default:
				out = append(out, stretch{n, bit, day, days[i+1]})
				open = &out[len(out)-1]
			}
		}
	}
	return merge(out)
}

// merge makes one of stretches that are the same for several variants.
func merge(list []stretch) []stretch {
	var out []stretch
	for _, s := range list {
		i := slices.IndexFunc(out, func(o stretch) bool { return o.revision == s.revision && o.since == s.since && o.until == s.until })
		if i < 0 {
			out = append(out, s)
			continue
		}
		out[i].variants |= s.variants
	}
	return out
}

// standing is a revision as the days in force need it.
type standing struct {
	rules.Standing
	id         int64
	tenant     string
	class      int32
	forgotten  bool
	attributes map[string][]string
	passages   int
	lengths    []int64
	headings   int
	outlines   []int64
}

// putInForce makes anew the days on which the revisions of the documents that were touched
// are in force, and notes of which tenants these documents are.
func (a *applier) putInForce() error {
	docs := keys(a.touched)
	if len(docs) == 0 {
		return nil
	}
	slices.Sort(docs)
	type standings struct {
		source string
		failed document.Day
		tenant *string // of the failure
		list   []standing
	}
	all := map[int64]*standings{}
	var doc int64
	var source string
	var failed document.Day
	var tenant *string
	if err := a.each("SELECT d.id, d.source, coalesce(f.seen_day, 0), f.tenant FROM document d LEFT JOIN failure f ON f.document = d.id WHERE d.id = ANY($1)",
		[]any{docs}, []any{&doc, &source, &failed, &tenant}, func() error {
			all[doc] = &standings{source: source, failed: failed, tenant: tenant}
			return nil
		}); err != nil {
		return err
	}
	var s standing
	var raw []byte
	if err := a.each(`SELECT document, id, status, valid_from, valid_to, tenant, class, forgotten, metadata, passages, lengths, headings, outlines
		FROM revision WHERE document = ANY($1) ORDER BY document, id`, []any{docs},
		[]any{&doc, &s.id, &s.Status, &s.Valid.From, &s.Valid.To, &s.tenant, &s.class, &s.forgotten, &raw, &s.passages, &s.lengths, &s.headings, &s.outlines}, func() error {
			var m document.Metadata
			if err := json.Unmarshal(raw, &m); err != nil {
				return err
			}
			s.attributes = m.Attributes
			one := s
			one.lengths, one.outlines = slices.Clone(s.lengths), slices.Clone(s.outlines)
			all[doc].list = append(all[doc].list, one)
			return nil
		}); err != nil {
		return err
	}
	var rows [][]any
	var first, second []string
	var days []document.Day
	for _, doc := range docs {
		d := all[doc]
		var tenants []string
		standing := make([]rules.Standing, len(d.list))
		for i, s := range d.list {
			standing[i] = s.Standing
		}
		if n := len(d.list); n > 0 {
			newest := &d.list[n-1]
			tenants = []string{newest.tenant}
			for _, t := range stretches(standing, d.failed) {
				s := &d.list[t.revision]
				class := s.class
				attributes, err := attributesOf(s.attributes)
				if err != nil {
					return err
				}
				if s.tenant != newest.tenant {
					class, attributes = 0, nil
				}
				rows = append(rows, []any{doc, s.id, int16(t.variants), t.since, t.until, newest.tenant, class, newest.class, d.source, s.forgotten,
					attributes, s.passages, s.lengths, s.headings, s.outlines})
			}
		}
		if d.tenant != nil || len(tenants) == 0 {
			tenants = append(tenants, deref(d.tenant))
		}
		first, second, days = append(first, tenants[0]), append(second, tenants[len(tenants)-1]), append(days, d.failed)
	}
	if err := a.do(`UPDATE document d SET tenants = ARRAY[a.one, a.two], failed = a.failed FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) a (id, one, two, failed)
		WHERE d.id = a.id AND (d.tenants, d.failed) IS DISTINCT FROM (ARRAY[a.one, a.two], a.failed)`, docs, first, second, days); err != nil {
		return err
	}
	if err := a.do("DELETE FROM in_force WHERE document = ANY($1)", docs); err != nil {
		return err
	}
	return a.copy("in_force", []string{"document", "revision", "variants", "since", "until", "tenant", "class", "newest", "source", "forgotten",
		"attributes", "passages", "lengths", "headings", "outlines"}, rows)
}

// attributesOf is the text of attributes, nil where there are none.
func attributesOf(attributes map[string][]string) (*string, error) {
	if len(attributes) == 0 {
		return nil, nil
	}
	cleaned := make(map[string][]string, len(attributes))
	for key, values := range attributes {
		cleaned[clean(key)] = append([]string{}, cleanAll(values)...)
	}
	raw, err := json.Marshal(cleaned)
	text := string(raw)
	return &text, err
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
