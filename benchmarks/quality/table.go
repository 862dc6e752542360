package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/evaluate"
)

// The marks in quality.md between which the tables stand.
const (
	begin = "<!-- The tables from here on are written by `go run ./benchmarks/quality`: do not edit them. -->"
	end   = "<!-- The tables end here. -->"
)

// tables are a file in three parts, the middle one by name of its set.
type tables struct {
	before, after string
	sets          map[string]string
}

// readTables takes a file apart.
func readTables(file string) (tables, error) {
	t := tables{sets: map[string]string{}}
	b, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	before, rest, ok := strings.Cut(string(b), begin+"\n")
	middle, after, ended := strings.Cut(rest, end+"\n")
	if !ok || !ended {
		return t, errors.New(file + " lacks the two marks between which the tables stand: " + begin + " and " + end)
	}
	t.before, t.after = before, after
	for i, part := range strings.Split("\n"+middle, "\n### ") {
		if i == 0 {
			continue
		}
		name, table, _ := strings.Cut(part, "\n")
		t.sets[name] = strings.Trim(table, "\n") + "\n"
	}
	return t, nil
}

// String puts the file together: the known sets in their order, then others by name.
func (t tables) String() string {
	names := slices.Sorted(maps.Keys(t.sets))
	order := func(name string) int {
		if i := slices.Index(known, name); i >= 0 {
			return i
		}
		return len(known)
	}
	slices.SortStableFunc(names, func(a, b string) int { return order(a) - order(b) })
	var b strings.Builder
	b.WriteString(t.before + begin + "\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\n### %s\n\n%s", name, t.sets[name])
	}
	b.WriteString("\n" + end + "\n" + t.after)
	return b.String()
}

// writeTable replaces the tables of one set in the file, at once.
func writeTable(file, set, table string) error {
	t, err := readTables(file)
	if err != nil {
		return err
	}
	t.sets[set] = strings.Trim(table, "\n") + "\n"
	f, err := os.CreateTemp(filepath.Dir(file), ".quality-*.md")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(t.String()); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// row is a line of a table.
type row struct {
	name   string
	values map[string]evaluate.Value
}

// columns are those of the metrics that were measured.
func columns(have map[string]evaluate.Value, names []string) []string {
	var list []string
	for _, name := range names {
		if _, ok := have[name]; ok {
			list = append(list, name)
		}
	}
	return list
}

func writeRows(b *strings.Builder, corner string, header []string, rows []row) {
	fmt.Fprintf(b, "| %s |", corner)
	for _, h := range header {
		fmt.Fprintf(b, " %s |", h)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(header)+1) + "\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s |", r.name)
		for _, h := range header {
			v := r.values[h]
			text := cell(v)
			if slices.Contains(answering, h) && v.N > 0 {
				text += fmt.Sprintf(", n=%d", v.N) // each has a number of its own
			}
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteString("\n")
	}
}

// cell is a value with its interval; without judgements it is a dash.
func cell(v evaluate.Value) string {
	if v.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", v.Value, v.Low, v.High)
}
