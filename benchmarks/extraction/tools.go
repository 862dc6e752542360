package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// tool is a program that is compared with.
type tool struct {
	name    string
	program string
	endings []string // that it reads
	args    func(file, format string) []string
	start   float64 // seconds of processor time for next to nothing
}

// pandocFrom are the formats that pandoc reads, by ending.
var pandocFrom = map[string]string{"docx": "docx", "odt": "odt", "epub": "epub", "html": "html", "md": "gfm", "tex": "latex", "ipynb": "ipynb", "csv": "csv", "rtf": "rtf",
	"xml": "jats", "nxml": "jats"}

// others are the programs that are compared with.
func others(pandoc, markitdown string) []tool {
	var from []string
	for ending := range pandocFrom {
		from = append(from, ending)
	}
	return []tool{
		{name: "pdftotext", program: "pdftotext", endings: []string{"pdf"}, args: func(file, _ string) []string { return []string{"-layout", file, os.DevNull} }},
		{name: "pandoc", program: pandoc, endings: from, args: func(file, ending string) []string {
			return []string{"-f", pandocFrom[ending], "-t", "gfm", "-o", os.DevNull, file}
		}},
		{name: "markitdown", program: markitdown, endings: []string{"pdf", "docx", "pptx", "xlsx", "html", "csv", "epub", "ipynb", "msg", "json", "xml", "txt", "md"},
			args: func(file, _ string) []string { return []string{file, "-o", os.DevNull} }},
	}
}

// starts are how often a program's start is measured at least.
const starts = 4

// startable measures the start of each program, and names those that cannot be started.
func startable(tools []tool, rounds int, empty string) (out []tool, missing []string) {
	for _, t := range tools {
		args := t.args(empty, "html")
		if t.name == "pdftotext" {
			args = []string{"-v"}
		}
		// The first start reads files that are not in memory yet; taken off, it would hide all.
		m, err := least(max(starts, rounds), t.program, args...)
		if err != nil {
			missing = append(missing, t.name)
			continue
		}
		t.start = m.processor
		out = append(out, t)
	}
	return out, missing
}

// leastTime is how long the files of a format have to take together, in seconds, for a ratio
// to say something.
const leastTime = 0.1

// sum adds up what a tool took for files that it read, and what we took for the same.
type sum struct {
	files        int
	theirs, ours float64
	refused      int
}

// format adds up the files of one ending.
type format struct {
	name    string
	files   int
	bytes   int64
	seconds float64
	others  map[string]sum
}

func (f *format) add(o original, seconds float64, tools []tool, rounds int) {
	f.files++
	f.seconds += seconds
	if info, err := os.Stat(o.path); err == nil {
		f.bytes += info.Size()
	}
	for _, t := range tools {
		if !slices.Contains(t.endings, f.name) {
			continue
		}
		s := f.others[t.name]
		if m, err := least(rounds, t.program, t.args(o.path, f.name)...); err != nil {
			s.refused++
		} else {
			s.files++
			s.theirs += max(0, m.processor-t.start)
			s.ours += seconds
		}
		f.others[t.name] = s
	}
}

func (f *format) print(w io.Writer, tools []tool) {
	mb := float64(f.bytes) / (1 << 20)
	speed := ""
	if f.seconds >= leastTime {
		speed = fmt.Sprintf("%.1f", mb/f.seconds)
	}
	fmt.Fprintf(w, "| %s | %d | %.2f | %.2f | %s |", f.name, f.files, mb, f.seconds, speed)
	for _, t := range tools {
		s, ok := f.others[t.name]
		var parts []string
		if ok && s.files > 0 {
			part := fmt.Sprintf("%.2f s", s.theirs)
			if s.ours >= leastTime { // less is the noise of a start
				part += fmt.Sprintf(", %.1f times ours", s.theirs/s.ours)
			}
			parts = append(parts, part)
		}
		if s.refused > 0 {
			parts = append(parts, fmt.Sprintf("%d not read", s.refused))
		}
		fmt.Fprintf(w, " %s |", strings.Join(parts, "; "))
	}
	fmt.Fprintln(w)
}
