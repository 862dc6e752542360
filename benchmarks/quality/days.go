package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/store/local"
)

// days is the name of a table of its own: what validity and the words of questions change
// on sets that are not about days. Where no question is put to another day and nothing is
// inferred of a document, no figure of the set can differ.
const days = "days"

// dayTable indexes the sets by words alone and counts.
func (b bench) dayTable(ctx context.Context, sets []located) (string, error) {
	var out strings.Builder
	out.WriteString("Sets whose documents have no versions: of how many documents validity is inferred of their names, how many questions hold words that may say " +
		"a day, and how many are then put to another day than today. Of the others no figure can differ by it.\n\n" +
		"| set | validity inferred | questions | with words of a day | of them put to another day |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range sets {
		if s.dir == "" || s.name == validity || s.name == versionedSet || s.name == days {
			continue
		}
		set, _, err := evaluate.Load(s.dir)
		if err != nil {
			b.say("%s cannot be measured: %v", s.name, err)
			continue
		}
		set.Name = s.name
		row, err := b.daysOf(ctx, set)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.name, err)
		}
		out.WriteString(row)
	}
	return out.String(), nil
}

func (b bench) daysOf(ctx context.Context, set evaluate.Set) (string, error) {
	dir, err := os.MkdirTemp("", "quality")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	s, err := local.Open(ctx, filepath.Join(dir, "quarry.db"), local.Options{})
	if err != nil {
		return "", err
	}
	defer s.Close()
	b.embedder = nil
	corpus, err := b.corpus(s, words)
	if err != nil {
		return "", err
	}
	report, err := b.into(ctx, corpus, view{set: set})
	if err != nil {
		return "", err
	}
	said, moved := 0, 0
	for _, q := range set.Questions {
		scope := q.Scope
		scope.AsOf = 0 // the words alone
		r, err := corpus.Search(ctx, q.Text, scope)
		if err != nil {
			return "", err
		}
		if r.AsOf.Words != "" {
			said++
		}
		if r.AsOf.ByWords() {
			moved++
			b.say("%s: %s: %s for %s, asked as of %q", set.Name, q.ID, r.AsOf.Why, r.AsOf.Day, q.Scope.AsOf)
		}
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d |\n", set.Name, report.Inferred, len(set.Questions), said, moved), nil
}
