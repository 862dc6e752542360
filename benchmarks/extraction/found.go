package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/extract/ocr"
	"github.com/seed-d3156d19/quarry/internal/grid"
)

// reading is what a document was read as.
type reading struct {
	Outcome string   // "read", or why it was refused
	Format  string   // as extraction tells it
	Scanned bool     // text of it is in images
	Words   []string // all, in order
	Heads   []string // the words of each heading
	Cells   []string // the words of each cell of a table that is not empty
}

var (
	anyWord     = regexp.MustCompile(`[\pL\pN]+`)
	pictureMark = regexp.MustCompile(`<!--.*?-->`)
)

func wordsOf(s string) []string { return anyWord.FindAllString(strings.ToLower(s), -1) }

func joined(s string) string { return strings.Join(wordsOf(s), " ") }

// read reads a file as quarry add does, text in images where tesseract is installed.
func read(path string) (reading, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return reading{}, err
	}
	var by ocr.Recogniser
	if t, err := ocr.Find(nil); err == nil && t.Check() == nil {
		by = t
	}
	x, err := extract.ExtractScans(context.Background(), filepath.Base(path), data, by)
	if err == nil {
		_, err = extract.Report(x)
	}
	switch {
	case errors.Is(err, extract.ErrUnsupported):
		return reading{Outcome: "skipped: " + err.Error()}, nil
	case err != nil:
		return reading{Outcome: "refused: " + err.Error()}, nil
	}
	r := found(x)
	r.Outcome, r.Scanned = "read", x.Scanned
	return r, nil
}

func found(x extract.Extracted) reading {
	r := reading{Format: x.Format, Words: wordsOf(x.Text)}
	for _, b := range x.Blocks {
		switch b.Kind {
		case extract.Heading:
			r.Heads = append(r.Heads, joined(b.Text))
		case extract.Table:
			for _, row := range append(slices.Clone(b.Header), b.Rows...) {
				for _, c := range grid.Cells(row.Of(x.Text)) {
					if words := joined(c); words != "" {
						r.Cells = append(r.Cells, words)
					}
				}
			}
		}
	}
	return r
}

// other is what the Markdown beside a sample holds.
func (o original) other() (reading, bool) {
	data, err := os.ReadFile(o.markdown)
	if err != nil {
		return reading{}, false
	}
	x, err := extract.Extract("a.md", []byte(pictureMark.ReplaceAllString(string(data), "")))
	if err != nil {
		return reading{}, false
	}
	return found(x), true
}

// lacking are those of want, as often as each stands there, that got has not.
func lacking(got, want []string) []string {
	have := map[string]int{}
	for _, s := range got {
		have[s]++
	}
	var out []string
	for _, s := range want {
		if have[s]--; have[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

func sayOne(path string) error {
	r, err := read(path)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

func ratio(got, want []string) string {
	if len(want) == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", len(want)-len(lacking(got, want)), len(want))
}
