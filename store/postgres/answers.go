package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// answers remembers what views of one commit and scope were told that every question asks
// for and that takes a look at each document.
type answers struct {
	mu   sync.Mutex
	made map[string]*answer // by lanes.Scope.SeenKey
}

// cachedScopes is how many are remembered.
const cachedScopes = 64

// answer is what is known of a scope at a commit. Who asks first looks it up.
type answer struct {
	mu         sync.Mutex
	counts     *counts
	population *lanes.Tally
	vectors    map[store.Model]int
	filtered   *store.Filtered
	attributes map[string][]string
}

func (a *answers) of(key string) *answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.made[key]
	if out == nil {
		if a.made == nil || len(a.made) >= cachedScopes {
			a.made = map[string]*answer{}
		}
		out = &answer{}
		a.made[key] = out
	}
	return out
}

// counts are those of a view, but for the vectors.
type counts struct {
	documents, forgotten, failed int
	tally                        lanes.Tally
}

const (
	// heldBy is a condition that revision s of a relation holds passage p.
	heldBy = "p.tenant = @v_tenant AND p.document = s.document AND p.first <= s.revision AND s.revision < p.gone"
	// sums are the tallies of rows of in_force.
	sums = `count(*) FILTER (WHERE NOT f.forgotten), count(*) FILTER (WHERE f.forgotten),
		coalesce(sum(f.passages) FILTER (WHERE NOT f.forgotten), 0)::bigint, coalesce(sum(f.headings) FILTER (WHERE NOT f.forgotten), 0)::bigint,
		coalesce(sum(f.lengths[1]) FILTER (WHERE NOT f.forgotten), 0)::bigint, coalesce(sum(f.lengths[2]) FILTER (WHERE NOT f.forgotten), 0)::bigint, coalesce(sum(f.lengths[3]) FILTER (WHERE NOT f.forgotten), 0)::bigint,
		coalesce(sum(f.outlines[1]) FILTER (WHERE NOT f.forgotten), 0)::bigint, coalesce(sum(f.outlines[2]) FILTER (WHERE NOT f.forgotten), 0)::bigint, coalesce(sum(f.outlines[3]) FILTER (WHERE NOT f.forgotten), 0)::bigint`
)

// tell scans sums.
func (c *counts) tell(row pgx.Row) error {
	t := &c.tally
	return row.Scan(&c.documents, &c.forgotten, &t.Passages, &t.Sections, &t.Lengths[0], &t.Lengths[1], &t.Lengths[2], &t.Outlines[0], &t.Outlines[1], &t.Outlines[2])
}

// seesPassage is heldBy for the passages that the view is restricted to.
func (v *view) seesPassage() string {
	if v.compiled.Passages != nil {
		return heldBy + " AND p.id = ANY(@v_passages)"
	}
	return heldBy
}

// failures selects the documents that the view sees have failed.
func (v *view) failures(columns string) string {
	sql := `SELECT ` + columns + ` FROM failure x JOIN document d ON d.id = x.document
		WHERE x.tenant = @v_tenant AND x.class = ANY(@v_classes) AND (x.seen_day <= @v_day OR @v_today <= @v_day)`
	if len(v.scope.Sources) > 0 {
		sql += " AND d.source = ANY(@v_sources)"
	}
	if v.restricted {
		sql += " AND d.id = ANY(@v_documents)"
	}
	return sql
}

// count counts what the view sees; the caller holds answers.mu.
func (v *view) count(ctx context.Context, q querier) (*counts, error) {
	if c := v.answers.counts; c != nil {
		return c, nil
	}
	c := &counts{}
	args := v.args(pgx.NamedArgs{})
	if err := c.tell(q.QueryRow(ctx, "SELECT "+sums+" FROM in_force f WHERE "+v.compiled.conditions, args)); err != nil {
		return nil, err
	}
	if err := q.QueryRow(ctx, v.failures("count(*)"), args).Scan(&c.failed); err != nil {
		return nil, err
	}
	if v.restricted {
		c.forgotten = 0
	}
	if v.compiled.Passages != nil {
		c.tally = lanes.Tally{Passages: len(v.compiled.Passages), Sections: len(v.compiled.Sections)}
	}
	v.answers.counts = c
	return c, nil
}

// Counts implements store.View.
func (v *view) Counts(ctx context.Context) (out store.Counts, err error) {
	err = v.reads(ctx, "counting", func(q *reading) error {
		v.answers.mu.Lock()
		defer v.answers.mu.Unlock()
		c, err := v.count(ctx, q)
		if err != nil {
			return err
		}
		if v.answers.vectors == nil {
			if v.answers.vectors, err = v.countVectors(ctx, q); err != nil {
				return err
			}
		}
		out = store.Counts{Documents: c.documents, Failed: c.failed, Forgotten: c.forgotten, Sections: c.tally.Sections, Passages: c.tally.Passages,
			Vectors: maps.Clone(v.answers.vectors)}
		return nil
	})
	return out, err
}

func (v *view) countVectors(ctx context.Context, q querier) (map[store.Model]int, error) {
	out := map[store.Model]int{}
	models, err := modelRows(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		if m.keys == 0 {
			continue
		}
		var n int
		if err := q.QueryRow(ctx, fmt.Sprintf(`SELECT count(*) FROM %s s JOIN passage p ON %s
			WHERE EXISTS (SELECT FROM %s e WHERE e.key = p.key AND e.tenant = p.tenant)`, v.compiled.Seen, v.seesPassage(), m.table().Name), v.args(pgx.NamedArgs{})).Scan(&n); err != nil {
			return nil, err
		}
		if n > 0 {
			out[m.Model] = n
		}
	}
	return out, nil
}

// Attributes implements store.View.
func (v *view) Attributes(ctx context.Context) (out map[string][]string, err error) {
	err = v.reads(ctx, "listing attributes", func(q *reading) error {
		v.answers.mu.Lock()
		defer v.answers.mu.Unlock()
		if v.answers.attributes == nil {
			all := rules.Values{}
			var attributes map[string][]string
			if err := v.asks(ctx, q, "SELECT DISTINCT f.attributes FROM in_force f WHERE f.attributes IS NOT NULL AND NOT f.forgotten AND "+v.compiled.conditions,
				pgx.NamedArgs{}, []any{&attributes}, func() error {
					for key, values := range attributes {
						all.Add(key, values)
					}
					attributes = nil
					return nil
				}); err != nil {
				return err
			}
			v.answers.attributes = all.Lists()
		}
		out = rules.CloneLists(v.answers.attributes)
		return nil
	})
	return out, err
}

// Filtered implements store.View. A restricted view has the answer of the whole one.
func (v *view) Filtered(ctx context.Context) (out store.Filtered, err error) {
	err = v.reads(ctx, "counting what a scope leaves out", func(q *reading) error {
		v.whole.mu.Lock()
		defer v.whole.mu.Unlock()
		if v.whole.filtered == nil {
			found, err := v.filter(ctx, q)
			if err != nil {
				return err
			}
			v.whole.filtered = found
		}
		out = *v.whole.filtered
		out.Attributes, out.Values = maps.Clone(out.Attributes), rules.CloneLists(out.Values)
		return nil
	})
	return out, err
}

// filter counts every document whose newest revision admits the scope and that has not
// failed on the day, by its revision in force, n, and by the draft that would be, x.
func (v *view) filter(ctx context.Context, q querier) (*store.Filtered, error) {
	out, values := &store.Filtered{Attributes: map[string]int{}}, rules.Values{}
	scope := &v.scope
	carried := "NULL::jsonb"
	if len(scope.Where) > 0 {
		carried = "n.attributes"
	}
	more := pgx.NamedArgs{"v_draft": int16(variantOf(v.day, v.today, true))}
	var source string
	var inForce, readable, draft bool
	var attributes map[string][]string
	var documents int
	err := v.asks(ctx, q, `SELECT d.source, n.document IS NOT NULL, coalesce(n.class = ANY(@v_classes), false), `+carried+`, coalesce(x.class = ANY(@v_classes), false), count(*)
		FROM document d
		LEFT JOIN in_force n ON n.document = d.id AND n.variants & @v_variant <> 0 AND n.since <= @v_day AND @v_day < n.until
		LEFT JOIN in_force x ON n.document IS NULL AND x.document = d.id AND x.variants & @v_draft <> 0 AND x.since <= @v_day AND @v_day < x.until
		WHERE d.tenants[1] = @v_tenant AND d.class = ANY(@v_classes) AND NOT (d.failed <> 0 AND (d.failed <= @v_day OR @v_today <= @v_day))
		GROUP BY 1, 2, 3, 4, 5`, more,
		[]any{&source, &inForce, &readable, &attributes, &draft, &documents}, func() error {
			has := attributes
			attributes = nil
			switch {
			case inForce && !readable:
			case len(scope.Sources) > 0 && !slices.Contains(scope.Sources, source):
				out.Sources += documents
			case !inForce && draft:
				out.Drafts += documents
			case !inForce:
				out.Validity += documents
			default:
				for key, wanted := range scope.Where {
					if rules.Excludes(has, key, wanted) {
						out.Attributes[key] += documents
					}
					values.Add(key, has[key])
				}
			}
			return nil
		})
	out.Values = values.Lists()
	return out, err
}
