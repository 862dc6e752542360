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

// standings is a document as the days in force need it.
type standings struct {
	document  int64
	source    string
	failed    document.Day // 0 where it did not
	failureOf *string      // tenant
	list      []standing   // the oldest first
}

// putInForce makes anew the days on which the revisions of the documents that were touched
// are in force, and notes whose these documents are.
func (a *applier) putInForce() error {
	docs := keys(a.touched)
	if len(docs) == 0 {
		return nil
	}
	slices.Sort(docs)
	all, err := a.standings(docs)
	if err != nil {
		return err
	}
	var rows [][]any
	var newest, failures []string // tenants
	var classes []int32
	var days []document.Day
	for _, doc := range docs {
		d := all[doc]
		if rows, err = d.rows(rows); err != nil {
			return err
		}
		tenant, class, failureOf := d.whose()
		newest, failures, classes, days = append(newest, tenant), append(failures, failureOf), append(classes, class), append(days, d.failed)
	}
	if err := a.do(`UPDATE document d SET tenants = ARRAY[a.newest, a.failure], class = a.class, failed = a.failed
		FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::int[]) a (id, newest, failure, class, failed)
		WHERE d.id = a.id AND (d.tenants, d.class, d.failed) IS DISTINCT FROM (ARRAY[a.newest, a.failure], a.class, a.failed)`,
		docs, newest, failures, classes, days); err != nil {
		return err
	}
	if err := a.do("DELETE FROM in_force WHERE document = ANY($1)", docs); err != nil {
		return err
	}
	return a.insert([]table{{"in_force", rows, []string{"document", "revision", "variants", "since", "until", "tenant", "class", "newest", "source", "forgotten",
		"attributes", "passages", "lengths", "headings", "outlines"}}})
}

// standings reads documents by their rows.
func (a *applier) standings(docs []int64) (map[int64]*standings, error) {
	all := map[int64]*standings{}
	var d standings
	if err := a.each("SELECT d.id, d.source, coalesce(f.seen_day, 0), f.tenant FROM document d LEFT JOIN failure f ON f.document = d.id WHERE d.id = ANY($1)",
		[]any{docs}, []any{&d.document, &d.source, &d.failed, &d.failureOf}, func() error {
			one := d
			all[d.document] = &one
			return nil
		}); err != nil {
		return nil, err
	}
	var doc int64
	var s standing
	var raw []byte
	return all, a.each(`SELECT document, id, status, valid_from, valid_to, tenant, class, forgotten, metadata, passages, lengths, headings, outlines
		FROM revision WHERE document = ANY($1) ORDER BY document, id`, []any{docs},
		[]any{&doc, &s.id, &s.Status, &s.Valid.From, &s.Valid.To, &s.tenant, &s.class, &s.forgotten, &raw, &s.passages, &s.lengths, &s.headings, &s.outlines}, func() error {
			var m document.Metadata
			if err := json.Unmarshal(raw, &m); err != nil {
				return err
			}
			one := s
			one.attributes, one.lengths, one.outlines = m.Attributes, slices.Clone(s.lengths), slices.Clone(s.outlines)
			all[doc].list = append(all[doc].list, one)
			return nil
		})
}

// rows appends those of in_force.
func (d *standings) rows(rows [][]any) ([][]any, error) {
	list := make([]rules.Standing, len(d.list))
	for i, s := range d.list {
		list[i] = s.Standing
	}
	for _, t := range stretches(list, d.failed) {
		s, newest := &d.list[t.revision], &d.list[len(d.list)-1]
		class := s.class
		attributes, err := attributesOf(s.attributes)
		if err != nil {
			return nil, err
		}
		if s.tenant != newest.tenant {
			class, attributes = 0, nil
		}
		rows = append(rows, []any{d.document, s.id, int16(t.variants), t.since, t.until, newest.tenant, class, newest.class, d.source, s.forgotten,
			attributes, s.passages, s.lengths, s.headings, s.outlines})
	}
	return rows, nil
}

// whose tells the tenant and the class of the newest revision, and the tenant of the failure;
// where there is one of them alone, its tenant is both.
func (d *standings) whose() (tenant string, class int32, failureOf string) {
	if n := len(d.list); n > 0 {
		tenant, class = d.list[n-1].tenant, d.list[n-1].class
	} else if d.failureOf != nil {
		tenant = *d.failureOf
	}
	if failureOf = tenant; d.failureOf != nil {
		failureOf = *d.failureOf
	}
	return tenant, class, failureOf
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
