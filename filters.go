package quarry

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/query"
	"github.com/seed-d3156d19/quarry/store"
)

// filtering is what a scope's filters do with what the asker may read.
type filtering struct {
	counts  map[string]int // documents left out, by filter, for the trace
	notes   []string       // the same in words
	notices []string       // what the asker should know of it
}

// filters asks a view what its scope leaves out, of which plan says the attributes; seen is
// how many documents it sees.
func filters(ctx context.Context, view store.View, plan query.Plan, seen int) (filtering, error) {
	left, err := view.Filtered(ctx)
	if err != nil {
		return filtering{}, fmt.Errorf("counting what the scope leaves out: %w", err)
	}
	f := filtering{counts: map[string]int{}}
	var why []string
	count := func(name string, n int, what string) {
		if n > 0 {
			f.counts[name] = n
			why = append(why, fmt.Sprintf("%d %s", n, what))
		}
	}
	count("sources", left.Sources, "of other sources")
	count("validity", left.Validity, fmt.Sprintf("not in force on %s", view.Day()))
	count("drafts", left.Drafts, "only drafts")
	for _, key := range slices.Sorted(maps.Keys(left.Attributes)) {
		count("where "+key, left.Attributes[key], fmt.Sprintf("not for %s", where(key, plan.Where[key])))
	}
	for _, key := range slices.Sorted(maps.Keys(plan.Named)) {
		f.notes = append(f.notes, "the question names "+where(key, plan.Named[key]))
	}
	if len(why) > 0 {
		f.notes = append(f.notes, "left out: "+strings.Join(why, ", "))
	}
	if seen == 0 && len(why) > 0 {
		f.notices = append(f.notices, "the scope leaves nothing to search: left out are "+strings.Join(why, ", "))
	}
	for _, key := range slices.Sorted(maps.Keys(plan.Where)) {
		if n := unmatched(key, plan.Where[key], left.Values[key]); n != "" {
			f.notices = append(f.notices, n)
		}
	}
	return f, nil
}

// unmatched says that no document carries any of the values asked for, "" where one does.
func unmatched(key string, asked, known []string) string {
	if slices.ContainsFunc(asked, func(a string) bool { return slices.Contains(known, a) }) {
		return ""
	}
	if len(known) == 0 {
		return fmt.Sprintf("no document says a %s, so %s leaves nothing out", key, where(key, asked))
	}
	return fmt.Sprintf("no document is for %s, so only those that say no %s are searched; known are %s", where(key, asked), key, some(known))
}

func where(key string, values []string) string { return key + "=" + some(values) }

// namedValues is how many values a sentence names.
const namedValues = 10

func some(values []string) string {
	if more := len(values) - namedValues; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(values[:namedValues], ", "), more)
	}
	return strings.Join(values, ", ")
}
