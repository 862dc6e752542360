package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The tables stand between these lines; what is around them is kept by hand.
const (
	begin = "<!-- The tables from here on are written by `go run . -write`: do not edit them. -->"
	end   = "<!-- The tables end here. -->"
)

func heading(passages int) string { return "## " + strconv.Itoa(passages) + " passages" }

// Check reports whether tables can be written into a file, before hours of work.
func Check(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, _, _, err = split(b)
	return err
}

// Write puts the section of a run into a file, in place of the one of the same size, and
// keeps the sections in the order of sizes.
func (r Run) Write(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, sections, after, err := split(b)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	sections = slices.DeleteFunc(sections, func(s string) bool { return sizeOf(s) == r.Passages })
	sections = append(sections, strings.TrimSpace(r.Markdown())+"\n")
	slices.SortFunc(sections, func(a, b string) int { return cmp.Compare(sizeOf(a), sizeOf(b)) })
	text := before + begin + "\n\n" + strings.Join(sections, "\n") + "\n" + end + after
	return os.WriteFile(file, []byte(text), 0o644)
}

// split cuts a file into what stands before the tables, the sections, and the rest.
func split(b []byte) (before string, sections []string, after string, err error) {
	head, rest, ok := bytes.Cut(b, []byte(begin))
	tables, tail, ended := bytes.Cut(rest, []byte(end))
	if !ok || !ended {
		return "", nil, "", fmt.Errorf("it lacks the lines between which the tables stand: %s and %s", begin, end)
	}
	for part := range strings.SplitSeq("\n"+strings.TrimSpace(string(tables)), "\n## ") {
		if part = strings.TrimSpace(part); part != "" {
			sections = append(sections, "## "+part+"\n")
		}
	}
	return string(head), sections, string(tail), nil
}

func sizeOf(section string) int {
	var n int
	fmt.Sscanf(section, "## %d passages", &n)
	return n
}
