package postgres

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
	"github.com/seed-d3156d19/quarry/store/postgres/internal/lanes"
)

// A scope is compiled into conditions on table in_force, with named arguments:
//
//	v_tenant, v_classes       whom it may be of, by access classes that admit the scope
//	v_day, v_variant          the day and kind of the view
//	v_today, v_now            those of the statistics
//	v_sources, v_key.., v_values..  what the scope asks for
//	v_documents, v_passages, v_sections  what the view is restricted to
//
// admitted is what both the relations of a view and the counts of what it leaves out begin with.
const admitted = "f.tenant = @v_tenant AND f.newest = ANY(@v_classes)"

// onDay is a condition on the days of a row.
func onDay(day, variant string) string {
	return fmt.Sprintf("f.variants & @%s <> 0 AND f.since <= @%s AND @%s < f.until", variant, day, day)
}

// population is a condition on whom the statistics count.
var population = admitted + " AND f.class = ANY(@v_classes) AND NOT f.forgotten AND " + onDay("v_today", "v_now")

// compiled is a scope compiled for a view.
type compiled struct {
	lanes.Scope
	// conditions on f, a row of in_force, that the view sees the revision.
	conditions string
}

// compile makes the relations of a view. classes are the access classes of its tenant.
func (v *view) compile(classes []storedClass) {
	scope := &v.scope
	c := &v.compiled
	admit := make([]int32, 0, len(classes))
	for _, x := range classes {
		if scope.Admits(x.access) {
			admit = append(admit, x.id)
		}
	}
	c.Tenant = clean(scope.Tenant)
	c.Args = pgx.NamedArgs{
		"v_tenant": c.Tenant, "v_classes": admit,
		"v_day": v.day, "v_variant": int16(variantOf(v.day, v.today, scope.Drafts)),
		"v_today": v.today, "v_now": int16(variantOf(v.today, v.today, false)),
	}
	c.conditions = admitted + " AND f.class = ANY(@v_classes) AND " + onDay("v_day", "v_variant")
	if len(scope.Sources) > 0 {
		c.conditions += " AND f.source = ANY(@v_sources)"
		c.Args["v_sources"] = cleanAll(scope.Sources)
	}
	for i, key := range slices.Sorted(maps.Keys(scope.Where)) {
		n := strconv.Itoa(i)
		c.conditions += " AND (f.attributes IS NULL OR NOT (f.attributes ? @v_key" + n + " AND NOT f.attributes -> @v_key" + n + " ?| @v_values" + n + "))"
		c.Args["v_key"+n], c.Args["v_values"+n] = clean(key), append([]string{}, cleanAll(scope.Where[key])...)
	}
	c.Population = relation(population)
	c.Seen = relation(c.conditions + " AND NOT f.forgotten")
	key := func(s *document.Scope, day document.Day) string {
		return strconv.FormatInt(v.commit.Sequence, 10) + " " + rules.ScopeKey(s, day, v.today)
	}
	c.SeenKey = key(scope, v.day)
	c.PopulationKey = key(&document.Scope{Tenant: scope.Tenant, Principals: scope.Principals, Administrator: scope.Administrator}, v.today)
}

func relation(conditions string) string {
	return "(SELECT f.document, f.revision FROM in_force f WHERE " + conditions + ")"
}

// seenOf joins, as s, the revision that the view sees of a document. Where a statement begins
// with few documents, or passages, the relation of all that is seen may not come first, whatever
// the server believes of their numbers: OFFSET keeps it where it stands.
func (c *compiled) seenOf(document string) string {
	return "CROSS JOIN LATERAL (SELECT f.document, f.revision FROM in_force f WHERE f.document = " + document + " AND NOT f.forgotten AND " + c.conditions + " OFFSET 0) s"
}

// restrict narrows the relation to documents, and with passages to those and to sections.
func (c *compiled) restrict(documents, passages, sections []int64) {
	c.Args = maps.Clone(c.Args)
	c.SeenKey = ""
	if !strings.Contains(c.conditions, "@v_documents") {
		c.conditions += " AND f.document = ANY(@v_documents)"
	}
	c.Args["v_documents"] = documents
	c.Seen = relation(c.conditions + " AND NOT f.forgotten")
	if c.Passages = passages; passages != nil {
		c.Sections = sections
		c.Args["v_passages"], c.Args["v_sections"] = passages, sections
	}
}

// storedClass is an access class.
type storedClass struct {
	id     int32
	access document.Access
}

// classes remembers the access classes of tenants, which are never changed.
type classes struct {
	mu   sync.Mutex
	made map[string][]storedClass // in the order of their ids
}

// cachedTenants bounds how many tenants are remembered.
const cachedTenants = 1024

// after is the id of the last class that is known of a tenant.
func (c *classes) after(tenant string) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list := c.made[tenant]; len(list) > 0 {
		return list[len(list)-1].id
	}
	return 0
}

// add appends classes that were read after one, and returns all of the tenant.
func (c *classes) add(tenant string, news []storedClass) []storedClass {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.made[tenant]
	for _, n := range news {
		if len(list) == 0 || list[len(list)-1].id < n.id {
			list = append(slices.Clip(list), n)
		}
	}
	if c.made == nil || len(c.made) >= cachedTenants {
		c.made = map[string][]storedClass{}
	}
	if len(list) > 0 {
		c.made[tenant] = list
	}
	return list
}

func (c *storedClass) read(text string) error {
	c.access = document.Access{}
	return json.Unmarshal([]byte(text), &c.access)
}
