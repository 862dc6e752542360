// Command extraction reads the shared samples of documents, compares what it finds with
// the Markdown of another tool that lies beside them, and its processor time with that
// of pdftotext, pandoc and markitdown in the same run. It is run from the project's
// root and prints Markdown; see README.md.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	samples := flag.String("samples", "../shared/sets/parser_samples", "the folder of samples")
	pandoc := flag.String("pandoc", "pandoc", "the program pandoc")
	markitdown := flag.String("markitdown", "markitdown", "the program markitdown, as pip installs it")
	rounds := flag.Int("rounds", 3, "measurements of each time, the least of which counts")
	each := flag.Int("others", 1000, "files of each format, the first, that the other programs read as well: the start of some takes seconds")
	one := flag.String("one", "", "only read this file and say what was found, as a line of JSON (the command calls itself)")
	sample := flag.Int("sample", 0, "instead of tables, list the differences of so many files chosen by a fixed seed")
	page := flag.String("write", "", "the page whose tables are replaced, benchmarks/extraction.md; without it they are printed")
	flag.Parse()
	var err error
	switch {
	case *one != "":
		err = sayOne(*one)
	case *sample > 0:
		err = differences(*samples, *sample)
	default:
		err = write(*page, func(w io.Writer) error {
			return tables(w, *samples, max(1, *rounds), *each, others(*pandoc, *markitdown))
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "extraction:", err)
		os.Exit(1)
	}
}

// marker stands above what the command writes.
const marker = "<!-- The tables from here on are written by `go run ./benchmarks/extraction -write benchmarks/extraction.md`: do not edit them. -->\n"

// write prints tables, or puts them below the marker of a page once all are there.
func write(page string, tables func(io.Writer) error) error {
	if page == "" {
		return tables(os.Stdout)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	above, _, ok := strings.Cut(string(text), marker)
	if !ok {
		return fmt.Errorf("%s has no line that says where tables are written: %s", page, marker)
	}
	var b bytes.Buffer
	b.WriteString(above + marker + "\n")
	if err := tables(&b); err != nil {
		return err
	}
	return os.WriteFile(page, b.Bytes(), 0o644)
}

// original is a sample with the Markdown that another tool made of it, if it did.
type original struct {
	path     string
	name     string // with its folder
	markdown string // a path, "" if there is none
}

// originals are all samples, in the order of their names.
func originals(root string) ([]original, error) {
	var out []original
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(p, "groundtruth") || filepath.Dir(p) == filepath.Clean(root) {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		out = append(out, original{path: p, name: strings.Replace(filepath.ToSlash(rel), "/sources/", "/", 1), markdown: beside(p)})
		return nil
	})
	if err == nil && len(out) == 0 {
		err = errors.New("there are no samples: name their folder with -samples")
	}
	return out, err
}

// beside is the Markdown of a sample: under its name with .md behind, or for its ending.
func beside(p string) string {
	base := filepath.Base(p)
	dir := filepath.Join(filepath.Dir(filepath.Dir(p)), "groundtruth")
	for _, name := range []string{base + ".md", strings.TrimSuffix(base, filepath.Ext(base)) + ".md"} {
		if path := filepath.Join(dir, name); filepath.Base(filepath.Dir(p)) == "sources" {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	return ""
}
